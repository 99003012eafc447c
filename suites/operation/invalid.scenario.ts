import type { Mutation, Pool } from "../../generators/index.ts";
import { Inconclusive } from "../../harness/scenario-errors.ts";
import { invalid, isRefusal, isSuccess, type Exchange, type Json } from "../../model/exchange.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { memberRefusals, operationMembers } from "../../spec/refusals.ts";
import { amountSupply } from "../kit/amounts.ts";
import {
  beyondDoubles,
  blankBody,
  brokenRequest,
  changedBodies,
  changesOf,
  doubtfulRequest,
  emptyBody,
  malformedBodies,
  nested,
  nonObjects,
  withByteOrderMark,
  withoutMembers,
  type BrokenBody,
} from "../kit/bodies.ts";
import type { Context } from "../kit/context.ts";
import { draw } from "../kit/sampling.ts";
import { registerCounterparty } from "../kit/flows/counterparties.ts";
import { createOperation } from "../kit/flows/operations.ts";
import { operationBody, operationRequest, validOperation } from "../kit/requests.ts";
import { scenario } from "../kit/scenario.ts";
import { areRandom, unknownLike } from "../kit/ids.ts";

/** Values of a wrong type that are likely at one member, though rare at others. */
const likelyThere = new Set([
  "empty string /currency_amount",
  "whole number as a string /currency_amount",
  "decimals after a comma as a string /currency_amount",
  "the word NaN as a string /currency_amount",
  "false /currency_amount",
  "empty array /operation_purpose",
  "one /operation_purpose",
  "zero /operation_purpose",
  "zero /currency_pair",
  "false /currency_pair",
  "halves /currency_pair",
  "reference /counterparty_id",
  "operator /counterparty_id",
]);

const isLikely = ({ rare, id }: Mutation): boolean => !rare || likelyThere.has(id);

const requirementOn = ({ kind, pointer }: Mutation): RequirementId => {
  const member = operationMembers.find((name) => pointer === `/${name}`);
  if (member === undefined || !Object.hasOwn(memberRefusals, kind))
    throw new Error(`no requirement speaks of ${kind} at ${pointer}`);
  return memberRefusals[kind][member];
};

const touches = { operations: ["createCounterparty", "createOperation"], chain: 7 } as const;

/** Creations that break one rule, each with a control that broke none. */
export const invalidOperations = [
  scenario(
    "operation/invalid/members",
    "each member of an operation is left out, null, or of another type",
    { requirements: Object.values(memberRefusals).flatMap((ids) => Object.values(ids)), ...touches },
    async (context) => {
      const control = await controlOperation(context, 400);
      const refused = refusedWith400(context, control);
      const pool = changesOf("an operation", changedBodies(context, "createOperation", control), isLikely);
      const bodies = draw(context, pool).filter(({ item }) => context.wants(requirementOn(item.mutation)));
      const omissions = await Promise.all(
        bodies.flatMap(async ({ item }) => {
          const exchange = await refused(requirementOn(item.mutation), item);
          return item.mutation.kind === "omit" ? [exchange.response.status] : [];
        }),
      );
      // All four members are missing: if one missing member gets another status, that explains this status too.
      if (context.wants("OPER-20") && omissions.flat().every((status) => status === 400))
        await refused("OPER-20", withoutMembers);
    },
  ),
  scenario(
    "operation/invalid/bodies",
    "bodies that are not an operation",
    { requirements: ["OPER-32", "OPER-33", "OPER-34"], ...touches },
    async (context) => {
      const control = await controlOperation(context, 400);
      const refused = refusedWith400(context, control);
      const { syntax, encoding } = malformedBodies;
      const each = (requirement: RequirementId, pool: Pool<BrokenBody>) =>
        (context.wants(requirement) ? draw(context, pool) : []).map(({ item }) => refused(requirement, item));
      const noOperation = [...wrapped, ...nonObjects];
      await Promise.all([
        ...each("OPER-32", { name: "bodies that are no operation", items: noOperation, always: 6 }),
        ...(context.wants("OPER-33") ? [refused("OPER-33", emptyBody)] : []),
        ...each("OPER-34", { name: "malformed operations", items: [blankBody, ...syntax], always: 22 }),
      ]);
      // Many decoders replace bytes that are not UTF-8 before parsing, so only a crash is a fault.
      const doubtfulBodies = [...encoding, nested, beyondDoubles("currency_amount"), withByteOrderMark];
      const requests = doubtfulBodies.map(doubtfulRequest(operationRequest(control), "OPEN-36"));
      await Promise.all(requests.map(context.send));
    },
  ),
  scenario(
    "operation/invalid/values",
    "values that no operation should have",
    { requirements: ["OPER-40", "OPER-41", "OPER-42", "OPER-43", "OPER-44"], ...touches },
    async (context) => {
      const control = await controlOperation(context);
      const another = await registerCounterparty(context, 1);
      await Promise.all(
        doubtful(context, control, another.id)
          .filter(([requirement]) => context.wants(requirement))
          .map(([requirement, change, values]) => {
            const spec = operationRequest({ ...control, ...values }, invalid(change));
            return context.send({ ...spec, refusal: { requirement } });
          }),
      );
    },
  ),
];

/** A valid operation inside a body that is not an object, where a lenient parser finds it. */
const wrapped: readonly BrokenBody[] = [
  { change: "whose body is an array around an operation", body: (control) => [control] },
  { change: "whose body is a string that holds an operation", body: (control) => JSON.stringify(control) },
];

/**
 * A valid body that the target has just accepted; or one that it has refused with another status than `apart`. Where
 * it accepts one operation for a counterparty, the body is one for a new counterparty, as it has accepted twice.
 */
const controlOperation = async (context: Context, apart?: number): Promise<Readonly<Record<string, Json>>> => {
  const { id: counterparty } = await registerCounterparty(context);
  const next = amountSupply(context, 2);
  await createOperation(context, { counterparty, amount: next() });
  const amount = next();
  const control = operationBody(context, { counterparty, amount });
  await context.untilKnown();
  const exchange = await context.send(operationRequest(control));
  const isApart = apart !== undefined && isRefusal(exchange) && exchange.response.status !== apart;
  if (isSuccess(exchange) || isApart) return control;
  const [known, unused] = [await registerCounterparty(context, 21), await registerCounterparty(context, 22)];
  const like = await context.send(validOperation(context, { counterparty: known.id, amount }));
  if (!isSuccess(like) || known.id === unused.id)
    throw new Inconclusive("the target accepts one operation and refuses another like it, so a refusal proves nothing");
  await context.untilKnown();
  return operationBody(context, { counterparty: unused.id, amount });
};

/** Sends bodies that must be refused with 400. The controls are valid operations, each of an amount of its own. */
const refusedWith400 = (context: Context, valid: Readonly<Record<string, Json>>) => {
  const amount = amountSupply(context, 80, 8);
  const control = () => operationRequest({ ...valid, currency_amount: amount() });
  return (requirement: RequirementId, body: BrokenBody): Promise<Exchange> =>
    context.send({ ...brokenRequest(operationRequest(valid), body), refusal: { requirement, status: 400, control } });
};

type Doubtful = readonly [requirement: RequirementId, change: string, values: Readonly<Record<string, Json>>];

/** What good practice refuses, though the specification does not say so (INT-20). */
const doubtful = (
  { target, run }: Context,
  { counterparty_id: known = null }: Readonly<Record<string, Json>>,
  another: string,
): readonly Doubtful[] => {
  // A counterparty that does not exist, though its id has the shape of those that do.
  const unknown = typeof known === "string" && areRandom(known, another) ? unknownLike(known) : undefined;
  const unlike = "with an id like a counterparty's that none has";
  return [
    ["OPER-40", "with an amount of zero", { currency_amount: 0 }],
    ["OPER-41", "with a negative amount", { currency_amount: -target.amount.max }],
    ["OPER-41", "with an amount just below zero", { currency_amount: -(10 ** -target.amount.decimals) }],
    ["OPER-42", "with a pair that is a word", { currency_pair: "dollars" }],
    ["OPER-42", "with an empty pair", { currency_pair: "" }],
    ["OPER-42", "with half a pair", { currency_pair: "USD" }],
    ["OPER-43", "with a pair of unknown currencies", { currency_pair: "QQQZZZ" }],
    ["OPER-44", "with a counterparty that does not exist", { counterparty_id: `nobody-${run.runId}` }],
    ["OPER-44", "with an empty counterparty id", { counterparty_id: "" }],
    ...(unknown === undefined ? [] : [["OPER-44", unlike, { counterparty_id: unknown }] as const]),
  ];
};

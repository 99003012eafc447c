import { jsonSpellings, oddTexts } from "../../generators/index.ts";
import type { Mutation, Pool, JsonSpelling, OddText } from "../../generators/index.ts";
import { Inconclusive } from "../../harness/errors.ts";
import { invalid, isRefusal, isSuccess, unusual } from "../../model/exchange.ts";
import type { Exchange, Json, Intent, RequestSpec } from "../../model/exchange.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { memberRefusalAt, memberRefusals } from "../../spec/refusals.ts";
import { amountSupply } from "../kit/amounts.ts";
import { beyondDoubles, blankBody, brokenRequest, changedBodies, changesOf, doubtfulRequest } from "../kit/requests.ts";
import { emptyBody, malformedBodies, nested, idAsNumber, miscoded, nonObjects } from "../kit/requests.ts";
import { withByteOrderMark, withoutMembers, exactIntent, oddText, textPool, operationBody } from "../kit/requests.ts";
import { operationRequest, validOperation, observePrototypeMembers, observeTolerance } from "../kit/requests.ts";
import type { BrokenBody } from "../kit/requests.ts";
import type { Context } from "../kit/context.ts";
import type { OperationBody } from "../kit/target-knowledge.ts";
import { draw, sendEach } from "../kit/sampling.ts";
import { registerCounterparty } from "../kit/flows/counterparties.ts";
import { createOperation } from "../kit/flows/operations.ts";
import { scenario } from "../kit/scenario.ts";
import { areRandom, unknownLike } from "../kit/ids.ts";
import { observing } from "../kit/observing.ts";
import { orNothing, together } from "../kit/concurrency.ts";

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
  const requirement = memberRefusalAt(pointer, kind);
  if (requirement === undefined) throw new Error(`no requirement speaks of ${kind} at ${pointer}`);
  return requirement;
};

/** Creations that break one rule, each with a control that broke none. */
export const invalidOperations = [
  scenario(
    "operation/invalid/members",
    "each member of an operation is left out, null, or of another type",
    {
      requirements: Object.values(memberRefusals).flatMap((ids) => Object.values(ids)),
      operations: ["createOperation"],
    },
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
        await together([refused("OPER-20", withoutMembers), refused("OPER-20", withMembersInQuery(control))]);
      const asNumber = idAsNumber("counterparty_id", control.counterparty_id);
      if (asNumber !== undefined && context.wants("OPER-31")) await refused("OPER-31", asNumber);
    },
  ),
  scenario(
    "operation/invalid/bodies",
    "bodies that are not an operation",
    { requirements: ["OPER-32", "OPER-33", "OPER-34"], operations: ["createOperation"] },
    async (context) => {
      const control = await controlOperation(context, 400);
      const refused = refusedWith400(context, control);
      const { syntax, encoding } = malformedBodies;
      const each = (requirement: RequirementId, pool: Pool<BrokenBody>) =>
        (context.wants(requirement) ? draw(context, pool) : []).map(({ item }) => refused(requirement, item));
      const noOperation = [...wrapped, ...nonObjects];
      await Promise.all([
        ...each("OPER-32", { name: "bodies that are no operation", items: noOperation, always: 7 }),
        ...(context.wants("OPER-33") ? [refused("OPER-33", emptyBody)] : []),
        ...each("OPER-34", { name: "malformed operations", items: [blankBody, ...syntax], always: 22 }),
      ]);
      // Many decoders replace bytes that are not UTF-8 before parsing, so only a crash is a fault.
      const odd = [nested, beyondDoubles("currency_amount"), withByteOrderMark, ...miscoded.slice(0, 1)];
      const doubtfulBodies = [...encoding, ...odd];
      const requests = doubtfulBodies.map(doubtfulRequest(operationRequest(control), "OPEN-36"));
      await Promise.all(requests.map(context.send));
    },
  ),
  scenario(
    "operation/invalid/values",
    "values that no operation should have",
    { requirements: ["OPER-40", "OPER-41", "OPER-42", "OPER-43", "OPER-44"], operations: ["createOperation"] },
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

/** Some frameworks read members from the query too (INT-44). */
const withMembersInQuery = (control: OperationBody): BrokenBody => {
  const query = `?${new URLSearchParams({ ...control, currency_amount: String(control.currency_amount) }).toString()}`;
  return { ...withoutMembers, change: "whose members stand in the query", beside: { query } };
};

/** A valid operation inside a body that is not an object, where a lenient parser finds it. */
const wrapped: readonly BrokenBody[] = [
  { change: "whose body is an array around an operation", body: (control) => [control] },
  { change: "whose body is a string that holds an operation", body: (control) => JSON.stringify(control) },
];

/** A valid body like one that was just accepted, or that was refused with another status than `apart`. */
const controlOperation = async (context: Context, apart?: number): Promise<OperationBody> => {
  const { id: counterparty } = await registerCounterparty(context);
  const next = amountSupply(context, 2);
  const made = await orNothing(createOperation(context, { counterparty, amount: next() }));
  const amount = next();
  const control = operationBody(context, { counterparty, amount });
  // Where no more operations are accepted, a refusal with the stated status is right whatever a valid one gets.
  if (made === undefined && apart !== undefined) return control;
  await context.untilKnown();
  const exchange = await context.send(operationRequest(control));
  const isApart = apart !== undefined && isRefusal(exchange) && exchange.response.status !== apart;
  if (isSuccess(exchange) || isApart) return control;
  const [known, unused] = [await registerCounterparty(context, 21), await registerCounterparty(context, 22)];
  const like = await context.send(validOperation(context, { counterparty: known.id, amount }));
  if ((!isSuccess(like) || known.id === unused.id) && apart !== undefined) return control;
  if (!isSuccess(like) || known.id === unused.id)
    throw new Inconclusive("the target accepts one operation and refuses another like it, so a refusal proves nothing");
  await context.untilKnown();
  return operationBody(context, { counterparty: unused.id, amount });
};

/** Sends bodies that must be refused with 400. The controls are valid operations, each of an amount of its own. */
const refusedWith400 = (context: Context, valid: Readonly<Record<string, Json>>) => {
  const amount = amountSupply(context, 80, 8);
  return (requirement: RequirementId, body: BrokenBody): Promise<Exchange> => {
    const control = () => ({ ...operationRequest({ ...valid, currency_amount: amount() }), ...body.beside });
    const refusal = { requirement, status: 400, control } as const;
    return context.send({ ...brokenRequest(operationRequest(valid), body), refusal });
  };
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

/** Odd operations that break no stated rule: refusing them is not a violation, crashing is (INT-02, INT-04 and INT-31). */
export const oddOperations = [
  scenario(
    "operation/odd/spellings",
    "the same operation in other spellings of JSON",
    { requirements: ["OPER-06", "OPER-07", "OPER-08", "OPER-09"], operations: ["createOperation"], drawsTheSame: true },
    async (context) => {
      const { id: counterparty } = await registerCounterparty(context);
      const amount = amountSupply(context, 1 + spellings.items.length);
      await createOperation(context, { counterparty, amount: amount() });
      await sendEach(context, spellings, ({ id, textOf }) => {
        const text = textOf(operationBody(context, { counterparty, amount: amount() }));
        const spec: RequestSpec = { operation: "createOperation", intent: unusual(`written with ${id}`), text };
        return observing(spec, "OPEN-28", `POST /corporate/operation written with ${id}`);
      });
    },
  ),
  scenario(
    "operation/odd/values",
    "odd texts and amounts in an operation",
    { requirements: ["OPER-17"], operations: ["createOperation"], drawsTheSame: true },
    async (context) => {
      const { id: counterparty } = await registerCounterparty(context);
      const next = amountSupply(context, 7);
      await createOperation(context, { counterparty, amount: next() });
      const whole = operationBody(context, { counterparty, amount: next() });
      const changed = (members: Readonly<Record<string, Json>>, intent?: Intent): RequestSpec =>
        operationRequest({ ...whole, ...members }, intent);
      const another = (): RequestSpec => changed({ currency_amount: next() });
      // These are not pairs or ids, so their echoes are not judged (INT-12).
      const textsIn = (member: string, always: number): Promise<unknown> =>
        sendEach(context, textPool(`/${member}`, always), (odd) =>
          oddText(changed({ [member]: odd.text }, invalid(`with ${odd.id} in /${member}`)), odd, `/${member}`),
        );
      await together([
        // Any text may be a purpose: one that is accepted comes back as it was sent (INT-18).
        sendEach(context, oddPurposes, (odd) => {
          const intent = exactIntent(odd, "/operation_purpose");
          return oddText(changed({ operation_purpose: odd.text }, intent), odd, "/operation_purpose");
        }),
        textsIn("currency_pair", 3),
        textsIn("counterparty_id", 4),
        sendEach(context, oddPairs, (pair) => changed({ currency_pair: pair }, invalid(`with the pair ${pair}`))),
      ]);
      const amount = next();
      // Members that a client cannot decide: the response is still that of a new operation (INT-18).
      const decided = { currency_amount: next(), status: "settled", batch_id: `batch-${context.run.runId}` };
      await together([
        sendEach(context, mediaTypes, (contentType) => ({
          ...changed({ currency_amount: amount }, declaredAs(contentType)),
          contentType,
        })),
        sendEach(context, oddAmounts(context, whole.currency_amount), ({ id, value, isExtreme }) => {
          const intent = (isExtreme ? invalid : unusual)(`with an amount of ${id}`);
          return observing(changed({ currency_amount: value }, intent), "OPEN-29", id);
        }),
        observeTolerance(context, another(), another()),
        context.send(changed(decided, unusual("with a status and a batch_id"))),
        observePrototypeMembers(context, another()),
      ]);
    },
  ),
];

const spellings: Pool<JsonSpelling> = { name: "spellings of JSON", items: jsonSpellings, always: 6 };

/** Whether servers that trim change it, and must not. */
const isTrimmed = ({ text, fragile }: OddText): boolean => fragile !== "anywhere" && text.trim() !== text;

const oddPurposes = textPool("/operation_purpose", 8, [
  ...oddTexts.filter(isTrimmed),
  ...oddTexts.filter((odd) => !isTrimmed(odd)),
]);

/** Pairs of real currencies that few servers trade, and spellings of real pairs. */
const oddPairs: Pool<string> = {
  name: "odd pairs",
  items: ["USDUSD", "BRLUSD", "usdbrl", "USD/BRL", "XAUBRL", "USDBRL ", "XXXXTS", "USDBRLUSDBRL", "BRL", "USD-BRL"],
  always: 3,
};

const mediaTypes: Pool<string | null> = {
  name: "media types of an operation",
  items: [
    null,
    "application/json; charset=utf-8",
    "multipart/form-data",
    "application/json; charset=",
    "Application/JSON;charset=UTF-8",
    "application/x-www-form-urlencoded",
    "application/xml",
    "application/json; charset=latin-1",
    "multipart/form-data; boundary=",
    "application/merge-patch+json",
    "json",
  ],
  always: 4,
};

/** A parameter is legal and may be refused; what is not JSON, or not declared, may be refused or read. */
const declaredAs = (contentType: string | null): Intent => {
  if (contentType === null) return invalid("without a Content-Type");
  const isLegal = /^application\/json; ?charset=utf-8$/i.test(contentType);
  return (isLegal ? unusual : invalid)(`declared as ${contentType}`);
};

/** More decimals or larger amounts may be refused; accepted ones come back as sent (INT-09), but for extreme ones. */
const oddAmounts = ({ target }: Context, amount: number): Pool<ReturnType<typeof oddAmount>> => ({
  name: "odd amounts",
  items: [
    oddAmount(amount + 0.123456789, "nine decimals"),
    oddAmount(amount + 0.1234567890123456, "as many digits as a double holds"),
    ...[0.005, 27_182.81, 31_415_926.53].map((value) => oddAmount(value)),
    oddAmount(2 ** 31, "2^31"),
    oddAmount(2 ** 53, "2^53"),
    oddAmount(1e20, "10^20, an integer beyond 64 bits", true),
    oddAmount(1e15 + 0.5),
    oddAmount(target.amount.max * 10, "ten times the largest configured amount"),
    ...[1e-9, 1e308, -0].map((value) => oddAmount(value, Object.is(value, -0) ? "-0" : String(value), true)),
    oddAmount(314_159.27),
    oddAmount(5e-324, undefined, true),
  ],
  always: 13,
});

const oddAmount = (value: number, id = String(value), isExtreme = false) => ({ id, value, isExtreme });

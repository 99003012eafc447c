import { listedBatch } from "../batches/create.scenario.ts";
import { Inconclusive } from "../../harness/scenario-errors.ts";
import {
  invalid,
  isRefusal,
  isSuccess,
  memberOf,
  messageOf,
  unusual,
  type Exchange,
  type Json,
  type RequestSpec,
} from "../../model/exchange.ts";
import { firstPair, plainAmounts } from "../kit/amounts.ts";
import type { Context } from "../kit/context.ts";
import { validBatch } from "../kit/flows/batches.ts";
import { registerCounterparty } from "../kit/flows/counterparties.ts";
import { untilKnown } from "../kit/flows/created.ts";
import { acceptedItem, addItem, itemBody } from "../kit/flows/items.ts";
import { createOperation } from "../kit/flows/operations.ts";
import { otherPurpose, type OtherPurpose } from "../kit/flows/purposes.ts";
import { observingStatus } from "../kit/observing.ts";
import { orNothing } from "../kit/or-nothing.ts";
import {
  efx,
  itemRequest,
  operationBody,
  operationRequest,
  validOperation,
  type OperationData,
} from "../kit/requests.ts";
import { scenario } from "../kit/scenario.ts";
import { together } from "../kit/together.ts";
import { areRandom, cannotCoincide, unknownLike, withLettersBehind } from "../kit/unknown-id.ts";

const operations = ["createCounterparty", "createOperation", "addAcamItem"] as const;

/** An item that must be refused because of its operation. */
const wrongItem = (
  context: Context,
  requirement: "ACAM-03" | "ACAM-04" | "ACAM-05",
  { id, amount, of }: { readonly id: string; readonly amount: number; readonly of: string },
  item: Json = itemBody(context, amount),
): RequestSpec => ({ ...itemRequest(id, item, invalid(`for an operation ${of}`)), refusal: { requirement } });

const unknownOperation = scenario(
  "acam/purpose/unknown-operation",
  "an ACAM item for an operation that does not exist",
  { requirements: ["ACAM-04"], questions: ["OPEN-11"], operations, chain: 4, after: [listedBatch] },
  async (context) => {
    const { id: counterparty } = await registerCounterparty(context);
    const [amount = context.target.amount.min, next = amount] = plainAmounts(context, 2);
    const [operation, other, batch] = await together([
      createOperation(context, { counterparty, amount }),
      createOperation(context, { counterparty, amount: next }),
      validBatch(context, firstPair(context)).then(context.send),
    ]);
    // The control: the endpoint accepts an item like this one, so a refusal is about the operation.
    await addItem(context, operation.id, amount);
    const ids = [operation.id, other.id] as const;
    const foreign = [counterparty, memberOf(batch.json, "id")].filter((id) => typeof id === "string");
    const unknown = [
      `nothing-${context.run.runId}`,
      `nothing-${context.run.runId}'--`,
      "00000000-0000-4000-8000-000000000000",
      "nothing".repeat(12),
      "constructor",
      areRandom(...ids) ? unknownLike(operation.id) : undefined,
      withLettersBehind(operation.id),
      ...foreign.filter((id) => cannotCoincide(ids, id)),
    ].filter((id) => id !== undefined);
    await Promise.all(
      unknown.map(async (id) => {
        const item = wrongItem(context, "ACAM-04", { id, amount, of: "that does not exist" });
        await context.send(observingStatus(item, "an operation that does not exist"));
      }),
    );
  },
);

/** The rule that ACAM items are for EFX operations alone (specification, Endpoints, 4; INT-23). */
export const purpose = [
  unknownOperation,
  scenario(
    "acam/purpose/other",
    "an ACAM item for an operation that is not EFX",
    { requirements: ["ACAM-03"], questions: ["OPEN-02", "OPEN-11"], operations, chain: 11 },
    async (context) => {
      const { target } = context;
      const { purpose, pair } = await otherPurpose(context);
      const { id: counterparty } = await registerCounterparty(context);
      const [first = target.amount.min, second = first, third = first] = plainAmounts(context, 3);
      const control = await createOperation(context, { counterparty, amount: first });
      await addItem(context, control.id, first);
      // A counterparty that never had an EFX operation.
      const { id: without } = await registerCounterparty(context, 13);
      const further = target.otherPurposes.filter((configured) => configured !== purpose).slice(0, mostFurther);
      const otherPair = target.currencyPairs.findLast((configured) => configured !== pair) ?? pair;
      const rows: readonly (OperationData & { readonly purpose: string })[] = [
        { counterparty, amount: second, purpose, pair },
        // Only one purpose is known to work, with one pair: these may be refused.
        { counterparty, amount: third, purpose, pair: otherPair },
        ...further.map((another) => ({ counterparty, amount: third, purpose: another, pair })),
        { counterparty: without, amount: target.amount.max, purpose, pair },
      ];
      await Promise.all(
        rows.map(async (data, index) => {
          const exchange =
            index === 0
              ? (await createOperation(context, data)).exchange
              : await context.send(validOperation(context, data));
          const id = memberOf(exchange.json, "operation_id");
          if (!isSuccess(exchange) || typeof id !== "string") return;
          await untilKnown(context);
          const of = `with the purpose ${data.purpose}`;
          // Twice, and for a part of the amount: the refusal must last, and must not depend on the item.
          const body = itemBody(context, data.amount);
          for (const item of [body, { ...body, local_currency_amount: target.amount.min }]) {
            const spec = wrongItem(context, "ACAM-03", { id, amount: data.amount, of }, item);
            await context.send(observingStatus(spec, "an operation that is not EFX"));
          }
        }),
      );
    },
  ),
  scenario(
    "acam/purpose/accepted",
    "an ACAM item for an operation with an unknown purpose that the server accepted",
    { requirements: ["ACAM-03"], operations: ["createCounterparty"], chain: 5 },
    async (context) => {
      const { id: counterparty } = await registerCounterparty(context, 21);
      const amounts = plainAmounts(context, 2, 21);
      await together(
        ["NON-EFX", "EFXTRA"].map(async (purpose, index) => {
          const amount = amounts[index] ?? context.target.amount.min;
          const of = `with the purpose ${purpose}`;
          const body = operationBody(context, { counterparty, amount, purpose });
          const exchange = await context.send(operationRequest(body, unusual(of)));
          const id = memberOf(exchange.json, "operation_id");
          // Only a purpose that comes back as it was sent is certainly another than EFX (INT-36).
          const isKept = memberOf(exchange.json, "operation_purpose") === purpose;
          if (!isSuccess(exchange) || !isKept || typeof id !== "string") return;
          await untilKnown(context);
          await context.send(wrongItem(context, "ACAM-03", { id, amount, of }));
        }),
      );
    },
  ),
  scenario(
    "acam/purpose/alike",
    "an old operation that is not EFX, among later EFX operations, some of the same amount",
    { requirements: ["ACAM-05"], operations, chain: 9 },
    async (context) => {
      const [{ purpose, pair }, { id: counterparty }] = await together([
        otherPurpose(context),
        registerCounterparty(context, 22),
      ]);
      const [control = context.target.amount.min, a = control, b = control, ...rest] = plainAmounts(context, 9, 22);
      const create = async (amount: number, of: string): Promise<string> =>
        (await createOperation(context, { counterparty, amount, purpose: of, pair })).id;
      const makeAlike = async (): Promise<readonly [before: string, after: string]> => {
        const before = await create(a, purpose);
        await together([create(a, efx), create(b, efx)]);
        const after = await create(b, purpose);
        await together(rest.map((amount) => create(amount, efx)));
        return [before, after];
      };
      const addControl = async () => addItem(context, await create(control, efx), control);
      const [[before, after]] = await together([makeAlike(), addControl()]);
      await untilKnown(context);
      const of = `with the purpose ${purpose}`;
      await together([
        context.send(wrongItem(context, "ACAM-05", { id: before, amount: a, of: `${of}, older than others` })),
        context.send(
          wrongItem(context, "ACAM-05", { id: after, amount: b, of: `${of}, like an older one that is EFX` }),
        ),
      ]);
    },
  ),
  scenario(
    "acam/purpose/old",
    "the oldest operation that is not EFX, once batches were created",
    {
      requirements: ["ACAM-05"],
      operations: ["createCounterparty", "createOperation"],
      chain: 1,
      after: [unknownOperation],
    },
    async (context) => {
      const { purpose, first } = await otherPurpose(context);
      const of = `with the purpose ${purpose}, older than a batch`;
      if (typeof first.id === "string")
        await context.send(wrongItem(context, "ACAM-05", { id: first.id, amount: first.amount, of }));
    },
  ),
  scenario(
    "acam/purpose/path",
    "the operation in the path decides, not the newest one",
    { requirements: ["ACAM-05"], operations, chain: 11 },
    async (context) => {
      const other = await otherPurpose(context);
      await Promise.all([
        judgePath(context, other, "another purpose came after it", [efx, other.purpose]),
        judgePath(context, other, "an EFX operation came after it", [other.purpose, efx]),
      ]);
    },
  ),
];

/** Purposes that are tried besides the one that is known to work here. */
const mostFurther = 3;

/** After this many refusals of an item, the operation that was created later is blamed for them. */
const mostTimes = 3;

/**
 * Creates two operations in this order and adds an item to the older one, then to the newer one. Judges by itself whether
 * the item for the EFX operation is accepted: only what is sent here shows that nothing else explains its refusal.
 */
const judgePath = async (
  context: Context,
  { purpose: other, pair }: OtherPurpose,
  what: string,
  order: readonly [string, string],
): Promise<void> => {
  const { id: counterparty } = await registerCounterparty(context, order[0] === efx ? 11 : 12);
  for (let times = 1; ; times += 1) {
    const amounts = plainAmounts(context, 4, (order[0] === efx ? 1 : 2) + 10 * times);
    const [a = context.target.amount.min, b = a, c = a, d = a] = amounts;
    const create = async (amount: number, purpose: string): Promise<string> =>
      (await createOperation(context, { counterparty, amount, purpose, pair })).id;
    const control = async (amount: number): Promise<unknown> => addItem(context, await create(amount, efx), amount);
    await control(c);
    const older = { id: await create(a, order[0]), amount: a, when: what };
    const newer = { id: await create(b, order[1]), amount: b, when: "it was created last" };
    const [right, wrong] = order[0] === efx ? [older, newer] : [newer, older];
    await untilKnown(context);
    const of = `with the purpose ${other}, while ${wrong.when}`;
    await context.send(wrongItem(context, "ACAM-05", { ...wrong, of }));
    const refusal = await lastingRefusal(context, right.id, right.amount, times === 1);
    if (refusal === undefined) return;
    // It is accepted for the last operation of the counterparty: so no limit explains the refusal.
    await untilKnown(context);
    await control(d);
    // A single refusal may have another reason: the operation may be in a batch by now, for example.
    if (times < mostTimes) continue;
    return context.violated(
      "ACAM-05",
      {
        message: `An ACAM item is refused for an EFX operation while ${right.when}, and accepted for one like it otherwise.`,
        expected: "a response that follows the purpose of the operation in the path",
        actual: `status ${messageOf(refusal)}, ${mostTimes} times with operations of their own`,
        cause: {
          expected: "the purpose of the operation in the path decides",
          actual: "the order of creation decides",
        },
      },
      { exchange: refusal },
    );
  }
};

/** The refusal of an item, in all its variations; undefined if one is accepted. */
const lastingRefusal = async (
  context: Context,
  operation: string,
  amount: number,
  isFirst: boolean,
): Promise<Exchange | undefined> => {
  const body = itemBody(context, amount);
  // The first time, the operation may need a moment to be known.
  if (isFirst && (await orNothing(context.succeed(itemRequest(operation, body)))) !== undefined) return undefined;
  const exchange = await context.send(itemRequest(operation, body, unusual("sent once more")));
  if (isSuccess(exchange) || (await acceptedItem(context, operation, amount, body)) !== undefined) return undefined;
  if (!isRefusal(exchange)) throw new Inconclusive(`an ACAM item was answered with ${messageOf(exchange)}`);
  return exchange;
};

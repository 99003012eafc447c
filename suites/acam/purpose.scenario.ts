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
  type RequestSpec,
} from "../../model/exchange.ts";
import { firstPair, plainAmounts } from "../kit/amounts.ts";
import { observeRefusal } from "../kit/bodies/invalid-bodies.ts";
import type { Context } from "../kit/context.ts";
import { validBatch } from "../kit/flows/batches.ts";
import { registerCounterparty } from "../kit/flows/counterparties.ts";
import { untilKnown } from "../kit/flows/created.ts";
import { acceptedItem, addItem, itemBody } from "../kit/flows/items.ts";
import { createOperation } from "../kit/flows/operations.ts";
import { otherPurpose, type OtherPurpose } from "../kit/flows/purposes.ts";
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
import type { Made } from "../kit/target-knowledge.ts";
import { areRandom, cannotCoincide, unknownLike, withLettersBehind } from "../kit/unknown-id.ts";

const operations = ["createCounterparty", "createOperation", "addAcamItem"] as const;

/** The operation in the path decides. */
const ofPath = { requirement: "ACAM-05" } as const;

const unknownOperation = scenario(
  "acam/purpose/unknown-operation",
  "an ACAM item for an operation that does not exist",
  { requirements: ["ACAM-04"], questions: ["OPEN-11"], operations, cost: 14, chain: 4, after: [listedBatch] },
  async (context) => {
    const counterparty = await registerCounterparty(context);
    const [amount = context.target.amount.min, next = amount] = plainAmounts(context, 2);
    const create = (of: number): Promise<Made> =>
      createOperation(context, { counterparty: counterparty.id, amount: of });
    const [operation, other, batchCreated] = await together([
      // The control: the endpoint accepts an item like this one, so a refusal is about the operation.
      create(amount).then(async (made) => {
        await addItem(context, made.id, amount);
        return made;
      }),
      create(next),
      validBatch(context, firstPair(context)).then(context.send),
    ]);
    const ids = [operation.id, other.id] as const;
    const like = areRandom(...ids) ? unknownLike(operation.id) : undefined;
    const batch = memberOf(batchCreated.json, "id");
    const others = [counterparty.id, batch].filter((id) => typeof id === "string");
    const unknown = [
      `nothing-${context.run.runId}`,
      `nothing-${context.run.runId}'--`,
      "00000000-0000-4000-8000-000000000000",
      "nothing".repeat(12),
      "constructor",
      ...(like === undefined ? [] : [like]),
      withLettersBehind(operation.id),
      ...others.filter((id) => cannotCoincide(ids, id)),
    ];
    const what = "an operation that does not exist";
    const refusal = { requirement: "ACAM-04" } as const;
    await Promise.all(
      unknown.map(async (id) => {
        const spec = itemRequest(id, itemBody(context, amount, 1), invalid(`for ${what}`));
        observeRefusal(context, what, await context.send({ ...spec, refusal }));
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
    { requirements: ["ACAM-03"], questions: ["OPEN-02", "OPEN-11"], operations, cost: 16, chain: 11 },
    async (context) => {
      const other = await otherPurpose(context);
      const counterparty = await registerCounterparty(context);
      const [first = context.target.amount.min, second = first, third = first] = plainAmounts(context, 3);
      const control = await createOperation(context, { counterparty: counterparty.id, amount: first });
      await addItem(context, control.id, first);
      // Configured purposes may be refused, or refused with this pair: only one is known to work, with one pair.
      const pair = context.target.currencyPairs.findLast((configured) => configured !== other.pair) ?? other.pair;
      const further = context.target.otherPurposes.filter((configured) => configured !== other.purpose);
      // A counterparty that never had an EFX operation.
      const { id: without } = await registerCounterparty(context, 13);
      const { id } = counterparty;
      const { max } = context.target.amount;
      const rows: readonly Required<OperationData>[] = [
        { counterparty: id, amount: second, purpose: other.purpose, pair: other.pair },
        { counterparty: id, amount: third, purpose: other.purpose, pair },
        ...further
          .slice(0, mostFurther)
          .map((purpose) => ({ counterparty: id, amount: third, purpose, pair: other.pair })),
        { counterparty: without, amount: max, purpose: other.purpose, pair: other.pair },
      ];
      await Promise.all(
        rows.map(async (data) => {
          const { amount, purpose } = data;
          const isKnown = purpose === other.purpose && data.pair === other.pair && amount !== max;
          const operation = isKnown ? await createOperation(context, data) : await createdIfAccepted(context, data);
          if (operation === undefined) return;
          await untilKnown(context);
          // Twice, and for a part of the amount: the refusal must last, and must not depend on the item.
          const body = itemBody(context, amount);
          for (const item of [body, { ...body, local_currency_amount: context.target.amount.min }]) {
            const intent = invalid(`for an operation with the purpose ${purpose}`);
            const spec = { ...itemRequest(operation.id, item, intent), refusal: { requirement: "ACAM-03" } } as const;
            observeRefusal(context, "an operation that is not EFX", await context.send(spec));
          }
        }),
      );
    },
  ),
  scenario(
    "acam/purpose/accepted",
    "an ACAM item for an operation with an unknown purpose that the server accepted",
    { requirements: ["ACAM-03"], operations: ["createCounterparty"], cost: 4, chain: 5 },
    async (context) => {
      const { id: counterparty } = await registerCounterparty(context, 21);
      const [first = context.target.amount.min, second = first] = plainAmounts(context, 2, 21);
      const judge = async (purpose: string, amount: number): Promise<void> => {
        const spec = operationRequest(
          operationBody(context, { counterparty, amount, purpose }),
          unusual(`with the purpose ${purpose}`),
        );
        const exchange = await context.send(spec);
        const id = memberOf(exchange.json, "operation_id");
        // Only a purpose that comes back as it was sent is certainly another than EFX (INT-36).
        const isKept = memberOf(exchange.json, "operation_purpose") === purpose;
        if (!isSuccess(exchange) || !isKept || typeof id !== "string") return;
        await untilKnown(context);
        const intent = invalid(`for an operation with the purpose ${purpose}`);
        await context.send({
          ...itemRequest(id, itemBody(context, amount), intent),
          refusal: { requirement: "ACAM-03" },
        });
      };
      await together([judge("NON-EFX", first), judge("EFXTRA", second)]);
    },
  ),
  scenario(
    "acam/purpose/alike",
    "an old operation that is not EFX, among later EFX operations, some of the same amount",
    { requirements: ["ACAM-05"], operations, cost: 15, chain: 9 },
    async (context) => {
      const [{ purpose, pair }, { id: counterparty }] = await together([
        otherPurpose(context),
        registerCounterparty(context, 22),
      ]);
      const [control = context.target.amount.min, a = control, b = control, ...rest] = plainAmounts(context, 9, 22);
      const create = (amount: number, of: string): Promise<Made> =>
        createOperation(context, { counterparty, amount, purpose: of, pair });
      const makeAlike = async (): Promise<readonly [before: Made, after: Made]> => {
        const before = await create(a, purpose);
        await together([create(a, efx), create(b, efx)]);
        const after = await create(b, purpose);
        await together(rest.map((amount) => create(amount, efx)));
        return [before, after];
      };
      const [[before, after]] = await together([
        makeAlike(),
        create(control, efx).then(({ id }) => addItem(context, id, control)),
      ]);
      await untilKnown(context);
      const rows = [
        [before, a, "older than others, one of them EFX and of the same amount"],
        [after, b, "of the amount of an older one that is EFX"],
      ] as const;
      await together(
        rows.map(([{ id }, amount, when]) => {
          const intent = invalid(`for an operation with the purpose ${purpose}, ${when}`);
          return context.send({ ...itemRequest(id, itemBody(context, amount), intent), refusal: ofPath });
        }),
      );
    },
  ),
  scenario(
    "acam/purpose/old",
    "the oldest operation that is not EFX, once batches were created",
    {
      requirements: ["ACAM-05"],
      operations: ["createCounterparty", "createOperation"],
      cost: 4,
      chain: 1,
      after: [unknownOperation],
    },
    async (context) => {
      const { purpose, first } = await otherPurpose(context);
      if (typeof first.id !== "string") return;
      const intent = invalid(`for an operation with the purpose ${purpose}, older than a batch`);
      await context.send({ ...itemRequest(first.id, itemBody(context, first.amount), intent), refusal: ofPath });
    },
  ),
  scenario(
    "acam/purpose/path",
    "the operation in the path decides, not the newest one",
    { requirements: ["ACAM-05"], operations, cost: 14, chain: 11 },
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

const createdIfAccepted = async (context: Context, data: OperationData): Promise<Pick<Made, "id"> | undefined> => {
  const exchange = await context.send(validOperation(context, data));
  const id = memberOf(exchange.json, "operation_id");
  return isSuccess(exchange) && typeof id === "string" ? { id } : undefined;
};

/** After this many refusals of an item, the operation that was created later is blamed for them. */
const mostTimes = 3;

/** Creates two operations in this order and adds an item to the older one, then to the newer one. */
const judgePath = async (
  context: Context,
  { purpose: other, pair }: OtherPurpose,
  what: string,
  order: readonly [string, string],
): Promise<void> => {
  const counterparty = await registerCounterparty(context, order[0] === efx ? 11 : 12);
  for (let times = 1; ; times += 1) {
    const amounts = plainAmounts(context, 4, (order[0] === efx ? 1 : 2) + 10 * times);
    const [a = context.target.amount.min, b = a, c = a, d = a] = amounts;
    const create = (amount: number, purpose: string): Promise<Made> =>
      createOperation(context, { counterparty: counterparty.id, amount, purpose, pair });
    await addItem(context, (await create(c, efx)).id, c);
    const older = await create(a, order[0]);
    const newer = await create(b, order[1]);
    await untilKnown(context);
    const rows = [
      { id: older.id, purpose: order[0], amount: a, when: what },
      { id: newer.id, purpose: order[1], amount: b, when: "it was created last" },
    ];
    for (const { id, amount, when } of rows.filter(({ purpose }) => purpose === other)) {
      const change = `for an operation with the purpose ${other}, while ${when}`;
      await context.send({ ...itemRequest(id, itemBody(context, amount), invalid(change)), refusal: ofPath });
    }
    const blamed = rows.find(({ purpose }) => purpose === efx);
    if (blamed === undefined) return;
    const refusal = await refusalInSpite(context, blamed.id, blamed.amount, times === 1, async () => {
      const { id } = await create(d, efx);
      await untilKnown(context);
      await addItem(context, id, d);
    });
    if (refusal === undefined) return context.holds("ACAM-05");
    // A single refusal may have another reason: the operation may be in a batch by now, for example.
    if (times < mostTimes) continue;
    return context.violated(
      "ACAM-05",
      {
        message: `An ACAM item is refused for an EFX operation while ${blamed.when}, and accepted for one like it otherwise.`,
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

/**
 * A lasting refusal of an item, although `control` shows before and afterwards that the same kind of item is accepted
 * for the last operation of the counterparty: so a limit does not explain the refusal. Undefined if the item is
 * accepted.
 */
const refusalInSpite = async (
  context: Context,
  operation: string,
  amount: number,
  isFirst: boolean,
  control: () => Promise<void>,
): Promise<Exchange | undefined> => {
  const body = itemBody(context, amount);
  // The first time, the operation may need a moment to be known.
  if (isFirst && (await isAccepted(context, itemRequest(operation, body)))) return undefined;
  const exchange = await context.send(itemRequest(operation, body, unusual("sent once more")));
  if (isSuccess(exchange) || (await acceptedItem(context, operation, amount, body)) !== undefined) {
    return undefined;
  }
  if (!isRefusal(exchange)) throw new Inconclusive(`an ACAM item was answered with ${messageOf(exchange)}`);
  await control();
  return exchange;
};

/** Whether a valid request succeeds within the grace period. */
const isAccepted = async (context: Context, spec: RequestSpec): Promise<boolean> =>
  (await orNothing(context.succeed(spec))) !== undefined;

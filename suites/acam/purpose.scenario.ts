import {
  invalid,
  isRefusal,
  isSuccess,
  memberOf,
  messageOf,
  unusual,
  type Ask,
  type Exchange,
  type Json,
} from "../../harness/exchange.ts";
import { Inconclusive } from "../../harness/verdicts.ts";
import type { Made } from "../common.ts";
import { scenario } from "../define.ts";
import { unknownLike, withLetterBehind } from "../unknown-id.ts";
import type { Stage } from "../stage.ts";
import {
  acamAsk,
  acamBody,
  addItem,
  addedWithAnotherTaxId,
  plainAmounts,
  createOperation,
  operationAsk,
  operationBody,
  efx,
  otherPurpose,
  registerCounterparty,
  untilKnown,
  type OperationData,
  type OtherPurpose,
} from "../steps.ts";

const touches = { operations: ["createCounterparty", "createOperation", "addAcamItem"] } as const;

/** The rule that ACAM items are for EFX operations alone (specification, Endpoints, 4; ruling 23). */
export const purpose = [
  scenario(
    "an ACAM item for an operation that does not exist",
    { requirements: ["ACAM-04"], questions: ["OPEN-11"], ...touches },
    async (stage) => {
      const counterparty = await registerCounterparty(stage);
      const [amount = stage.target.amount.min] = plainAmounts(stage, 1);
      // The control: the endpoint takes an item like this one, so a refusal is about the operation.
      const operation = await createOperation(stage, { counterparty: counterparty.id, amount });
      await addItem(stage, operation.id, amount);
      const like = unknownLike(operation.id);
      for (const unknown of [
        `nothing-${stage.world.runId}`,
        "00000000-0000-4000-8000-000000000000",
        "nothing".repeat(12),
        "constructor",
        ...(like === undefined ? [] : [like]),
        ...withLetterBehind(operation.id),
      ]) {
        await stage.refused(
          "ACAM-04",
          acamAsk(unknown, acamBody(stage, amount, 1), invalid("for an operation that does not exist")),
        );
      }
    },
  ),
  scenario(
    "an ACAM item for an operation that is not EFX",
    { requirements: ["ACAM-03"], questions: ["OPEN-02", "OPEN-11"], ...touches },
    async (stage) => {
      const other = await otherPurpose(stage);
      const counterparty = await registerCounterparty(stage);
      const [first = stage.target.amount.min, second = first, third = first] = plainAmounts(stage, 3);
      const control = await createOperation(stage, { counterparty: counterparty.id, amount: first });
      await addItem(stage, control.id, first);
      // What is configured need not be taken here, or not with each pair: one purpose with one pair is known to be.
      const pair = stage.target.currencyPairs.findLast((configured) => configured !== other.pair) ?? other.pair;
      const further = stage.target.otherPurposes.filter((configured) => configured !== other.purpose);
      // One that never had an EFX operation.
      const { id: without } = await registerCounterparty(stage, 13);
      const { id } = counterparty;
      const { max } = stage.target.amount;
      const rows: readonly Required<OperationData>[] = [
        { counterparty: id, amount: second, ...other },
        { counterparty: id, amount: third, purpose: other.purpose, pair },
        ...further
          .slice(0, mostFurther)
          .map((purpose) => ({ counterparty: id, amount: third, purpose, pair: other.pair })),
        { counterparty: without, amount: max, ...other },
      ];
      for (const data of rows) {
        const { amount, purpose } = data;
        const isKnown = purpose === other.purpose && data.pair === other.pair && amount !== max;
        const operation = isKnown
          ? await createOperation(stage, data)
          : await createdIfTaken(stage, operationBody(stage, data));
        if (operation === undefined) continue;
        await untilKnown(stage);
        // Twice, and for a part of the amount: a refusal neither wears off nor depends on the item.
        for (const [time, body] of [
          ["", acamBody(stage, amount)],
          [", once more", { ...acamBody(stage, amount), local_currency_amount: stage.target.amount.min }],
        ] as const) {
          const intent = invalid(`for an operation with the purpose ${purpose}${time}`);
          await stage.refused("ACAM-03", acamAsk(operation.id, body, intent));
        }
      }
    },
  ),
  scenario(
    "the operation in the path decides, not the newest one",
    { requirements: ["ACAM-05"], ...touches },
    async (stage) => {
      const other = await otherPurpose(stage);
      await followsThePath(stage, other, "another purpose came after it", [efx, other.purpose]);
      await followsThePath(stage, other, "an EFX operation came after it", [other.purpose, efx]);
    },
  ),
];

/** Purposes that are tried besides the one that is known to work here. */
const mostFurther = 3;

const createdIfTaken = async (stage: Stage, body: Json): Promise<Pick<Made, "id"> | undefined> => {
  const exchange = await stage.ask(operationAsk(body));
  const id = memberOf(exchange.json, "operation_id");
  return isSuccess(exchange) && typeof id === "string" ? { id } : undefined;
};

/** Times that an item is refused before that is blamed on what was created after its operation. */
const mostTimes = 3;

/** Creates two operations in this order and adds an item to the older one, then to the newer one. */
const followsThePath = async (
  stage: Stage,
  { purpose: other, pair }: OtherPurpose,
  what: string,
  order: readonly [string, string],
): Promise<void> => {
  const counterparty = await registerCounterparty(stage, order[0] === efx ? 11 : 12);
  for (let times = 1; ; times += 1) {
    const amounts = plainAmounts(stage, 4, (order[0] === efx ? 1 : 2) + 10 * times);
    const [a = stage.target.amount.min, b = a, c = a, d = a] = amounts;
    const create = (amount: number, purpose: string): Promise<Made> =>
      createOperation(stage, { counterparty: counterparty.id, amount, purpose, pair });
    await addItem(stage, (await create(c, efx)).id, c);
    const older = await create(a, order[0]);
    const newer = await create(b, order[1]);
    await untilKnown(stage);
    const rows = [
      { id: older.id, purpose: order[0], amount: a, when: what },
      { id: newer.id, purpose: order[1], amount: b, when: "it was created last" },
    ];
    for (const { id, amount, when } of rows.filter(({ purpose }) => purpose === other)) {
      const change = `for an operation with the purpose ${other}, while ${when}`;
      await stage.refused("ACAM-05", acamAsk(id, acamBody(stage, amount), invalid(change)));
    }
    const blamed = rows.find(({ purpose }) => purpose === efx);
    if (blamed === undefined) return;
    const refusal = await refusalInSpite(stage, blamed.id, blamed.amount, times === 1, async () => {
      const { id } = await create(d, efx);
      await untilKnown(stage);
      await addItem(stage, id, d);
    });
    if (refusal === undefined) return stage.holds("ACAM-05");
    // Once may be another matter: meanwhile the operation may have come into a batch, say.
    if (times < mostTimes) continue;
    return stage.violated(
      "ACAM-05",
      {
        message: `An ACAM item is refused for an EFX operation while ${blamed.when}, and accepted for one like it otherwise.`,
        expected: "an answer that follows the purpose of the operation in the path",
        actual: `status ${messageOf(refusal)}, ${mostTimes} times with operations of their own`,
      },
      refusal,
    );
  }
};

/**
 * A refusal that lasts, though an item like this one is accepted before and afterwards for an operation of the same
 * counterparty with nothing after it (`control`): so it is not about a limit, and follows something else. Undefined
 * where the item is accepted.
 */
const refusalInSpite = async (
  stage: Stage,
  operation: string,
  amount: number,
  isFirst: boolean,
  control: () => Promise<void>,
): Promise<Exchange | undefined> => {
  const body = acamBody(stage, amount);
  // What took a moment the first time has had it by the second.
  if (isFirst && (await isTaken(stage, acamAsk(operation, body)))) return undefined;
  const exchange = await stage.ask(acamAsk(operation, body, unusual("asked once more")));
  if (isSuccess(exchange) || (await addedWithAnotherTaxId(stage, operation, amount, body)) !== undefined) {
    return undefined;
  }
  if (!isRefusal(exchange)) throw new Inconclusive(`an ACAM item was answered with ${messageOf(exchange)}`);
  await control();
  return exchange;
};

/** Whether a valid request is answered with success within the grace period. */
const isTaken = async (stage: Stage, ask: Ask): Promise<boolean> => {
  try {
    await stage.succeed(ask);
    return true;
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    return false;
  }
};

import { invalid, isRefusal, isSuccess, messageOf, unusual } from "../../harness/exchange.ts";
import { Inconclusive } from "../../harness/verdicts.ts";
import { scenario } from "../define.ts";
import type { Stage } from "../stage.ts";
import {
  acamAsk,
  acamBody,
  plainAmounts,
  createOperation,
  efx,
  otherPurpose,
  registerCounterparty,
  untilKnown,
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
      await stage.succeed(acamAsk(operation.id, acamBody(stage, amount)));
      for (const unknown of [`nothing-${stage.world.runId}`, "00000000-0000-4000-8000-000000000000"]) {
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
      await stage.succeed(acamAsk(control.id, acamBody(stage, first)));
      const pairs = stage.target.currencyPairs;
      for (const [amount, pair] of [
        [second, pairs[0]],
        [third, pairs.at(-1)],
      ] as const) {
        const operation = await createOperation(stage, {
          counterparty: counterparty.id,
          amount,
          purpose: other,
          ...(pair === undefined ? {} : { pair }),
        });
        await untilKnown(stage);
        // Twice: a refusal does not wear off.
        for (const time of ["", ", once more"]) {
          await stage.refused(
            "ACAM-03",
            acamAsk(
              operation.id,
              acamBody(stage, amount),
              invalid(`for an operation with the purpose ${other}${time}`),
            ),
          );
        }
      }
    },
  ),
  scenario(
    "the operation in the path decides, not the newest one",
    { requirements: ["ACAM-05"], ...touches },
    async (stage) => {
      const other = await otherPurpose(stage);
      await followsThePath(stage, other, "another purpose came after it", [efx, other]);
      await followsThePath(stage, other, "an EFX operation came after it", [other, efx]);
    },
  ),
];

/** Creates two operations in this order and adds an item to the older one, then to the newer one. */
const followsThePath = async (
  stage: Stage,
  other: string,
  what: string,
  order: readonly [string, string],
): Promise<void> => {
  const counterparty = await registerCounterparty(stage, order[0] === efx ? 11 : 12);
  const amounts = plainAmounts(stage, 4, order[0] === efx ? 1 : 2);
  const [a = stage.target.amount.min, b = a, c = a, d = a] = amounts;
  const control = await createOperation(stage, { counterparty: counterparty.id, amount: c });
  await stage.succeed(acamAsk(control.id, acamBody(stage, c)));
  const older = await createOperation(stage, { counterparty: counterparty.id, amount: a, purpose: order[0] });
  const newer = await createOperation(stage, { counterparty: counterparty.id, amount: b, purpose: order[1] });
  await untilKnown(stage);
  for (const [operation, purposeOf, amount, when] of [
    [older, order[0], a, what],
    [newer, order[1], b, "it was created last"],
  ] as const) {
    if (purposeOf === other) {
      await stage.refused(
        "ACAM-05",
        acamAsk(
          operation.id,
          acamBody(stage, amount),
          invalid(`for an operation with the purpose ${other}, while ${when}`),
        ),
      );
      continue;
    }
    await acceptedThough(
      stage,
      acamAsk(operation.id, acamBody(stage, amount)),
      `an EFX operation while ${when}`,
      async () => {
        const { id } = await createOperation(stage, { counterparty: counterparty.id, amount: d });
        await untilKnown(stage);
        return acamAsk(id, acamBody(stage, d));
      },
    );
  }
};

/**
 * An item like this one has been accepted before, and is accepted afterwards for an operation of the same counterparty
 * with nothing after it (`control`): then a refusal that lasts is not about a limit, and follows something else.
 */
const acceptedThough = async (
  stage: Stage,
  ask: ReturnType<typeof acamAsk>,
  what: string,
  control: () => Promise<ReturnType<typeof acamAsk>>,
): Promise<void> => {
  try {
    await stage.succeed(ask);
    stage.holds("ACAM-05");
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    const exchange = await stage.ask({ ...ask, intent: unusual("asked once more") });
    if (isSuccess(exchange)) return stage.holds("ACAM-05");
    if (!isRefusal(exchange)) throw error;
    await stage.succeed(await control());
    stage.violated(
      "ACAM-05",
      {
        message: `An ACAM item is refused for ${what}, and accepted for one like it otherwise.`,
        expected: "an answer that follows the purpose of the operation in the path",
        actual: `status ${messageOf(exchange)}`,
      },
      exchange,
    );
  }
};

import * as fc from "fast-check";
import type { Exchange } from "../../model/exchange.ts";
import {
  inTurn,
  operationIn,
  scenario,
  type Context,
  type Created,
  type Operation,
} from "../kit/index.ts";

const requirements = ["ACAM-05", "CPTY-10", "OPER-09", "OPER-15"] as const;

/**
 * Creates counterparties, operations, items and batches in random order. No step may change what an
 * earlier step created. Only runs with a larger `--runs` than the default send walks, because each
 * seed draws others.
 */
export const walks = scenario({
  id: "properties/walk",
  uses: ["createCounterparty", "createOperation", "addAcamItem", "createBatch", "listBatches"],
  title: "a walk through counterparties, operations, items and batches",
  checks: requirements,
  phase: "beside",
  run: async (context) => {
    const { attempt, forAll, otherPurpose, payeeWithItem, register, ...more } = context;
    const { samplesOf, settings, target } = more;
    const n = Math.round(((settings.runs - 25) * walksOf25) / 25);
    if (n <= 0) return;
    // The control: if the target refuses this counterparty, walks would show nothing, and none
    // starts.
    await register(0);
    const other = (await attempt(payeeWithItem().then(otherPurpose)))?.purpose;
    await forAll({
      requirements,
      samples: samplesOf(stepsOf(target.currencyPairs, other === undefined), n),
      send: (steps) => walk(context, steps, other ?? "EFX"),
    });
  },
});

/**
 * A step of a walk. `of` chooses a counterparty or operation among those that the walk has created
 * so far.
 */
interface WalkStep {
  readonly kind: "register" | "operation" | "item" | "batch" | "list";
  readonly of: number;
  readonly pair: string;
  readonly isEfx: boolean;
}

/**
 * A walk has at most `longest` steps, and there are `walksOf25` walks for each 25 that `--runs`
 * exceeds 25. Walks run at the same time.
 */
const longest = 5;
const walksOf25 = 3;

function stepsOf(
  pairs: readonly string[],
  isAlwaysEfx: boolean,
): fc.Arbitrary<readonly WalkStep[]> {
  const step = fc.record({
    kind: fc.constantFrom("register" as const, "operation", "item", "batch", "list"),
    of: fc.nat(5),
    pair: fc.constantFrom(...pairs),
    isEfx: isAlwaysEfx ? fc.constant(true) : fc.boolean(),
  });
  return fc.array(step, { minLength: 1, maxLength: longest });
}

/**
 * Takes the steps in turn. Resolves to the first exchange that breaks a rule, or else to the last
 * one.
 */
async function walk(
  context: Context,
  steps: readonly WalkStep[],
  other: string,
): Promise<Exchange> {
  const {
    amount,
    batchFor,
    itemFor,
    listRequest,
    operationFor,
    refused,
    register,
    send,
    violationsOf,
  } = context;
  // All amounts are taken when the walk begins. As walks run at the same time, amounts taken later
  // would differ between two runs with the same seed.
  const amounts = Array.from({ length: longest }, amount);
  const counterparties: Created[] = [];
  const operations: Operation[] = [];
  const registered = async (): Promise<Exchange> => {
    const counterparty = await register(100 + counterparties.length);
    counterparties.push(counterparty);
    return counterparty.exchange;
  };
  /**
   * Takes a step. Resolves to its exchange, or to undefined if there is no operation yet for an
   * item.
   */
  const take = async (
    { kind, of, pair, isEfx }: WalkStep,
    index: number,
  ): Promise<Exchange | undefined> => {
    switch (kind) {
      case "register":
        return registered();
      case "list":
        return send(listRequest);
      case "batch":
        return send(await batchFor(pair));
      case "operation": {
        const counterparty = inTurn(counterparties, of);
        const data = {
          counterparty,
          pair,
          purpose: isEfx ? "EFX" : other,
          amount: inTurn(amounts, index),
        };
        const exchange = await send(operationFor(data));
        const operation = operationIn(exchange);
        if (operation !== undefined) operations.push(operation);
        return exchange;
      }
      case "item": {
        const operation = operations[of % operations.length];
        if (operation === undefined) return undefined;
        if (operation.purpose === "EFX") return send(itemFor(operation));
        const what = `for an operation with the purpose ${operation.purpose}`;
        return refused(itemFor(operation), { what }, "ACAM-05");
      }
    }
  };
  // A walk begins with a counterparty, so that each operation has one.
  let last = await registered();
  for (const [index, step] of steps.entries()) {
    if (violationsOf(last).length > 0) break;
    last = (await take(step, index)) ?? last;
  }
  return last;
}

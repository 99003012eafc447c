import * as fc from "fast-check";
import type { Exchange } from "../../model/exchange.ts";
import { invalid } from "../../model/request.ts";
import { listedBatch } from "../batches/create/listed.scenario.ts";
import { amountSupply } from "../kit/amounts.ts";
import { orNothing } from "../kit/concurrency.ts";
import type { Core } from "../kit/context.ts";
import { validBatch } from "../kit/flows/batches.ts";
import { registerCounterparty } from "../kit/flows/counterparties.ts";
import { itemBody, otherPurpose } from "../kit/flows/operations.ts";
import { efx, itemRequest, listRequest, validOperation } from "../kit/requests.ts";
import { drawn, holdsForAll } from "../kit/sampling.ts";
import { scenario } from "../kit/scenario.ts";
import { createdId } from "../kit/target-knowledge.ts";

/** A step of a walk. Numbers choose among what the walk has created so far. */
interface WalkStep {
  readonly kind: "register" | "operation" | "item" | "batch" | "list";
  readonly of: number;
  readonly pair: string;
  readonly isEfx: boolean;
}

/** Steps of one walk, and walks for each 25 samples of a property. They go on at the same time. */
const longest = 12;
const walksOf25 = 4;

const requirements = ["ACAM-05", "CPTY-10", "OPER-09", "OPER-15"] as const;

/** Counterparties, operations, items and batches in random order. */
export const walks = [
  scenario(
    "properties/walk",
    "a walk through counterparties, operations, items and batches",
    { requirements, operations: ["addAcamItem", "createBatch", "listBatches"], after: [listedBatch] },
    async (context) => {
      // The control: each kind of step succeeds once.
      await registerCounterparty(context);
      const other = (await orNothing(otherPurpose(context)))?.purpose;
      const n = Math.max(1, Math.round((context.settings.runs * walksOf25) / 25));
      const samples = drawn(context, stepsOf(context, other), n);
      await holdsForAll(context, { requirements, samples, send: (steps) => walk(context, steps, other) });
    },
  ),
];

const stepsOf = ({ target }: Core, other: string | undefined): fc.Arbitrary<readonly WalkStep[]> => {
  const step = fc.record({
    kind: fc.constantFrom("register" as const, "operation", "item", "batch", "list"),
    of: fc.nat(5),
    pair: fc.constantFrom(...target.currencyPairs),
    isEfx: other === undefined ? fc.constant(true) : fc.boolean(),
  });
  return fc.array(step, { minLength: 1, maxLength: longest });
};

/** Resolves to the first exchange that breaks a rule, else to the last one. */
const walk = async (context: Core, steps: readonly WalkStep[], other = efx): Promise<Exchange> => {
  const next = amountSupply(context, longest);
  const counterparties: string[] = [];
  const operations: { readonly id: string; readonly purpose: string; readonly amount: number }[] = [];
  const register = async (): Promise<Exchange> => {
    const { id, exchange } = await registerCounterparty(context, 100 + counterparties.length);
    await context.untilKnown();
    counterparties.push(id);
    return exchange;
  };
  /** Takes a step; undefined if what it needs was not created yet. */
  const take: Readonly<Record<WalkStep["kind"], (step: WalkStep) => Promise<Exchange | undefined>>> = {
    register,
    list: () => context.send(listRequest),
    batch: async ({ pair }) => context.send(await validBatch(context, pair)),
    operation: async ({ of, pair, isEfx }) => {
      const [purpose, amount] = [isEfx ? efx : other, next()];
      const counterparty = counterparties[of % counterparties.length] ?? "";
      const exchange = await context.send(validOperation(context, { counterparty, amount, purpose, pair }));
      const id = createdId(exchange);
      if (id !== undefined) operations.push({ id, purpose, amount });
      return exchange;
    },
    item: async ({ of }) => {
      const operation = operations[of % operations.length];
      if (operation === undefined) return undefined;
      const { id, purpose, amount } = operation;
      const spec = itemRequest(id, itemBody(context, amount, of));
      if (purpose === efx) return context.send(spec);
      await context.untilKnown();
      const intent = invalid(`for an operation with the purpose ${purpose}`);
      return context.send({ ...spec, intent, refusal: { requirement: "ACAM-05" } });
    },
  };
  // It begins with a counterparty, so that there is one for each operation.
  let exchange = await register();
  for (const step of steps) {
    if (context.violationsOf(exchange).length > 0) break;
    exchange = (await take[step.kind](step)) ?? exchange;
  }
  return exchange;
};

import * as fc from "fast-check";
import { Inconclusive, Violation } from "../../harness/scenario-errors.ts";
import { invalid, isSuccess, memberOf, type Exchange, type RequestSpec } from "../../model/exchange.ts";
import { listedBatch } from "../batches/create.scenario.ts";
import { samplesOf, type Sample } from "../../generators/index.ts";
import { plainAmounts } from "../kit/amounts.ts";
import type { Context } from "../kit/context.ts";
import { validBatch } from "../kit/flows/batches.ts";
import { registerCounterparty } from "../kit/flows/counterparties.ts";
import { untilKnown } from "../kit/flows/created.ts";
import { itemBody } from "../kit/flows/items.ts";
import { otherPurpose } from "../kit/flows/purposes.ts";
import { efx, itemRequest, listRequest, validOperation } from "../kit/requests.ts";
import { scenario } from "../kit/scenario.ts";
import type { Made } from "../kit/target-knowledge.ts";
import { windowed, windowOf } from "../kit/windowed.ts";

/** The model: what was created so far, as far as rules depend on it. */
interface Model {
  counterparties: number;
  operations: number;
}

interface MadeOperation {
  readonly id: string;
  readonly purpose: string;
  readonly amount: number;
}

/** The target, with what this walk created there. */
interface Real {
  readonly context: Context;
  readonly other: string | undefined;
  /** When the walk must end, by `performance.now()`. */
  readonly until: number;
  readonly amounts: number[];
  readonly counterparties: Made[];
  readonly operations: MadeOperation[];
  /** What was done, in words. */
  readonly story: string[];
  /** Responses with a violation of a standing check or of the walk. */
  readonly faulty: Exchange[];
}

type Step = fc.AsyncCommand<Model, Real>;

/** Steps of one walk, and walks for each 25 samples of a property. They go on at the same time. */
const longest = 12;
const walksOf25 = 4;

const requirements = ["ACAM-05", "CPTY-10", "OPER-09", "OPER-15"] as const;

/** Counterparties, operations, items and batches in random order, against a model of what the rules say. */
export const model = [
  scenario(
    "properties/walk",
    "a walk through counterparties, operations, items and batches",
    {
      requirements,
      operations: ["createCounterparty", "createOperation", "addAcamItem", "createBatch", "listBatches"],
      cost: 15,
      chain: 5,
      after: [listedBatch],
    },
    async (context) => {
      // The control: each kind of step succeeds once.
      await registerCounterparty(context);
      const found = await otherPurpose(context).catch((error: unknown) => {
        if (error instanceof Inconclusive) return undefined;
        throw error;
      });
      const other = found?.purpose;
      const walks = Math.max(1, Math.round((context.settings.runs * walksOf25) / 25));
      const until = performance.now() + (context.settings.timeout * 3 + context.settings.grace) * Math.ceil(walks / 4);
      const arbitrary = fc.commands(stepsOf(context, other), { maxCommands: longest });
      let late = false;
      let faulty: { readonly index: number; readonly from: Sample<unknown>["from"]; readonly real: Real } | undefined;
      const samples = samplesOf(arbitrary, { seed: context.seed, n: walks });
      await windowed(samples, windowOf(context.settings), async ({ value, from }, index) => {
        const { real, end } = await walk(realOf(context, other, until), value);
        late ||= end === "late";
        if (end === "faulty" && (faulty === undefined || index < faulty.index)) faulty = { index, from, real };
      });
      if (late) {
        for (const requirement of requirements)
          context.inconclusive(
            requirement,
            "the target was too slow for a walk through all its operations; raise --timeout",
            true,
          );
      }
      if (faulty === undefined) return;
      const last = (await shrunk(context, other, faulty.from)) ?? faulty.real;
      for (const exchange of last.faulty) context.showInstead(exchange, `after: ${last.story.join(", then ")}`);
    },
  ),
];

const realOf = (context: Context, other: string | undefined, until: number): Real => ({
  context,
  other,
  until,
  amounts: [...plainAmounts(context, 60)],
  counterparties: [],
  operations: [],
  story: [],
  faulty: [],
});

/** How a walk ended. A refused step ends it early, which is not a violation. */
interface Walk {
  readonly real: Real;
  readonly end: "done" | "faulty" | "late";
}

const walk = async (real: Real, steps: Iterable<Step>): Promise<Walk> => {
  try {
    await fc.asyncModelRun(() => ({ model: { counterparties: 0, operations: 0 }, real }), steps);
  } catch (error) {
    if (error instanceof Violation) return { real, end: "faulty" };
    if (!(error instanceof Inconclusive)) throw error;
  }
  return { real, end: isOver(real) ? "late" : "done" };
};

/** The smallest walk that still shows the fault, by itself; undefined if it does not show again. */
const shrunk = async (
  context: Context,
  other: string | undefined,
  from: { readonly seed: number; readonly path: string },
): Promise<Real | undefined> => {
  const limit = context.settings.timeout * 3 + context.settings.grace;
  const until = performance.now() + limit;
  let smallest: Real | undefined;
  const property = fc.asyncProperty(fc.commands(stepsOf(context, other), { maxCommands: longest }), async (steps) => {
    const { real, end } = await walk(realOf(context, other, until), steps);
    if (end !== "faulty") return;
    smallest = real;
    throw new Violation("the standing checks found fault");
  });
  await fc.check(property, { ...from, numRuns: 1, interruptAfterTimeLimit: limit, markInterruptAsFailure: false });
  return smallest;
};

const isOver = ({ until }: Real): boolean => performance.now() > until;

const stepsOf = (context: Context, other: string | undefined): fc.Arbitrary<Step>[] => {
  const pairs = context.target.currencyPairs;
  return [
    fc.constant(register),
    fc
      .record({
        counterparty: fc.nat(5),
        pair: fc.constantFrom(...pairs),
        isEfx: other === undefined ? fc.constant(true) : fc.boolean(),
      })
      .map(createOperation),
    fc.nat(8).map(addItem),
    fc.constantFrom(...pairs).map(createBatch),
    fc.constant(list),
  ];
};

/** A step with its name; `isPossible` says whether the model has what it needs. */
const step = (
  name: string,
  run: (real: Real, model: Model) => Promise<void>,
  isPossible: (model: Readonly<Model>) => boolean = () => true,
): Step => ({ check: isPossible, run: (model, real) => run(real, model), toString: () => name });

const register = step("register a counterparty", async (real, model) => {
  real.story.push("register a counterparty");
  const made = await registerCounterparty(real.context, 100 + real.story.length);
  endIfFaulty(real, made.exchange);
  await untilKnown(real.context);
  real.counterparties.push(made);
  model.counterparties += 1;
});

interface OperationStep {
  readonly counterparty: number;
  readonly pair: string;
  readonly isEfx: boolean;
}

const createOperation = ({ counterparty: index, pair, isEfx }: OperationStep): Step =>
  step(
    `create an operation with the purpose ${isEfx ? efx : "other than EFX"} for ${pair}`,
    async (real, model) => {
      const which = index % real.counterparties.length;
      const counterparty = real.counterparties[which]?.id ?? "";
      const amount = real.amounts.shift() ?? real.context.target.amount.min;
      const purpose = isEfx ? efx : (real.other ?? efx);
      const exchange = await send(
        real,
        `create an operation of ${amount} with the purpose ${purpose} for counterparty ${which + 1}`,
        validOperation(real.context, { counterparty, amount, purpose, pair }),
      );
      const id = memberOf(exchange.json, "operation_id");
      if (!isSuccess(exchange) || typeof id !== "string") throw new Inconclusive("an operation was refused");
      real.operations.push({ id, purpose, amount });
      model.operations += 1;
    },
    (model) => model.counterparties > 0,
  );

const addItem = (index: number): Step =>
  step(
    "add an ACAM item",
    async (real) => {
      const which = index % real.operations.length;
      const operation = real.operations[which];
      if (operation === undefined) return;
      const { context } = real;
      const spec = itemRequest(operation.id, itemBody(context, operation.amount, real.story.length));
      const words = `add an ACAM item to operation ${which + 1}, whose purpose is ${operation.purpose}`;
      if (operation.purpose === efx) {
        await send(real, words, spec);
        return;
      }
      await untilKnown(context);
      const intent = invalid(`for an operation with the purpose ${operation.purpose}`);
      await send(real, words, { ...spec, intent, refusal: { requirement: "ACAM-05" } });
    },
    (model) => model.operations > 0,
  );

const createBatch = (pair: string): Step =>
  step(`create a batch for ${pair}`, async (real) => {
    await send(real, `create a batch for ${pair}`, await validBatch(real.context, pair));
  });

const list = step("list the batches", async (real) => {
  await send(real, "list the batches", listRequest);
});

/** Sends a request, notes what was done, and ends the walk at a violation of a standing check. */
const send = async (real: Real, words: string, spec: RequestSpec): Promise<Exchange> => {
  real.story.push(words);
  const exchange = await real.context.send(spec);
  endIfFaulty(real, exchange);
  return exchange;
};

const endIfFaulty = (real: Real, exchange: Exchange): void => {
  if (real.context.violationsOf(exchange).length === 0) return;
  real.faulty.push(exchange);
  throw new Violation("the standing checks found fault");
};

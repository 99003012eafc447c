import * as fc from "fast-check";
import { invalid, isSuccess, memberOf, type Exchange, type RequestSpec } from "../../model/exchange.ts";
import { listedBatch } from "../batches/create.scenario.ts";
import { plainAmounts } from "../kit/amounts.ts";
import type { Context } from "../kit/context.ts";
import { validBatch } from "../kit/flows/batches.ts";
import { registerCounterparty } from "../kit/flows/counterparties.ts";
import { untilKnown } from "../kit/flows/created.ts";
import { itemBody } from "../kit/flows/items.ts";
import { otherPurpose } from "../kit/flows/purposes.ts";
import { orNothing } from "../kit/or-nothing.ts";
import { drawn, holdsForAll } from "../kit/property.ts";
import { efx, itemRequest, listRequest, validOperation } from "../kit/requests.ts";
import { scenario } from "../kit/scenario.ts";

/** A step of a walk. Numbers choose among what the walk has created so far. */
type Step =
  | { readonly kind: "register" }
  | { readonly kind: "list" }
  | { readonly kind: "operation"; readonly of: number; readonly pair: string; readonly isEfx: boolean }
  | { readonly kind: "item"; readonly of: number }
  | { readonly kind: "batch"; readonly pair: string };

/** Steps of one walk, and walks for each 25 samples of a property. They go on at the same time. */
const longest = 12;
const walksOf25 = 4;

/** Counterparties, operations, items and batches in random order. */
export const model = [
  scenario(
    "properties/walk",
    "a walk through counterparties, operations, items and batches",
    {
      requirements: ["ACAM-05", "CPTY-10", "OPER-09", "OPER-15"],
      operations: ["createCounterparty", "createOperation", "addAcamItem", "createBatch", "listBatches"],
      chain: 5,
      after: [listedBatch],
    },
    async (context) => {
      // The control: each kind of step succeeds once.
      await registerCounterparty(context);
      const other = (await orNothing(otherPurpose(context)))?.purpose;
      const stories = new WeakMap<Exchange, string>();
      await holdsForAll(context, {
        requirements: ["ACAM-05", "CPTY-10", "OPER-09", "OPER-15"],
        samples: drawn(
          context,
          walks(context, other),
          Math.max(1, Math.round((context.settings.runs * walksOf25) / 25)),
        ),
        send: async (steps) => {
          const { exchange, story } = await walk(context, steps, other);
          stories.set(exchange, `after: ${story.join(", then ")}`);
          return exchange;
        },
        circumstance: (exchange) => stories.get(exchange),
      });
    },
  ),
];

const walks = ({ target }: Context, other: string | undefined): fc.Arbitrary<readonly Step[]> => {
  const [of, pair] = [fc.nat(5), fc.constantFrom(...target.currencyPairs)];
  const isEfx = other === undefined ? fc.constant(true) : fc.boolean();
  const step = fc.oneof(
    fc.constant({ kind: "register" } as const),
    fc.record({ kind: fc.constant("operation" as const), of, pair, isEfx }),
    fc.record({ kind: fc.constant("item" as const), of }),
    fc.record({ kind: fc.constant("batch" as const), pair }),
    fc.constant({ kind: "list" } as const),
  );
  return fc.array(step, { minLength: 1, maxLength: longest });
};

/** The first exchange that breaks a rule, else the last one, and the steps up to it, in words. */
const walk = async (
  context: Context,
  steps: readonly Step[],
  other = efx,
): Promise<{ readonly exchange: Exchange; readonly story: readonly string[] }> => {
  const amounts = plainAmounts(context, longest);
  const counterparties: string[] = [];
  const operations: { readonly id: string; readonly purpose: string; readonly amount: number }[] = [];
  const story: string[] = [];
  const sent = (words: string, spec: RequestSpec): Promise<Exchange> => {
    story.push(words);
    return context.send(spec);
  };
  const register = async (): Promise<Exchange> => {
    story.push("register a counterparty");
    const { id, exchange } = await registerCounterparty(context, 100 + story.length);
    await untilKnown(context);
    counterparties.push(id);
    return exchange;
  };
  const take = async (step: Step): Promise<Exchange | undefined> => {
    if (step.kind === "register") return register();
    if (step.kind === "list") return sent("list the batches", listRequest);
    if (step.kind === "batch") return sent(`create a batch for ${step.pair}`, await validBatch(context, step.pair));
    if (step.kind === "operation") {
      if (counterparties.length === 0) return undefined;
      const which = step.of % counterparties.length;
      const [purpose, amount] = [step.isEfx ? efx : other, amounts[operations.length] ?? context.target.amount.min];
      const exchange = await sent(
        `create an operation of ${amount} with the purpose ${purpose} for counterparty ${which + 1}`,
        validOperation(context, { counterparty: counterparties[which] ?? "", amount, purpose, pair: step.pair }),
      );
      const id = memberOf(exchange.json, "operation_id");
      if (isSuccess(exchange) && typeof id === "string") operations.push({ id, purpose, amount });
      return exchange;
    }
    const which = step.of % operations.length;
    const operation = operations[which];
    if (operation === undefined) return undefined;
    const { id, purpose, amount } = operation;
    const spec = itemRequest(id, itemBody(context, amount, story.length));
    const words = `add an ACAM item to operation ${which + 1}, whose purpose is ${purpose}`;
    if (purpose === efx) return sent(words, spec);
    await untilKnown(context);
    const intent = invalid(`for an operation with the purpose ${purpose}`);
    return sent(words, { ...spec, intent, refusal: { requirement: "ACAM-05" } });
  };
  let exchange = await register();
  for (const step of steps) {
    if (context.violationsOf(exchange).length > 0) break;
    exchange = (await take(step)) ?? exchange;
  }
  return { exchange, story };
};

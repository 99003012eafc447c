import {
  amountArbitrary,
  anyPayeeRow,
  oddTextDesign,
  oddTextRow,
  payeeArbitrary,
  payeeRows,
  sampleOf,
  samplesOf,
} from "../../generators/index.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { Json } from "../../spec/json.ts";
import { withSmallerAmounts } from "../resources/amounts.ts";
import {
  amountOfRow,
  dealsOf,
  designedItem,
  designedOperation,
  designedPayee,
  operationOfRow,
  payeeOfRow,
  rowsSent,
  type Deliver,
} from "../resources/design-rows.ts";
import { counterpartyRequest, operationRequest } from "../resources/requests.ts";
import { together } from "../run/concurrency.ts";
import { seedFor, type ScenarioCore } from "../run/context.ts";
import type { Sample } from "./samples.ts";

/** The body of a payee. `index`: its row in the design. Absent: it is of no row. */
export interface DesignedPayee {
  readonly index?: number;
  readonly body: Json;
}

/** An operation for the payee of its row. */
export interface DesignedOperation {
  readonly index: number;
  readonly amount: number;
}

/**
 * Sends a further operation, once in a run. `deliver`: how it is sent at first; if it is refused
 * then, it is sent as it is.
 */
type FurtherOperation = (deliver?: Deliver) => Promise<Exchange>;

/**
 * Where the operations of each scenario begin among the further ones: the first of these may get an
 * item, so scenarios that add items count from the front, and others from the end.
 */
const shares = {
  "unknown operation": 0,
  "at the same time": -10,
  "other spellings": -16,
  "with headers": -20,
};

type Share = keyof typeof shares;

/**
 * What every run sends, whatever its seed: payees, operations and items in which each possible pair
 * of attributes occurs (docs/sensitivity.md). The seed draws letters and digits. A larger `--runs`
 * adds payees with drawn attributes, and operations with further amounts.
 */
export function designedVerbs(core: ScenarioCore) {
  const sent = new Set<number>();
  /** Whether the request of a row is sent for the first time, and not to shrink a failure. */
  const isFirst = (index: number): boolean => !sent.has(index) && sent.add(index).has(index);
  const more = Math.max(0, core.settings.runs - 25);
  return {
    payees: (): Iterable<Sample<DesignedPayee>> => payeesOf(core, Math.ceil(more * 0.6)),
    sendPayee: async ({ index, body }: DesignedPayee): Promise<Exchange> =>
      index !== undefined && isFirst(index)
        ? (await designedPayee(core, index, () => body)).exchange
        : core.send(counterpartyRequest(core, body)),
    operations: (): Iterable<Sample<DesignedOperation>> => operationsOf(core, more),
    sendOperation: async ({ index, amount }: DesignedOperation): Promise<Exchange> => {
      if (isFirst(index)) return (await designedOperation(core, index)).exchange;
      const { operations } = dealsOf(core);
      const payee = await designedPayee(core, Number(operations[index]?.["payee"]));
      if (payee.id === undefined) return payee.exchange;
      const body = operationOfRow(core, index, payee.id);
      return core.send(operationRequest({ ...body, currency_amount: amount }));
    },
    /**
     * Further operations of the design, at most `n`, which the scenario sends in place of operations
     * of its own. Resolves when their payees are registered. Fewer are there if the design has
     * fewer, or if the target refuses a payee.
     */
    further: (share: Share, n: number) => furtherOf(core, share, n),
    /** All further operations, by their index. What a scenario sent is not sent again. */
    furtherOperations: () => samplesAt(rowsSent(core, dealsOf(core).further)),
    sendFurther: async (index: number): Promise<Exchange> =>
      (await designedOperation(core, index)).exchange,
    /** Notes what became of a kind of text at a member, for the coverage of the report. */
    triedText: (operation: string, text: string, place: string, { response }: Exchange): void =>
      void core.knowledge.sentRows.push({
        kind: "odd texts",
        design: oddTextDesign,
        row: oddTextRow(operation, text, place),
        status: response.status,
      }),
    items: () => samplesAt(rowsSent(core, dealsOf(core).items).map((_, index) => index)),
    /** Adds the item of a row. Resolves to an earlier refusal if there is no operation for it. */
    sendItem: (index: number): Promise<Exchange> => designedItem(core, index),
  };
}

function* payeesOf(core: ScenarioCore, more: number): Generator<Sample<DesignedPayee>> {
  for (const [index, row] of rowsSent(core, payeeRows()).entries()) {
    const { value, from, arbitrary } = payeeOfRow(core, row, index);
    const withIndex = arbitrary.map((body): DesignedPayee => ({ index, body }));
    yield { value: { index, body: value }, arbitrary: withIndex, from };
  }
  const any = anyPayeeRow.chain(payeeArbitrary).map((body): DesignedPayee => ({ body }));
  for (const sample of samplesOf(any, { seed: core.seed, n: more }))
    yield { ...sample, arbitrary: any };
}

function* operationsOf(core: ScenarioCore, more: number): Generator<Sample<DesignedOperation>> {
  const { operations, further: later } = dealsOf(core);
  const rows = rowsSent(core, operations.slice(0, operations.length - later.length));
  const range = core.target.amount;
  const further = sampleOf(amountArbitrary(range), {
    seed: seedFor(core.seed, "further amounts"),
    n: more,
  });
  const values = [
    ...rows.map((_, index) => ({ index, amount: amountOfRow(core, index) })),
    ...further.map((amount, nth) => ({ index: nth % rows.length, amount })),
  ];
  for (const value of values)
    yield {
      value,
      arbitrary: withSmallerAmounts(range, value),
      from: { seed: core.seed, examples: [[value]] },
    };
}

/** Samples that do not shrink. */
function samplesAt(indexes: readonly number[]): readonly Sample<number>[] {
  return indexes.map((value) => ({ value, from: {} }));
}

async function furtherOf(
  core: ScenarioCore,
  share: Share,
  n: number,
): Promise<readonly FurtherOperation[]> {
  const { operations, further } = dealsOf(core);
  if (rowsSent(core, further).length < further.length) return [];
  const begin = shares[share];
  const own = further.slice(begin, begin + n === 0 ? undefined : begin + n);
  const payees = await together(
    own.map((index) => designedPayee(core, Number(operations[index]?.["payee"]))),
  );
  return own
    .filter((_, nth) => payees[nth]?.id !== undefined)
    .map((index) => async (deliver) => (await designedOperation(core, index, deliver)).exchange);
}

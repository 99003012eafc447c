import {
  amountArbitrary,
  anyPayeeRow,
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
} from "../resources/designed.ts";
import { counterpartyRequest, operationRequest } from "../resources/requests.ts";
import { seedFor, type ScenarioCore } from "../run/context.ts";
import type { Sample } from "./samples.ts";

/** The body of a payee. `index`: its row in the design. Absent: it is of no row. */
interface DesignedPayee {
  readonly index?: number;
  readonly body: Json;
}

/** An operation for the payee of its row. */
interface DesignedOperation {
  readonly index: number;
  readonly amount: number;
}

/**
 * What every run sends, whatever its seed: payees, operations and items in which each possible pair
 * of attributes occurs (docs/sensitivity.md). The seed draws letters and digits. A larger `--runs`
 * adds payees with drawn attributes, and operations with further amounts.
 */
export interface DesignedVerbs {
  readonly payees: () => Iterable<Sample<DesignedPayee>>;
  readonly sendPayee: (payee: DesignedPayee) => Promise<Exchange>;
  readonly operations: () => Iterable<Sample<DesignedOperation>>;
  readonly sendOperation: (operation: DesignedOperation) => Promise<Exchange>;
  readonly items: () => Iterable<Sample<number>>;
  /** Adds the item of a row. Resolves to an earlier refusal if there is no operation for it. */
  readonly sendItem: (index: number) => Promise<Exchange>;
}

export function designedVerbs(core: ScenarioCore): DesignedVerbs {
  const sent = new Set<number>();
  /** Whether the request of a row is sent for the first time, and not to shrink a failure. */
  const isFirst = (index: number): boolean => !sent.has(index) && sent.add(index).has(index);
  const more = Math.max(0, core.settings.runs - 25);
  return {
    payees: () => payeesOf(core, Math.ceil(more * 0.6)),
    sendPayee: async ({ index, body }) =>
      index !== undefined && isFirst(index)
        ? (await designedPayee(core, index, () => body)).exchange
        : core.send(counterpartyRequest(core, body)),
    operations: () => operationsOf(core, more),
    sendOperation: async ({ index, amount }) => {
      if (isFirst(index)) return (await designedOperation(core, index)).exchange;
      const { operations } = dealsOf(core);
      const payee = await designedPayee(core, Number(operations[index]?.["payee"]));
      if (payee.id === undefined) return payee.exchange;
      const body = operationOfRow(core, index, payee.id);
      return core.send(operationRequest({ ...body, currency_amount: amount }));
    },
    items: () =>
      rowsSent(core, dealsOf(core).items).map((_, index) => ({
        value: index,
        arbitrary: undefined,
        from: {},
      })),
    sendItem: (index) => designedItem(core, index),
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
  const rows = rowsSent(core, dealsOf(core).operations);
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

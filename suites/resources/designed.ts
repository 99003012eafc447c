import {
  dealsFor,
  itemArbitrary,
  payeeArbitrary,
  payeeDesign,
  payeeRows,
  samplesOf,
  type Deals,
  type Design,
  type Row,
  type TaxIdKind,
} from "../../generators/index.ts";
import { isSuccess, type Exchange } from "../../model/exchange.ts";
import type { RequestSpec } from "../../model/request.ts";
import type { Json } from "../../spec/json.ts";
import { now, seedFor, type ScenarioCore } from "../run/context.ts";
import { createdId } from "../run/target-knowledge.ts";
import { itemAmount } from "./amounts.ts";
import { partOf } from "./operations.ts";
import {
  counterpartyRequest,
  efx,
  itemRequest,
  operationRequest,
  operationBody,
} from "./requests.ts";

/** How many rows of a design a run sends: all with `--runs 25`, the default, and fewer below it. */
export function rowsSent<T>({ settings }: ScenarioCore, rows: readonly T[]): readonly T[] {
  return rows.slice(0, Math.ceil(rows.length * Math.min(1, settings.runs / 25)));
}

/** The operations and items of a run against this target. */
export function dealsOf({ target, knowledge }: ScenarioCore): Deals {
  return dealsFor(target, knowledge.purposeInstead ?? efx);
}

/** What became of a row: the response, and the id of what was created, if anything was. */
interface Sent {
  readonly exchange: Exchange;
  readonly id: string | undefined;
  /** When the response came, in milliseconds since 1970. */
  readonly at: number;
}

/** A body whose letters and digits are drawn by the seed and the name of its row. */
export function payeeOfRow(context: ScenarioCore, row: Row, index: number) {
  const arbitrary = payeeArbitrary(row);
  const seed = seedFor(context.settings.seed, `payee ${index}`);
  const [drawn] = samplesOf(arbitrary, { seed, n: 1 });
  if (drawn === undefined) throw new Error("nothing was drawn");
  return { ...drawn, arbitrary };
}

/**
 * Registers the payee of a row, once in a run, whichever scenario asks for it first. The target may
 * refuse it.
 */
export function designedPayee(
  context: ScenarioCore,
  index: number,
  body = (): Json => payeeOfRow(context, payeeRows()[index] ?? {}, index).value,
): Promise<Sent> {
  const row = payeeRows()[index] ?? {};
  return context.knowledge.once(`payee ${index}`, () =>
    sent(context, counterpartyRequest(context, body()), ["payees", payeeDesign, row]),
  );
}

/**
 * Creates the operation of a row for the payee of its row, once in a run. Resolves to the refusal of
 * the payee if there is no payee.
 */
export function designedOperation(context: ScenarioCore, index: number): Promise<Sent> {
  const { operations, operationDesign } = dealsOf(context);
  const row = operations[index] ?? {};
  const name = `operation ${index} ${row["currency_pair"]} ${row["operation_purpose"]}`;
  return context.knowledge.once(name, async () => {
    const payee = await designedPayee(context, Number(row["payee"]));
    const counterparty = payee.id;
    if (counterparty === undefined) return payee;
    await context.knownSince(payee.at);
    const body = operationOfRow(context, index, counterparty);
    return sent(context, operationRequest(body), ["operations", operationDesign, row]);
  });
}

/** The body of the operation of a row. */
export function operationOfRow(context: ScenarioCore, index: number, counterparty: string) {
  const { operations } = dealsOf(context);
  const { currency_pair: pair = "", operation_purpose: purpose = "" } = operations[index] ?? {};
  return operationBody(context, {
    counterparty,
    amount: amountOfRow(context, index),
    pair,
    purpose,
  });
}

/** The amount of the operation of a row: drawn by the seed, but for sizes that the row fixes. */
export function amountOfRow(context: ScenarioCore, index: number): number {
  const share = (Math.abs(context.settings.seed) % 1000) / 1000;
  return dealsOf(context).amounts(share)[index] ?? context.target.amount.min;
}

/** Creates the operation of an item's row, and adds the item to it. */
export async function designedItem(context: ScenarioCore, index: number): Promise<Exchange> {
  const { items, itemDesign } = dealsOf(context);
  const row = items[index] ?? {};
  const operation = await designedOperation(context, index);
  if (operation.id === undefined || operation.exchange.operation !== "createOperation")
    return operation.exchange;
  await context.knownSince(operation.at);
  const whole = amountOfRow(context, index);
  const amount = row["part"] === "whole" ? itemAmount(context, whole) : partOf(context, whole, 0);
  const seed = seedFor(context.settings.seed, `item ${index}`);
  const [drawn] = samplesOf(itemArbitrary(row["tax_id"] as TaxIdKind, amount), { seed, n: 1 });
  const request = itemRequest(operation.id, drawn?.value ?? {});
  return (await sent(context, request, ["items", itemDesign, row])).exchange;
}

/** Sends the request of a row, and notes what became of it. */
async function sent(
  context: ScenarioCore,
  spec: RequestSpec,
  [kind, design, row]: readonly [kind: string, design: Design, row: Row],
): Promise<Sent> {
  const exchange = await context.send(spec);
  const { status } = exchange.response;
  context.knowledge.sentRows.push({ kind, design, row, status });
  return { exchange, id: isSuccess(exchange) ? createdId(exchange) : undefined, at: now() };
}

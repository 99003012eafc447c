import {
  countries,
  dealsFor,
  isAllowed,
  itemArbitrary,
  payeeArbitrary,
  payeeDesign,
  payeeRows,
  samplesOf,
  usualRow,
  type Deals,
  type Design,
  type Row,
  type TaxIdKind,
} from "../../generators/index.ts";
import { isRefusal, isSuccess, type Exchange } from "../../model/exchange.ts";
import type { RequestSpec } from "../../model/request.ts";
import { valueAt, type Json } from "../../spec/json.ts";
import { seedFor, type ScenarioCore } from "../run/context.ts";
import { createdId, now } from "../run/target-knowledge.ts";
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
  /** The row that was sent: that of the design, or one like it with a bank in another country. */
  readonly row: Row;
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
  return context.knowledge.once(`payee ${index}`, async () => {
    const first = await sentPayee(context, row, body(), onConnection(context, index));
    return isRefusal(first.exchange) ? ((await elsewhere(context, row, index)) ?? first) : first;
  });
}

function sentPayee(
  context: ScenarioCore,
  row: Row,
  body: Json,
  connection: OnConnection = {},
): Promise<Sent> {
  const request = { ...counterpartyRequest(context, body), ...connection };
  return sent(context, request, ["payees", payeeDesign, row]);
}

type OnConnection = Pick<RequestSpec, "isOnFreshConnection">;

/**
 * The first row of each design is sent as the first request of a connection, with a token that
 * another connection fetched, and the others on connections in use: a server may remember what a
 * connection carried before. A run that sends one request at a time keeps to one connection, as a
 * server may serve no other one beside it.
 */
function onConnection({ settings }: ScenarioCore, index: number): OnConnection {
  return index === 0 && settings.concurrency > 1 ? { isOnFreshConnection: true } : {};
}

/**
 * Registers the payee of a refused row with a bank in a country that the target was seen to accept,
 * so that a refusal of its country keeps no other attribute out. Resolves to undefined if the target
 * refuses that, too.
 */
async function elsewhere(
  context: ScenarioCore,
  row: Row,
  index: number,
): Promise<Sent | undefined> {
  const { knowledge } = context;
  const other = withAcceptedCountry(context, row);
  if (other === undefined) return undefined;
  return knowledge.elsewhere(async () => {
    if (knowledge.counterpartiesAreFull) return undefined;
    const second = await sentPayee(context, other, payeeOfRow(context, other, index).value);
    return second.id === undefined ? undefined : second;
  });
}

/**
 * The row with a bank in the country of the first counterparty and, if need be, with the usual
 * account there. Undefined if the row has this country already, or if no such row is possible.
 */
function withAcceptedCountry({ knowledge }: ScenarioCore, row: Row): Row | undefined {
  const accepted = valueAt(knowledge.firstCounterparty?.body, "/bank_account/bank_country");
  const country = countries.find(({ code }) => code === accepted);
  if (country === undefined || country.code === row["bank_country"]) return undefined;
  const { region = "", account = "" } = usualRow(country);
  const there = { ...row, region, bank_country: country.code };
  return [there, { ...there, account }].find((one) => isAllowed(one, payeeDesign));
}

/**
 * Creates the operation of a row for the payee of its row, once in a run. Resolves to the refusal of
 * the payee if there is no payee. `deliver`: how it is sent at first; if it is refused then, it is
 * sent as it is.
 */
export function designedOperation(
  context: ScenarioCore,
  index: number,
  deliver?: Deliver,
): Promise<Sent> {
  const { operations } = dealsOf(context);
  const row = operations[index] ?? {};
  const name = `operation ${index} ${row["currency_pair"]} ${row["operation_purpose"]}`;
  return context.knowledge.once(name, async () => {
    const payee = await designedPayee(context, Number(row["payee"]));
    if (payee.id === undefined) return payee;
    const isLater = operations.findIndex((one) => one["payee"] === row["payee"]) < index;
    const createdFor = async (one: Sent): Promise<Sent> => {
      const changed = deliver && (await sentOperation(context, index, one, deliver));
      return changed?.id === undefined ? sentOperation(context, index, one) : changed;
    };
    const fresh = () => freshPayee(context, payee, index);
    const servesAgain = !isLater || context.knowledge.payeesServeOnce !== true;
    const first = await createdFor(servesAgain ? payee : await fresh());
    if (!isLater || !isRefusal(first.exchange)) return first;
    // Servers may bind a payee to one operation, pair or purpose (INT-57).
    const second = await context.knowledge.forFreshPayee(async () => {
      const one = await createdFor(await fresh());
      return one.exchange.operation === "createOperation" && one.id !== undefined ? one : undefined;
    });
    return second ?? first;
  });
}

/** Sends a request in a way of its own. */
export type Deliver = (request: RequestSpec) => Promise<Exchange>;

async function sentOperation(
  context: ScenarioCore,
  index: number,
  payee: Sent,
  deliver?: Deliver,
): Promise<Sent> {
  const { operations, operationDesign } = dealsOf(context);
  const { id: counterparty } = payee;
  if (counterparty === undefined) return payee;
  await context.knownSince(payee.at);
  const request = {
    ...operationRequest(operationOfRow(context, index, counterparty)),
    ...onConnection(context, index),
  };
  const row = { ...operations[index], ...bankOf(payee) };
  return sent(context, request, ["operations", operationDesign, row], deliver);
}

/** The bodies of fresh payees are drawn as those of rows that come after this one. */
const firstFresh = 1_000;

/** Registers another payee like that of an operation. */
function freshPayee(context: ScenarioCore, { row }: Sent, index: number): Promise<Sent> {
  return sentPayee(context, row, payeeOfRow(context, row, firstFresh + index).value);
}

/** Those attributes of a row that may differ from the design, because the target refused another. */
function bankOf({ row }: Sent): Row {
  const { region = "", bank_country: country = "", account = "" } = row;
  return { region, bank_country: country, account };
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
  const amount = row["part"] === "whole" ? whole : partOf(context, whole, 0);
  const seed = seedFor(context.settings.seed, `item ${index}`);
  const [drawn] = samplesOf(itemArbitrary(row["tax_id"] as TaxIdKind, amount), { seed, n: 1 });
  const request = {
    ...itemRequest(operation.id, drawn?.value ?? {}),
    ...onConnection(context, index),
  };
  const actual = { ...row, ...bankOf(operation) };
  return (await sent(context, request, ["items", itemDesign, actual])).exchange;
}

/** Sends the request of a row, and notes what became of it. */
async function sent(
  context: ScenarioCore,
  spec: RequestSpec,
  [kind, design, row]: readonly [kind: string, design: Design, row: Row],
  deliver: Deliver = context.send,
): Promise<Sent> {
  const exchange = await deliver(spec);
  const { status } = exchange.response;
  context.knowledge.sentRows.push({ kind, design, row, status });
  return { exchange, row, id: isSuccess(exchange) ? createdId(exchange) : undefined, at: now() };
}

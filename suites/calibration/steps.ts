import { Inconclusive } from "../../harness/errors.ts";
import type { CalibrationStepName, TargetStep } from "../../model/evidence/evidence.ts";
import {
  isRefusal,
  isSuccess,
  messageOf,
  saysTheSame,
  type Exchange,
} from "../../model/exchange.ts";
import { amountText } from "../../model/target.ts";
import type { AmountRange } from "../../spec/amount-range.ts";
import { operationTitle } from "../../spec/operations.ts";
import { batchRequest, batchBody } from "../resources/batches.ts";
import { amountSupply, firstPair, floored, rounded } from "../resources/amounts.ts";
import { amountOf, amountUnits } from "../../generators/amounts.ts";
import { firstCounterparty } from "../resources/counterparties.ts";
import {
  createOperation,
  itemBody,
  noItems,
  otherPurpose,
  taxIdOf,
  type Item,
} from "../resources/operations.ts";
import { efx, itemRequest, operationBody, operationRequest } from "../resources/requests.ts";
import type { ScenarioCore } from "../run/context.ts";
import { created, type Created, type OperationBody } from "../run/target-knowledge.ts";

/** What a step found, and whether the run goes on with other values than the configured ones. */
export interface CalibrationStep extends TargetStep {
  readonly step: CalibrationStepName;
  readonly isCorrected?: true;
}

/** What a step found, and the value on which later steps build. */
export interface FoundAtStep<T> extends Omit<CalibrationStep, "step"> {
  readonly value?: T;
}

/** How many pairs and purposes are tried in place of refused ones. */
const mostPairs = 4;
const mostPurposes = 2;

/** How many further pairs get an operation, because a server may treat each pair in its own way. */
const furtherPairs = 3;

/** Registers a counterparty. If the target refuses it, tries other countries and shapes. */
export async function firstPayee(context: ScenarioCore): Promise<FoundAtStep<Created>> {
  return {
    value: await firstCounterparty(context),
    ok: true,
    found: `${operationTitle("createCounterparty")} registers a counterparty`,
  };
}

/**
 * Creates the first operation. If the target accepts only other values than the configured ones,
 * all later operations use these values, too.
 */
export async function firstOperation(
  context: ScenarioCore,
  counterparty: string,
): Promise<FoundAtStep<Created>> {
  const { knowledge, target } = context;
  const body = operationBody(context, { counterparty, amount: unroundAmount(target.amount) });
  const { found, refusal } = await accepted<OperationBody>(
    context,
    body,
    (one) => operationRequest(one),
    [
      ["currency_amount", operationAmountsToTry(target.amount, body.currency_amount)],
      [
        "currency_pair",
        target.currencyPairs.filter((other) => other !== body.currency_pair).slice(0, mostPairs),
      ],
      ["operation_purpose", target.otherPurposes.slice(0, mostPurposes)],
    ],
    "Smaller and rounder amounts and the other configured pairs and purposes",
  );
  const made = created(found.exchange);
  knowledge.createdOperation(made);
  knowledge.serves(counterparty, Promise.resolve());
  const title = operationTitle("createOperation");
  const taken = operationWords(found.value);
  if (refusal === undefined) return { value: made, ok: true, found: `${title} accepts ${taken}` };
  return {
    value: made,
    ok: false,
    isCorrected: true,
    found: `${title} refused ${operationWords(body)} with ${messageOf(refusal)}, and accepts ${taken}`,
    advice: await corrected(context, body, found.value, refusal),
  };
}

function operationWords(body: OperationBody): string {
  return `an operation of ${body.currency_amount} in ${body.currency_pair} for ${body.operation_purpose}`;
}

/** Makes the rest of the run use the accepted values, and returns what to configure. */
async function corrected(
  context: ScenarioCore,
  refused: OperationBody,
  taken: OperationBody,
  refusal: Exchange,
): Promise<string> {
  const { knowledge, target } = context;
  const advice: string[] = [];
  let { amount, currencyPairs } = target;
  if (taken.currency_amount !== refused.currency_amount) {
    const isAccepted = async (other: number): Promise<boolean> =>
      isSuccess(await context.send(operationRequest({ ...taken, currency_amount: other })));
    amount = await limitsAround(
      target.amount,
      refused.currency_amount,
      taken.currency_amount,
      isAccepted,
    );
    advice.push(rangeAdvice(amount));
  }
  if (taken.currency_pair !== refused.currency_pair) {
    currencyPairs = currencyPairs.map((one) =>
      one === refused.currency_pair ? taken.currency_pair : one,
    );
    advice.push(pairsAdvice(currencyPairs));
  }
  knowledge.learn({ corrected: { ...target, amount, currencyPairs } });
  if (taken.operation_purpose !== refused.operation_purpose) {
    knowledge.learn({ purposeInstead: taken.operation_purpose, efxRefusal: messageOf(refusal) });
    advice.push(`ACAM items need the purpose ${efx}: open it to this client.`);
  }
  return advice.join(" ");
}

/** Amounts that are multiples of ten have no form in `--amount`: a run finds them out. */
function rangeAdvice(range: AmountRange): string {
  const decimals = Math.max(0, range.decimals);
  return `Narrow --amount to what is accepted here, such as ${amountText({ ...range, decimals })}.`;
}

function pairsAdvice(pairs: readonly string[]): string {
  return `Set --currency-pairs ${[...new Set(pairs)].join(",")}.`;
}

/** Adds the first item, for the first operation. */
export async function firstItem(
  context: ScenarioCore,
  operation: Created,
): Promise<FoundAtStep<undefined>> {
  const { knowledge } = context;
  if (knowledge.purposeInstead !== undefined) throw new Inconclusive(noItems(context));
  const whole = (operation.body as OperationBody).currency_amount;
  const body: Item = itemBody(context, whole);
  const other = itemBody(context, whole, 0, "CNPJ");
  const { found } = await accepted<Item>(
    context,
    body,
    (item) => itemRequest(operation.id, item),
    [["tax_id", [taxIdOf(other)]]],
    "Items with the other kind of tax id",
  );
  if (taxIdOf(found.value) === taxIdOf(other)) knowledge.learn({ taxIdKind: "CNPJ" });
  const title = operationTitle("addAcamItem");
  return { ok: true, found: `${title} accepts ${itemWords(found.value)}` };
}

function itemWords(item: Item): string {
  const kind = taxIdOf(item).length === 11 ? "person" : "company";
  return `an item of ${Number(item["local_currency_amount"])} with the tax id of a ${kind}`;
}

/**
 * Creates an operation with each of a few further pairs. In the rest of the run, the first pair
 * replaces the refused ones. `value`: the first of these operations, undefined if there is none.
 */
export async function otherPairs(
  context: ScenarioCore,
  counterparty: string,
): Promise<FoundAtStep<Created | undefined>> {
  const { knowledge, target } = context;
  const pair = firstPair(context);
  const others = [...new Set(target.currencyPairs)].filter((one) => one !== pair);
  const tried = [...new Set([...others.slice(0, furtherPairs - 1), ...others.slice(-1)])];
  const amount = amountSupply(context);
  const refusals: string[] = [];
  let value: Created | undefined;
  for (const other of tried) {
    try {
      const made = await createOperation(context, { counterparty, amount: amount(), pair: other });
      value ??= made;
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      if (error.gap !== "refusal" || knowledge.operationsAreFull) continue;
      const { corrected: before = target } = knowledge;
      const currencyPairs = before.currencyPairs.map((one) => (one === other ? pair : one));
      knowledge.learn({ corrected: { ...before, currencyPairs } });
      refusals.push(`${other} is refused: ${error.message}`);
    }
  }
  const { currencyPairs } = knowledge.corrected ?? target;
  if (refusals.length > 0)
    return {
      value,
      ok: false,
      isCorrected: true,
      found: `${refusals.join(" ")} ${pair} takes its place`,
      advice: pairsAdvice(currencyPairs),
    };
  return tried.length > 0
    ? { value, ok: true, found: `operations in ${tried.join(", ")} are accepted, too` }
    : {
        value,
        ok: true,
        found: `${pair} is the only configured pair`,
        advice:
          "If there is another one, add it to --currency-pairs: batches differ by their pair.",
      };
}

/** Creates one more operation with the first pair. Throws Inconclusive if the target refuses it. */
export function operationLike(context: ScenarioCore, counterparty: string): Promise<Created> {
  return createOperation(context, {
    counterparty,
    amount: amountSupply(context)(),
  });
}

/**
 * Creates an operation with a purpose other than EFX. `before`: an EFX operation that was created
 * before it and has no item.
 */
export async function anotherPurpose(
  context: ScenarioCore,
  before: Created,
): Promise<FoundAtStep<undefined>> {
  const { purpose, pair } = await otherPurpose(context, before);
  const { otherPurposes } = context.target;
  const found = `an operation in ${pair} for ${purpose} is accepted`;
  const isNamed = otherPurposes.includes(purpose);
  return { ok: true, found, ...(!isNamed && { advice: `Set --other-purposes ${purpose}.` }) };
}

/** Creates a batch for the first pair that the target accepts. */
export async function firstBatch(context: ScenarioCore): Promise<FoundAtStep<undefined>> {
  const pairs = [...new Set(context.target.currencyPairs)];
  const [pair = ""] = pairs;
  const body = { ...(await batchBody(context, pair)), currency_pair: pair };
  const { found, refusal } = await accepted(
    context,
    body,
    (one) => batchRequest(one),
    [["currency_pair", pairs.slice(1, 1 + mostPairs)]],
    "The other configured pairs",
  );
  created(found.exchange);
  const title = operationTitle("createBatch");
  const taken = `a batch of ${found.value.currency_pair}`;
  if (refusal === undefined) return { ok: true, found: `${title} accepts ${taken}` };
  return {
    ok: false,
    found: `${title} refused a batch of ${pair} with ${messageOf(refusal)}, and accepts ${taken}`,
    advice: "Check --currency-pairs, and whether there is room for a new batch of each pair.",
  };
}

/**
 * Returns the amount next below the middle of the range that has no zero among its digits, or else
 * the middle. A server may accept round amounts alone, which a round amount would not show.
 */
export function unroundAmount(range: AmountRange): number {
  const units = amountUnits(range);
  const middle = Math.floor((units.first + units.last) / 2);
  const below = Math.min(1200, middle - units.first);
  const candidates = Array.from({ length: below + 1 }, (_, step) => middle - step);
  const unit = candidates.find((one) => !String(one).includes("0")) ?? middle;
  return amountOf(unit, units);
}

/**
 * Amounts in the configured range, near a refused amount and far from it, each as round as
 * possible.
 */
function operationAmountsToTry(range: AmountRange, refused: number): readonly number[] {
  const towards = (end: number, part: number): number => refused * (end / refused) ** part;
  return [
    refused,
    ...[1 / 3, 2 / 3, 1].map((part) => towards(range.min, part)),
    towards(range.max, 0.5),
    range.max,
  ]
    .map(
      (amount) =>
        [rounded(amount), floored(amount, 0), amount].find((one) => isIn(range, one)) ?? range.min,
    )
    .filter((amount) => amount !== refused);
}

/**
 * Returns the part of the range that the target seems to accept: the amounts on the accepted side
 * of the refused one, or only rounder amounts. A further request shows how round they must be.
 */
async function limitsAround(
  range: AmountRange,
  refused: number,
  accepted: number,
  isAccepted: (amount: number) => Promise<boolean>,
): Promise<AmountRange> {
  // Two amounts that are near each other differ mainly in how round they are, so the less round one
  // shows whether the target accepts only round amounts.
  const isRounder = rounded(refused) === accepted;
  const beside = floored(accepted * (accepted < refused ? 0.97 : 1.03), range.decimals);
  const other = isRounder ? floored(refused, 0) : beside;
  const isFree = other !== accepted && isIn(range, other) && (await isAccepted(other));
  const ofFree = isRounder ? 0 : range.decimals;
  const decimals = isFree ? ofFree : roundness(accepted);
  const min = !isRounder && accepted > refused ? accepted : range.min;
  const max = !isRounder && accepted < refused ? accepted : range.max;
  return { min: -floored(-min, decimals), max, decimals };
}

/**
 * How round an amount is: its number of decimals, which is negative for zeros at the end, such as
 * -2 for 500.
 */
function roundness(amount: number): number {
  let decimals = 8;
  while (decimals > -15 && floored(amount, decimals - 1) === amount) decimals -= 1;
  return decimals;
}

const isIn = ({ min, max }: AmountRange, amount: number): boolean => amount >= min && amount <= max;

/** A value that a request was made of, and the exchange. */
interface Answered<V> {
  readonly value: V;
  readonly exchange: Exchange;
}

/** How many variations are tried before a refusal is final. */
const most = 24;

/** A member of the request, and values to try for it. */
type Trial<V> = readonly [member: keyof V, values: readonly unknown[]];

/**
 * Returns the first variation of a refused request that the target accepts, or undefined. What is
 * refused with another message is varied further first, and last what changed nothing.
 */
export async function acceptedVariation<V>(
  refused: Answered<V>,
  trials: readonly Trial<V>[],
  send: (value: V) => Promise<Exchange>,
): Promise<Answered<V> | undefined> {
  const tried = new Set([JSON.stringify(refused.value)]);
  const waiting: { readonly from: Answered<V>; readonly left: readonly Trial<V>[] }[] = [
    { from: refused, left: trials },
  ];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { from, left } = next;
    for (const trial of left)
      for (const other of trial[1]) {
        const value = { ...from.value, [trial[0]]: other };
        const key = JSON.stringify(value);
        if (tried.has(key) || tried.size > most) continue;
        tried.add(key);
        const exchange = await send(value);
        if (isSuccess(exchange)) return { value, exchange };
        if (!isRefusal(exchange)) continue;
        const further = { from: { value, exchange }, left: left.filter((one) => one !== trial) };
        if (saysTheSame(exchange, from.exchange)) waiting.push(further);
        else waiting.unshift(further);
      }
  }
  return undefined;
}

/**
 * The success of a request, or of a variation of it if the target refuses the request. Throws
 * Inconclusive.
 */
async function accepted<B>(
  context: ScenarioCore,
  body: B,
  request: (body: B) => Parameters<ScenarioCore["send"]>[0],
  trials: readonly Trial<B>[],
  varied: string,
) {
  const successOf = (exchange: Exchange) => ({
    found: { value: body, exchange },
    refusal: undefined,
  });
  try {
    return successOf(await context.succeed(request(body)));
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    const send = (one: B): Promise<Exchange> => context.send(request(one));
    const refusal = await send(body);
    if (isSuccess(refusal)) return successOf(refusal);
    if (!isRefusal(refusal)) throw error;
    const found = await acceptedVariation({ value: body, exchange: refusal }, trials, send);
    if (found === undefined)
      throw new Inconclusive(
        `${error.message} ${varied} were refused too.`,
        error.gap,
        error.blockedAt,
      );
    return { found, refusal };
  }
}

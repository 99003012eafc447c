import { Inconclusive } from "../../harness/errors.ts";
import { isRefusal, isSuccess, messageOf, type Exchange } from "../../model/exchange.ts";
import type { Target } from "../../model/target.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { operationTitle, type OperationName } from "../../spec/operations.ts";
import { createContext, type Core, type RunContext } from "../run/context.ts";
import { orNothing } from "../run/concurrency.ts";
import { firstCounterparty } from "../resources/counterparties.ts";
import {
  createOperation,
  itemAtOnce,
  itemBody,
  itemSample,
  otherPurpose,
  taxIdOf,
  type Item,
} from "../resources/operations.ts";
import { itemRequest, operationBody, operationRequest } from "../resources/requests.ts";
import { created, type Made, type OperationBody } from "../run/target-knowledge.ts";
import {
  itemAmountsToTry,
  limitsAround,
  operationAmountsToTry,
  roundness,
  unroundAmount,
} from "./amounts.ts";
import { acceptedVariation, type Answered, type Trial } from "./trials.ts";
import { amountSupply, floored, rounded } from "../resources/amounts.ts";

/** What this run sends instead of what is configured. */
export interface Correction {
  readonly operation: OperationName;
  /**
   * What was refused, and how: `an operation of 469.99 in USDBRL for EFX, with 422 "Above 20."`.
   */
  readonly refused: string;
  /** What the run goes on with: `amounts from 10 to 20`. */
  readonly instead: string;
  /** The options to check: `--amount`. */
  readonly check: string;
}

/** What a target was seen to accept. */
export interface Calibration {
  /** As configured, but for the corrections. */
  readonly target: Target;
  readonly corrections: readonly Correction[];
}

/**
 * Pairs with which operations are tried besides the first accepted one: servers may treat each in
 * its own way.
 */
const pairsTried = 4;

/**
 * Before the main phase: a counterparty, an operation, an item, the other pairs, and another
 * purpose. Each is sent as it is configured; if it is refused, variations follow, and what is
 * accepted is kept for the run. Never throws Inconclusive.
 */
export async function calibrate(
  run: RunContext,
  operations: readonly OperationName[],
  requirements: readonly RequirementId[],
): Promise<Calibration> {
  const corrections: Correction[] = [];
  const calibration = { run, corrections };
  const begin = (): Core => createContext(run, { ...origin, checks: requirements });
  if (operations.includes("createCounterparty")) await orNothing(firstCounterparty(begin()));
  const { firstCounterparty: payee } = run.knowledge;
  const operation =
    payee !== undefined && operations.includes("createOperation")
      ? await orNothing(firstOperation(calibration, begin(), payee.id))
      : undefined;
  if (payee !== undefined && operation !== undefined) {
    if (operations.includes("addAcamItem"))
      await orNothing(firstItem(calibration, begin(), operation));
    const second = await otherPairs(calibration, begin(), payee.id);
    if (second !== undefined && requirements.some((id) => id === "ACAM-03" || id === "ACAM-05"))
      await orNothing(otherPurpose(begin(), second));
  }
  return { target: run.knowledge.corrected ?? run.target, corrections };
}

const origin = { id: "calibration", title: "what the target accepts" };

interface Calibrating {
  readonly run: RunContext;
  readonly corrections: Correction[];
}

/**
 * The success of a request, or of a variation of it if the target refuses it. Throws Inconclusive.
 */
async function accepted<B>(
  context: Core,
  body: B,
  request: (body: B) => Parameters<Core["send"]>[0],
  trials: readonly Trial<B>[],
  varied: string,
): Promise<{ readonly found: Answered<B>; readonly refusal: Exchange | undefined }> {
  try {
    return {
      found: { value: body, exchange: await context.succeed(request(body)) },
      refusal: undefined,
    };
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    const send = (one: B): Promise<Exchange> => context.send(request(one));
    const refusal = await send(body);
    if (isSuccess(refusal))
      return { found: { value: body, exchange: refusal }, refusal: undefined };
    if (!isRefusal(refusal)) throw error;
    const found = await acceptedVariation({ value: body, exchange: refusal }, trials, send);
    if (found === undefined)
      throw new Inconclusive(
        `${error.message} ${varied} were refused too.`,
        error.gap,
        error.blockedAt,
      );
    context.knowledge.accepted(found.exchange.operation);
    return { found, refusal };
  }
}

const mostPairs = 4;
const mostPurposes = 2;

/** The first operation. What it has instead of the configured values, all later ones have. */
async function firstOperation(
  { run, corrections }: Calibrating,
  context: Core,
  counterparty: string,
): Promise<Made> {
  const { target } = run;
  const body = operationBody(context, { counterparty, amount: unroundAmount(target.amount) });
  const { currency_amount: amount, currency_pair: pair, operation_purpose: purpose } = body;
  const { found, refusal } = await accepted<OperationBody>(
    context,
    body,
    (one) => operationRequest(one),
    [
      ["currency_amount", operationAmountsToTry(target.amount, amount)],
      ["currency_pair", target.currencyPairs.filter((other) => other !== pair).slice(0, mostPairs)],
      ["operation_purpose", target.otherPurposes.slice(0, mostPurposes)],
    ],
    "Smaller and rounder amounts and the other configured pairs and purposes",
  );
  const made = created(found.exchange);
  run.knowledge.createdOperation(made);
  run.knowledge.serves(counterparty, Promise.resolve());
  if (refusal === undefined) return made;
  const { currency_amount, currency_pair, operation_purpose } = found.value;
  const isAccepted = async (other: number): Promise<boolean> =>
    isSuccess(await context.send(operationRequest({ ...found.value, currency_amount: other })));
  const isNarrower = currency_amount !== amount;
  const range = isNarrower
    ? await limitsAround(target.amount, amount, currency_amount, isAccepted)
    : target.amount;
  const currencyPairs = target.currencyPairs.map((one) => (one === pair ? currency_pair : one));
  run.knowledge.learn({ corrected: { ...target, amount: range, currencyPairs } });
  if (operation_purpose !== purpose) run.knowledge.learn({ purposeInstead: operation_purpose });
  corrections.push({
    operation: "createOperation",
    refused: `an operation of ${amount} in ${pair} for ${purpose} with ${messageOf(refusal)}`,
    instead: `ones like ${currency_amount} in ${currency_pair} for ${operation_purpose}`,
    check: "--amount, --currency-pairs and --other-purposes",
  });
  return made;
}

/** The first item, of the operation that was created first. */
async function firstItem(
  { run, corrections }: Calibrating,
  context: Core,
  operation: Made,
): Promise<void> {
  const { knowledge, target } = run;
  if (knowledge.purposeInstead !== undefined) return;
  const whole = (operation.body as OperationBody).currency_amount;
  const body: Item = itemBody(context, whole);
  const { length } = taxIdOf(body);
  const amount = Number(body["local_currency_amount"]);
  try {
    const { found, refusal } = await accepted<Item>(
      context,
      body,
      (item) => itemRequest(operation.id, item),
      [
        ["tax_id", [taxIdOf(itemSample(context, whole, 0, length === 11 ? 14 : 11))]],
        ["local_currency_amount", itemAmountsToTry(target.amount, amount)],
      ],
      "Smaller and rounder amounts and the other kind of tax id",
    );
    const taxIdLength = taxIdOf(found.value).length === 11 ? 11 : 14;
    knowledge.learn({
      acceptedTaxIdLength: taxIdLength,
      ...(taxIdLength !== length && { taxIdLength }),
    });
    const less = Number(found.value["local_currency_amount"]);
    if (refusal === undefined || less === amount) return;
    const max = less === floored(amount, 0) || less === rounded(amount) ? Infinity : less;
    const decimals = less < 1 ? roundness(less) : Math.min(0, roundness(less));
    knowledge.learn({ itemLimits: { min: 0, max, decimals } });
    corrections.push({
      operation: "addAcamItem",
      refused: `an item of ${amount} with ${messageOf(refusal)}`,
      instead: `items like ${less}`,
      check: "--amount",
    });
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    // Some servers accept an item only as the first request after its operation.
    if ((await itemAtOnce(context, whole)) === undefined) throw error;
  }
}

/**
 * An operation with each further pair. A refused pair is replaced by the accepted one. Returns the
 * first of them.
 */
async function otherPairs({ run, corrections }: Calibrating, context: Core, counterparty: string) {
  const { currencyPairs } = context.target;
  const [pair = ""] = currencyPairs;
  const others = [...new Set(currencyPairs)].filter((one) => one !== pair);
  const tried = [...new Set([...others.slice(0, pairsTried - 2), ...others.slice(-1)])];
  const amount = amountSupply(context, pairsTried);
  let second: Made | undefined;
  for (const other of tried.length === 0 ? [pair] : tried) {
    try {
      const made = await createOperation(context, { counterparty, amount: amount(), pair: other });
      second ??= made;
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      if (error.gap !== "refusal" || run.knowledge.operationsAreFull) continue;
      const { corrected = run.target } = run.knowledge;
      const kept = corrected.currencyPairs.map((one) => (one === other ? pair : one));
      run.knowledge.learn({ corrected: { ...corrected, currencyPairs: kept } });
      corrections.push({
        operation: "createOperation",
        refused: `an operation in ${other}`,
        instead: `${pair} in its place`,
        check: "--currency-pairs",
      });
    }
  }
  return second;
}

/** A correction as a warning. */
export function correctionText({ operation, refused, instead, check }: Correction): string {
  return `${operationTitle(operation)} refused ${refused}; the run goes on with ${instead}. Check ${check}.`;
}

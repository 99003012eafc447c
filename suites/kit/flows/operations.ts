import { Inconclusive } from "../../../harness/scenario-errors.ts";
import {
  isRefusal,
  isSuccess,
  memberOf,
  messageOf,
  unusual,
  valid,
  type Exchange,
  type Json,
} from "../../../model/exchange.ts";
import type { AmountRange } from "../../../model/target.ts";
import { amountSupply, firstPair, floored, rounded, roundness } from "../amounts.ts";
import { efx, operationBody, operationRequest, validOperation, type OperationData } from "../requests.ts";
import type { Context } from "../context.ts";
import { created, createdId, type AmountLimits, type Made } from "../target-knowledge.ts";
import { registerCounterparty } from "./counterparties.ts";
import { acceptedVariation } from "./variation.ts";

/**
 * Creates an operation. If the target refuses it, tries smaller and rounder amounts, the other configured pairs and,
 * unless the purpose is given, the other configured purposes. Keeps what is accepted for the run. Throws Inconclusive
 * if nothing is.
 */
export const createOperation = async (context: Context, data: OperationData): Promise<Made> => {
  const { knowledge } = context;
  const exchange = await knowledge.oneFirst("createOperation", async () => {
    try {
      return await context.succeed(validOperation(context, data));
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      const accepted = await acceptedOperation(context, data);
      if (accepted === undefined) {
        throw new Inconclusive(
          `${error.message} Smaller and rounder amounts and the other configured pairs and purposes were refused too.`,
        );
      }
      knowledge.accepted("createOperation");
      return accepted;
    }
  });
  const made = created(exchange);
  const isEfx = memberOf(made.body, "operation_purpose") === efx;
  knowledge.learn({ lastOperationBody: made.body, ...(isEfx && { lastOperation: made.id }) });
  return made;
};

/** What is varied of an operation. */
interface Terms {
  readonly amount: number;
  readonly pair: string;
  readonly purpose: string;
}

/** The success of a variation of a refused operation. From then on, operations are created like the variation. */
const acceptedOperation = async (context: Context, data: OperationData): Promise<Exchange | undefined> => {
  const { knowledge, target } = context;
  if (!knowledge.isWorthVarying("createOperation")) return undefined;
  const send = ({ amount, pair, purpose }: Terms): Promise<Exchange> =>
    context.send(
      operationRequest({
        currency_amount: amount,
        operation_purpose: purpose,
        currency_pair: pair,
        counterparty_id: data.counterparty,
      }),
    );
  const first = termsOf(operationBody(context, data));
  const refusal = await send(first);
  // The request may have been refused because a resource was not known yet.
  if (!isRefusal(refusal)) return isSuccess(refusal) ? refusal : undefined;
  const last = knowledge.lastOperationBody === undefined ? [] : [termsOf(knowledge.lastOperationBody)];
  const pairs = target.currencyPairs.filter((pair) => pair !== first.pair).slice(0, mostPairs);
  const purposes = data.purpose === undefined ? target.otherPurposes.slice(0, mostPurposes) : [];
  const found = await acceptedVariation(
    { value: first, exchange: refusal },
    [
      last.map(({ amount }) => (terms: Terms) => ({ ...terms, amount })),
      last.map(({ pair }) => (terms: Terms) => ({ ...terms, pair })),
      amountsToTry(target.amount, first.amount).map((amount) => (terms) => ({ ...terms, amount })),
      pairs.map((pair) => (terms) => ({ ...terms, pair })),
      purposes.map((purpose) => (terms) => ({ ...terms, purpose })),
    ],
    send,
  );
  if (found === undefined) {
    knowledge.variedInVain("createOperation");
    return undefined;
  }
  const { amount, pair, purpose } = found.value;
  if (amount !== first.amount) {
    const isAccepted = async (other: number): Promise<boolean> =>
      isSuccess(await send({ ...found.value, amount: other }));
    knowledge.learn({ operationLimits: await limitsAround(target.amount, first.amount, amount, isAccepted) });
  }
  if (pair !== first.pair) {
    const instead = Object.entries(knowledge.pairsInstead).map(([from, to]) => [from, to === first.pair ? pair : to]);
    knowledge.learn({ pairsInstead: { ...Object.fromEntries(instead), [first.pair]: pair } });
  }
  if (purpose !== first.purpose) knowledge.learn({ purposeInstead: purpose });
  context.warn(
    `POST /corporate/operation refused an operation of ${first.amount} in ${first.pair} for ${first.purpose} with ${messageOf(refusal)}; the run goes on with ones like ${amount} in ${pair} for ${purpose}. Check --amount, --currency-pairs and --other-purposes.`,
  );
  return found.exchange;
};

const mostPairs = 4;
const mostPurposes = 2;

const termsOf = (body: Json): Terms => ({
  amount: Number(memberOf(body, "currency_amount")),
  pair: textOf(memberOf(body, "currency_pair")),
  purpose: textOf(memberOf(body, "operation_purpose")),
});

const textOf = (value: Json | undefined): string => (typeof value === "string" ? value : "");

/** Configured amounts near a refused one and far from it, each as round as it can be. */
const amountsToTry = (range: AmountRange, refused: number): readonly number[] => {
  const towards = (end: number, part: number): number => refused * (end / refused) ** part;
  return [refused, ...[1 / 3, 2 / 3, 1].map((part) => towards(range.min, part)), towards(range.max, 0.5), range.max]
    .map((amount) => [rounded(amount), floored(amount, 0), amount].find((one) => isIn(range, one)) ?? range.min)
    .filter((amount) => amount !== refused);
};

const isIn = ({ min, max }: AmountRange, amount: number): boolean => amount >= min && amount <= max;

/** The limits around an accepted amount. A further request shows whether less round amounts are accepted. */
const limitsAround = async (
  range: AmountRange,
  refused: number,
  accepted: number,
  isAccepted: (amount: number) => Promise<boolean>,
): Promise<AmountLimits> => {
  // Near each other, they differ in how round they are.
  const isRounder = rounded(refused) === accepted;
  const beside = floored(accepted * (accepted < refused ? 0.97 : 1.03), range.decimals);
  const other = isRounder ? floored(refused, 0) : beside;
  const isFree = other !== accepted && isIn(range, other) && (await isAccepted(other));
  const decimals = isFree ? (isRounder ? 0 : range.decimals) : roundness(accepted);
  const min = !isRounder && accepted > refused ? accepted : range.min;
  const max = !isRounder && accepted < refused ? accepted : range.max;
  return { min: -floored(-min, decimals), max, decimals };
};

/** EFX operations of one new counterparty, with their amounts. */
export const efxOperations = async (
  context: Context,
  amounts: readonly number[],
): Promise<{ readonly counterparty: string; readonly operations: readonly (Made & { readonly amount: number })[] }> => {
  const { id: counterparty } = await registerCounterparty(context);
  const create = (amount: number): Promise<Made> => createOperation(context, { counterparty, amount, purpose: efx });
  const operations = await Promise.all(amounts.map(async (amount) => ({ ...(await create(amount)), amount })));
  return { counterparty, operations };
};

/** A purpose that is not EFX, and a pair with which this target accepts it. */
export interface OtherPurpose {
  readonly purpose: string;
  readonly pair: string;
  /** The operation that showed it. */
  readonly first: { readonly id: string | undefined; readonly amount: number };
}

/** Purposes that are tried if none besides EFX is configured. */
const guesses = ["IMPORT", "EXPORT", "SERVICES"];

/** How many pairs a purpose is tried with, because a server may accept it for some pairs only. */
const mostPairsOfPurpose = 3;

/**
 * A purpose other than EFX that this target accepts: a configured one, or a guess that the server accepted and returned
 * unchanged. Throws Inconclusive if there is none (INT-23).
 */
export const otherPurpose = (context: Context): Promise<OtherPurpose> =>
  context.knowledge.once("other purpose", async () => {
    const { id: counterparty } = await registerCounterparty(context, 7001);
    const next = amountSupply(context, 12);
    // From here on the counterparty is known and operations are accepted, so a refusal is about the purpose.
    await createOperation(context, { counterparty, amount: next() });
    let words = "";
    for (const { purpose, pair, known } of purposesToTry(context)) {
      const amount = next();
      const body = operationBody(context, { counterparty, amount, purpose, pair });
      const exchange = await context.send(
        operationRequest(body, known ? valid : unusual(`with the purpose ${purpose}`)),
      );
      context.observeAnswer("OPEN-02", pair === firstPair(context) ? purpose : `${purpose} with ${pair}`, exchange);
      if (isSuccess(exchange) && (known || memberOf(exchange.json, "operation_purpose") === purpose))
        return { purpose, pair, first: { id: createdId(exchange), amount } };
      words = messageOf(exchange);
    }
    throw new Inconclusive(
      `no purpose other than EFX is known to work on this server (the last one tried was answered with ${words}). Name one with --other-purposes.`,
    );
  });

/** Each purpose with the first pair; then the configured ones with further pairs. */
const purposesToTry = (context: Context) => {
  const { otherPurposes, currencyPairs } = context.target;
  const tries = (purposes: readonly string[], pair: string, known: boolean) =>
    purposes.map((purpose) => ({ purpose, pair, known }));
  return [
    ...tries(otherPurposes, firstPair(context), true),
    ...currencyPairs.slice(1, mostPairsOfPurpose).flatMap((pair) => tries(otherPurposes, pair, true)),
    ...tries(guesses, firstPair(context), false),
  ];
};

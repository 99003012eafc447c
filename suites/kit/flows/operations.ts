import { Inconclusive } from "../../../harness/scenario-errors.ts";
import { isRefusal, isSuccess, memberOf, messageOf, type Exchange, type Json } from "../../../model/exchange.ts";
import { floored, rounded, roundness } from "../amounts.ts";
import { efx, operationBody, operationRequest, validOperation, type OperationData } from "../requests.ts";
import type { Context } from "../context.ts";
import type { AmountLimits, Made } from "../target-knowledge.ts";
import { registerCounterparty } from "./counterparties.ts";
import { created } from "./created.ts";
import { acceptedVariation } from "./variation.ts";

/**
 * Creates an operation. If the target refuses it, tries smaller and rounder amounts, the other configured pairs and,
 * unless the purpose is given, the other configured purposes. Keeps what is accepted for the run. Throws Inconclusive
 * if nothing is.
 */
export const createOperation = async (context: Context, data: OperationData): Promise<Made> => {
  const { knowledge } = context;
  const made = created(
    await knowledge.oneFirst("createOperation", async () => {
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
    }),
    "operation_id",
  );
  knowledge.operationCreated(made, memberOf(made.body, "operation_purpose") === efx);
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
  const last = knowledge.lastOperationBody === undefined ? undefined : termsOf(knowledge.lastOperationBody);
  const pairs = target.currencyPairs.filter((pair) => pair !== first.pair).slice(0, mostPairs);
  const purposes = data.purpose === undefined ? target.otherPurposes.slice(0, mostPurposes) : [];
  const found = await acceptedVariation(
    { value: first, exchange: refusal },
    [
      (last === undefined ? [] : [last.amount]).map((amount) => (terms: Terms) => ({ ...terms, amount })),
      (last === undefined ? [] : [last.pair]).map((pair) => (terms: Terms) => ({ ...terms, pair })),
      amountsToTry(context, first.amount).map((amount) => (terms) => ({ ...terms, amount })),
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
    knowledge.adapted({ operationLimits: await limitsAround(context, first.amount, amount, isAccepted) });
  }
  if (pair !== first.pair) {
    const instead = Object.entries(knowledge.pairsInstead).map(([from, to]) => [from, to === first.pair ? pair : to]);
    knowledge.adapted({ pairsInstead: { ...Object.fromEntries(instead), [first.pair]: pair } });
  }
  if (purpose !== first.purpose) knowledge.adapted({ purposeInstead: purpose });
  context.run.recorder.emit({
    type: "note",
    kind: "warning",
    text: `POST /corporate/operation refused an operation of ${first.amount} in ${first.pair} for ${first.purpose} with ${messageOf(refusal)}; the run goes on with ones like ${amount} in ${pair} for ${purpose}. Check --amount, --currency-pairs and --other-purposes.`,
  });
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
const amountsToTry = ({ target: { amount: range } }: Context, refused: number): readonly number[] => {
  const towards = (end: number, part: number): number => refused * (end / refused) ** part;
  return [refused, ...[1 / 3, 2 / 3, 1].map((part) => towards(range.min, part)), towards(range.max, 0.5), range.max]
    .map((amount) => [rounded(amount), floored(amount, 0), amount].find(isIn(range)) ?? range.min)
    .filter((amount) => amount !== refused);
};

const isIn =
  ({ min, max }: { readonly min: number; readonly max: number }) =>
  (amount: number): boolean =>
    amount >= min && amount <= max;

/** The limits around an accepted amount, as far as two more requests show them. */
const limitsAround = async (
  { target: { amount: range } }: Context,
  refused: number,
  accepted: number,
  isAccepted: (amount: number) => Promise<boolean>,
): Promise<AmountLimits> => {
  const limits = (end: number, decimals: number): AmountLimits => {
    const [min, max] = accepted < refused ? [range.min, Math.max(accepted, end)] : [Math.min(accepted, end), range.max];
    return { min: -floored(-min, decimals), max, decimals };
  };
  // Near each other, they differ in how round they are.
  if (rounded(refused) === accepted) {
    const whole = floored(refused, 0);
    const decimals = whole !== accepted && (await isAccepted(whole)) ? 0 : Math.min(0, roundness(accepted));
    return { ...limits(range.max, decimals), max: range.max };
  }
  const between = floored(Math.sqrt(refused * accepted), range.decimals);
  if (await isAccepted(between)) return limits(between, range.decimals);
  const beside = floored(accepted < refused ? accepted * 0.97 : accepted * 1.03, range.decimals);
  const isFree = isIn(range)(beside) && (await isAccepted(beside));
  return limits(accepted, isFree ? range.decimals : roundness(accepted));
};

/** EFX operations of one new counterparty, with their amounts. */
export const efxOperations = async (
  context: Context,
  amounts: readonly number[],
): Promise<{ readonly counterparty: Made; readonly operations: readonly (Made & { readonly amount: number })[] }> => {
  const counterparty = await registerCounterparty(context);
  const operations = await Promise.all(
    amounts.map(async (amount) => ({
      ...(await createOperation(context, { counterparty: counterparty.id, amount, purpose: efx })),
      amount,
    })),
  );
  return { counterparty, operations };
};

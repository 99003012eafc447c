import { sampleOf } from "../../../generators/index.ts";
import { Inconclusive } from "../../../harness/scenario-errors.ts";
import { isRefusal, isSuccess, memberOf, messageOf, type Exchange, type Json } from "../../../model/exchange.ts";
import { floored, itemAmount, rounded, roundness } from "../amounts.ts";
import type { Context } from "../context.ts";
import { orNothing } from "../concurrency.ts";
import { itemRequest, validOperation } from "../requests.ts";
import { createdId, type TaxIdLength } from "../target-knowledge.ts";
import { acceptedVariation } from "./variation.ts";

/** A valid ACAM item for the whole of an operation's amount, or for as much of it as the target is known to accept. */
export const itemBody = (
  context: Context,
  amount: number,
  salt = 0,
  taxIdLength = context.knowledge.taxIdLength,
): Item => ({ ...itemSample(context, amount, salt, taxIdLength), local_currency_amount: itemAmount(context, amount) });

/** A valid ACAM item for a part of an operation's amount, with a tax id of the kind that the target accepts. */
export const itemSample = (
  context: Context,
  amount: number,
  salt: number,
  taxIdLength = context.knowledge.taxIdLength,
): Item => {
  const amountAtMost = itemAmount(context, amount);
  const arbitrary = context.generators.complete("addAcamItem", { amountAtMost });
  // Another amount is another sale: servers may accept a tax id once.
  const seed = context.seed + salt + (Math.round(amount * 7919) % 1_000_003);
  const isAccepted = (item: Json): boolean => taxIdLength === undefined || taxIdOf(item).length === taxIdLength;
  const [first = {}] = sampleOf(arbitrary, { seed, n: 1 });
  const sample = isAccepted(first) ? first : (sampleOf(arbitrary, { seed, n: 12 }).find(isAccepted) ?? first);
  // The target does not accept the configured amounts.
  const isLimited = context.knowledge.itemLimits !== undefined;
  return { ...(sample as Item), ...(isLimited && { local_currency_amount: amountAtMost }) };
};

type Item = Readonly<Record<string, Json>>;

const taxIdOf = (item: Json): string => {
  const taxId = memberOf(item, "tax_id");
  return typeof taxId === "string" ? taxId : "";
};

/**
 * Adds a valid item for the whole of an operation's amount and returns the success. If the target refuses it, tries the
 * other kind of tax id, smaller and rounder amounts, and then an item right after a new operation of the same kind.
 * Keeps what is accepted for the run. Throws Inconclusive if nothing is.
 */
export const addItem = (context: Context, operation: string, amount: number): Promise<Exchange> =>
  context.knowledge.oneFirst("addAcamItem", async () => {
    const { purposeInstead, itemsAtOnce } = context.knowledge;
    if (purposeInstead !== undefined) {
      throw new Inconclusive(
        `operations with the purpose EFX are refused here, and those with ${purposeInstead} take no ACAM items`,
      );
    }
    const body = itemBody(context, amount);
    const quick = itemsAtOnce === true ? await itemAtOnce(context, amount) : undefined;
    if (quick !== undefined) return quick;
    try {
      return await context.succeed(itemRequest(operation, body));
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      const exchange = (await acceptedItem(context, operation, amount, body)) ?? (await itemAtOnce(context, amount));
      if (exchange === undefined) {
        throw new Inconclusive(
          `${error.message} Smaller and rounder amounts and the other kind of tax id were refused too.`,
        );
      }
      context.knowledge.accepted("addAcamItem");
      return exchange;
    }
  });

/** The success of an item that is the first request after its operation, which belongs to the run's first counterparty. */
const itemAtOnce = async (context: Context, amount: number): Promise<Exchange | undefined> => {
  const { knowledge } = context;
  const counterparty = knowledge.firstCounterparty?.id;
  if (counterparty === undefined || knowledge.itemsAtOnce === false) return undefined;
  const exchange = await orNothing(
    context.alone(async (send) => {
      const operation = await send(validOperation(context, { counterparty, amount }));
      const id = createdId(operation);
      return id === undefined ? operation : send(itemRequest(id, itemBody(context, amount)));
    }),
  );
  if (exchange === undefined) return undefined;
  const isAdded = isSuccess(exchange) && exchange.operation === "addAcamItem";
  if (isAdded || knowledge.itemsAtOnce === undefined) knowledge.learn({ itemsAtOnce: isAdded });
  return isAdded ? exchange : undefined;
};

/** What is varied of an item. */
interface Terms {
  readonly amount: number;
  readonly taxIdLength: TaxIdLength;
}

/** The success of a variation of a refused item. From then on, items are made like the variation. */
export const acceptedItem = async (
  context: Context,
  operation: string,
  amount: number,
  refused: Json,
): Promise<Exchange | undefined> => {
  const { knowledge } = context;
  const send = (body: Json): Promise<Exchange> => context.send(itemRequest(operation, body));
  const now = itemBody(context, amount);
  const first: Terms = {
    amount: Number(memberOf(now, "local_currency_amount")),
    taxIdLength: taxIdOf(now).length === 11 ? 11 : 14,
  };
  // Another scenario may have found out by now what is accepted.
  const hasChanged = first.amount !== memberOf(refused, "local_currency_amount") || taxIdOf(refused) !== taxIdOf(now);
  if (!hasChanged && !knowledge.isWorthVarying("addAcamItem")) return undefined;
  const again = await send(now);
  if (!isRefusal(again) || !knowledge.isWorthVarying("addAcamItem")) return isSuccess(again) ? again : undefined;
  const other: TaxIdLength = first.taxIdLength === 11 ? 14 : 11;
  const found = await acceptedVariation<Terms>(
    { value: first, exchange: again },
    [
      // If this kind was accepted before, the tax id is not the reason.
      knowledge.taxIdLength === first.taxIdLength ? [] : [(terms) => ({ ...terms, taxIdLength: other })],
      amountsToTry(context, first.amount).map((smaller) => (terms) => ({ ...terms, amount: smaller })),
    ],
    (terms) => send({ ...itemBody(context, amount, 0, terms.taxIdLength), local_currency_amount: terms.amount }),
  );
  if (found === undefined) {
    knowledge.variedInVain("addAcamItem");
    return undefined;
  }
  const { value, exchange } = found;
  if (value.taxIdLength !== first.taxIdLength) knowledge.learn({ taxIdLength: value.taxIdLength });
  if (value.amount !== first.amount) {
    const isNear = value.amount === floored(first.amount, 0) || value.amount === rounded(first.amount);
    const max = isNear ? Infinity : value.amount;
    const decimals = value.amount < 1 ? roundness(value.amount) : Math.min(0, roundness(value.amount));
    knowledge.learn({ itemLimits: { min: 0, max, decimals } });
    context.warn(
      `POST /corporate/operation/{operation_id}/acam refused an item of ${first.amount} with ${messageOf(again)}; the run goes on with items like ${value.amount}. Check --amount.`,
    );
  }
  return exchange;
};

/** Rounder amounts, then smaller ones, down to the smallest that the currency has. */
const amountsToTry = ({ target }: Context, amount: number): readonly number[] =>
  [
    floored(amount, 0),
    rounded(amount),
    ...[10, 100, 1000].map((part) => rounded(amount / part)),
    1,
    10 ** -target.amount.decimals,
  ].filter((smaller) => smaller > 0 && smaller < amount);

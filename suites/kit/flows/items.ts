import { sampleOf } from "../../../generators/index.ts";
import { Inconclusive } from "../../../harness/scenario-errors.ts";
import { isSuccess, memberOf, type Exchange, type Json } from "../../../model/exchange.ts";
import type { Context } from "../context.ts";
import { itemRequest } from "../requests.ts";
import type { TaxIdLength } from "../target-knowledge.ts";

/** A valid ACAM item for the whole of an operation's amount. */
export const itemBody = (
  context: Context,
  amount: number,
  salt = 0,
  taxIdLength = context.knowledge.taxIdLength,
): Readonly<Record<string, Json>> => ({
  ...(itemSample(context, amount, salt, taxIdLength) as Readonly<Record<string, Json>>),
  local_currency_amount: amount,
});

/** A valid ACAM item for some part of an operation's amount, with a tax id of the kind that is accepted here. */
export const itemSample = (
  context: Context,
  amountAtMost: number,
  salt: number,
  taxIdLength = context.knowledge.taxIdLength,
): Json => {
  const samples = sampleOf(context.generators.complete("addAcamItem", { amountAtMost }), {
    // Another amount is another sale: servers may accept a tax id once.
    seed: context.seed + salt + (Math.round(amountAtMost * 7919) % 1_000_003),
    n: taxIdLength === undefined ? 1 : 12,
  });
  return (
    samples.find((sample) => taxIdLength === undefined || taxIdOf(sample).length === taxIdLength) ?? samples[0] ?? {}
  );
};

const taxIdOf = (item: Json): string => {
  const taxId = memberOf(item, "tax_id");
  return typeof taxId === "string" ? taxId : "";
};

/**
 * Adds a valid item for the whole of an operation's amount and returns the success. Where the tax id of a person is
 * refused one of a company is tried, and the reverse. Throws Inconclusive where both are refused.
 */
export const addItem = async (context: Context, operation: string, amount: number): Promise<Exchange> => {
  const body = itemBody(context, amount);
  try {
    return await context.succeed(itemRequest(operation, body));
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    const exchange = await addedWithAnotherTaxId(context, operation, amount, body);
    if (exchange === undefined) throw error;
    return exchange;
  }
};

/** The success of the item with the other kind of tax id, where there is one; from then on that kind is sent. */
export const addedWithAnotherTaxId = async (
  context: Context,
  operation: string,
  amount: number,
  refused: Json,
): Promise<Exchange | undefined> => {
  const sent = taxIdOf(refused).length;
  if (context.knowledge.taxIdLength === sent) return undefined;
  const other: TaxIdLength = sent === 11 ? 14 : 11;
  const exchange = await context.send(itemRequest(operation, itemBody(context, amount, 0, other)));
  if (!isSuccess(exchange)) return undefined;
  context.knowledge.taxIdNeeded(other);
  return exchange;
};

import { amountOf, amountUnits } from "../../generators/amounts.ts";
import { sampleOf, stamp, stratifiedAmounts } from "../../generators/index.ts";
import { valueAt, withValue } from "../../generators/pointer.ts";
import {
  isRefusal,
  isSuccess,
  memberOf,
  messageOf,
  unusual,
  valid,
  type RequestSpec,
  type Exchange,
  type Json,
} from "../../model/exchange.ts";
import { Inconclusive } from "../../harness/scenario-errors.ts";
import { pause } from "../../harness/transport/throttling.ts";
import type { Made } from "./target-knowledge.ts";
import type { Context } from "./context.ts";

/** The purpose that the specification names, and the one that ACAM items need. */
export const efx = "EFX";

/** A question that registers a counterparty with this body, made unique at each sending. */
export const counterpartyRequest = (
  context: Context,
  body: Json,
  intent: RequestSpec["intent"] = valid,
): RequestSpec => ({
  operation: "createCounterparty",
  intent,
  path: { customer_id: context.target.customerId },
  body: (serial) => stamp("createCounterparty", body, { runId: context.run.runId, serial }),
});

/**
 * Registers a counterparty of its own for the scenario. Tries other countries and shapes before it gives up; where the
 * target takes no more of them, the first one of the run has to do.
 */
export const registerCounterparty = async (context: Context, salt = 0): Promise<Made> => {
  const { counterparties } = context.knowledge;
  let last: Exchange | undefined;
  for (const body of candidatesFor(context, salt)) {
    const exchange = await context.ask(counterpartyRequest(context, body));
    if (isSuccess(exchange)) {
      context.knowledge.accepted.add("createCounterparty");
      const registered = made(exchange, "id");
      counterparties.first ??= registered;
      counterparties.last = body;
      return registered;
    }
    last = exchange;
    if (!isRefusal(exchange) || context.knowledge.refusedForGood.has("createCounterparty") || counterparties.areFull)
      break;
  }
  if (counterparties.first !== undefined && last !== undefined && isRefusal(last)) {
    counterparties.areFull = true;
    return counterparties.first;
  }
  if (!context.knowledge.accepted.has("createCounterparty")) context.knowledge.refusedForGood.add("createCounterparty");
  const words = last === undefined ? "nothing" : messageOf(last);
  throw new Inconclusive(
    `POST /customers/{customer_id}/counterparty answered valid counterparties with ${words}. Check --customer-id, and whether this server accepts the counterparties that the suite makes up.`,
  );
};

/**
 * Bodies to try: with an intermediary bank and without, which servers may demand or refuse, and of several countries.
 * Where something was taken before: one of the scenario's own in that shape, then one of that country, and no more.
 * Where nothing is: one without an external id, which servers may refuse in any form.
 */
function* candidatesFor(context: Context, salt: number): Generator<Json> {
  const { last } = context.knowledge.counterparties;
  const shapes = [(body: Json) => body, (body: Json) => without(body, "/intermediary_bank")];
  if (last !== undefined && valueAt(last, "/intermediary_bank") === undefined) shapes.reverse();
  const drawn = (n: number) =>
    sampleOf(context.generators.complete("createCounterparty"), { seed: context.seed + salt, n });
  const inShapes = (body: Json) => shapes.map((shape) => shape(body));
  const own = drawn(1).flatMap(inShapes);
  if (last === undefined) yield* own;
  else yield* own.slice(0, 1);
  const others = new Map(drawn(24).map((body) => [countryOf(body), body]));
  if (last === undefined) {
    yield* [...others.values()].slice(0, 3).flatMap(inShapes);
    return yield* own.slice(0, 1).map((body) => without(body, "/external_id"));
  }
  const like = others.get(countryOf(last));
  yield* [...(like === undefined ? [] : inShapes(like).slice(0, 1)), ...own.slice(1)];
}

const countryOf = (body: Json): Json | undefined => valueAt(body, "/bank_account/bank_country");

const without = (body: Json, pointer: string): Json =>
  valueAt(body, pointer) === undefined ? body : withValue(body, pointer, undefined);

/**
 * Registers a counterparty with nothing but what the specification requires of one that has a bank account: no
 * intermediary bank, no IBAN, no routing number. Undefined where the server wants more, which is no fault.
 */
export const registerPlainCounterparty = async (context: Context, salt = 0): Promise<Made | undefined> => {
  const [body = {}] = sampleOf(context.generators.complete("createCounterparty"), { seed: context.seed + salt, n: 1 });
  const plain = ["/intermediary_bank", "/bank_account/iban", "/bank_account/aba_routing_number"].reduce(without, body);
  const exchange = await context.ask(counterpartyRequest(context, plain, unusual("without its optional members")));
  const id = memberOf(exchange.json, "id");
  return isSuccess(exchange) && typeof id === "string" && id !== "" ? made(exchange, "id") : undefined;
};

/**
 * Waits as long as this target was seen to need until what was just made is known to it, so that a refusal is not about
 * something that merely was not there yet.
 */
export const untilKnown = async (context: Context): Promise<void> => {
  const { longest } = context.knowledge.lag;
  if (longest > 0) await pause(Math.min(longest * 1.3 + 200, context.settings.grace), context.run.signal);
};

/** What an operation is created from. */
export interface OperationData {
  readonly counterparty: string;
  readonly amount: number;
  readonly purpose?: string;
  readonly pair?: string;
}

/** A valid body of POST /corporate/operation. */
export const operationBody = (
  context: Context,
  { counterparty, amount, purpose = efx, pair = firstPair(context) }: OperationData,
) => ({
  currency_amount: amount,
  operation_purpose: purpose,
  currency_pair: pair,
  counterparty_id: counterparty,
});

export const operationRequest = (body: Json, intent: RequestSpec["intent"] = valid): RequestSpec => ({
  operation: "createOperation",
  intent,
  body,
});

/** Creates an operation. Throws Inconclusive where the target refuses it. */
export const createOperation = async (context: Context, data: OperationData): Promise<Made> => {
  const created = made(await context.succeed(operationRequest(operationBody(context, data))), "operation_id");
  if ((data.purpose ?? efx) === efx) context.knowledge.lastOperation = created.id;
  return created;
};

/** A valid ACAM item for the whole of an operation's amount. */
export const acamBody = (context: Context, amount: number, salt = 0): Readonly<Record<string, Json>> => ({
  ...(acamSample(context, amount, salt) as Readonly<Record<string, Json>>),
  local_currency_amount: amount,
});

/** A valid ACAM item for some part of an operation's amount, with a tax id of the kind that is taken here. */
export const acamSample = (context: Context, amountAtMost: number, salt = 0): Json => {
  const { taxIdLength } = context.knowledge.acam;
  const samples = sampleOf(context.generators.complete("addAcamItem", { amountAtMost }), {
    // Another amount is another sale: servers may take a tax id once.
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
  const body = acamBody(context, amount);
  try {
    return await context.succeed(acamRequest(operation, body));
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
  const { acam } = context.knowledge;
  const sent = taxIdOf(refused).length;
  if (acam.taxIdLength === sent) return undefined;
  const taxIdLength = sent === 11 ? 14 : 11;
  const others = { ...context, knowledge: { ...context.knowledge, acam: { taxIdLength } } };
  const exchange = await context.ask(acamRequest(operation, acamBody(others, amount)));
  if (!isSuccess(exchange)) return undefined;
  acam.taxIdLength = taxIdLength;
  return exchange;
};

export const acamRequest = (operation: string, body: Json, intent: RequestSpec["intent"] = valid): RequestSpec => ({
  operation: "addAcamItem",
  intent,
  path: { operation_id: operation },
  body,
});

export const batchRequest = (pair: string, intent: RequestSpec["intent"] = valid): RequestSpec => ({
  operation: "createBatch",
  intent,
  body: { currency_pair: pair },
});

export const listRequest: RequestSpec = { operation: "listBatches", intent: valid };

/** Distinct valid amounts, edges first. */
export const amountsOf = (context: Context, n: number, salt = 0): readonly number[] =>
  stratifiedAmounts(context.target.amount, n, context.seed + salt);

/**
 * Distinct ordinary amounts, none of them near an end of the range, and so far from each other that one which is
 * returned rounded is not taken for another's.
 */
export const plainAmounts = (context: Context, n: number, salt = 0): readonly number[] => {
  const units = amountUnits(context.target.amount);
  const step = (units.last - units.first) / (n + 1);
  const shift = (Math.abs(context.seed + salt * 7919) % 1000) / 2000;
  const apart = Array.from({ length: n }, (_, index) => Math.floor(units.first + (index + 0.5 + shift) * step));
  // The middle first: where a server's limits are narrower than the configured range, it is what they have in knowledge.
  const middle = (units.first + units.last) / 2;
  return [...new Set(apart)]
    .sort((a, b) => Math.abs(a - middle) - Math.abs(b - middle))
    .map((unit) => amountOf(unit, units));
};

export const firstPair = (context: Context): string => context.target.currencyPairs[0] ?? "";

/** The pairs of the configuration in turn. */
export const pairAt = (context: Context, index: number): string =>
  context.target.currencyPairs[index % context.target.currencyPairs.length] ?? firstPair(context);

/** Purposes that are tried where the configuration knows none besides EFX. */
const guesses = ["IMPORT", "EXPORT", "SERVICES"];

/** A purpose that is not EFX, and a pair with which this target takes it. */
export interface OtherPurpose {
  readonly purpose: string;
  readonly pair: string;
}

/** Pairs with which a purpose is tried, since a server may take one for some of them alone. */
const mostPairs = 3;

/**
 * A purpose other than EFX that works on this target: a configured one, or a guess that the server accepted and
 * returned as it was sent. Throws Inconclusive where there is none (ruling 23).
 */
export const otherPurpose = (context: Context): Promise<OtherPurpose> =>
  context.knowledge.once("other purpose", async () => {
    const counterparty = await registerCounterparty(context, 7001);
    const [control = context.target.amount.min, ...amounts] = plainAmounts(context, 12);
    // From here on the counterparty is known and operations are taken, so a refusal is about the purpose.
    await createOperation(context, { counterparty: counterparty.id, amount: control });
    let words = "";
    for (const [index, { purpose, pair, known }] of purposesToTry(context).entries()) {
      const amount = amounts[index % amounts.length] ?? control;
      const body = operationBody(context, { counterparty: counterparty.id, amount, purpose, pair });
      const exchange = await context.ask(operationRequest(body, known ? valid : unusual(`the purpose ${purpose}`)));
      context.observe(
        "OPEN-02",
        purpose,
        isSuccess(exchange) ? "accepted" : `refused with ${exchange.response.status}`,
      );
      if (isSuccess(exchange) && (known || memberOf(exchange.json, "operation_purpose") === purpose))
        return { purpose, pair };
      words = messageOf(exchange);
    }
    throw new Inconclusive(
      `no purpose other than EFX is known to work on this server (the last one tried was answered with ${words}). Name one with --other-purposes.`,
    );
  });

/** Each purpose with the first pair; then the configured ones with further pairs. */
const purposesToTry = (context: Context): readonly (OtherPurpose & { readonly known: boolean })[] => {
  const { otherPurposes, currencyPairs } = context.target;
  const further = currencyPairs.slice(1, mostPairs);
  return [
    ...otherPurposes.map((purpose) => ({ purpose, pair: firstPair(context), known: true })),
    ...otherPurposes.flatMap((purpose) => further.map((pair) => ({ purpose, pair, known: true }))),
    ...guesses.map((purpose) => ({ purpose, pair: firstPair(context), known: false })),
  ];
};

/** The id in a success; throws Inconclusive where it has none, which the standing checks have judged by then. */
const made = (exchange: Exchange, member: string): Made => {
  const id = memberOf(exchange.json, member);
  if (typeof id !== "string" || id === "") {
    throw new Inconclusive(`a response without a usable ${member} leaves nothing to go on with`);
  }
  return { id, exchange, body: exchange.request.json ?? null };
};

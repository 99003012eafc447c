import { sampleOf } from "../../../generators/index.ts";
import { valueAt, withValue } from "../../../generators/pointer.ts";
import { Inconclusive } from "../../../harness/scenario-errors.ts";
import {
  isRefusal,
  isSuccess,
  memberOf,
  messageOf,
  unusual,
  type Exchange,
  type Json,
} from "../../../model/exchange.ts";
import type { Context } from "../context.ts";
import { counterpartyRequest, itemRequest, operationBody, operationRequest } from "../requests.ts";
import type { Made } from "../target-knowledge.ts";
import { created, untilKnown } from "./created.ts";
import { itemBody } from "./items.ts";

/**
 * Registers a new counterparty for the scenario. Tries other countries and shapes before it gives up. If the target
 * accepts no more counterparties, returns the first one of the run.
 */
export const registerCounterparty = async (context: Context, salt = 0): Promise<Made> => {
  const { knowledge } = context;
  let last: Exchange | undefined;
  const candidates = candidatesFor(context, salt);
  const isInVain = (): boolean =>
    last !== undefined &&
    (!isRefusal(last) || knowledge.refuses("createCounterparty") || knowledge.counterpartiesAreFull);
  /** The first of so many that is accepted. */
  const tried = async (most: number): Promise<Made | undefined> => {
    for (let n = 0; n < most && !isInVain(); n += 1) {
      const { value: body, done } = candidates.next();
      if (done === true) return undefined;
      const exchange = await context.send(counterpartyRequest(context, body));
      if (isSuccess(exchange)) {
        knowledge.accepted("createCounterparty");
        const registered = created(exchange, "id");
        knowledge.counterpartyCreated(registered, body);
        return registered;
      }
      last = exchange;
    }
    return undefined;
  };
  // If the first is refused, one scenario finds out what the target accepts, and the others wait for its result.
  const registered =
    (await tried(1)) ?? (await knowledge.oneFirst("createCounterparty", () => tried(Number.POSITIVE_INFINITY)));
  if (registered !== undefined) return registered;
  if (knowledge.firstCounterparty !== undefined && last !== undefined && isRefusal(last)) {
    knowledge.counterpartiesFilled();
    return knowledge.firstCounterparty;
  }
  if (last !== undefined && isRefusal(last) && !knowledge.refuses("createCounterparty")) {
    const isFound = await knowledge.once("country of counterparties", () => searchCountries(context));
    if (isFound) return registerCounterparty(context, salt);
  }
  knowledge.refusedThroughout("createCounterparty");
  const words = last === undefined ? "nothing" : messageOf(last);
  throw new Inconclusive(
    `POST /customers/{customer_id}/counterparty answered valid counterparties with ${words}. Check --customer-id, and whether this server accepts the counterparties that the suite makes up.`,
  );
};

/**
 * Bodies to try: with an intermediary bank and without, which servers may demand or refuse, and of several countries.
 * If the target accepted one before (perhaps for another scenario): a new one of the same shape, then one of the same
 * country, and no more. If it accepted none: also one without an external id, which a server may refuse in any form.
 */
function* candidatesFor(context: Context, salt: number): Generator<Json> {
  const { knowledge, generators } = context;
  const drawn = (n: number): readonly Json[] =>
    sampleOf(generators.complete("createCounterparty"), { seed: context.seed + salt, n });
  const [own = {}] = drawn(1);
  const before = knowledge.lastCounterparty;
  if (before === undefined) {
    for (const body of firstBodies(own, () => countriesOf(drawn(24)).slice(0, 3))) {
      if (knowledge.lastCounterparty !== undefined) break;
      yield body;
    }
  }
  const known = knowledge.lastCounterparty;
  if (known === undefined) return;
  const hasBank = valueAt(known, "/intermediary_bank") !== undefined;
  const shaped = (body: Json): Json => (hasBank ? body : withoutBank(body));
  if (before !== undefined && !knowledge.takesFewCountries) yield shaped(own);
  const like = drawn(many).find((body) => countryOf(body) === countryOf(known));
  if (like !== undefined) yield shaped(like);
  if (before !== undefined) yield hasBank ? withoutBank(own) : own;
}

/** How many are tried if nothing was accepted before; others are drawn when they are needed. */
function* firstBodies(own: Json, others: () => readonly Json[]): Generator<Json> {
  yield* [own, withoutBank(own)];
  for (const other of others()) yield* [other, withoutBank(other)];
  yield without(own, "/external_id");
}

/** How many bodies are drawn to get nearly every country. */
const many = 150;

/** One body of each country. */
const countriesOf = (bodies: readonly Json[]): readonly Json[] => [
  ...new Map(bodies.map((body) => [countryOf(body), body])).values(),
];

/** Tries every country, for servers that take accounts in one or two alone. True where a counterparty was accepted. */
const searchCountries = async (context: Context): Promise<boolean> => {
  const { knowledge } = context;
  const drawn = sampleOf(context.generators.complete("createCounterparty"), { seed: context.seed, n: many });
  for (const body of countriesOf(drawn)) {
    if (knowledge.lastCounterparty !== undefined) return true;
    const exchange = await context.send(counterpartyRequest(context, body));
    if (isSuccess(exchange)) {
      knowledge.accepted("createCounterparty");
      knowledge.counterpartyCreated(created(exchange, "id"), body);
      knowledge.adapted({ takesFewCountries: true });
      return true;
    }
    if (!isRefusal(exchange)) return false;
  }
  return false;
};

/** Bodies with data of their own, those of the country of an accepted one first, and without what that is without. */
export const bodiesLike = (context: Context, accepted: Json, n: number): readonly Json[] => {
  const absent = ["/intermediary_bank", "/external_id"].filter((pointer) => valueAt(accepted, pointer) === undefined);
  const draw = (most: number): readonly Json[] =>
    sampleOf(context.generators.complete("createCounterparty"), { seed: context.seed + 1, n: most });
  const isLike = (body: Json): boolean => countryOf(body) === countryOf(accepted);
  const some = draw(n * 20);
  // A rare country, and perhaps the only one that the target accepts.
  const drawn = some.filter(isLike).length < n ? draw(n * 150) : some;
  return [...drawn.filter(isLike), ...drawn.filter((body) => !isLike(body))]
    .slice(0, n)
    .map((body) => absent.reduce(without, body));
};

const countryOf = (body: Json): Json | undefined => valueAt(body, "/bank_account/bank_country");

const withoutBank = (body: Json): Json => without(body, "/intermediary_bank");

const without = (body: Json, pointer: string): Json =>
  valueAt(body, pointer) === undefined ? body : withValue(body, pointer, undefined);

/**
 * Registers a counterparty with nothing but what the specification requires of one that has a bank account: no
 * intermediary bank, no IBAN, no routing number. Undefined where the server needs more, which is not a violation.
 */
export const registerPlainCounterparty = async (context: Context, salt: number): Promise<Made | undefined> => {
  const [body = {}] = sampleOf(context.generators.complete("createCounterparty"), { seed: context.seed + salt, n: 1 });
  const plain = ["/intermediary_bank", "/bank_account/iban", "/bank_account/aba_routing_number"].reduce(without, body);
  const exchange = await context.send(counterpartyRequest(context, plain, unusual("without its optional members")));
  const id = memberOf(exchange.json, "id");
  return isSuccess(exchange) && typeof id === "string" && id !== "" ? created(exchange, "id") : undefined;
};

/**
 * If an odd counterparty was accepted (`what` says what is odd), creates an operation for it, and with `item` adds an
 * item: later code easily forgets that something can be missing or unusual.
 */
export const useCounterparty = async (
  context: Context,
  registered: Exchange,
  what: string,
  {
    amount = context.target.amount.min,
    item = false,
  }: { readonly amount?: number | undefined; readonly item?: boolean } = {},
): Promise<void> => {
  const counterparty = memberOf(registered.json, "id");
  if (!isSuccess(registered) || typeof counterparty !== "string" || counterparty === "") return;
  await untilKnown(context);
  const intent = unusual(`for a counterparty ${what}`);
  const operation = await context.send(operationRequest(operationBody(context, { counterparty, amount }), intent));
  const id = memberOf(operation.json, "operation_id");
  if (!item || !isSuccess(operation) || typeof id !== "string") return;
  await untilKnown(context);
  await context.send(itemRequest(id, itemBody(context, amount), intent));
};

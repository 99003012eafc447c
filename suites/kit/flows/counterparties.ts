import { valueAt } from "../../../spec/contract.ts";
import { sampleOf, samplesOf } from "../../../generators/index.ts";
import { withValue } from "../../../generators/pointer.ts";
import { hintOn, Inconclusive } from "../../../harness/errors.ts";
import { isRefusal, isSuccess, messageOf, unusual, type Exchange, type Json } from "../../../model/exchange.ts";
import type { Context } from "../context.ts";
import { counterpartyRequest } from "../requests.ts";
import { created, createdId, type Made } from "../target-knowledge.ts";

/** Registers a new counterparty, in other countries and shapes if need be; the first one if no more are accepted. */
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
        const made = created(exchange);
        knowledge.learn({ lastCounterparty: body, firstCounterparty: knowledge.firstCounterparty ?? made });
        return made;
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
    knowledge.learn({ counterpartiesAreFull: true });
    return knowledge.firstCounterparty;
  }
  knowledge.refusedThroughout("createCounterparty");
  const words = last === undefined ? "nothing" : messageOf(last);
  throw new Inconclusive(
    `POST /customers/{customer_id}/counterparty answered valid counterparties with ${words}. ${hintOn.createCounterparty}`,
  );
};

/** The salts of fresh counterparties, apart from those that scenarios choose. */
const firstFresh = 40_000;

/** Registers a counterparty that nothing was created for. */
export const freshCounterparty = (context: Context): Promise<Made> =>
  registerCounterparty(context, firstFresh + context.knowledge.nextFresh());

/** Bodies to try. If one was accepted before: a new one of its shape, then one of its country, and no more. */
function* candidatesFor(context: Context, salt: number): Generator<Json> {
  const { knowledge } = context;
  const [own = {}] = drawnBodies(context, 1, salt);
  const before = knowledge.lastCounterparty;
  if (before === undefined) {
    for (const body of firstBodies(context, own, salt)) {
      if (knowledge.lastCounterparty !== undefined) break;
      yield body;
    }
  }
  const known = knowledge.lastCounterparty;
  if (known === undefined) return;
  if (before !== undefined) yield shapedLike(known, own);
  yield* bodiesLike(context, known, 1, salt);
  if (before !== undefined) yield valueAt(known, "/intermediary_bank") === undefined ? own : withoutBank(own);
}

/** Bodies if none was accepted before: without what servers may demand or refuse, then of every country. */
function* firstBodies(context: Context, own: Json, salt: number): Generator<Json> {
  yield* [own, withoutBank(own)];
  const others = [...new Map(drawnBodies(context, many, salt).map((body) => [countryOf(body), body])).values()];
  for (const other of others.slice(0, 3)) yield* [other, withoutBank(other)];
  yield without(own, "/external_id");
  yield* others.slice(3);
}

/** How many bodies are drawn to get nearly every country. */
const many = 150;

export const drawnBodies = ({ generators, seed }: Context, n: number, salt = 0): readonly Json[] =>
  sampleOf(generators.complete("createCounterparty"), { seed: seed + salt, n });

/** At most `n` bodies with data of their own that are of the country of an accepted one, and without what that is without. */
export const bodiesLike = (context: Context, accepted: Json, n: number, salt: number): readonly Json[] => {
  const like: Json[] = [];
  const arbitrary = context.generators.complete("createCounterparty");
  for (const { value } of samplesOf(arbitrary, { seed: context.seed + salt, n: n * many })) {
    if (countryOf(value) === countryOf(accepted)) like.push(shapedLike(accepted, value));
    if (like.length === n) break;
  }
  return like;
};

const shapedLike = (accepted: Json, body: Json): Json =>
  ["/intermediary_bank", "/external_id"]
    .filter((pointer) => valueAt(accepted, pointer) === undefined)
    .reduce(without, body);

const countryOf = (body: Json): Json | undefined => valueAt(body, "/bank_account/bank_country");

const withoutBank = (body: Json): Json => without(body, "/intermediary_bank");

const without = (body: Json, pointer: string): Json =>
  valueAt(body, pointer) === undefined ? body : withValue(body, pointer, undefined);

/** Registers a counterparty with only what the specification requires; undefined where the server needs more. */
export const registerPlainCounterparty = async (context: Context, salt: number): Promise<Made | undefined> => {
  const optional = ["/intermediary_bank", "/bank_account/iban", "/bank_account/aba_routing_number"];
  const plain = optional.reduce(without, drawnBodies(context, 1, salt)[0] ?? {});
  const exchange = await context.send(counterpartyRequest(context, plain, unusual("without its optional members")));
  return createdId(exchange) === undefined ? undefined : created(exchange);
};

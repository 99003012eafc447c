import { valueAt, type Json } from "../../spec/json.ts";
import { sampleOf, samplesOf } from "../../generators/index.ts";
import { withValue } from "../../generators/pointer.ts";
import { hintOn, Inconclusive } from "../../harness/errors.ts";
import { isRefusal, isSuccess, messageOf, type Exchange } from "../../model/exchange.ts";
import type { Core } from "../run/context.ts";
import { counterpartyRequest } from "./requests.ts";
import { created, type Made } from "../run/target-knowledge.ts";

/**
 * Registers a new counterparty of a shape and a country that were accepted; the first one if no
 * more are accepted.
 */
export function registerCounterparty(context: Core, salt = 0): Promise<Made> {
  return firstAccepted(context, candidatesFor(context, salt));
}

/**
 * The run's first counterparty: in other countries and shapes if need be. Throws Inconclusive if
 * all are refused.
 */
export function firstCounterparty(context: Core): Promise<Made> {
  const [own = {}] = drawnBodies(context, 1);
  return firstAccepted(context, firstBodies(context, own));
}

/** Two failures that are no refusals end it: a server that crashes now and then registers the next. */
async function firstAccepted(context: Core, bodies: Iterable<Json>): Promise<Made> {
  const { knowledge } = context;
  let last: Exchange | undefined;
  let failures = 0;
  for (const body of bodies) {
    const exchange = await context.send(counterpartyRequest(context, body));
    if (isSuccess(exchange)) {
      knowledge.accepted("createCounterparty");
      const made = created(exchange);
      knowledge.learn({
        lastCounterparty: body,
        firstCounterparty: knowledge.firstCounterparty ?? made,
      });
      return made;
    }
    last = exchange;
    if (!isRefusal(exchange)) failures += 1;
    if (failures > 1 || knowledge.refuses("createCounterparty") || knowledge.counterpartiesAreFull)
      break;
  }
  if (knowledge.firstCounterparty !== undefined && last !== undefined && isRefusal(last)) {
    knowledge.learn({ counterpartiesAreFull: true });
    return knowledge.firstCounterparty;
  }
  knowledge.refusedThroughout("createCounterparty");
  const words = last === undefined ? "nothing" : messageOf(last);
  throw new Inconclusive(
    `POST /customers/{customer_id}/counterparty answered valid counterparties with ${words}. ${hintOn.createCounterparty}`,
  );
}

/** The salts of fresh counterparties, apart from those that scenarios choose. */
const firstFresh = 40_000;

/** Registers a counterparty that nothing was created for. */
export function freshCounterparty(context: Core): Promise<Made> {
  return registerCounterparty(context, firstFresh + context.knowledge.nextFresh());
}

/** A new body of the shape of an accepted one, then one of its country, and no more. */
function* candidatesFor(context: Core, salt: number): Generator<Json> {
  const [own = {}] = drawnBodies(context, 1, salt);
  const known = context.knowledge.lastCounterparty;
  if (known === undefined) return yield own;
  yield shapedLike(known, own);
  yield* bodiesLike(context, known, 1, salt);
  yield valueAt(known, "/intermediary_bank") === undefined ? own : withoutBank(own);
}

/** Without what servers may demand or refuse, then of every country. */
function* firstBodies(context: Core, own: Json): Generator<Json> {
  yield* [own, withoutBank(own)];
  const others = [
    ...new Map(drawnBodies(context, many).map((body) => [countryOf(body), body])).values(),
  ];
  for (const other of others.slice(0, 3)) yield* [other, withoutBank(other)];
  yield without(own, "/external_id");
  yield* others.slice(3);
}

/** How many bodies are drawn to get nearly every country. */
const many = 150;

export function drawnBodies({ generators, seed }: Core, n: number, salt = 0): readonly Json[] {
  return sampleOf(generators.complete("createCounterparty"), { seed: seed + salt, n });
}

/**
 * At most `n` bodies with data of their own that are of the country of an accepted one, and without
 * what that is without.
 */
function bodiesLike(context: Core, accepted: Json, n: number, salt: number): readonly Json[] {
  const like: Json[] = [];
  const arbitrary = context.generators.complete("createCounterparty");
  for (const { value } of samplesOf(arbitrary, { seed: context.seed + salt, n: n * many })) {
    if (countryOf(value) === countryOf(accepted)) like.push(shapedLike(accepted, value));
    if (like.length === n) break;
  }
  return like;
}

function shapedLike(accepted: Json, body: Json): Json {
  return ["/intermediary_bank", "/external_id"]
    .filter((pointer) => valueAt(accepted, pointer) === undefined)
    .reduce(without, body);
}

const countryOf = (body: Json): Json | undefined => valueAt(body, "/bank_account/bank_country");

const withoutBank = (body: Json): Json => without(body, "/intermediary_bank");

function without(body: Json, pointer: string): Json {
  return valueAt(body, pointer) === undefined ? body : withValue(body, pointer, undefined);
}

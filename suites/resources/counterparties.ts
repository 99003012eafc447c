import { valueAt, type Json } from "../../spec/json.ts";
import { sampleOf, samplesOf } from "../../generators/index.ts";
import { withValue } from "../../generators/pointer.ts";
import { hintOn, Inconclusive } from "../../harness/errors.ts";
import { isRefusal, isSuccess, messageOf, type Exchange } from "../../model/exchange.ts";
import { unusual, type RequestSpec } from "../../model/request.ts";
import type { ScenarioCore } from "../run/context.ts";
import { counterpartyRequest } from "./requests.ts";
import { created, type CreatedResource } from "../run/target-knowledge.ts";

/**
 * Registers a new counterparty like the last one that was accepted. If the target refuses it,
 * resolves to the run's first counterparty. Throws Inconclusive if there is none.
 */
export function registerCounterparty(context: ScenarioCore, salt = 0): Promise<CreatedResource> {
  return firstAccepted(context, candidatesFor(context, salt));
}

/**
 * Registers the run's first counterparty, in other countries and shapes if necessary. Throws
 * Inconclusive if the target refuses all of them.
 */
export function firstCounterparty(context: ScenarioCore): Promise<CreatedResource> {
  const [own = {}] = drawnBodies(context, 1);
  return firstAccepted(context, firstBodies(context, own));
}

/**
 * Sends the bodies until the target accepts one. Stops at the second failure that is not a refusal:
 * after the first, a server that crashes now and then may accept the next body.
 */
async function firstAccepted(
  context: ScenarioCore,
  bodies: Iterable<Json>,
): Promise<CreatedResource> {
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
    `POST /customers/{customer_id}/counterparty answered requests for valid counterparties with ${words}. ${hintOn.createCounterparty}`,
  );
}

/**
 * Returns a request that registers a new counterparty without an intermediary bank. A server may
 * refuse it.
 */
export function withoutBankRequest(context: ScenarioCore, salt: number): RequestSpec {
  const [own = {}] = drawnBodies(context, 1, salt);
  return counterpartyRequest(context, withoutBank(own), unusual("without its intermediary bank"));
}

/**
 * The salts of fresh counterparties come after this one. Scenarios choose far smaller salts, so
 * that no two counterparties get the same data.
 */
const firstFresh = 40_000;

/** Registers a counterparty for which nothing was created yet. */
export function freshCounterparty(context: ScenarioCore): Promise<CreatedResource> {
  return registerCounterparty(context, firstFresh + context.knowledge.nextFresh());
}

/**
 * Yields bodies to try in turn: one without the members that the last accepted body lacks, one that
 * is also from its country, and one that differs from it in having an intermediary bank or none.
 */
function* candidatesFor(context: ScenarioCore, salt: number): Generator<Json> {
  const [own = {}] = drawnBodies(context, 1, salt);
  const known = context.knowledge.lastCounterparty;
  if (known === undefined) return yield own;
  yield shapedLike(known, own);
  yield* bodiesLike(context, known, 1, salt);
  yield valueAt(known, "/intermediary_bank") === undefined ? own : withoutBank(own);
}

/**
 * Yields bodies for the first counterparty: with and without what a server may demand or refuse,
 * for one country, then for others.
 */
function* firstBodies(context: ScenarioCore, own: Json): Generator<Json> {
  yield* [own, withoutBank(own)];
  const others = [
    ...new Map(drawnBodies(context, many).map((body) => [countryOf(body), body])).values(),
  ];
  for (const other of others.slice(0, 3)) yield* [other, withoutBank(other)];
  yield without(own, "/external_id");
  yield* others.slice(3);
}

/** Among this many drawn bodies, nearly every country occurs. */
const many = 150;

export function drawnBodies(
  { generators, seed }: ScenarioCore,
  n: number,
  salt = 0,
): readonly Json[] {
  return sampleOf(generators.complete("createCounterparty"), { seed: seed + salt, n });
}

/**
 * At most `n` bodies with new data, from the country of an accepted body. They lack the members
 * that the accepted body lacks.
 */
function bodiesLike(
  context: ScenarioCore,
  accepted: Json,
  n: number,
  salt: number,
): readonly Json[] {
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

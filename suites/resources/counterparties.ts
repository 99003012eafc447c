import { valueAt, type Json } from "../../spec/json.ts";
import {
  countries,
  payeeArbitrary,
  sampleOf,
  usualRow,
  type Country,
} from "../../generators/index.ts";
import { withValue } from "../../generators/pointer.ts";
import { hintAfter, hintOn, Inconclusive } from "../../harness/errors.ts";
import { isRefusal, isSuccess, messageOf, type Exchange } from "../../model/exchange.ts";
import { unusual, type RequestSpec } from "../../model/request.ts";
import { seedFor, type ScenarioCore } from "../run/context.ts";
import { counterpartyRequest } from "./requests.ts";
import { created, type Created } from "../run/target-knowledge.ts";

/**
 * Registers a new counterparty like the last one that was accepted. If the target refuses it,
 * resolves to the run's first counterparty. Throws Inconclusive if there is none.
 */
export function registerCounterparty(context: ScenarioCore, salt = 0): Promise<Created> {
  return firstAccepted(context, candidatesFor(context, salt));
}

/**
 * Registers the run's first counterparty, in other countries and shapes if necessary. Throws
 * Inconclusive if the target refuses all of them.
 */
export function firstCounterparty(context: ScenarioCore): Promise<Created> {
  return firstAccepted(context, firstBodies(context));
}

/**
 * Sends the bodies until the target accepts one. Stops at the second failure that is not a refusal:
 * after the first, a server that crashes now and then may accept the next body.
 */
async function firstAccepted(context: ScenarioCore, bodies: Iterable<Json>): Promise<Created> {
  const { knowledge } = context;
  let last: Exchange | undefined;
  let failures = 0;
  for (const body of bodies) {
    const exchange = await context.send(counterpartyRequest(context, body));
    if (isSuccess(exchange)) {
      const made = created(exchange);
      knowledge.learn({
        lastCounterparty: body,
        firstCounterparty: knowledge.firstCounterparty ?? made,
      });
      return made;
    }
    last = exchange;
    if (!isRefusal(exchange)) failures += 1;
    if (failures > 1 || knowledge.counterpartiesAreFull) break;
  }
  const { firstCounterparty } = knowledge;
  const isRefused = last !== undefined && isRefusal(last);
  if (isRefused || firstCounterparty === undefined)
    knowledge.learn({ counterpartiesAreFull: true });
  if (isRefused && firstCounterparty !== undefined) return firstCounterparty;
  const words = last === undefined ? "nothing" : messageOf(last);
  const usual = hintOn.createCounterparty;
  const hint = last === undefined ? usual : hintAfter(last, usual);
  throw new Inconclusive(
    `POST /customers/{customer_id}/counterparty answered requests for valid counterparties with ${words}. ${hint}`,
    undefined,
    "createCounterparty",
  );
}

/**
 * Returns a request that registers a new counterparty without an intermediary bank. A server may
 * refuse it.
 */
export function withoutBankRequest(context: ScenarioCore): RequestSpec {
  const intent = unusual("without its intermediary bank");
  return { ...counterpartyRequest(context, withoutBank(usualBody(context, 1))), intent };
}

/**
 * The salts of fresh counterparties come after this one. Scenarios choose far smaller salts, so
 * that no two counterparties get the same data.
 */
const firstFresh = 40_000;

/** Registers a counterparty for which nothing was created yet. */
export function freshCounterparty(context: ScenarioCore): Promise<Created> {
  return registerCounterparty(context, firstFresh + context.knowledge.nextFresh());
}

/**
 * Yields bodies to try in turn: one without the members that the last accepted body lacks, one that
 * is also from its country, and one that differs from it in having an intermediary bank or none.
 */
function* candidatesFor(context: ScenarioCore, salt: number): Generator<Json> {
  const own = usualBody(context, salt);
  const known = context.knowledge.lastCounterparty;
  if (known === undefined) return yield own;
  yield shapedLike(known, own);
  const accepted = valueAt(known, "/bank_account/bank_country");
  const country = countries.find(({ code }) => code === accepted);
  if (country !== undefined) yield shapedLike(known, bodyIn(context, country, salt));
  yield valueAt(known, "/intermediary_bank") === undefined ? own : withoutBank(own);
}

/**
 * Yields bodies for the first counterparty: with and without what a server may demand or refuse,
 * for one country, then for others.
 */
function* firstBodies(context: ScenarioCore): Generator<Json> {
  const likely = ["DE", "US", "GB", "BR"].flatMap((wanted) =>
    countries.filter(({ code }) => code === wanted),
  );
  const [own, ...others] = [...likely, ...countries.filter((one) => !likely.includes(one))].map(
    (country) => bodyIn(context, country),
  );
  if (own === undefined) return;
  yield* [own, withoutBank(own)];
  for (const other of others.slice(0, 3)) yield* [other, withoutBank(other)];
  yield without(own, "/external_id");
  yield* others.slice(3);
}

/** Countries whose accounts have an IBAN or an ABA number beside the number of the account. */
const withMostCodes = countries.filter(({ bban, aba }) => bban !== undefined || aba === true);

/**
 * A counterparty of the usual shape. The scenario and the salt decide its country, and the seed its
 * letters and digits.
 */
function usualBody(context: ScenarioCore, salt: number): Json {
  const at = (Math.abs(seedFor(0, context.id)) + salt) % withMostCodes.length;
  return bodyIn(context, withMostCodes[at] as Country, salt);
}

function bodyIn({ seed }: ScenarioCore, country: Country, salt = 0): Json {
  const [body = {}] = sampleOf(payeeArbitrary(usualRow(country)), { seed: seed + salt, n: 1 });
  return body;
}

function shapedLike(accepted: Json, body: Json): Json {
  return ["/intermediary_bank", "/external_id"]
    .filter((pointer) => valueAt(accepted, pointer) === undefined)
    .reduce(without, body);
}

const withoutBank = (body: Json): Json => without(body, "/intermediary_bank");

function without(body: Json, pointer: string): Json {
  return valueAt(body, pointer) === undefined ? body : withValue(body, pointer, undefined);
}

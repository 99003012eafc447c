import { Inconclusive } from "../../harness/errors.ts";
import { isRefusal, isSuccess, saysTheSame, type Exchange } from "../../model/exchange.ts";
import type { ScenarioCore } from "../run/context.ts";

/** A value that a request was made of, and the exchange. */
export interface Answered<V> {
  readonly value: V;
  readonly exchange: Exchange;
}

/** How many variations are tried before a refusal is final. */
const most = 24;

/** A member of the request, and values to try for it. */
export type Trial<V> = readonly [member: keyof V, values: readonly unknown[]];

/**
 * Returns the first variation of a refused request that the target accepts, or undefined. What is
 * refused with another message is varied further first, and last what changed nothing.
 */
export async function acceptedVariation<V>(
  refused: Answered<V>,
  trials: readonly Trial<V>[],
  send: (value: V) => Promise<Exchange>,
): Promise<Answered<V> | undefined> {
  const tried = new Set([JSON.stringify(refused.value)]);
  const waiting: { readonly from: Answered<V>; readonly left: readonly Trial<V>[] }[] = [
    { from: refused, left: trials },
  ];
  for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
    const { from, left } = next;
    for (const trial of left)
      for (const other of trial[1]) {
        const value = { ...from.value, [trial[0]]: other };
        const key = JSON.stringify(value);
        if (tried.has(key) || tried.size > most) continue;
        tried.add(key);
        const exchange = await send(value);
        if (isSuccess(exchange)) return { value, exchange };
        if (!isRefusal(exchange)) continue;
        const further = { from: { value, exchange }, left: left.filter((one) => one !== trial) };
        if (saysTheSame(exchange, from.exchange)) waiting.push(further);
        else waiting.unshift(further);
      }
  }
  return undefined;
}

/**
 * The success of a request, or of a variation of it if the target refuses the request. Throws
 * Inconclusive.
 */
export async function accepted<B>(
  context: ScenarioCore,
  body: B,
  request: (body: B) => Parameters<ScenarioCore["send"]>[0],
  trials: readonly Trial<B>[],
  varied: string,
): Promise<{ readonly found: Answered<B>; readonly refusal: Exchange | undefined }> {
  const successOf = (exchange: Exchange) => ({
    found: { value: body, exchange },
    refusal: undefined,
  });
  try {
    return successOf(await context.succeed(request(body)));
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    const send = (one: B): Promise<Exchange> => context.send(request(one));
    const refusal = await send(body);
    if (isSuccess(refusal)) return successOf(refusal);
    if (!isRefusal(refusal)) throw error;
    const found = await acceptedVariation({ value: body, exchange: refusal }, trials, send);
    if (found === undefined)
      throw new Inconclusive(
        `${error.message} ${varied} were refused too.`,
        error.gap,
        error.blockedAt,
      );
    return { found, refusal };
  }
}

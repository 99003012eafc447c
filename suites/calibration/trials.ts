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
 * Returns the first variation of a refused request that the target accepts, or undefined. If a
 * variation is refused with another message, it is varied further at once, otherwise later.
 */
export async function acceptedVariation<V>(
  refused: Answered<V>,
  trials: readonly Trial<V>[],
  send: (value: V) => Promise<Exchange>,
): Promise<Answered<V> | undefined> {
  const tried = new Set([JSON.stringify(refused.value)]);
  const later: { readonly from: Answered<V>; readonly varied: readonly Trial<V>[] }[] = [];
  const vary = async (
    from: Answered<V>,
    varied: readonly Trial<V>[],
  ): Promise<Answered<V> | undefined> => {
    for (const trial of trials.filter((one) => !varied.includes(one))) {
      const [member, values] = trial;
      for (const other of values) {
        const value = { ...from.value, [member]: other };
        const key = JSON.stringify(value);
        if (tried.has(key) || tried.size > most) continue;
        tried.add(key);
        const exchange = await send(value);
        if (isSuccess(exchange)) return { value, exchange };
        if (!isRefusal(exchange)) continue;
        const next = { from: { value, exchange }, varied: [...varied, trial] };
        if (saysTheSame(exchange, from.exchange)) {
          later.push(next);
          continue;
        }
        const further = await vary(next.from, next.varied);
        if (further !== undefined) return further;
      }
    }
    return undefined;
  };
  let found = await vary(refused, []);
  for (const { from, varied } of later) found ??= await vary(from, varied);
  return found;
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
  try {
    return {
      found: { value: body, exchange: await context.succeed(request(body)) },
      refusal: undefined,
    };
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    const send = (one: B): Promise<Exchange> => context.send(request(one));
    const refusal = await send(body);
    if (isSuccess(refusal))
      return { found: { value: body, exchange: refusal }, refusal: undefined };
    if (!isRefusal(refusal)) throw error;
    const found = await acceptedVariation({ value: body, exchange: refusal }, trials, send);
    if (found === undefined)
      throw new Inconclusive(
        `${error.message} ${varied} were refused too.`,
        error.gap,
        error.blockedAt,
      );
    context.knowledge.accepted(found.exchange.operation);
    return { found, refusal };
  }
}

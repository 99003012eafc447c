import { isRefusal, isSuccess, saysTheSame, type Exchange } from "../../model/exchange.ts";

/** A value, and the response to it. */
export interface Answered<V> {
  readonly value: V;
  readonly exchange: Exchange;
}

/** How many variations are sent before a refusal is final. */
const most = 24;

/** Values to try for a member of what is sent. */
export type Trial<V> = readonly [member: keyof V, values: readonly unknown[]];

/**
 * The first accepted variation of a refused request. A refusal with another message is varied
 * further at once.
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

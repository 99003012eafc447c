import { isRefusal, isSuccess, saysTheSame, type Exchange } from "../../../model/exchange.ts";

/** The values of a valid request, and its refusal. */
export interface Refused<V> {
  readonly value: V;
  readonly exchange: Exchange;
}

/** How many variations are sent before a refusal is final. */
const most = 24;

/**
 * The first variation of a refused request that the target accepts. Each list varies one thing. A variation that is
 * refused with another message may keep one limit and break another, so the other lists vary it at once; one that is
 * refused with the same message is varied further after all others, because a message may name two limits.
 */
export const acceptedVariation = async <V>(
  refused: Refused<V>,
  lists: readonly (readonly ((value: V) => V)[])[],
  send: (value: V) => Promise<Exchange>,
): Promise<Refused<V> | undefined> => {
  const tried = new Set([JSON.stringify(refused.value)]);
  const later: { readonly from: Refused<V>; readonly varied: readonly unknown[] }[] = [];
  const vary = async (from: Refused<V>, varied: readonly unknown[]): Promise<Refused<V> | undefined> => {
    for (const list of lists.filter((one) => !varied.includes(one))) {
      for (const change of list) {
        const value = change(from.value);
        const key = JSON.stringify(value);
        if (tried.has(key) || tried.size > most) continue;
        tried.add(key);
        const exchange = await send(value);
        if (isSuccess(exchange)) return { value, exchange };
        if (!isRefusal(exchange)) continue;
        const next = { from: { value, exchange }, varied: [...varied, list] };
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
};

import { pause } from "../../../harness/transport/throttling.ts";
import { isSuccess, memberOf, unusual, type Exchange, type RequestSpec } from "../../../model/exchange.ts";
import { pairsInUse } from "../amounts.ts";
import { answerOf } from "../observing.ts";
import type { Context } from "../context.ts";
import { orNothing } from "../or-nothing.ts";
import { listRequest } from "../requests.ts";
import { validBatch } from "./batches.ts";
import { batchesOf, observeList } from "./list-observations.ts";

/** How many batches are looked for: fewer than a page, and more than a list of only the first few. */
const followed = 7;

/**
 * Creates a batch for each of the first pairs and lists batches until it sees them, or the grace period is over. Then
 * does the same with more batches of these pairs, because a faulty list may show only the first few.
 */
export const listCreated = async (context: Context): Promise<void> => {
  const pairs = followedPairs(context);
  const creations = pairs.map(async (pair) => context.succeed(await validBatch(context, pair)));
  // A server may refuse batches for some pairs, or more batches today: one created batch is enough.
  const created = (await Promise.all(creations.map(orNothing))).filter((exchange) => exchange !== undefined);
  const [first] = created;
  if (first === undefined) return void (await creations[0]);
  if (!showsAll(await listUntilSeen(context, created), created)) return;
  // A pair that has a batch. If the server refuses another batch for it, it refuses more.
  const inARow = (await orNothing(createTwoInARow(context, pairOf(first)))) ?? [];
  created.push(...inARow);
  let isOpen = inARow.every((exchange, index) => index > 0 || isSuccess(exchange) || isLapsed(exchange));
  const again = async (pair: string): Promise<boolean> => {
    const exchange = await context.send(await furtherBatch(context, pair));
    created.push(exchange);
    return isSuccess(exchange);
  };
  const further = Array.from({ length: followed - 2 - pairs.length }, (_, n) => pairs[n % pairs.length] ?? "");
  // One after another, so that their order is known; then two at once, because a faulty server may lose one.
  for (const pair of further.slice(0, -2)) isOpen &&= await again(pair);
  if (isOpen) await Promise.all(further.slice(-2).map(again));
  observeList(context, await listUntilSeen(context, created), created);
};

const pairOf = (exchange: Exchange): string => {
  const pair = memberOf(exchange.request.json, "currency_pair");
  return typeof pair === "string" ? pair : "";
};

const furtherBatch = (context: Context, pair: string): Promise<RequestSpec> =>
  validBatch(context, pair, unusual("for a pair that has a batch"));

/**
 * Creates two more batches for a pair in a row, without a new operation between them: if a batch takes all waiting
 * operations, the second one is empty.
 */
const createTwoInARow = async (context: Context, pair: string): Promise<readonly Exchange[]> => {
  const specs = [await furtherBatch(context, pair), await furtherBatch(context, pair)] as const;
  const [first, second] = await context.alone(async (send) => [await send(specs[0]), await send(specs[1])] as const);
  const isSame = memberOf(first.json, "id") === memberOf(second.json, "id");
  const answer = isSuccess(second) ? (isSame ? "the first one again" : "a new batch") : answerOf(second);
  if (!isLapsed(second)) context.observe("OPEN-32", "a second batch for a pair", answer);
  return [first, second];
};

/** Whether the token lapsed: then the refusal is not about the batch. */
const isLapsed = ({ response }: Exchange): boolean => response.status === 401;

/** The first pairs and the last one: each may be treated in its own way. */
export const followedPairs = (context: Context): readonly string[] => {
  const pairs = pairsInUse(context);
  return [...new Set([...pairs.slice(0, 3), ...pairs.slice(-1)])];
};

/** Lists batches until all that these requests created are shown, or the grace period is over. Returns the last list. */
export const listUntilSeen = async (context: Context, created: readonly Exchange[]): Promise<Exchange> => {
  const until = Math.max(...created.map(({ at, response }) => at + response.took)) + context.settings.grace;
  for (let wait = 100; ; wait = Math.min(wait * 2, 1000)) {
    const list = await context.succeed(listRequest);
    if (showsAll(list, created) || list.at >= until || context.run.signal.aborted) return list;
    await pause(Math.min(wait, Math.max(0, until - list.at - list.response.took)), context.run.signal);
  }
};

const showsAll = (list: Exchange, created: readonly Exchange[]): boolean => {
  const shown = new Set(batchesOf(list).map((batch) => memberOf(batch, "id")));
  return created.filter(isSuccess).every(({ json }) => shown.has(memberOf(json, "id")));
};

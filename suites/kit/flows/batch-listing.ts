import { shown } from "../../../harness/judging/rules/rule.ts";
import { cursorsOf } from "../../../harness/judging/standing-observations.ts";
import { Inconclusive } from "../../../harness/scenario-errors.ts";
import { pause } from "../../../harness/transport/throttling.ts";
import { isObject, isSuccess, memberOf, unusual, type Exchange, type RequestSpec } from "../../../model/exchange.ts";
import { pairsInUse } from "../amounts.ts";
import { answerOf } from "../answer.ts";
import type { Context } from "../context.ts";
import { orNothing } from "../or-nothing.ts";
import { listRequest } from "../requests.ts";
import { validBatch } from "./batches.ts";
import { batchesOf, observeList, pageSize, type Listed } from "./list-observations.ts";

interface Created extends Listed {
  readonly pair: string;
}

/** How many batches are looked for: fewer than a page, and more than a list of only the first few. */
const followed = 7;

/**
 * Creates a batch for each of the first pairs and looks for them in the list until the grace period is over. Then does
 * the same with more batches of these pairs, because a faulty list may show only the first few.
 */
export const judgeListing = async (context: Context): Promise<void> => {
  const pairs = followedPairs(context);
  const created: Created[] = [];
  // A server may refuse batches for some pairs, or more batches today: one created batch is enough.
  const refusals: Inconclusive[] = [];
  await Promise.all(
    pairs.map(async (pair) => {
      try {
        const spec = await validBatch(context, pair);
        keep(created, await context.succeed(spec));
      } catch (error) {
        if (!(error instanceof Inconclusive)) throw error;
        refusals.push(error);
      }
    }),
  );
  if (refusals.length === pairs.length && refusals[0] !== undefined) throw refusals[0];
  if (created.length === 0) {
    throw new Inconclusive(
      "no created batch was returned with an id to look for in the list (BATCH-01): fix that first",
      ["BATCH-24", "BATCH-27"],
    );
  }
  let search = await judgeCreated(context, created);
  if (search.missing.length > 0) return;
  const before = created.length;
  const again = async (pair: string): Promise<boolean> => {
    const exchange = await context.send(await furtherBatch(context, pair));
    keep(created, exchange);
    return isSuccess(exchange);
  };
  // A pair that has a batch. If the server refuses another batch for it, it refuses more.
  const known = pairs.find((pair) => created.some((batch) => batch.pair === pair)) ?? created[0]?.pair ?? "";
  const inARow = (await orNothing(createTwoInARow(context, known))) ?? [];
  for (const exchange of inARow) keep(created, exchange);
  let isOpen = inARow.every((exchange, index) => index > 0 || isSuccess(exchange) || isLapsed(exchange));
  const further = Array.from({ length: followed - 2 - pairs.length }, (_, n) => pairs[n % pairs.length] ?? "");
  // One after another, so that their order is known; then two at once, because a faulty server may lose one.
  for (const pair of further.slice(0, -2)) isOpen &&= await again(pair);
  if (isOpen) await Promise.all(further.slice(-2).map(again));
  if (created.length > before) search = await judgeCreated(context, created);
  observeList(context, search.list, created);
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

/** Looks in the list for what these requests created, each with its own data. */
export const judgeListed = async (context: Context, exchanges: readonly Exchange[]): Promise<void> => {
  const created: Created[] = [];
  for (const exchange of exchanges) keep(created, exchange);
  if (created.length > 0) await judgeCreated(context, created);
};

/** The first pairs and the last one: each may be treated in its own way. */
export const followedPairs = (context: Context): readonly string[] => {
  const pairs = pairsInUse(context);
  return [...new Set([...pairs.slice(0, 3), ...pairs.slice(-1)])];
};

/** Adds a created batch, unless it is an earlier one again, as a second batch for a pair may be (INT-27). */
const keep = (created: Created[], exchange: Exchange): void => {
  const id = memberOf(exchange.json, "id");
  // Compare with the pair in the request: it differs from the configured one if the target refuses that for operations.
  const pair = memberOf(exchange.request.json, "currency_pair");
  if (
    !isSuccess(exchange) ||
    typeof pair !== "string" ||
    typeof id !== "string" ||
    id === "" ||
    created.some((known) => known.id === id && known.pair === pair)
  )
    return;
  created.push({ id, pair, from: exchange.at, to: exchange.at + exchange.response.took });
};

interface Search {
  readonly list: Exchange;
  readonly missing: readonly Created[];
}

/** Judges what the list shows of these batches within the grace period. */
const judgeCreated = async (context: Context, created: readonly Created[]): Promise<Search> => {
  const search = await listUntilSeen(context, created);
  const { list, missing } = search;
  judgeSeen(
    context,
    list,
    created.filter((batch) => !missing.includes(batch)),
  );
  if (missing.length === 0) context.holds("BATCH-24", list);
  else judgeMissing(context, list, missing);
  return search;
};

const listUntilSeen = async (context: Context, created: readonly Created[]): Promise<Search> => {
  const until = performance.now() + context.settings.grace;
  for (let wait = 100; ; wait = Math.min(wait * 2, 1000)) {
    const sent = performance.now();
    const list = await context.succeed(listRequest);
    if (!Array.isArray(memberOf(list.json, "batches"))) throw unreadable(list);
    const ids = new Set(batchesOf(list).map((batch) => memberOf(batch, "id")));
    const missing = created.filter(({ id }) => !ids.has(id));
    // The list that is requested after the grace period decides.
    if (missing.length === 0 || sent >= until || context.run.signal.aborted) return { list, missing };
    await pause(Math.min(wait, Math.max(0, until - performance.now())), context.run.signal);
  }
};

const unreadable = (list: Exchange): Inconclusive =>
  new Inconclusive(
    list.response.defect?.kind === "too large"
      ? "GET /batches answered with more than is read: raise --max-body"
      : list.json === undefined
        ? "GET /batches did not answer with JSON (HTTP-02): fix that first"
        : "GET /batches shows no array of batches to look into (BATCH-20): fix that first",
    ["BATCH-24", "BATCH-27"],
  );

/** The pair that a batch was created with is still its pair in the list. */
const judgeSeen = (context: Context, list: Exchange, seen: readonly Created[]): void => {
  batchesOf(list).forEach((batch, index) => {
    const pair = memberOf(batch, "currency_pair");
    // One batch may answer several requests only if they named the same pair.
    const own = seen.filter(({ id }) => id === memberOf(batch, "id"));
    const [first] = own;
    if (first === undefined || typeof pair !== "string") return;
    if (own.some((made) => made.pair === pair)) return context.holds("BATCH-27", list);
    context.violated(
      "BATCH-27",
      {
        message: "GET /batches: a batch is listed with another pair than it was created with.",
        expected: `/batches/${index}/currency_pair = ${JSON.stringify(first.pair)}`,
        actual: `/batches/${index}/currency_pair = ${JSON.stringify(pair)}`,
        pointer: `/batches/${index}/currency_pair`,
        cause: { expected: "the pair that the batch was created with", actual: "another pair" },
      },
      { exchange: list },
    );
  });
};

/** A missing batch fails only if listed batches have ids and nothing suggests that the list is partial (INT-29). */
const judgeMissing = (context: Context, list: Exchange, missing: readonly Created[]): void => {
  const visible = batchesOf(list).length;
  const above = ["count", "total"].filter((name) => Number(memberOf(list.json, name)) > visible);
  const cursors = cursorsOf(list);
  const part =
    visible >= pageSize
      ? `${visible} batches are shown, which may be one page`
      : above.length > 0
        ? `${above.join(" and ")} is above the ${visible} batches shown`
        : cursors.length > 0
          ? `the list has ${cursors.join(", ")}, which may lead to more`
          : undefined;
  if (part !== undefined) {
    context.inconclusive(
      "BATCH-24",
      `the created batch is not in the list, and ${part}; the specification does not say how the list is paged`,
    );
    return;
  }
  const nameless = batchesOf(list).filter((batch) => isObject(batch) && memberOf(batch, "id") === undefined).length;
  if (nameless >= missing.length) {
    context.inconclusive("BATCH-24", `${nameless} of the ${visible} batches shown have no id to know them by`);
    return;
  }
  context.violated(
    "BATCH-24",
    {
      message: "GET /batches does not show a batch that was created.",
      expected: `the batch ${JSON.stringify(missing[0]?.id ?? "")} within ${context.settings.grace} ms`,
      actual: `${visible} batches without it, count ${shown(memberOf(list.json, "count"))}, total ${shown(memberOf(list.json, "total"))}`,
      pointer: "/batches",
      cause: { expected: "a created batch is listed", actual: "a list without it" },
    },
    { exchange: list },
  );
};

import { shown } from "../../harness/checks/check.ts";
import { isObject, isSuccess, memberOf, unusual, type Exchange, type Json } from "../../harness/exchange.ts";
import { cursorsOf } from "../../harness/observations.ts";
import { Inconclusive } from "../../harness/verdicts.ts";
import { pause } from "../../harness/waiting.ts";
import type { Stage } from "../stage.ts";
import { batchAsk, listAsk } from "../steps.ts";

/** A list that shows so many batches may be one page of more (ruling 29). */
const pageSize = 10;

interface Created {
  readonly id: string;
  readonly pair: string;
}

/** Batches that are followed: fewer than a page, and more than a list of the first few would show. */
const followed = 7;

/**
 * Creates a batch for each of the first pairs and looks for them in the list until the grace period is over; then some
 * more of the same pairs, for a list may show the first, or the first few, and no others.
 */
export const judgeListing = async (stage: Stage): Promise<void> => {
  const pairs = followedPairs(stage);
  const created: Created[] = [];
  // Pairs that this server knows may have no batches, or no more of them today: one is enough to look for.
  const refusals: Inconclusive[] = [];
  for (const pair of pairs) {
    try {
      keep(created, pair, await stage.succeed(batchAsk(pair)));
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
      refusals.push(error);
    }
  }
  if (refusals.length === pairs.length && refusals[0] !== undefined) throw refusals[0];
  if (created.length === 0) {
    throw new Inconclusive("no created batch was returned with an id to look for", ["BATCH-24", "BATCH-27"]);
  }
  if (!(await judgeCreated(stage, created))) return;
  const before = created.length;
  for (let n = pairs.length; n < followed; n += 1) {
    const pair = pairs[n % pairs.length] ?? "";
    const exchange = await stage.ask(batchAsk(pair, unusual("a further batch for a pair")));
    if (!isSuccess(exchange)) break;
    keep(created, pair, exchange);
  }
  if (created.length > before) await judgeCreated(stage, created);
};

/** The first pairs and the last one: each may be treated in its own way. */
export const followedPairs = (stage: Stage): readonly string[] => {
  const { currencyPairs } = stage.target;
  return [...new Set([...currencyPairs.slice(0, 3), ...currencyPairs.slice(-1)])];
};

/** A further batch for a pair may be the first one again, which is no other to look for (ruling 27). */
const keep = (created: Created[], pair: string, exchange: Exchange): void => {
  const id = memberOf(exchange.json, "id");
  if (typeof id !== "string" || id === "" || created.some((known) => known.id === id && known.pair === pair)) return;
  created.push({ id, pair });
};

/** True where all are in the list. */
const judgeCreated = async (stage: Stage, created: readonly Created[]): Promise<boolean> => {
  const { list, missing } = await listUntilSeen(stage, created);
  const seen = created.filter((batch) => !missing.includes(batch));
  judgeSeen(stage, list, seen);
  if (missing.length === 0) stage.holds("BATCH-24");
  else judgeMissing(stage, list, missing);
  return missing.length === 0;
};

const listUntilSeen = async (
  stage: Stage,
  created: readonly Created[],
): Promise<{ list: Exchange; missing: readonly Created[] }> => {
  const until = performance.now() + stage.manner.grace;
  for (let wait = 100; ; wait = Math.min(wait * 2, 1000)) {
    const asked = performance.now();
    const list = await stage.succeed(listAsk);
    if (!Array.isArray(memberOf(list.json, "batches"))) {
      throw new Inconclusive("the list shows no array of batches to look into", ["BATCH-24", "BATCH-27"]);
    }
    const ids = new Set(batchesOf(list).map((batch) => memberOf(batch, "id")));
    const missing = created.filter(({ id }) => !ids.has(id));
    // A list that was asked for after the period is the last word.
    if (missing.length === 0 || asked >= until || stage.world.signal.aborted) return { list, missing };
    await pause(Math.min(wait, Math.max(0, until - performance.now())), stage.world.signal);
  }
};

/** The pair that a batch was created with is still its pair in the list. */
const judgeSeen = (stage: Stage, list: Exchange, seen: readonly Created[]): void => {
  batchesOf(list).forEach((batch, index) => {
    const pair = memberOf(batch, "currency_pair");
    // One batch may stand for several requests only where they named one pair.
    const own = seen.filter(({ id }) => id === memberOf(batch, "id"));
    const [first] = own;
    if (first === undefined || typeof pair !== "string") return;
    if (own.some((made) => made.pair === pair)) return stage.holds("BATCH-27");
    stage.violated(
      "BATCH-27",
      {
        message: "GET /batches: a batch is listed with another pair than it was created with.",
        expected: `/batches/${index}/currency_pair = ${JSON.stringify(first.pair)}`,
        actual: `/batches/${index}/currency_pair = ${JSON.stringify(pair)}`,
        pointer: `/batches/${index}/currency_pair`,
      },
      list,
    );
  });
};

/** Absence fails only where the list names what it shows, and nothing suggests that it shows a part (ruling 29). */
const judgeMissing = (stage: Stage, list: Exchange, missing: readonly Created[]): void => {
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
    stage.inconclusive(
      "BATCH-24",
      `the created batch is not in the list, and ${part}; how the list is paged is not specified`,
    );
    return;
  }
  const nameless = batchesOf(list).filter((batch) => isObject(batch) && memberOf(batch, "id") === undefined).length;
  if (nameless >= missing.length) {
    stage.inconclusive("BATCH-24", `${nameless} of the ${visible} batches shown have no id to know them by`);
    return;
  }
  stage.violated(
    "BATCH-24",
    {
      message: "GET /batches does not show a batch that was created.",
      expected: `the batch ${JSON.stringify(missing[0]?.id ?? "")} within ${stage.manner.grace} ms`,
      actual: `${visible} batches without it, count ${shown(memberOf(list.json, "count"))}, total ${shown(memberOf(list.json, "total"))}`,
      pointer: "/batches",
    },
    list,
  );
};

const batchesOf = (list: Exchange): readonly Json[] => {
  const batches = memberOf(list.json, "batches");
  return Array.isArray(batches) ? (batches as readonly Json[]) : [];
};

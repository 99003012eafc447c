import { other, type Judgement, broken, holds, noVerdict } from "../../../model/mistake.ts";
import { memberOf, type Json } from "../../../spec/json.ts";
import { waits } from "../../../model/bounds.ts";
import { isSuccess, type Exchange } from "../../../model/exchange.ts";
import { mostRemembered, remember } from "../known-ids.ts";
import { batchesIn, cursorsOf } from "../observations.ts";
import { shown, titleOf, type Rule } from "./rule.ts";

type CreatedBatch = NonNullable<ReturnType<typeof createdIn>>;
type Ids = ReadonlySet<Json | undefined>;

/** The ids in a list, and when it came, in milliseconds since the run started. */
interface Listed {
  readonly ids: Ids;
  readonly at: number;
}

/** A list with this number of batches may be one page of a longer list (INT-29). */
export const pageSize = 10;

/** How many lists are kept, and of how many batches each at most. */
const mostLists = 50;
const mostIds = 1_000;

/** Judges whether a created batch is listed after the grace period (INT-27, INT-29). */
export const batchList: Rule = {
  needsTimes: true,
  create: ({ grace }) => {
    const created = new Map<string, CreatedBatch>();
    /** Created batches that a further list must still show, in the order of their creation. */
    const recent: CreatedBatch[] = [];
    /** The latest lists: one may be judged before the creation that it shows. */
    const latest: Listed[] = [];
    const dueAt = (at: number) => {
      while ((recent[0]?.at ?? at) + waits.listed < at) recent.shift();
      const end = recent.findIndex((one) => one.at + grace > at);
      return recent.slice(0, end < 0 ? recent.length : end);
    };
    return {
      learn: (exchange) => {
        const batch = createdIn(exchange);
        if (batch === undefined || created.has(batch.id)) return;
        remember(created, batch.id, batch);
        if (latest.some(({ ids }) => ids.has(batch.id))) return;
        if (recent.push(batch) > mostRemembered) recent.shift();
      },
      judge: (exchange) => {
        const isList = exchange.operation === "listBatches" && isSuccess(exchange);
        const batches = isList ? batchesIn(exchange.json) : undefined;
        if (batches === undefined) return [];
        const due = dueAt(exchange.at);
        // A batch that was listed once need not be listed again: it may leave the list (INT-54).
        const seen: Ids = new Set(batches.map((batch) => memberOf(batch, "id")));
        const before = latest.filter(({ at }) => at <= exchange.at);
        const at = exchange.at + exchange.response.took;
        if (seen.size <= mostIds && latest.push({ ids: seen, at }) > mostLists) latest.shift();
        recent.splice(0, recent.length, ...recent.filter(({ id }) => !seen.has(id)));
        // What a list lacks that was requested with what may be a filter shows nothing.
        return new URL(exchange.request.url).search !== ""
          ? []
          : judgeAppearance({ exchange, batches, ids: seen, created, due, grace, before });
      },
    };
  },
};

/** The batch that an exchange created: its id, and when the response arrived. Undefined if there is none. */
function createdIn(exchange: Exchange) {
  const { operation, intent, exemptBy, json, at, response } = exchange;
  if (
    operation !== "createBatch" ||
    intent.kind === "invalid" ||
    exemptBy !== undefined ||
    !isSuccess(exchange)
  )
    return undefined;
  const id = memberOf(json, "id");
  return typeof id === "string" && id !== "" ? { id, at: at + response.took } : undefined;
}

interface Appearance {
  readonly exchange: Exchange;
  readonly batches: readonly Json[];
  readonly ids: Ids;
  readonly created: ReadonlyMap<string, CreatedBatch>;
  readonly due: readonly CreatedBatch[];
  readonly grace: number;
  /** The lists that came before this one was requested. */
  readonly before: readonly Listed[];
}

function judgeAppearance(appearance: Appearance): readonly Judgement[] {
  const { exchange, batches, ids, created, due, grace } = appearance;
  const missing = due.filter(({ id }) => !ids.has(id));
  const [first] = missing;
  if (first === undefined)
    return [...ids].some((id) => created.has(id as string)) ? [holds("BATCH-24")] : [];
  const part = partText(appearance, missing.length);
  if (part !== undefined)
    return [
      noVerdict(
        "BATCH-24",
        `a created batch is not in the list, which may not show all of them: ${part}`,
        "whole list",
      ),
    ];
  return [
    broken("BATCH-24", {
      message: `${titleOf(exchange)} does not show a batch that was created.`,
      expected: `the batch ${shown(first.id)} within ${grace} ms`,
      actual: `${batches.length} batches without it, ${Math.round(exchange.at - first.at)} ms after its creation, count ${shown(memberOf(exchange.json, "count"))}, total ${shown(memberOf(exchange.json, "total"))}`,
      pointer: "/batches",
      mistake: other(exchange.operation, "a created batch is listed", "a list without it"),
    }),
  ];
}

/**
 * What suggests, in words, that a list is only a part of the whole (INT-29), or that it shows so many
 * created batches without their id. Undefined if nothing does.
 */
function partText(
  { exchange, batches, ids, before }: Appearance,
  missing: number,
): string | undefined {
  const { length } = batches;
  if (before.some((list) => [...list.ids].some((id) => !ids.has(id))))
    return "it no longer shows all batches that an earlier one showed";
  if (length >= pageSize) return `${length} batches are shown, which may be one page`;
  const above = ["count", "total"].filter((name) => Number(memberOf(exchange.json, name)) > length);
  if (above.length > 0) return `it shows ${length} batches, fewer than its ${above.join(" and ")}`;
  const cursors = cursorsOf(exchange);
  if (cursors.length > 0) return `it has ${cursors.join(", ")}, which may lead to more`;
  const nameless = batches.filter((one) => memberOf(one, "id") === undefined).length;
  return nameless >= missing ? `${nameless} of the ${length} batches shown have no id` : undefined;
}

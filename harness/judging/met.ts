import type { RequirementId } from "../../spec/catalogue.ts";
import type { InterpretationId } from "../../spec/interpretations.ts";
import type { OperationName } from "../../spec/operations.ts";
import { isRefusal, isSuccess, type Exchange } from "../../model/exchange.ts";
import type { Judgement } from "../../model/judgement.ts";
import { memberOf, type Json } from "../../spec/json.ts";
import type { KnownIds } from "./known-ids.ts";
import { pairKey } from "./known-ids.ts";
import { batchesIn, listOf } from "./observations.ts";
import { isReadToTheEnd, judgeMessage } from "./rules/message.ts";

/** What batches have shown: at all, in a list, of this run, and with operations. */
type Shown = "batch" | "listed batch" | "own batch" | "operation" | "own operation";

/** For each operation, why no response of a kind could be read. Undefined once one was. */
type Readings = Map<OperationName, string | undefined>;

export type Met = ReturnType<typeof createMet>;

/** What exchanges have shown of what verdicts take (`spec/needs.ts`). Its memory is bounded. */
export function createMet(ids: KnownIds) {
  const successes: Readings = new Map();
  const refusals: Readings = new Map();
  const refusing = new Set<OperationName>();
  const shown = new Set<Shown>();
  const pairs = new Set<string>();
  const exempted = createExempted();

  const see = (batch: Json, isListed: boolean): void => {
    shown.add("batch");
    if (isListed) shown.add("listed batch");
    if (isListed && isKnown("batch", memberOf(batch, "id"))) shown.add("own batch");
    for (const one of listOf(batch, "operations")) {
      shown.add("operation");
      if (isKnown("operation", memberOf(one, "operation_id"))) shown.add("own operation");
    }
  };
  const isKnown = (kind: "batch" | "operation", id: Json | undefined): boolean =>
    typeof id === "string" && ids.known(kind, id);

  return {
    successes,
    refusals,
    /** Operations that refused a valid request. */
    refusing,
    shown,
    /** At most two of the pairs for which batches were to be created. */
    pairs,
    hasTwo: ids.hasTwo,
    exempted,
    /** Learns from an exchange, and from what the rules say of it. */
    take: (exchange: Exchange, found: readonly Judgement[]): void => {
      const { operation, intent, json, request } = exchange;
      if (exchange.exemptBy !== undefined) {
        const isListKnown = ids.hasSeenList();
        exempted.exempts(
          exchange.exemptBy,
          judgeMessage({ ...exchange, exemptBy: undefined }, isListKnown),
        );
        return;
      }
      exempted.judges(exchange, found);
      if (isRefusal(exchange)) note(refusals, exchange, found);
      if (intent.kind === "invalid") return;
      if (intent.kind === "valid" && isRefusal(exchange)) refusing.add(operation);
      if (intent.kind === "valid" && operation === "createBatch" && pairs.size < 2)
        pairs.add(pairKey(request.json));
      if (!isSuccess(exchange)) return;
      note(successes, exchange, found);
      if (operation === "createBatch" && json !== undefined) see(json, false);
      if (operation === "listBatches") for (const one of batchesIn(json) ?? []) see(one, true);
    },
  };
}

function note(readings: Readings, exchange: Exchange, found: readonly Judgement[]): void {
  const { operation } = exchange;
  if (readings.has(operation) && readings.get(operation) === undefined) return;
  readings.set(operation, unreadText(exchange, found));
}

/** Why a response could not be read, in words that follow "readable body". */
function unreadText(exchange: Exchange, found: readonly Judgement[]): string | undefined {
  const { json, response } = exchange;
  const unread = ` (${response.defect?.text ?? "no body"})`;
  const broken = found.find(({ violation }) => violation !== undefined)?.requirement;
  if (isSuccess(exchange) ? json !== undefined : broken === undefined)
    return isReadToTheEnd(exchange) ? undefined : unread;
  return broken === undefined ? unread : ` (${broken}): fix that first`;
}

/**
 * The exemptions that the target causes, each with a text: what the exempt responses are, and what
 * the user can do. The other exemptions come from odd requests of the suite, which are few.
 */
const causes = {
  "INT-34": "the others were redirected (INT-34): check the base URL (--base-url)",
  "INT-21":
    "the others have ids with characters that a proxy may refuse (INT-21): let it pass percent-encoded paths",
} as const satisfies Partial<Record<InterpretationId, string>>;

/**
 * Counts, for each requirement on messages, the exchanges in which it was judged, and those in
 * which an exemption prevented that.
 */
function createExempted() {
  const judged = new Map<RequirementId, number>();
  const exempt = new Map<RequirementId, Map<InterpretationId, number>>();
  return {
    judges: (exchange: Exchange, judgements: readonly Judgement[]): void => {
      for (const { requirement, violation } of judgements)
        if (violation !== undefined || isReadToTheEnd(exchange))
          judged.set(requirement, (judged.get(requirement) ?? 0) + 1);
    },
    /**
     * Counts the requirements that a response would have shown if no interpretation exempted it.
     * HTTP-04 is left out, because crashes are judged in any case.
     */
    exempts: (by: InterpretationId, judgements: readonly Judgement[]): void => {
      for (const { requirement } of judgements) {
        if (requirement === "HTTP-04") continue;
        const counts = exempt.get(requirement) ?? new Map<InterpretationId, number>();
        exempt.set(requirement, counts.set(by, (counts.get(by) ?? 0) + 1));
      }
    },
    /** Why an exemption kept a requirement from being judged in most exchanges, if one did. */
    mostOf: (requirement: RequirementId): string | undefined => {
      const counts = exempt.get(requirement);
      const [most] = (Object.keys(causes) as (keyof typeof causes)[])
        .map((cause) => ({ cause, count: counts?.get(cause) ?? 0 }))
        .toSorted((one, other) => other.count - one.count);
      const shown = judged.get(requirement) ?? 0;
      if (most === undefined || most.count <= shown) return undefined;
      return `judged in ${shown} of ${shown + most.count} responses: ${causes[most.cause]}`;
    },
    /** Why a requirement was never judged, if each response that could show it is exempt. */
    allOf: (requirement: RequirementId): string | undefined => {
      const counts = exempt.get(requirement);
      return counts === undefined || judged.has(requirement) ? undefined : oddText(counts);
    },
  };
}

function oddText(counts: ReadonlyMap<InterpretationId, number>): string {
  const n = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const answered =
    n === 1
      ? "the one response that could show it answers a request"
      : `all ${n} responses that could show it answer requests`;
  return `${answered} that this suite made odd on purpose, and there only a crash is judged (${[...counts.keys()].join(", ")}). Run it without --only and --exclude, so that it sends usual requests too.`;
}

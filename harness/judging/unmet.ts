import type { RequirementId } from "../../spec/catalogue.ts";
import type { InterpretationId } from "../../spec/interpretations.ts";
import { isRefusal, isSuccess, type Exchange } from "../../model/exchange.ts";
import type { Judgement } from "../../model/mistake.ts";
import { memberOf, type Json } from "../../spec/json.ts";
import { pairKey, type KnownIds } from "./known-ids.ts";
import { batchesIn, listOf } from "./observations.ts";
import { isReadToTheEnd, judgeMessage } from "./rules/message.ts";
import { creations } from "../../spec/endpoints.ts";
import { needsOf, type Need } from "../../spec/needs.ts";
import {
  operations,
  operationTitle,
  withPredecessors,
  type OperationName,
} from "../../spec/operations.ts";
import type { Lack } from "../../model/run.ts";
import { isCreation, plurals } from "./rules/distinct-ids.ts";
import { twiceRows } from "./rules/shown-twice-rows.ts";
import { successes } from "./rules/successes.ts";

/** What limits a run. No exchange shows it. */
export interface Limits {
  /** The profile `smoke` creates nothing. */
  readonly isSmoke?: boolean;
  /** Whether the target put requests of an operation off because they were too many (INT-13). */
  readonly isPutOff?: (operation: OperationName) => boolean;
  /** The most requests in flight that the user allows. */
  readonly concurrency?: number;
  /** The most requests per second that the user allows. Absent if there is no such bound. */
  readonly rate?: number | undefined;
}

interface Asked extends Pick<Need, "at"> {
  readonly id: RequirementId;
  readonly met: Met;
  readonly limits: Limits;
}

/**
 * Why a requirement that was never judged has no verdict: the first of its needs that the exchanges
 * did not meet, with what the user can do. Undefined if they met all, or another part of the run
 * knows better.
 */
export function firstUnmet(id: RequirementId, met: Met, limits: Limits = {}): Lack | undefined {
  for (const { kind, at } of needsOf(id)) {
    const lack = lackOf[kind]({ id, at, met, limits });
    if (lack !== undefined) return lack;
  }
  return undefined;
}

/** For each need, what is said if it is not met. */
const lackOf: Readonly<Record<Need["kind"], (asked: Asked) => Lack | undefined>> = {
  success: ({ at, met: { successes: read }, limits }) => {
    if (at.some((name) => read.has(name) && read.get(name) === undefined)) return undefined;
    const unread = at.find((name) => read.has(name));
    const blockedAt = unread ?? at.find((name) => !limits.isSmoke || !operations[name].creates);
    if (blockedAt === undefined) return undefined;
    const what =
      unread === undefined
        ? "never answered a valid request with success"
        : `never succeeded with a readable body${read.get(unread)}`;
    return { reason: `${operationTitle(blockedAt)} ${what}`, blockedAt };
  },
  refusal: ({ id, at: [blockedAt], met: { refusals, exempted } }) => {
    const unread = blockedAt && refusals.get(blockedAt);
    if (blockedAt !== undefined && unread !== undefined) {
      const reason = `${operationTitle(blockedAt)} never refused with a readable body${unread}`;
      return { reason, blockedAt };
    }
    // Where bad credentials were left out, an odd request that was refused is not the reason.
    const reason = exempted.allOf(id);
    return reason === undefined ? undefined : { reason, blockedAt, gap: "refusal" };
  },
  "optional member": ({ id, at, met }) => ({
    reason: neverShown(id, at, met),
    gap: "optional member",
  }),
  "an accepted request that makes members up": ({ id }) => ({
    reason: `no request that names ${twiceNames(id)} itself was accepted, so that what becomes of it was not seen`,
    gap: "refusal",
  }),
  "two things": ({ at: [blockedAt], met }) => {
    if (blockedAt === undefined || !isCreation(blockedAt)) return undefined;
    const { kind } = creations[blockedAt];
    if (met.hasTwo(kind)) return undefined;
    const reason = `the server never created two different ${plurals[kind]}`;
    return { reason, blockedAt, ...(met.refusing.has(blockedAt) && { gap: "refusal" }) };
  },
  "two batches": (asked) =>
    asked.limits.isSmoke ? (noneListed("listed batch")(asked) ?? oneListed) : ofTwoPairs(asked),
  "second pair": ofTwoPairs,
  "two at once": ({ at: [blockedAt], limits }) => {
    if (blockedAt === undefined) return undefined;
    return { reason: neverTogether(blockedAt, limits), gap: "concurrency", blockedAt };
  },
  "a batch": noneListed("batch"),
  "a listed batch": noneListed("listed batch"),
  "an own batch in the list": ({ met: { shown } }) =>
    shown.has("own batch")
      ? undefined
      : { reason: "GET /batches never showed a batch of this run", gap: "whole list" },
  "the whole list": nothing,
  "an operation in a batch": noneInside("operation"),
  "an own operation in a batch": noneInside("own operation"),
  "another purpose": nothing,
  "a near credential": nothing,
  https: nothing,
};

/** Who sends the requests says what it lacks. */
function nothing(): undefined {
  return undefined;
}

const allEmpty =
  "all batches seen were empty; if operations get into a batch through members of POST /batches that the " +
  "specification does not name, give those with batchMembers in the configuration file (--batch-members)";

function noneInside(what: "operation" | "own operation") {
  return ({ met, limits }: Asked): Lack | undefined => {
    if (met.shown.has(what)) return undefined;
    const isEmpty = !met.shown.has("operation");
    const reason = isEmpty ? allEmpty : "no batch showed an operation of this run";
    return { reason, gap: "batched operations", ...madeBy("createOperation", met, limits) };
  };
}

function noneListed(what: "batch" | "listed batch") {
  return ({ met, limits }: Asked): Lack | undefined => {
    if (met.shown.has(what)) return undefined;
    const reason = "GET /batches never showed a batch, which may be on another page";
    return { reason, gap: "whole list", ...madeBy("createBatch", met, limits) };
  };
}

const oneListed: Lack = { reason: "GET /batches never showed two batches", gap: "whole list" };

/**
 * The operation that creates something, or one before it that never succeeded. A smoke run creates
 * nothing, so no creation keeps it from showing something.
 */
function madeBy(name: OperationName, { successes: read }: Met, { isSmoke }: Limits) {
  const before = withPredecessors([name]).find((one) => !read.has(one));
  return isSmoke ? {} : { blockedAt: before ?? name };
}

function ofTwoPairs({ met }: Asked): Lack | undefined {
  if (met.hasTwo("batch")) return undefined;
  const reason =
    "the server never created two different batches, which takes two pairs (--currency-pairs)";
  const isRefused = met.pairs.size > 1 && met.refusing.has("createBatch");
  return { reason, gap: isRefused ? "refusal" : "second pair", blockedAt: "createBatch" };
}

/** Why no two creations of this operation could be compared, and what mends that. */
function neverTogether(operation: OperationName, limits: Limits): string {
  const what = `${operationTitle(operation)} never created two different things at the same time`;
  const { concurrency: most, isPutOff, rate } = limits;
  if (most !== undefined && most < 2) return `${what}, which takes --concurrency 2 or more`;
  if (isPutOff?.(operation) === true)
    return (
      `${what}: the server let so few requests through (429, or Retry-After) that no two creations ` +
      `were in flight at once. Raise the server's limit for this client`
    );
  if (rate !== undefined) return `${what}, which takes more than --rate ${rate} allows`;
  return `${what}: no two that it accepted were in flight together, as where it handles one at a time or puts requests off`;
}

/** Why a requirement on a member that may be left out was never judged. */
function neverShown(id: RequirementId, at: readonly OperationName[], met: Met): string {
  const names = twiceNames(id);
  if (names !== "")
    return `no batch showed ${names} again with a value that can be compared; the specification does not require it`;
  const read = at.filter((name) => met.successes.has(name));
  const [name] = read.flatMap((operation) => memberNameOf(id, operation) ?? []);
  const titles = read.map(operationTitle).join(" or ");
  return name === undefined
    ? `no success of ${titles} names a resource by an id that can be compared`
    : `no success of ${titles} showed ${name} with a value that can be judged; the specification does not require it`;
}

/** The names of the members that a requirement compares. Empty if it compares none. */
function twiceNames(id: RequirementId): string {
  const members = twiceRows.flatMap(({ requirement, member }) =>
    requirement === id ? member : [],
  );
  return [...new Set(members)].join(" or ");
}

/** The name of the member that a requirement is about in successes of an operation. */
function memberNameOf(id: RequirementId, operation: OperationName): string | undefined {
  const { types, facts } = successes[operation];
  const place = [...facts, ...types].find(({ requirement }) => requirement === id);
  return place?.at.split("/").findLast((name) => name !== "*" && name !== "");
}

/** What batches have shown: at all, in a list, of this run, and with operations. */
type Shown = "batch" | "listed batch" | "own batch" | "operation" | "own operation";

/** For each operation, why no response of a kind could be read. Undefined once one was. */
type Readings = Map<OperationName, string | undefined>;

type Met = ReturnType<typeof createMet>;

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
  return `${answered} that this suite made odd on purpose, and there only a crash is judged (${[...counts.keys()].join(", ")}).`;
}

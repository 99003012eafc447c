import type { RequirementId } from "../../spec/catalogue.ts";
import { creations } from "../../spec/endpoints.ts";
import { needsOf, type Need } from "../../spec/needs.ts";
import {
  operations,
  operationTitle,
  withPredecessors,
  type OperationName,
} from "../../spec/operations.ts";
import type { Lack } from "../../model/run.ts";
import type { Met } from "./met.ts";
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
    const reason =
      blockedAt === undefined || unread === undefined
        ? exempted.allOf(id)
        : `${operationTitle(blockedAt)} never refused with a readable body${unread}`;
    return reason === undefined ? undefined : { reason, blockedAt };
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
    asked.limits.isSmoke ? (noneListed("listed batch", asked) ?? oneListed) : ofTwoPairs(asked),
  "second pair": ofTwoPairs,
  "two at once": ({ at: [blockedAt], limits }) => {
    if (blockedAt === undefined) return undefined;
    return { reason: neverTogether(blockedAt, limits), gap: "concurrency", blockedAt };
  },
  "a batch": (asked) => noneListed("batch", asked),
  "a listed batch": (asked) => noneListed("listed batch", asked),
  "an own batch in the list": ({ met: { shown } }) =>
    shown.has("own batch")
      ? undefined
      : { reason: "GET /batches never showed a batch of this run", gap: "whole list" },
  "the whole list": nothing,
  "an operation in a batch": (asked) => noneInside("operation", asked),
  "an own operation in a batch": (asked) => noneInside("own operation", asked),
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

function noneInside(what: "operation" | "own operation", { met, limits }: Asked): Lack | undefined {
  if (met.shown.has(what)) return undefined;
  const reason = met.shown.has("operation") ? "no batch showed an operation of this run" : allEmpty;
  return { reason, gap: "batched operations", ...madeBy("createOperation", met, limits) };
}

function noneListed(what: "batch" | "listed batch", { met, limits }: Asked): Lack | undefined {
  if (met.shown.has(what)) return undefined;
  const reason = "GET /batches never showed a batch, which may be on another page";
  return { reason, gap: "whole list", ...madeBy("createBatch", met, limits) };
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
  return `${what}, which takes a server that handles two such requests at once`;
}

/** Why a requirement on a member that may be left out was never judged. */
function neverShown(id: RequirementId, at: readonly OperationName[], met: Met): string {
  const names = twiceNames(id);
  if (names !== "")
    return `no batch showed ${names} again with a value that can be compared; the specification does not require it`;
  const read = at.filter((name) => met.successes.has(name));
  const [name] = read.flatMap((operation) => memberOf(id, operation) ?? []);
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
function memberOf(id: RequirementId, operation: OperationName): string | undefined {
  const { types, facts } = successes[operation];
  const place = [...facts, ...types].find(({ requirement }) => requirement === id);
  return place?.at.split("/").findLast((name) => name !== "*" && name !== "");
}

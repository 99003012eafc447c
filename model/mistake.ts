import type { RequirementId } from "../spec/catalogue.ts";
import type { Gap } from "../spec/gaps.ts";
import type { OperationName } from "../spec/operations.ts";
import { defined } from "./defined.ts";
import type { Exchange } from "./exchange.ts";
import type { BodyDefect } from "./bodies.ts";
import { notFinite, type Finding, type Mistake } from "./run.ts";

/** How a requirement is broken: in words for people, and the name of the mistake. */
export type Violation = Pick<Finding, "message" | "expected" | "actual" | "pointer" | "mistake"> & {
  /** Where the same thing was shown first, with another value. */
  readonly firstShown?: { readonly exchange: Exchange; readonly pointer: string };
};

/**
 * What is judged of a requirement: it is broken (`violation`), it has no verdict (`noVerdict`, the
 * reason), or it holds.
 */
export interface Judgement {
  readonly requirement: RequirementId;
  readonly violation?: Violation;
  readonly noVerdict?: string;
  /** What was missing for a verdict, if that is nobody's fault (INT-57). */
  readonly gap?: Gap;
}

export const holds = (requirement: RequirementId): Judgement => ({ requirement });

export function broken(requirement: RequirementId, violation: Violation): Judgement {
  return {
    requirement,
    violation,
  };
}

/**
 * The judgement that a requirement has no verdict. `gap`: what was missing, if that is nobody's
 * fault. Without a gap, the server gets no verdict as a whole (INT-57).
 */
export function noVerdict(requirement: RequirementId, reason: string, gap?: Gap): Judgement {
  return {
    requirement,
    noVerdict: reason,
    ...defined({ gap }),
  };
}

/** The only key of a mistake: equal for findings that one change of the server mends. */
export function mistakeKey({ kind, of, expected, actual }: Mistake): string {
  return JSON.stringify([kind, of, expected, actual]);
}

/** The mistake as part of which a finding is reported: its own, or the one that it follows from. */
export function toldAs({ mistake, partOf }: Pick<Finding, "mistake" | "partOf">): Mistake {
  return partOf ?? mistake;
}

/** A mistake that has no kind of its own. The message of a finding is its title. */
export function other(of: OperationName | "", expected: string, actual: string): Mistake {
  return { kind: "other", of, expected, actual };
}

/** The mistake of a server that refuses tokens which it just issued, at whichever endpoint. */
export function newTokenRefused(status: number | undefined): Mistake {
  return {
    kind: "refused",
    of: "tokens",
    expected: "a fresh token is accepted",
    actual: `status ${status}`,
  };
}

/** The `actual` of a mistake by which two resources get one id. */
export const oneIdForTwo = "one id for two";

/** The `actual` of an echo whose value a server rounded. */
export const rounded = "rounded";

/** What is wrong with the bytes of a body: the `actual` of a mistake of the kind `body`. */
export type WrongBody =
  | "no body"
  | "other bytes"
  | "not well-formed"
  | "a byte order mark"
  | "gzip without its header"
  | typeof notFinite
  | Exclude<BodyDefect["kind"], "too large" | "too many" | "too deep" | "missing">;

/** What is wrong alike with the bodies of successes and errors, as something around them makes it so. */
export const wrongBodies: ReadonlySet<WrongBody> = new Set([
  "a byte order mark",
  "gzip without its header",
  "coding",
]);

/** Members without which a run cannot go on, by the names that mistakes give them. */
export const neededMembers: ReadonlySet<string> = new Set([
  "ids",
  "id",
  "operation_id",
  "token",
  "batches",
  "",
]);

/** The words in the `actual` of a crash that shows only beside other requests, before a status. */
export const sentAlone = "; sent alone, the same request was answered with ";

/** The `of` of crashes on requests that wait for one another. */
export const together = "in flight together";

/** The `expected` of a crash. */
export const noCrash = "a status below 500";

/** The words by which a baseline knows a mistake. */
export interface BaselineWords {
  readonly expected: string;
  readonly actual: string;
}

/**
 * Whether an entry of a baseline is about the mistake of a finding: in the words of the mistake, or
 * in those that reports had up to formatVersion 5.
 */
export function isKnown(finding: Finding, known: BaselineWords): boolean {
  return [finding.mistake, wordsBefore(finding)].some(
    ({ expected, actual }) => expected === known.expected && actual === known.actual,
  );
}

/** The words that reports had up to formatVersion 5, where they name a place or a status. */
export function wordsBefore({
  message,
  expected,
  actual,
  pointer = "",
  mistake,
}: Violation): BaselineWords {
  const { kind, of } = mistake;
  const status = /^status \d{3}/.exec(actual)?.[0] ?? actual;
  if (kind === "crash") {
    const isTogether = actual.includes(sentAlone);
    return { expected: noCrash, actual: `${status}${isTogether ? ", not when sent alone" : ""}` };
  }
  if (kind === "refusal" && of === "any")
    return { expected: mistake.expected, actual: "a redirection" };
  if (kind === "accepted" && of === "an error")
    return { expected: "a refusal", actual: mistake.actual };
  if (kind === "status" || kind === "refusal" || kind === "accepted")
    return { expected: expected.replace(/^a refusal: /, ""), actual: status };
  if (kind === "media type" || kind === "page") {
    const [, type] = /, (Content-Type: [^ ;,]+|no Content-Type)/.exec(actual) ?? [];
    return { expected: "Content-Type: application/json", actual: type ?? mistake.actual };
  }
  const [, place = "", rule = ""] = /^.*: (.+?) is not (.*)\.$/s.exec(message) ?? [];
  const isAbsent = ["missing", "spelling", "token name"].includes(kind);
  const found = isAbsent
    ? absentBefore(pointer, rule)
    : (foundBefore[mistake.actual] ?? mistake.actual);
  if (place === "")
    return { expected: expectedBefore[mistake.expected] ?? mistake.expected, actual: found };
  const verb = mistake.expected.startsWith("= ") ? "= " : "is ";
  return { expected: `${place} ${/^(as|in) /.test(rule) ? "" : verb}${rule}`, actual: found };
}

/** What was found where a member is absent. */
function absentBefore(pointer: string, rule: string): string {
  const inBatch = pointer.replace(/^\/batches\/\d+/, "");
  if (rule !== "present" || inBatch.lastIndexOf("/") > 0) return "absent";
  return inBatch === pointer ? "a body without it" : "a batch without it";
}

const expectedBefore: Readonly<Record<string, string>> = {
  "a string message": "/message is a string",
  JSON: "one JSON text",
  "UTF-8": "a body in UTF-8",
};

const foundBefore: Readonly<Record<string, string>> = {
  "left out": "a body without it",
  [rounded]: "another value: a number",
  "a time without a zone": "another text",
  "not well-formed": "text that is not well-formed",
  "a byte order mark": "text that is not well-formed",
  "gzip without its header": "other bytes",
  [notFinite]: "text that is not well-formed",
  cut: "body cut",
  coding: "body coding",
};

import { findingsByMistake, type CauseMember } from "../model/conclusion/causes.ts";
import type {
  Cause,
  ClientFinding,
  Finding,
  GateReason,
  RequirementResult,
  Run,
} from "../model/run.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import { mistakeKey } from "../model/mistake.ts";
import { operationTitle } from "../spec/operations.ts";
import { plural } from "../model/plural.ts";

/** A mistake with its findings, as reports show it. */
export interface Failure {
  /** A text that is equal for the same mistake in this run and in another. */
  readonly key: string;
  readonly cause: Cause;
  /** The requirements that the mistake breaks. The requirement of the example comes first. */
  readonly rows: readonly RequirementResult[];
  /** All findings of the mistake, at least one. The first is the example that reports show. */
  readonly members: readonly [CauseMember, ...CauseMember[]];
}

/**
 * The mistakes that fail a requirement (`fail`), or the mistakes that only lead to warnings
 * (`warn`), in the order of the causes.
 */
export function failuresOf(
  run: Pick<Run, "requirements" | "causes">,
  verdict: "fail" | "warn",
): readonly Failure[] {
  const found = findingsByMistake(run.requirements);
  return run.causes.flatMap((cause) => {
    const key = mistakeKey(cause.mistake);
    const members = found.get(key) ?? [];
    const [example, ...others] = withExampleFirst(members, cause);
    // A mistake that breaks both a MUST and a SHOULD is shown only among the failures.
    if (example === undefined || members.some(fails) !== (verdict === "fail")) return [];
    const all = [example, ...others] as const;
    return [{ key, cause, rows: [...new Set(all.map(({ row }) => row))], members: all }];
  });
}

function withExampleFirst(
  members: readonly CauseMember[],
  { example }: Cause,
): readonly CauseMember[] {
  const isExample = ({ row, index }: CauseMember): boolean =>
    row.id === example?.requirement && index === example.finding;
  return [...members.filter(isExample), ...members.filter((member) => !isExample(member))];
}

/** The requirements that have no verdict because of a mistake. */
export function waitingIn({ causes }: Pick<Run, "causes">): ReadonlySet<RequirementId> {
  return new Set(causes.flatMap(({ waiting = [] }) => waiting));
}

/**
 * The reasons why the gate fails, without those that a mistake already explains: that a requirement
 * has no verdict because of the mistake, or that nothing could be tested.
 */
export function ownReasons(run: Pick<Run, "gate" | "causes">): readonly GateReason[] {
  const waiting = waitingIn(run);
  return run.gate.reasons.filter(({ kind, requirement }) => {
    if (kind === "nothing-tested") return waiting.size === 0;
    return kind !== "not-judged" || requirement === undefined || !waiting.has(requirement);
  });
}

/**
 * Whether a finding counts as a failure. A finding that a document only leaves something out is a
 * warning, even if its requirement fails because of another finding.
 */
function fails({ row, finding }: CauseMember): boolean {
  return row.verdict === "fail" && finding.document?.isLess !== true;
}

/** What was expected, with its place in the body: `/status = "pending_quote"`. */
export const expectedText = (finding: Finding): string => placed(finding.pointer, finding.expected);

/** What was found, with its place in the body: `/status = "created"`. */
export const actualText = (finding: Finding): string => placed(finding.pointer, finding.actual);

/**
 * How often a finding was seen: `14 times, and 2 of 3 times that it was sent again`. Empty if it
 * was seen once and its request was not sent again.
 */
export function frequencyText({ repeated, occurrences = 1 }: Finding): string {
  const times = occurrences > 1 ? `${occurrences} times` : "";
  if (repeated === undefined) return times;
  const [seen, of] = repeated.split(" of ");
  const again =
    seen === of ? "each time that it was sent again" : `${repeated} times that it was sent again`;
  return times === "" ? again : `${times}, and ${again}`;
}

function placed(pointer: string | undefined, text: string): string {
  if (!pointer || text.startsWith(pointer)) return text;
  return isJsonValue(text) ? `${pointer} = ${text}` : `${pointer}: ${text}`;
}

const isJsonValue = (text: string): boolean => /^(?:["[{]|-?\d|(?:true|false|null)$)/.test(text);

export const clientFindingsTitle = "Mistakes of clients";

/**
 * A mistake of clients in words: `POST /batches without an Authorization header: 3 requests, first
 * in run.har, entry 12`.
 */
export function clientFindingText({ operation, text, count, example }: ClientFinding): string {
  return `${operationTitle(operation)} ${text}: ${plural(count, "request")}, first in ${example}`;
}

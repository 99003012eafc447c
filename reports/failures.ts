import { causeGroups, type CauseMember } from "../model/conclusion/causes.ts";
import type {
  Cause,
  ClientFinding,
  Finding,
  GateReason,
  RequirementResult,
  Run,
} from "../model/run.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import { mistakeKeyOf } from "../model/mistake-key.ts";
import { operationTitle } from "../spec/operations.ts";
import { plural } from "../model/plural.ts";

/** A mistake with its findings, as reports show it. */
export interface Failure {
  /** The same for a mistake in this run and in another. */
  readonly key: string;
  readonly cause: Cause;
  /** The requirements that it breaks; that of the example comes first. */
  readonly rows: readonly RequirementResult[];
  /** All findings, at least one. The first is the example to show. */
  readonly members: readonly [CauseMember, ...CauseMember[]];
}

/** The mistakes that fail a requirement, or those that only warn, in the order of the causes. */
export function failuresOf(
  run: Pick<Run, "requirements" | "causes">,
  verdict: "fail" | "warn",
): readonly Failure[] {
  return causeGroups(run).flatMap(({ cause, members }) => {
    const [example, ...others] = withExampleFirst(members, cause);
    // A mistake that breaks a MUST and a SHOULD is shown among the failures only.
    if (example === undefined || members.some(fails) !== (verdict === "fail")) return [];
    const all = [example, ...others] as const;
    const key = mistakeKeyOf(example.finding, example.row.id);
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
 * The reasons of the gate that no mistake explains. What waits for a mistake is counted with that.
 */
export function ownReasons(run: Pick<Run, "gate" | "causes">): readonly GateReason[] {
  const waiting = waitingIn(run);
  return run.gate.reasons.filter(({ kind, requirement }) => {
    if (kind === "nothing-tested") return waiting.size === 0;
    return kind !== "not-judged" || requirement === undefined || !waiting.has(requirement);
  });
}

/**
 * What a document only leaves out is a warning, even if its requirement fails for something else.
 */
function fails({ row, finding }: CauseMember): boolean {
  return row.verdict === "fail" && finding.document?.isLess !== true;
}

/** What was expected, with its place in the body: `/status = "pending_quote"`. */
export const expectedText = (finding: Finding): string => placed(finding.pointer, finding.expected);

/** What was found, with its place in the body: `/status = "created"`. */
export const actualText = (finding: Finding): string => placed(finding.pointer, finding.actual);

/**
 * How often a finding was seen: `14 times, and 2 of 3 times that it was sent again`. Empty if the
 * finding was seen once.
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

/** `POST /batches without an Authorization header: 3 requests, first in run.har, entry 12`. */
export function clientFindingText({ operation, text, count, example }: ClientFinding): string {
  return `${operationTitle(operation)} ${text}: ${plural(count, "request")}, first in ${example}`;
}

import { causeGroups, type CauseGroup, type CauseMember } from "../model/conclusion/causes.ts";
import { defined } from "../model/defined.ts";
import type { Cause, RequirementResult, Finding, ClientFinding } from "../model/run.ts";
import { operationTitle } from "../spec/operations.ts";
import { plural } from "../model/plural.ts";
import { groups } from "../model/groups.ts";

/** What reports show as one failure or warning: a cause that breaks several requirements, or a single requirement. */
export interface Failure {
  /** Absent if it is about a single requirement. */
  readonly cause?: Cause;
  /** The requirements that it breaks; that of the first finding comes first. */
  readonly rows: readonly RequirementResult[];
  /** All findings, at least one. The first is the example to show. */
  readonly members: readonly [CauseMember, ...CauseMember[]];
}

/** The failures or warnings, by cause. Causes that break a single requirement are combined under it. */
export function failuresOf(requirements: readonly RequirementResult[], verdict: "fail" | "warn"): readonly Failure[] {
  // A cause that breaks a MUST and a SHOULD is shown among the failures only.
  const all = causeGroups(requirements).filter(({ members }) => members.some(fails) === (verdict === "fail"));
  // In a document, each cause is a place to change.
  const isShared = ({ cause, members: [first] }: CauseGroup): boolean =>
    cause.requirements.length > 1 || first?.finding.document !== undefined;
  const byFailure = groups(all, (group) => (isShared(group) ? group.cause : group.members[0]?.row));
  return [...byFailure.values()].flatMap((same) => {
    const [first, ...others] = same.flatMap(({ members }) => members);
    const cause = same.find(isShared)?.cause;
    if (first === undefined) return [];
    const members = [first, ...others] as const;
    return [{ ...defined({ cause }), rows: [...new Set(members.map(({ row }) => row))], members }];
  });
}

/** What a document only leaves out is a warning, even if its requirement fails for something else. */
const fails = ({ row, finding }: CauseMember): boolean => row.verdict === "fail" && finding.document?.isLess !== true;

/** What was expected, with its place in the body: `/status = "pending_quote"`. */
export const expectedText = (finding: Finding): string => placed(finding.pointer, finding.expected);

/** What was found, with its place in the body: `/status = "created"`. */
export const actualText = (finding: Finding): string => placed(finding.pointer, finding.actual);

/** How often a finding was seen: `again in 2 of 3 repeats, 14 times`. Empty for a finding that was seen once. */
export const frequencyText = ({ repeated, occurrences = 1 }: Finding): string =>
  [repeated && `again in ${repeated} repeats`, occurrences > 1 && `${occurrences} times`].filter(Boolean).join(", ");

function placed(pointer: string | undefined, text: string): string {
  if (!pointer || text.startsWith(pointer)) return text;
  return isJsonValue(text) ? `${pointer} = ${text}` : `${pointer}: ${text}`;
}

const isJsonValue = (text: string): boolean => /^(?:["[{]|-?\d|(?:true|false|null)$)/.test(text);

export const clientFindingsTitle = "Mistakes of clients";

/** `POST /batches without an Authorization header: 3 requests, first in run.har, entry 12`. */
export const clientFindingText = ({ operation, text, count, example }: ClientFinding): string =>
  `${operationTitle(operation)} ${text}: ${plural(count, "request")}, first in ${example}`;

import type { RequirementId } from "../../spec/catalogue.ts";
import { endpoints } from "../../spec/endpoints.ts";
import type { Gap } from "../../spec/gaps.ts";
import { operationNames, type OperationName } from "../../spec/operations.ts";
import type { Witness } from "../evidence/evidence.ts";
import { groups } from "../groups.ts";
import { mistakeKey, neededMembers, other, toldAs, together } from "../mistake.ts";
import { defined } from "../defined.ts";
import { noToken, type RequestFacts } from "../request-facts.ts";
import {
  type Cause,
  type Mistake,
  type Finding,
  type RequirementResult,
  type Run,
} from "../run.ts";
import { commonOf, placed, waitText } from "./common.ts";
import { isCrashInput, type Roots } from "./crashes.ts";
import { isEverywhere, mistakeText, wentOnWith } from "./mistake-words.ts";

export interface CauseMember {
  readonly row: RequirementResult;
  /** The index of the finding in `row.findings`. */
  readonly index: number;
  readonly finding: Finding;
}

/**
 * The facts of a run, besides its requirements, that decide which mistakes a report names and which
 * requirements wait for one.
 */
type CauseCircumstances = Partial<Pick<Run, "profile">> & {
  /** Why the target as a whole was not tested. */
  readonly untested?: string;
  /** The gaps that the settings cause. A requirement with such a gap waits for no mistake. */
  readonly leftOut?: readonly Gap[];
};

/**
 * The mistakes of a run. First stands the mistake that keeps most requirements from being judged;
 * the others follow in the order in which a client calls the operations; a mistake that breaks no
 * MUST comes last.
 */
export function causesOf(
  requirements: readonly RequirementResult[],
  witness?: Witness,
  { untested, leftOut = [] }: CauseCircumstances = {},
  roots: Roots = new Map(),
): readonly Cause[] {
  const requests = witness === undefined ? [] : placed(witness.requests.values());
  const found = findingsByMistake(requirements);
  const all = [...found.values()].map((members) => causeOf(members, witness, requests, roots));
  const others = new Set([...ownGaps, ...leftOut]);
  const causes = withWaiting(all.sort(inOrder), found, requirements, others).sort(inOrder);
  return causes.length > 0 || untested === undefined
    ? causes
    : [untestedCause(untested, requirements)];
}

/** The findings of each mistake, by the key of the mistake as which they are reported. */
export function findingsByMistake(
  requirements: readonly RequirementResult[],
): ReadonlyMap<string, CauseMembers> {
  const all = requirements.flatMap((row) =>
    row.findings.map((finding, index) => ({ row, index, finding })),
  );
  return groups(all, ({ finding }) => mistakeKey(toldAs(finding)));
}

type CauseMembers = readonly [CauseMember, ...CauseMember[]];

function causeOf(
  members: CauseMembers,
  witness: Witness | undefined,
  requests: readonly NumberedRequest[],
  roots: Roots,
): Cause {
  // A finding that is only a consequence shows neither where the mistake is nor how often it
  // occurs.
  const [first = members[0], ...others] = members.filter(({ finding: one }) => !one.isConsequence);
  const own = [first, ...others] as const;
  const { finding, row, index } = plainest(own);
  const requirementIds = [...new Set(members.map((member) => member.row.id))];
  const mistake = toldAs(finding);
  const seen = seenOf(own, requirementIds, witness, requests, roots);
  const operations = inCallOrder(own.flatMap(({ finding: { operation } }) => operation ?? []));
  const possible = inCallOrder([...operations, ...seen.possible.map(({ operation }) => operation)]);
  const places = own.flatMap(({ finding: { pointer } }) =>
    pointer === undefined ? [] : [pointer.split("/").slice(-2)],
  );
  const common = commonOf(seen.affected, seen.others);
  const share = shareOf(seen);
  const said = {
    finding,
    operations,
    possible,
    share,
    common,
    waited: mistake.of === together ? waitText(seen.affected, requests) : undefined,
    requirements: requirementIds,
    isWithoutToken:
      seen.affected.length > 0 &&
      seen.affected.every(({ traits }) => traits?.includes(noToken) === true),
    changes: [...new Set(seen.affected.flatMap(({ change }) => change ?? []))],
    members: [...new Set(places.map((names) => names.at(-1) ?? ""))],
    parents: [...new Set(places.map(([parent = ""]) => (/^\d*$/.test(parent) ? "" : parent)))],
  };
  return {
    text: mistakeText(said),
    level: members.some((member) => member.row.level === "MUST") ? "MUST" : "SHOULD",
    mistake,
    operations,
    isEverywhere: isEverywhere({ operations, possible }) ? true : undefined,
    responses: share,
    common: share && common,
    wentOn: wentOnWith(mistake),
    requirements: requirementIds,
    example: { requirement: row.id, finding: index },
    examples: firstOfEach(members).map((member) => ({
      requirement: member.row.id,
      finding: member.index,
    })),
    findings: members.length,
  };
}

/**
 * The finding that shows a mistake most plainly. A MUST comes before a SHOULD; a valid request
 * before an unusual one, and this before an invalid one. An error is shown best by a request that
 * breaks a rule.
 */
function plainest(members: CauseMembers): CauseMember {
  const rank = ({ row: { level }, finding }: CauseMember): number => {
    const order = toldAs(finding).kind === "error" ? intents.toReversed() : intents;
    const isOther = finding.partOf !== undefined;
    return (
      (level === "MUST" ? 0 : 100) + (isOther ? 60 : 0) + order.indexOf(finding.intent ?? "valid")
    );
  };
  return members.reduce((best, one) => (rank(one) < rank(best) ? one : best));
}

const intents: readonly Finding["intent"][] = ["valid", "unusual", "invalid"];

function inCallOrder(operations: readonly OperationName[]): readonly OperationName[] {
  return operationNames.filter((name) => operations.includes(name));
}

function firstOfEach(members: readonly CauseMember[]): readonly CauseMember[] {
  return [
    ...new Map(members.toReversed().map((member) => [member.row, member])).values(),
  ].toReversed();
}

type NumberedRequest = ReturnType<typeof placed>[number];

/** The requests whose responses show a mistake, and those whose responses could show it. */
interface SeenRequests {
  readonly affected: readonly NumberedRequest[];
  /** Requests of the affected operations whose responses do not show the mistake. */
  readonly others: readonly NumberedRequest[];
  readonly possible: readonly NumberedRequest[];
}

function seenOf(
  members: CauseMembers,
  own: readonly RequirementId[],
  witness: Witness | undefined,
  requests: readonly NumberedRequest[],
  roots: Roots,
): SeenRequests {
  if (witness === undefined) return { affected: [], others: [], possible: [] };
  const mistake = toldAs(members[0].finding);
  const keys = new Set([
    ...members.map(({ finding }) => mistakeKey(finding.mistake)),
    ...partsOf(mistake, roots),
  ]);
  const shows = new Set(
    [...keys].flatMap((key) => [...(witness.mistakes.get(key)?.responses ?? [])]),
  );
  const judged = new Set(
    [...own, ...(mistake.kin ?? [])].flatMap((id) => witness.judged.get(id) ?? []),
  );
  const root = roots.get(mistakeKey(members[0].finding.mistake));
  const isPossible = root?.couldShow ?? ((request) => couldShow(mistake, request));
  const possible = requests.filter(
    (request) => shows.has(request.id) || (judged.has(request.id) && isPossible(request)),
  );
  const affected = possible.filter(({ id }) => shows.has(id));
  const at = new Set(affected.map(({ operation }) => operation));
  // What was refused for something else shows nothing of how a valid request crashes.
  const isOfValid = mistake.kind === "crash" && mistake.of === "";
  const others = possible.filter(
    ({ id, operation, status }) =>
      !shows.has(id) && at.has(operation) && !(isOfValid && status >= 400),
  );
  return { possible, affected, others };
}

/** The keys of the mistakes that show where a root is. */
function partsOf(mistake: Mistake, roots: Roots): readonly string[] {
  const wanted = mistakeKey(mistake);
  return [...roots].flatMap(([key, root]) =>
    root.isConsequence !== true && mistakeKey(root.mistake) === wanted ? [key] : [],
  );
}

/** Whether a response that was judged could show a mistake. */
function couldShow({ kind, of }: Mistake, request: RequestFacts): boolean {
  const isSuccess = request.status >= 200 && request.status < 300;
  if ((kind === "body" || kind === "media type") && of !== "any")
    return isSuccess === (of === "success");
  if (kind === "accepted") return request.kind === "invalid";
  if (kind === "crash") return isCrashInput(of, request);
  if (kind === "page") return request.operation === of && request.change === undefined;
  if (kind === "other" || kind === "mixed up") return request.operation === of;
  return true;
}

/**
 * How many responses show a mistake, and of how many at the same operations that could show it.
 * Undefined if none that shows it was counted.
 */
function shareOf({ affected, others }: SeenRequests): Cause["responses"] | undefined {
  return affected.length === 0
    ? undefined
    : { affected: affected.length, of: affected.length + others.length };
}

/** Gives each requirement without a verdict to the first mistake that explains why it has none. */
function withWaiting(
  causes: readonly Cause[],
  found: ReadonlyMap<string, CauseMembers>,
  requirements: readonly RequirementResult[],
  others: ReadonlySet<Gap>,
): Cause[] {
  /**
   * Whether a mistake leaves a run nothing to go on with at an operation: valid requests get no
   * response, or responses that cannot be used.
   */
  const blocks = ({ mistake, level, operations }: Cause, at: OperationName): boolean => {
    if (!operations.includes(at) || level === "SHOULD" || isUsable(mistake)) return false;
    const members = found.get(mistakeKey(mistake)) ?? [];
    const isOfValid = ({ finding: { operation, intent } }: CauseMember): boolean =>
      operation === at && intent === "valid";
    return mistake.kind === "silence" || members.some(isOfValid);
  };
  const open = requirements.filter(({ verdict, gap }) => {
    const hasOtherReason = gap !== undefined && others.has(gap);
    return verdict === "inconclusive" && !hasOtherReason;
  });
  const waits = groups(
    open,
    (row) =>
      explanationOf(row, causes) ??
      causes.find((one) => row.blockedAt !== undefined && blocks(one, row.blockedAt)),
  );
  return causes.map((cause) => ({ ...cause, waiting: waits.get(cause)?.map(({ id }) => id) }));
}

/**
 * Whether a run can go on with a response that deviates in this way. It cannot go on without an id,
 * a token or the list.
 */
function isUsable({ kind, of }: Mistake): boolean {
  if (kind === "missing" || kind === "type") return !neededMembers.has(of);
  return usableKinds.has(kind);
}

const usableKinds: ReadonlySet<Mistake["kind"]> = new Set([
  "null",
  "value",
  "echo",
  "status",
  "accepted",
]);

function explanationOf(
  { id, gap, blockedAt }: RequirementResult,
  causes: readonly Cause[],
): Cause | undefined {
  // Nothing but what is wrong with a member keeps its other requirements from being judged.
  const isOfMember = gap === "optional member" || (gap === undefined && blockedAt === undefined);
  // A request that is accepted gets no error.
  const isOfErrors = blockedAt !== undefined && errorShapes.has(id);
  return (
    causes.find(({ mistake }) => isOfMember && mistake.kin?.includes(id) === true) ??
    causes.find(({ mistake, operations }) =>
      gap === "optional member"
        ? mistake.kind === "spelling"
        : isOfErrors && mistake.kind === "accepted" && operations.includes(blockedAt),
    )
  );
}

const errorShapes: ReadonlySet<RequirementId> = new Set(
  Object.values(endpoints).map(({ errorShape }) => errorShape),
);

/** Gaps that have nothing to do with a mistake of the server. */
const ownGaps: readonly Gap[] = ["https", "bad credentials", "near credential", "other purpose"];

/**
 * The requirements with their final reasons: a requirement that waits for a mistake names that
 * mistake, in place of what it lacks.
 */
export function withWaitingReasons(
  requirements: readonly RequirementResult[],
  causes: readonly Cause[],
): readonly RequirementResult[] {
  const reasons = new Map<RequirementId, string>();
  for (const { waiting = [], example, text } of causes) {
    if (example === undefined) continue;
    for (const id of waiting)
      reasons.set(id, `${example.requirement} must be mended first (${text})`);
  }
  return requirements.map((row) => ({ ...row, ...defined({ reason: reasons.get(row.id) }) }));
}

/**
 * The one cause if the target could not be tested at all. Every requirement without a verdict waits
 * for it.
 */
function untestedCause(untested: string, requirements: readonly RequirementResult[]): Cause {
  return {
    mistake: other("", "a target that can be tested", untested),
    text: untested,
    level: "MUST",
    operations: [],
    requirements: [],
    examples: [],
    findings: 0,
    waiting: requirements.filter(({ verdict }) => verdict === "inconclusive").map(({ id }) => id),
  };
}

function inOrder(one: Cause, other: Cause): number {
  return (
    Number(other.level === "MUST") - Number(one.level === "MUST") ||
    (other.waiting?.length ?? 0) - (one.waiting?.length ?? 0) ||
    firstCall(one) - firstCall(other) ||
    other.requirements.length - one.requirements.length
  );
}

function firstCall({ operations: [first] }: Cause): number {
  return first === undefined ? operationNames.length : operationNames.indexOf(first);
}

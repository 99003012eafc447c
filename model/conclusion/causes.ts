import type { RequirementId } from "../../spec/catalogue.ts";
import { operationTitle } from "../../spec/operations.ts";
import type { Cause, CauseClass, Finding, RequirementResult } from "../run.ts";

export interface CauseMember {
  readonly row: RequirementResult;
  /** The index of the finding in `row.findings`. */
  readonly index: number;
  readonly finding: Finding;
}

/** All findings with one cause. There is at least one. */
export interface CauseGroup {
  readonly cause: Cause;
  readonly members: readonly CauseMember[];
}

export const causesOf = (requirements: readonly RequirementResult[]): readonly Cause[] =>
  causeGroups(requirements).map(({ cause }) => cause);

/** The findings by operation, input, expected and actual: those of a MUST and of most requirements first. */
export const causeGroups = (requirements: readonly RequirementResult[]): readonly CauseGroup[] => {
  const groups = new Map<string, CauseMember[]>();
  for (const row of requirements) {
    for (const [index, finding] of row.findings.entries()) {
      const key = causeKeyOf(row.id, finding);
      const group = groups.get(key);
      if (group === undefined) groups.set(key, [{ row, index, finding }]);
      else group.push({ row, index, finding });
    }
  }
  return [...groups.values()]
    .flatMap((members) => {
      const [first] = members;
      if (first === undefined) return [];
      return [{ cause: causeOf(first, members), members, must: members.some(({ row }) => row.level === "MUST") }];
    })
    .sort((a, b) => Number(b.must) - Number(a.must) || b.cause.requirements.length - a.cause.requirements.length)
    .map(({ cause, members }) => ({ cause, members }));
};

/** The class of what a finding expected and found. A finding without a class has its own texts as the class. */
export const causeClassOf = ({ cause, expected, actual }: Finding): CauseClass => cause ?? { expected, actual };

/** Equal for findings of one requirement with one cause. */
export function causeKeyOf(
  id: RequirementId,
  { cause, operation, message, document, expected, actual }: Finding,
): string {
  // One place of a document has one cause, whichever operations refer to it.
  if (document !== undefined) {
    const { file, pointer, isOneCause } = document;
    return JSON.stringify([isOneCause === true ? "any place" : [file, pointer], expected, actual]);
  }
  const parts = cause === undefined ? [id, message] : [cause.expected, cause.actual, cause.input ?? "class"];
  return JSON.stringify([operation, parts]);
}

const causeOf = (first: CauseMember, members: readonly CauseMember[]): Cause => {
  const { finding, row, index } = first;
  return {
    ...operationsOf(finding, members),
    ...causeClassOf(finding),
    text: sentenceOf(finding, members),
    requirements: [...new Set(members.map((member) => member.row.id))],
    example: { requirement: row.id, finding: index },
    examples: firstOfEach(members).map((member) => ({ requirement: member.row.id, finding: member.index })),
    findings: members.length,
  };
};

/** The operation of a cause; of a cause in a document, all that it touches. */
function operationsOf({ document, operation }: Finding, members: readonly CauseMember[]): Partial<Cause> {
  if (operation === undefined) return {};
  if (document === undefined) return { operation };
  const all = [...new Set(members.flatMap((member) => member.finding.operation ?? []))];
  return all.length === 1 ? { operation } : { operations: all };
}

export const firstOfEach = (members: readonly CauseMember[]): readonly CauseMember[] =>
  [...new Map(members.toReversed().map((member) => [member.row, member])).values()].toReversed();

/** `POST /batches answers invalid requests with status 422; expected: status 400`. */
const sentenceOf = ({ cause, operation, message }: Finding, members: readonly CauseMember[]): string => {
  if (cause === undefined || members.length === 1) return message;
  const kinds = new Set(members.map((member) => member.finding.intent));
  const [kind] = kinds;
  const requests = cause.input ? `requests ${cause.input}` : kinds.size === 1 && kind ? `${kind} requests` : "requests";
  const who = operation === undefined ? "The server" : operationTitle(operation);
  return `${who} answers ${requests} with ${cause.actual}; expected: ${cause.expected}`;
};

import type { ClientFinding, Finding, GateReason, Run } from "../model/run.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import { operationTitle } from "../spec/operations.ts";
import { plural } from "../model/plural.ts";

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
 * How often a finding was seen: `14 times, and 2 of 3 times that it was sent again`. Empty if it
 * was seen once and its request was not sent again.
 */
export function frequencyText({ repeated, occurrences = 1 }: Finding): string {
  const times = occurrences > 1 ? [`${occurrences} times`] : [];
  const again = repeated === undefined ? [] : [`${repeated} times that it was sent again`];
  return [...times, ...again].join(", and ");
}

/** What was expected or found, with its place in the body: `/status = "pending_quote"`. */
export function placed(pointer: string | undefined, text: string): string {
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

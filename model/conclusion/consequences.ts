import { groups } from "../groups.ts";
import { mistakeKeyOf } from "../mistake-key.ts";
import { broughtInText, type RequestFacts } from "../request-facts.ts";
import { notFinite, type Deviation, type Finding, type RequirementResult } from "../run.ts";
import type { Witness } from "../evidence/witness.ts";

/**
 * Marks findings that are consequences. A wrong value that a server accepts stands in its batches
 * and lists from then on. A finding about such a value belongs to the mistake that let the value
 * in: it gets the deviation of that mistake, and says that it is a consequence. A value that came
 * in during an earlier run counts too, as long as the server still accepts values of its kind.
 */
export function withConsequences(
  requirements: readonly RequirementResult[],
  witness: Witness | undefined,
): readonly RequirementResult[] {
  if (witness === undefined) return requirements;
  const all = requirements.flatMap((row) => row.findings.map((finding) => ({ row, finding })));
  const mistakes = groups(all, ({ row, finding }) => mistakeKeyOf(finding, row.id));
  const requestsOf = (key: string): readonly RequestFacts[] =>
    [...witness.affectedBy(key)].flatMap((id) => witness.requests.get(id) ?? []);
  const accepted = [...mistakes].flatMap(([key, [first]]) => {
    const deviation = first?.finding.deviation;
    return deviation?.kind === "accepted" ? [{ deviation, requests: requestsOf(key) }] : [];
  });
  const sourceOf = new Map<string, Deviation>();
  for (const [key, [first]] of mistakes) {
    const value = first && valueIn(first.finding);
    if (value === undefined || !requestsOf(key).every(isShownLater)) continue;
    const source = accepted.find(({ requests }) =>
      requests.some(({ broughtIn = [] }) => broughtIn.includes(value)),
    );
    if (source !== undefined) sourceOf.set(key, source.deviation);
  }
  if (sourceOf.size === 0) return requirements;
  return requirements.map((row) => ({
    ...row,
    findings: row.findings.map((finding): Finding => {
      const deviation = sourceOf.get(mistakeKeyOf(finding, row.id));
      return deviation === undefined ? finding : { ...finding, deviation, isConsequence: true };
    }),
  }));
}

/**
 * The wrong value that a finding is about, in the words of `broughtIn`. Undefined if the finding is
 * about something else.
 */
function valueIn({ deviation }: Finding): string | undefined {
  if (deviation?.kind === "type") return broughtInText(deviation.of, deviation.actual);
  return deviation?.actual === notFinite ? notFinite : undefined;
}

/**
 * Whether the response to a request can show a wrong value that the server accepted: a batch or a
 * list shows what was created before, and the success of an invalid request shows its own values.
 */
function isShownLater({ operation, isInvalid }: RequestFacts): boolean {
  return operation === "createBatch" || operation === "listBatches" || isInvalid === true;
}

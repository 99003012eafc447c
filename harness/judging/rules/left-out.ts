import type { Exchange } from "../../../model/exchange.ts";
import type { Judgement } from "../../../model/judgement.ts";
import type { RequirementId } from "../../../spec/catalogue.ts";
import type { InterpretationId } from "../../../spec/interpretations.ts";
import { decidedByMessage, judgeMessage } from "./message.ts";
import { noVerdict } from "./rule.ts";

/** Exemptions that the target causes, each with what they are and what to do. The suite's own odd requests are few. */
const causes = {
  "INT-34": "the others were redirected (INT-34): check the base URL (--base-url)",
  "INT-21": "the others have ids with characters that a proxy may refuse (INT-21): let it pass percent-encoded paths",
} as const satisfies Partial<Record<InterpretationId, string>>;

type ExemptionCause = keyof typeof causes;

const isCause = (id: InterpretationId | undefined): id is ExemptionCause =>
  id !== undefined && Object.hasOwn(causes, id);

type ExemptCounts = Map<InterpretationId, number>;

/** Counts in how many exchanges each requirement on messages was judged, and in how many it could have been. */
export function createLeftOut() {
  const judged = new Map<RequirementId, number>();
  const exempt = new Map<RequirementId, ExemptCounts>();

  const addExempt = (exchange: Exchange, by: InterpretationId): void => {
    for (const { requirement } of judgeMessage({ ...exchange, exemptBy: undefined })) {
      if (requirement === "HTTP-04") continue;
      const counts: ExemptCounts = exempt.get(requirement) ?? new Map();
      exempt.set(requirement, counts.set(by, (counts.get(by) ?? 0) + 1));
    }
  };

  return {
    count: (exchange: Exchange, judgements: readonly Judgement[]): void => {
      if (exchange.exemptBy !== undefined) return addExempt(exchange, exchange.exemptBy);
      for (const { requirement } of judgements)
        if (decidedByMessage.includes(requirement)) judged.set(requirement, (judged.get(requirement) ?? 0) + 1);
    },
    /** The requirements of which most exchanges were exempt for one reason, so that the others show too little. */
    most: () =>
      [...exempt].flatMap(([requirement, counts]) => {
        const largest = largestCause(counts);
        const shown = judged.get(requirement) ?? 0;
        if (largest === undefined || largest.count <= shown) return [];
        const { cause, count } = largest;
        return [noVerdict(requirement, `judged in ${shown} of ${shown + count} responses: ${causes[cause]}`)];
      }),
    /** The requirements that only requests could show which the suite made odd on purpose. */
    all: () =>
      [...exempt]
        .filter(([requirement]) => !judged.has(requirement))
        .map(([requirement, counts]) => noVerdict(requirement, oddText(counts))),
  };
}

function largestCause(counts: ExemptCounts): { readonly cause: ExemptionCause; readonly count: number } | undefined {
  const found = [...counts].flatMap(([id, count]) => (isCause(id) ? [{ cause: id, count }] : []));
  return found.toSorted((one, other) => other.count - one.count)[0];
}

function oddText(counts: ExemptCounts): string {
  const n = [...counts.values()].reduce((sum, count) => sum + count, 0);
  const answered =
    n === 1
      ? "the one response that could show it answers a request"
      : `all ${n} responses that could show it answer requests`;
  return `${answered} that this suite made odd on purpose, and there only a crash is judged (${[...counts.keys()].join(", ")}). Run it without --only and --exclude, so that it sends usual requests too.`;
}

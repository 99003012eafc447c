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

type Cause = keyof typeof causes;

const isCause = (id: InterpretationId | undefined): id is Cause => id !== undefined && Object.hasOwn(causes, id);

/** Counts in how many exchanges each requirement on messages was judged, and in how many it could have been. */
export function createLeftOut() {
  const judged = new Map<RequirementId, number>();
  const exempt = new Map<RequirementId, Map<Cause, number>>();

  const addExempt = (exchange: Exchange, cause: Cause): void => {
    for (const { requirement } of judgeMessage({ ...exchange, exemptBy: undefined })) {
      if (requirement === "HTTP-04") continue;
      const counts = exempt.get(requirement) ?? new Map<Cause, number>();
      exempt.set(requirement, counts.set(cause, (counts.get(cause) ?? 0) + 1));
    }
  };

  return {
    count: (exchange: Exchange, judgements: readonly Judgement[]): void => {
      if (isCause(exchange.exemptBy)) return addExempt(exchange, exchange.exemptBy);
      for (const { requirement } of judgements)
        if (decidedByMessage.includes(requirement)) judged.set(requirement, (judged.get(requirement) ?? 0) + 1);
    },
    /** The requirements of which most exchanges were exempt for one reason, so that the others show too little. */
    most: () =>
      [...exempt].flatMap(([requirement, counts]) => {
        const shown = judged.get(requirement) ?? 0;
        const [cause, left] = [...counts].reduce((one, other) => (other[1] > one[1] ? other : one));
        if (left <= shown) return [];
        return [noVerdict(requirement, `judged in ${shown} of ${shown + left} responses: ${causes[cause]}`)];
      }),
  };
}

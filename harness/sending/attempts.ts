import type { RequestSpec } from "../../model/request.ts";
import { stepInDoubt, subjectOf } from "./doubt.ts";
import type { SendingFacts } from "./facts.ts";
import { putOff } from "./put-off.ts";
import { refusedToken } from "./refused-token.ts";
import { counts, situationOf, type AttemptDoubts } from "./situation.ts";
import type { ChosenStep, Observed, TriedAttempt } from "./step.ts";
import { unanswered } from "./unanswered.ts";

/**
 * What may explain the result of an attempt beside the request itself, in the order in which it is
 * examined. If no doubt is left, the response counts. A 423 is a conflict first, and then perhaps a
 * lock-out.
 */
export const doubts: AttemptDoubts = { ...unanswered, ...putOff, ...refusedToken };

/** What comes next after an attempt. */
export function stepAfterAttempt(
  { spec, isAlone = false }: { readonly spec: RequestSpec; readonly isAlone?: boolean },
  tried: readonly TriedAttempt[],
  facts: Readonly<SendingFacts>,
): ChosenStep {
  const last = tried.at(-1);
  const nothing = (): void => undefined;
  if (last === undefined) return { by: "first", step: { kind: "send", isAlone }, learn: nothing };
  const chosen = stepInDoubt(doubts, situationOf(spec, tried, last, facts), (again, other) => ({
    kind: "send",
    ...again,
    ...(typeof other === "object" && { other }),
  }));
  return chosen ?? { by: "no doubt", step: counts, learn: nothing };
}

/** What is learnt and observed when a response counts: which doubts went away. */
export function passedDoubts(
  facts: SendingFacts,
  spec: RequestSpec,
  tried: readonly TriedAttempt[],
): readonly Observed[] {
  const last = tried.at(-1);
  if (last === undefined) return [];
  const end = situationOf(spec, tried, last, facts);
  const first = tried.map((one) => situationOf(spec, [one], one, facts));
  return Object.entries(doubts).flatMap(([id, doubt]) => {
    const { when, passes } = doubt;
    const raised = first.find((one) => !one.last.isControl && when(one));
    if (raised === undefined || when(end)) return [];
    facts.examined.delete(`${id} ${subjectOf(doubt, raised)}`);
    const observed = passes?.(facts, raised) ?? undefined;
    return observed === undefined ? [] : [observed];
  });
}

import { raiseLimit } from "../../../harness/sending/lane.ts";
import { plural } from "../../../model/plural.ts";
import type { RunContext } from "../../../suites/run/context.ts";

type EndedRun = Pick<RunContext, "recorder" | "sender" | "settings" | "signal">;

/**
 * Records at the end of a run why requirements have no verdict: what cut a check short, and the first
 * need that the target did not meet. A requirement on credentials that names several mistakes stays
 * without a verdict until each mistake was judged, even if it held for some of them.
 */
export function explainOpen(run: EndedRun): void {
  const { recorder, sender, settings, signal } = run;
  tellLeftOut(run);
  if (signal.aborted) return;
  for (const { requirement, reason, gap } of sender.openForms())
    if (settings.selection.includes(requirement))
      recorder.inconclusive(requirement, reason, { cutShort: true, gap });
  for (const requirement of settings.selection) {
    const few = sender.hardlyJudged(requirement);
    if (few !== undefined) recorder.inconclusive(requirement, few, { cutShort: true });
    const lack = sender.firstUnmet(requirement);
    if (lack !== undefined) recorder.lacks(requirement, lack);
  }
}

/** Warns that some requirements were judged with fewer bad credentials than usual (INT-50). */
function tellLeftOut({ recorder, sender }: EndedRun): void {
  const leftOut = sender.leftOut();
  if (leftOut.length === 0) return;
  const ids = [...new Set(leftOut.flatMap(({ refusal }) => refusal?.requirement ?? []))].sort();
  const requirements = ids.length === 0 ? "" : ` of ${ids.join(", ")}`;
  recorder.note(
    "warning",
    `Limits of the server left little time: judged without ${plural(leftOut.length, "variation")}${requirements}. ` +
      `One of each form that INT-15 and INT-17 name was sent; a fault that only another one shows passes. ${raiseLimit}`,
  );
}

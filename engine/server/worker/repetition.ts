import type { RepeatableFinding } from "../../../model/evidence/findings.ts";
import { takesToken } from "../../../spec/operations.ts";
import { requirementOf, standingOperations } from "../../../spec/catalogue.ts";
import { Inconclusive } from "../../../harness/errors.ts";
import { usesSession } from "../../../model/request.ts";
import type { RunContext } from "../../../suites/run/context.ts";
import { isCrash, tryCrashes } from "./experiments.ts";
import { plural } from "../../../model/plural.ts";
import { raiseLimit } from "../../../harness/sending/lane.ts";

/** How many findings are repeated at most. Crashes are tried. */
const most = 10;

/**
 * Tries crashes, and sends the requests of other findings again, one at a time, to report whether
 * each violation shows again.
 */
export async function repeatFindings(run: RunContext): Promise<void> {
  if (run.settings.createsLeast === true) return;
  const findings = run.recorder.repeatable();
  const isTried = ({ exchange }: RepeatableFinding): boolean => isCrash(exchange);
  const crashes = new Map(
    findings.filter(isTried).map((finding) => [finding.exchange.id, finding] as const),
  );
  await tryCrashes(
    run,
    [...crashes.values()].filter((finding) => isSentAgain(run, finding)),
  );
  const others = findings.filter((one) => !isTried(one) && isRepeatable(run, one));
  for (const finding of others.slice(0, most))
    try {
      run.recorder.repeated(finding, {
        text: (await isSeenAgain(run, finding)) ? "2 of 2" : "1 of 2",
      });
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
    }
}

/**
 * Whether the request of a finding is sent again: it breaks a MUST, so that a server that conforms
 * gets no requests for it, something judges the new response, and no second item is added.
 */
function isRepeatable(run: RunContext, finding: RepeatableFinding): boolean {
  const { requirement, exchange, again } = finding;
  if (!requirementOf(requirement).repeatable || exchange.operation === "addAcamItem") return false;
  const isJudged =
    run.sender.specOf(exchange)?.refusal?.requirement === requirement ||
    standingOperations(requirement).includes(exchange.operation);
  return (again !== undefined || isJudged) && isSentAgain(run, finding);
}

/** Whether a request can be sent again. Bad credentials are not, as they can lock the client out. */
function isSentAgain(
  { sender }: RunContext,
  { requirement, exchange }: RepeatableFinding,
): boolean {
  const spec = sender.specOf(exchange);
  if (spec === undefined || requirementOf(requirement).level !== "MUST") return false;
  return takesToken(exchange.operation) ? usesSession(spec) : spec.apiKey === undefined;
}

async function isSeenAgain(
  { sender }: RunContext,
  { requirement, exchange, origin, again }: RepeatableFinding,
): Promise<boolean> {
  const spec = sender.specOf(exchange);
  if (spec === undefined) return false;
  const response = await sender.send(spec, { ...origin, share: "proof" });
  return (
    again?.(response) ??
    sender.violationsOf(response).some((found) => found.requirement === requirement)
  );
}

type EndedRun = Pick<RunContext, "recorder" | "sender" | "settings" | "signal">;

/**
 * Records why requirements on credentials have no verdict. A requirement that names several
 * mistakes stays without one until each mistake was judged, even if it held for some of them.
 */
function explainCredentials({ recorder, sender, settings, signal }: EndedRun): void {
  if (signal.aborted) return;
  for (const { requirement, reason } of sender.openForms())
    if (settings.selection.includes(requirement))
      recorder.inconclusive(requirement, reason, { cutShort: true });
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

/**
 * Records at the end of a run why requirements about something that the target never showed have no
 * verdict, and what to do about it.
 */
export function explainGaps(run: EndedRun): void {
  const { recorder, sender, settings } = run;
  explainCredentials(run);
  tellLeftOut(run);
  for (const { requirement, noVerdict, gap, cutShort = false } of sender.unmet()) {
    if (!settings.selection.includes(requirement)) continue;
    if (cutShort || !recorder.isExplained(requirement))
      recorder.inconclusive(requirement, noVerdict, { gap, cutShort });
  }
}

import type { Exchange } from "../../../model/exchange.ts";
import type { RepeatableFinding } from "../../../model/evidence/findings.ts";
import { takesToken } from "../../../spec/operations.ts";
import { requirementOf, standingOperations } from "../../../spec/catalogue.ts";
import { Inconclusive } from "../../../harness/errors.ts";
import { usesSession } from "../../../model/request.ts";
import type { RunContext } from "../../../suites/run/context.ts";
import { defined } from "../../../model/defined.ts";
import { isCrash, tryCrashes } from "./experiments.ts";
import { plural } from "../../../model/plural.ts";
import { raiseLimit } from "../../../harness/sending/lane.ts";

/** How many findings are repeated at most, and how often the request of each is sent in total. */
const most = 10;
const times = 3;

type RepeatedRun = Pick<RunContext, "sender" | "recorder" | "settings">;

/**
 * Sends the requests of findings again, one at a time and crashes first, and reports how often each
 * violation showed.
 */
export async function repeatFindings(run: RepeatedRun): Promise<void> {
  if (run.settings.createsLeast === true) return;
  const findings = run.recorder.repeatable().filter((finding) => isRepeatable(run, finding));
  const crashes = findings.filter(({ exchange }) => isCrash(exchange));
  const comesBack = new Map<RepeatableFinding, boolean>();
  for (const finding of [...crashes, ...findings.filter((one) => !crashes.includes(one))].slice(
    0,
    most,
  )) {
    try {
      const { seen, status } = await seenAgain(run, finding);
      const isCalm =
        crashes.includes(finding) && seen === 0 && status < 500 && run.settings.concurrency > 1;
      comesBack.set(finding, seen > 0);
      run.recorder.repeated(finding, {
        text: `${seen + 1} of ${times}`,
        ...(isCalm && { alone: status }),
      });
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
    }
  }
  await tryCrashes(
    run,
    crashes.map((finding) => ({ finding, ...defined({ comesBack: comesBack.get(finding) }) })),
  );
}

/**
 * Whether the request of a finding is sent again: it breaks a MUST, so that a server that conforms
 * gets no requests for it, something judges the new response, no second item is added, and no bad
 * credentials are presented, which can lock the client out.
 */
function isRepeatable(
  { sender }: RepeatedRun,
  { requirement, exchange, again }: RepeatableFinding,
): boolean {
  const { operation } = exchange;
  const spec = sender.specOf(exchange);
  const { level, repeatable } = requirementOf(requirement);
  if (spec === undefined || level !== "MUST" || !repeatable || operation === "addAcamItem")
    return false;
  const isJudged =
    spec.refusal?.requirement === requirement ||
    standingOperations(requirement).includes(operation);
  if (again === undefined && !isJudged) return false;
  return takesToken(operation) ? usesSession(spec) : spec.apiKey === undefined;
}

async function seenAgain(
  { sender }: RepeatedRun,
  { requirement, exchange, origin, again }: RepeatableFinding,
) {
  const spec = sender.specOf(exchange);
  let { status } = exchange.response;
  if (spec === undefined) return { seen: 0, status };
  const shows = (response: Exchange): boolean =>
    again?.(response) ??
    sender.violationsOf(response).some((found) => found.requirement === requirement);
  let seen = 0;
  for (let i = 1; i < times; i += 1) {
    const response = await sender.send(spec, { ...origin, share: "proof" });
    ({ status } = response.response);
    if (shows(response)) seen += 1;
  }
  return { seen, status };
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

import type { RepeatableFinding } from "../../../model/evidence/findings.ts";
import { takesToken } from "../../../spec/operations.ts";
import { requirementOf, standingOperations } from "../../../spec/catalogue.ts";
import { Inconclusive } from "../../../harness/errors.ts";
import { usesSession } from "../../../model/request.ts";
import type { RunContext } from "../../../suites/run/context.ts";
import { isCrash } from "../../../model/exchange.ts";
import { tryCrashes } from "./experiments.ts";

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
  const { sender, recorder } = run;
  const others = findings.filter((one) => !isTried(one) && isRepeatable(run, one));
  for (const finding of others.slice(0, most))
    try {
      const { requirement, exchange, origin, again } = finding;
      const spec = sender.specOf(exchange);
      if (spec === undefined) continue;
      const response = await sender.send(spec, { ...origin, share: "proof" });
      const isSeen =
        again?.(response) ??
        sender.violationsOf(response).some((found) => found.requirement === requirement);
      recorder.repeated(finding, { text: isSeen ? "2 of 2" : "1 of 2" });
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

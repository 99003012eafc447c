import type { Exchange } from "../../model/exchange.ts";
import type { Suspect } from "../../harness/recording/recorder.ts";
import { Inconclusive } from "../../harness/scenario-errors.ts";
import { usesSession } from "../../harness/transport/wire.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { RunContext } from "./run-context.ts";

/** Findings that are asked again, and how often each was asked in the end. */
const most = 10;
const times = 3;

/** What one request cannot show again by itself: it takes several, or time. */
const ofSeveral: ReadonlySet<RequirementId> = new Set([
  "AUTH-04",
  "CPTY-10",
  "CPTY-11",
  "OPER-15",
  "OPER-16",
  "ACAM-05",
  "BATCH-06",
  "BATCH-07",
  "BATCH-24",
  "BATCH-27",
  "HTTP-05",
  "HTTP-07",
]);

/** Asks the requests behind the findings again, one at a time, and tells how often each fault was there. */
export const repeatFindings = async (run: RunContext): Promise<void> => {
  if (!run.rateLimiter.wasThrottled()) run.recorder.observe("OPEN-27", "any request", "none was met");
  if (!run.sender.session.wasRenewed())
    run.recorder.observe("OPEN-19", "any request", "no token lapsed during the run");
  for (const suspect of run.recorder
    .suspects()
    .filter((one) => isRepeatable(run, one))
    .slice(0, most)) {
    try {
      const seen = 1 + (await seenAgain(run, suspect));
      run.recorder.tell({ type: "repeated", key: suspect.key, text: `${seen} of ${times}` });
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
    }
  }
};

/** An item that was added cannot be added again, and bad credentials are dear. */
const isRepeatable = (run: RunContext, { requirement, exchange }: Suspect): boolean => {
  const ask = run.sender.specOf(exchange);
  if (ask === undefined || ofSeveral.has(requirement) || exchange.operation === "addAcamItem") return false;
  return exchange.operation === "createToken" ? ask.apiKey === undefined : usesSession(ask);
};

const seenAgain = async (run: RunContext, { requirement, exchange, origin, again }: Suspect): Promise<number> => {
  const { sender } = run;
  const ask = sender.specOf(exchange);
  if (ask === undefined) return 0;
  const shows = (response: Exchange): boolean =>
    again?.(response) ?? sender.violationsOf(response).some((found) => found.requirement === requirement);
  let seen = 0;
  for (let i = 1; i < times; i += 1) if (shows(await sender.send(ask, origin))) seen += 1;
  return seen;
};

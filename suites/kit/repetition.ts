import type { Exchange } from "../../model/exchange.ts";
import type { Suspect } from "../../harness/recording/recorder.ts";
import { standingOperations } from "../../harness/scenario.ts";
import { Inconclusive } from "../../harness/scenario-errors.ts";
import { usesSession } from "../../harness/transport/wire.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { RunContext } from "./run-context.ts";

/** Findings whose requests are repeated, and how often each is sent in all. */
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

type Run = Pick<RunContext, "sender" | "recorder">;

/** Sends the requests behind the findings again, one at a time, and reports how often each fault was there. */
export const repeatFindings = async (run: Run): Promise<void> => {
  const suspects = run.recorder.suspects().filter((suspect) => isRepeatable(run, suspect));
  for (const suspect of suspects.slice(0, most)) {
    try {
      const seen = 1 + (await seenAgain(run, suspect));
      run.recorder.tell({ type: "repeated", key: suspect.key, text: `${seen} of ${times}` });
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
    }
  }
};

/**
 * Something must be able to judge the new response. An item that was added cannot be added again, and bad credentials
 * can lock the client out.
 */
const isRepeatable = ({ sender }: Run, { requirement, exchange, again }: Suspect): boolean => {
  const { operation } = exchange;
  const spec = sender.specOf(exchange);
  if (spec === undefined || ofSeveral.has(requirement) || operation === "addAcamItem") return false;
  if (again === undefined && !standingOperations(requirement).includes(operation)) return false;
  return operation === "createToken" ? spec.apiKey === undefined : usesSession(spec);
};

const seenAgain = async ({ sender }: Run, { requirement, exchange, origin, again }: Suspect): Promise<number> => {
  const spec = sender.specOf(exchange);
  if (spec === undefined) return 0;
  const shows = (response: Exchange): boolean =>
    again?.(response) ?? sender.violationsOf(response).some((found) => found.requirement === requirement);
  let seen = 0;
  for (let i = 1; i < times; i += 1) if (shows(await sender.send(spec, origin))) seen += 1;
  return seen;
};

import type { Exchange } from "../../model/exchange.ts";
import type { RepeatableFinding } from "../../harness/recording/findings.ts";
import { requirementOf, standingOperations } from "../../spec/catalogue.ts";
import { Inconclusive } from "../../harness/scenario-errors.ts";
import { usesSession } from "../../harness/transport/http-request.ts";
import type { RunContext } from "./run-context.ts";

/** How many findings are repeated, and how often each request is sent in total. */
const most = 10;
const times = 3;

type Run = Pick<RunContext, "sender" | "recorder">;

/** Sends the requests behind the findings again, one at a time, and reports how often each fault was there. */
export const repeatFindings = async (run: Run): Promise<void> => {
  const findings = run.recorder.repeatable().filter((finding) => isRepeatable(run, finding));
  for (const finding of findings.slice(0, most)) {
    try {
      const seen = 1 + (await seenAgain(run, finding));
      run.recorder.emit({ type: "repeated", key: finding.key, text: `${seen} of ${times}` });
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
    }
  }
};

/**
 * Something must be able to judge the new response. An item that was added cannot be added again, and bad credentials
 * can lock the client out.
 */
const isRepeatable = ({ sender }: Run, { requirement, exchange, again }: RepeatableFinding): boolean => {
  const { operation } = exchange;
  const spec = sender.specOf(exchange);
  if (spec === undefined || !requirementOf(requirement).repeatable || operation === "addAcamItem") return false;
  if (again === undefined && !standingOperations(requirement).includes(operation)) return false;
  return operation === "createToken" ? spec.apiKey === undefined : usesSession(spec);
};

const seenAgain = async (
  { sender }: Run,
  { requirement, exchange, origin, again }: RepeatableFinding,
): Promise<number> => {
  const spec = sender.specOf(exchange);
  if (spec === undefined) return 0;
  const shows = (response: Exchange): boolean =>
    again?.(response) ?? sender.violationsOf(response).some((found) => found.requirement === requirement);
  let seen = 0;
  for (let i = 1; i < times; i += 1) if (shows(await sender.send(spec, origin))) seen += 1;
  return seen;
};

import type { Exchange } from "../../model/exchange.ts";
import type { RepeatableFinding } from "../../harness/recording/recorder.ts";
import { requirementOf, standingOperations } from "../../spec/catalogue.ts";
import { Inconclusive } from "../../harness/scenario-errors.ts";
import { usesSession } from "../../harness/transport/http-request.ts";
import type { RunContext } from "./run-context.ts";

/** How many findings are repeated, and how often each request is sent in total. */
const most = 10;
const times = 3;

type Run = Pick<RunContext, "sender" | "recorder" | "settings">;

/**
 * Sends the requests behind the findings again, one at a time, and reports how often each fault was there. Crashes come
 * first: where the request alone crashes nothing, the other requests that were in flight have to do with it.
 */
export const repeatFindings = async (run: Run): Promise<void> => {
  const findings = run.recorder.repeatable().filter((finding) => isRepeatable(run, finding));
  for (const finding of [...findings.filter(isCrash), ...findings.filter((one) => !isCrash(one))].slice(0, most)) {
    try {
      const { seen, status } = await seenAgain(run, finding);
      const isCalm = isCrash(finding) && seen === 0 && status < 500 && run.settings.concurrency > 1;
      run.recorder.emit({
        type: "repeated",
        requirement: finding.requirement,
        key: finding.key,
        text: `${seen + 1} of ${times}`,
        ...(isCalm && { alone: status }),
      });
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
  const isJudged = spec.refusal?.requirement === requirement || standingOperations(requirement).includes(operation);
  if (again === undefined && !isJudged) return false;
  return operation === "createToken" ? spec.apiKey === undefined : usesSession(spec);
};

const isCrash = ({ exchange }: RepeatableFinding): boolean => exchange.response.status >= 500;

/** How often the fault was there again, and the last status. */
const seenAgain = async (
  { sender }: Run,
  { requirement, exchange, origin, again }: RepeatableFinding,
): Promise<{ readonly seen: number; readonly status: number }> => {
  const spec = sender.specOf(exchange);
  let { status } = exchange.response;
  if (spec === undefined) return { seen: 0, status };
  const shows = (response: Exchange): boolean =>
    again?.(response) ?? sender.violationsOf(response).some((found) => found.requirement === requirement);
  let seen = 0;
  for (let i = 1; i < times; i += 1) {
    const response = await sender.send(spec, origin);
    ({ status } = response.response);
    if (shows(response)) seen += 1;
  }
  return { seen, status };
};

import { endpoints } from "../../../spec/endpoints.ts";
import type { Exchange } from "../../../model/exchange.ts";
import type { RepeatableFinding } from "../../../model/evidence/findings.ts";
import { requirementOf, standingOperations, type RequirementId } from "../../../spec/catalogue.ts";
import { Inconclusive } from "../../../harness/errors.ts";
import { usesSession } from "../../../harness/sending/attempt.ts";
import type { RunContext } from "../../../suites/kit/context.ts";
import type { Gap } from "../../../spec/gaps.ts";
import { operationNames, operationTitle } from "../../../spec/operations.ts";

/** How many findings are repeated, and how often each request is sent in total. */
const most = 10;
const times = 3;

type RepeatedRun = Pick<RunContext, "sender" | "recorder" | "settings">;

/** Sends the requests of findings again, one at a time, crashes first, and reports how often each fault was there. */
export const repeatFindings = async (run: RepeatedRun): Promise<void> => {
  if (run.settings.createsLeast === true) return;
  const findings = run.recorder.repeatable().filter((finding) => isRepeatable(run, finding));
  for (const finding of [...findings.filter(isCrash), ...findings.filter((one) => !isCrash(one))].slice(0, most)) {
    try {
      const { seen, status } = await seenAgain(run, finding);
      const isCalm = isCrash(finding) && seen === 0 && status < 500 && run.settings.concurrency > 1;
      run.recorder.repeated(finding, { text: `${seen + 1} of ${times}`, ...(isCalm && { alone: status }) });
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
    }
  }
};

/** Something must judge the new response; an item is added once, and bad credentials can lock the client out. */
const isRepeatable = ({ sender }: RepeatedRun, { requirement, exchange, again }: RepeatableFinding): boolean => {
  const { operation } = exchange;
  const spec = sender.specOf(exchange);
  if (spec === undefined || !requirementOf(requirement).repeatable || operation === "addAcamItem") return false;
  const isJudged = spec.refusal?.requirement === requirement || standingOperations(requirement).includes(operation);
  if (again === undefined && !isJudged) return false;
  return operation === "createToken" ? spec.apiKey === undefined : usesSession(spec);
};

const isCrash = ({ exchange }: RepeatableFinding): boolean => exchange.response.status >= 500;

const seenAgain = async ({ sender }: RepeatedRun, { requirement, exchange, origin, again }: RepeatableFinding) => {
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

const inBatches: readonly RequirementId[] = ["BATCH-30", "BATCH-31", "BATCH-32", "BATCH-33", "BATCH-34", "BATCH-35"];

/** What only a listed batch shows. */
const ofListed: readonly RequirementId[] = ["BATCH-23", "BATCH-25", "BATCH-26", "BATCH-27"];

type Ended = Pick<RunContext, "badCredentials" | "knowledge" | "recorder" | "sender" | "settings" | "signal">;

/** A requirement that names several mistakes has no verdict until each was judged, whatever one of them showed. */
const explainCredentials = ({ badCredentials, recorder, settings, signal }: Ended): void => {
  if (signal.aborted) return;
  for (const { row, reason } of badCredentials.open())
    if (row.refusal !== undefined && settings.selection.includes(row.refusal.requirement))
      recorder.inconclusive(row.refusal.requirement, reason, { cutShort: true });
};

/** At the end of a run, says why requirements on things that the target never showed have no verdict, and what to do. */
export const explainGaps = (run: Ended): void => {
  const { knowledge, recorder, sender, settings } = run;
  const explain = (requirements: readonly RequirementId[], reason: string, gap?: Gap): void => {
    for (const requirement of requirements)
      if (settings.selection.includes(requirement) && !recorder.isExplained(requirement))
        recorder.inconclusive(requirement, reason, { gap });
  };
  explainCredentials(run);
  for (const { requirement, noVerdict } of sender.hardlyJudged())
    if (settings.selection.includes(requirement)) recorder.inconclusive(requirement, noVerdict, { cutShort: true });
  for (const operation of operationNames) {
    const title = operationTitle(operation);
    const refusal = knowledge.unreadable(operation, "refusal");
    if (refusal !== undefined)
      explain(
        [endpoints[operation].errorShape],
        `${title} never refused with a readable body (${refusal}): fix that first`,
      );
    const success = knowledge.unreadable(operation, "success");
    if (success === undefined && knowledge.succeeds(operation)) continue;
    const own = settings.selection.filter(
      (id) => id !== endpoints[operation].errorShape && standingOperations(id).join() === operation,
    );
    explain(
      own,
      success === undefined
        ? `${title} never answered with success`
        : `${title} never succeeded with a readable body (${success}): fix that first`,
    );
  }
  if (knowledge.unreadable("listBatches", "success") === undefined && knowledge.succeeds("listBatches")) {
    if (knowledge.mostListed === 0)
      explain(
        [...ofListed, ...inBatches],
        "GET /batches never showed a batch, which may be on another page",
        "whole list",
      );
    else if (!knowledge.showsBatchedOperations)
      explain(
        inBatches,
        "all batches seen were empty; if operations get into a batch through members of POST /batches that the specification does not name, give those with batchMembers in the configuration file (--batch-members)",
        "batched operations",
      );
  }
  for (const { requirement, noVerdict, gap } of sender.unmet()) explain([requirement], noVerdict, gap);
};

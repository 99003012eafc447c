import { standingOperations, type RequirementId } from "../../spec/catalogue.ts";
import { errorShapeOf } from "../../harness/judging/rules/message.ts";
import { operationNames, operationTitle } from "../../spec/operations.ts";
import type { RunContext } from "./run-context.ts";

/** What only an operation in a batch can show. */
const onBatchedOperations: readonly RequirementId[] = [
  "BATCH-30",
  "BATCH-31",
  "BATCH-32",
  "BATCH-33",
  "BATCH-34",
  "BATCH-35",
];

/** At the end of a run, says why requirements on things that the target never showed have no verdict, and what to do. */
export const explainGaps = ({
  knowledge,
  recorder,
  sender,
  settings,
}: Pick<RunContext, "knowledge" | "recorder"> & {
  readonly sender: Pick<RunContext["sender"], "unmet">;
  readonly settings: Pick<RunContext["settings"], "selection">;
}): void => {
  const explain = (requirements: readonly RequirementId[], reason: string): void => {
    for (const requirement of requirements)
      if (settings.selection.includes(requirement)) recorder.inconclusive(requirement, reason);
  };
  for (const { requirement, noVerdict } of sender.unmet()) explain([requirement], noVerdict);
  for (const operation of operationNames) {
    const title = operationTitle(operation);
    const refusal = knowledge.unreadable(operation, "refusal");
    if (refusal !== undefined)
      explain([errorShapeOf[operation]], `${title} never refused with a readable body (${refusal}): fix that first`);
    const success = knowledge.unreadable(operation, "success");
    if (success === undefined && knowledge.succeeds(operation)) continue;
    const own = settings.selection.filter((requirement) => {
      const operations = standingOperations(requirement);
      return (
        requirement !== errorShapeOf[operation] &&
        operations.length > 0 &&
        operations.every((name) => name === operation)
      );
    });
    explain(
      own,
      success === undefined
        ? `${title} never answered with success`
        : `${title} never succeeded with a readable body (${success}): fix that first`,
    );
  }
  if (knowledge.unreadable("listBatches", "success") !== undefined || knowledge.showsBatchedOperations) return;
  explain(
    onBatchedOperations,
    knowledge.mostListed === 0
      ? "GET /batches never showed a batch"
      : "all batches seen were empty; if operations get into a batch through members of POST /batches that the specification does not name, give those with batchMembers in the configuration file (--batch-members)",
  );
};

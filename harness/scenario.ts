import { requirementOf, type Area, type RequirementId } from "../spec/catalogue.ts";
import { operationNames, type OperationName } from "../spec/operations.ts";
import type { QuestionId } from "../spec/questions.ts";
import { checks } from "./judging/checks/index.ts";
import type { Profile } from "../model/target.ts";

/**
 * When a scenario is asked: before anything is created, concurrently with all others, or at the end and one at a
 * time (bad credentials, since servers lock out).
 */
export type Phase = "before" | "main" | "last";

/** What a scenario is, apart from what it does. */
export interface ScenarioPlan {
  /** What it judges by itself; the standing checks judge all its traffic besides. */
  readonly requirements: readonly RequirementId[];
  /** What it observes. */
  readonly questions?: readonly QuestionId[];
  /** What its traffic touches: a standing requirement of one of these operations selects it. */
  readonly operations: readonly OperationName[];
  /** @defaultValue "main" */
  readonly phase?: Phase;
  /** The profiles in which it may run. @defaultValue ["full"] */
  readonly profiles?: readonly Profile[];
}

/** A scenario with its code; `S` is what the suites hand to it. */
export interface Scenario<S> extends ScenarioPlan {
  readonly name: string;
  readonly ask: (stage: S) => Promise<void>;
}

/** The requirements that the standing checks judge, and on which operations. */
const standing: ReadonlyMap<RequirementId, readonly OperationName[]> = checks
  .flatMap(({ judges }) => judges)
  .reduce(
    (all, { requirement, operations }) => all.set(requirement, [...(all.get(requirement) ?? []), ...operations]),
    new Map<RequirementId, readonly OperationName[]>([
      ["HTTP-05", operationNames],
      ["AUTH-04", operationNames.filter((name) => name !== "createToken")],
    ]),
  );

/** The operations whose traffic judges a requirement, whichever scenario sends it. */
export const standingOperations = (requirement: RequirementId): readonly OperationName[] =>
  standing.get(requirement) ?? [];

/** What the requirements of an area speak of where the standing checks do not say. */
const operationsOfArea: Readonly<Record<Area, readonly OperationName[]>> = {
  auth: ["createToken"],
  counterparty: ["createCounterparty"],
  operation: ["createOperation"],
  acam: ["addAcamItem"],
  batches: ["createBatch", "listBatches"],
  transport: [],
};

/** The operations that a requirement speaks of: without one success of each, a run has not tested it. */
export const operationsOf = (requirement: RequirementId): readonly OperationName[] =>
  standing.get(requirement) ?? operationsOfArea[requirementOf(requirement).area];

/** The scenarios that a selection of requirements needs, within a profile. */
export const selectScenarios = <S>(
  scenarios: readonly Scenario<S>[],
  selection: ReadonlySet<RequirementId>,
  profile: Profile,
): readonly Scenario<S>[] => {
  const touched = new Set([...selection].flatMap((requirement) => standingOperations(requirement)));
  return scenarios.filter(
    (scenario) =>
      (scenario.profiles ?? ["full"]).includes(profile) &&
      (scenario.requirements.some((requirement) => selection.has(requirement)) ||
        // Bad credentials are sent to those who ask about them, not along with something else.
        (scenario.phase !== "last" && scenario.operations.some((operation) => touched.has(operation)))),
  );
};

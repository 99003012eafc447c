import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import type {
  Certificate,
  Coverage,
  Lack,
  Mistake,
  NoVerdict,
  RequirementResult,
  Run,
  SentCount,
} from "../run.ts";
import { mistakeKey } from "../mistake.ts";
import type { RequestFacts, Trial } from "../request-facts.ts";

/** What was found out about a requirement. */
export interface JudgedRequirement extends Pick<
  RequirementResult,
  "asked" | "findings" | "judgedIn" | "sample"
> {
  readonly inconclusive: readonly NoVerdict[];
  /** The first need that the run did not meet, if it is known. */
  readonly lack?: Lack | undefined;
}

/** All that a run has found, as plain data: redacted, of bounded size, and made for a clone. */
export interface Evidence extends Pick<
  Run,
  | "requests"
  | "sent"
  | "observations"
  | "latency"
  | "statuses"
  | "exchanges"
  | "created"
  | "createdCounts"
  | "warnings"
> {
  readonly createdWithoutId: number;
  readonly coverage: readonly Coverage[];
  readonly judged: ReadonlyMap<RequirementId, JudgedRequirement>;
  /** Which responses show which mistake. Absent if there were more responses than are kept. */
  readonly witness?: Witness | undefined;
  /** Why the target could not be tested. */
  readonly untestable?: string;
  /** Internal errors. */
  readonly errors: readonly string[];
  /** Operations that had to succeed at least once and never gave a success that can be read. */
  readonly neverSucceeded: readonly OperationName[];
  readonly progress: RunState;
}

/**
 * What the thread of a run hands to the main thread. `evidence`: all that the run has found so far,
 * which replaces what came before.
 */
export interface Parcel {
  readonly evidence?: Evidence;
  readonly progress?: Progress;
  /** Most responses take more than a second, so that the run may take longer (INT-50). */
  readonly isSlow?: boolean;
  readonly secrets?: readonly string[];
  /** For `--record`: entries of a HAR file, each as a JSON text. */
  readonly har?: readonly string[];
}

/** What a run has done so far. */
export interface RunState {
  readonly sent: readonly SentCount[];
  /** The operations to which scenarios send requests that must succeed. */
  readonly operations: readonly OperationName[];
  readonly planned: number;
  readonly done: number;
  /** Milliseconds that the scenarios of each requirement took. */
  readonly took: readonly (readonly [RequirementId, number])[];
  readonly steps: readonly TargetStep[];
  readonly peakInFlight: number;
  readonly waiting?: string;
  readonly isEnded: boolean;
}

/**
 * The steps of the calibration, in this order. Each finds out whether the target accepts what is
 * configured.
 */
export const calibrationSteps = [
  "counterparty",
  "operation",
  "item",
  "pairs",
  "purpose",
  "batch",
] as const;

export type CalibrationStepName = (typeof calibrationSteps)[number];

/**
 * A step of the preflight or of calibration: whether a target can be tested, and what it accepts.
 */
export interface TargetStep {
  readonly step: "name" | "connection" | "tls" | "key" | "token" | CalibrationStepName;
  readonly ok: boolean;
  /** The run ends after this step, because nothing can be tested. */
  readonly stops?: true;
  readonly found: string;
  readonly certificate?: Certificate;
  readonly advice?: string;
}

/** How far a run has come. */
export interface Progress {
  /** The number of requests that were sent so far. */
  readonly requests: number;
  readonly scenariosDone: number;
  readonly scenarios: number;
  readonly failing: number;
  /**
   * What the run waits for. Present only during a long wait, such as for a rate limit or a target
   * in trouble.
   */
  readonly waiting?: string;
}

/** Which responses show which mistake, and which could show it. */
export interface Witness {
  /** The facts of the requests by the ids of their exchanges, in the order of their responses. */
  readonly requests: ReadonlyMap<number, RequestFacts>;
  /** All mistakes by their keys. Some may have no finding, as the number of findings is bounded. */
  readonly mistakes: ReadonlyMap<string, ShownMistake>;
  /** For each requirement, the ids of the responses on which it was judged. */
  readonly judged: ReadonlyMap<RequirementId, readonly number[]>;
}

interface ShownMistake {
  readonly mistake: Mistake;
  /** The ids of the responses that show it. */
  readonly responses: ReadonlySet<number>;
}

/**
 * The facts of this many requests are kept, which is more than a usual run sends. With more
 * requests, the run has no witness.
 */
const mostRequests = 20_000;

/**
 * Notes which responses show which mistake. The result is undefined once there are more requests
 * than it keeps, as a part of them would mislead.
 */
export function createWitness() {
  const requests = new Map<number, RequestFacts>();
  const mistakes = new Map<string, ShownMistake & { readonly responses: Set<number> }>();
  /** Lists, which take a third of the memory of sets: most responses show many requirements. */
  const judged = new Map<RequirementId, number[]>();
  let isFull = false;

  const forget = (): void => {
    isFull = true;
    for (const all of [requests, mistakes, judged]) all.clear();
  };

  return {
    request: (facts: RequestFacts): void => {
      if (isFull) return;
      if (requests.size < mostRequests) requests.set(facts.id, facts);
      else forget();
    },
    /** Notes that requirements were judged on a response. */
    judged: (exchange: number, requirements: readonly RequirementId[]): void => {
      if (isFull) return;
      for (const requirement of requirements) {
        const known = judged.get(requirement) ?? [];
        known.push(exchange);
        judged.set(requirement, known);
      }
    },
    tried: (exchange: number, trial: Trial): void => {
      const facts = requests.get(exchange);
      if (facts !== undefined) requests.set(exchange, { ...facts, trial });
    },
    shows: (exchange: number, mistake: Mistake): void => {
      if (isFull) return;
      const key = mistakeKey(mistake);
      const { responses } = mistakes.get(key) ?? { responses: new Set<number>() };
      mistakes.set(key, { mistake, responses: responses.add(exchange) });
    },
    result: (): Witness | undefined => (isFull ? undefined : { requests, mistakes, judged }),
  };
}

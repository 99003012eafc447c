import { waits } from "../../model/bounds.ts";
import type { Recorder } from "../../model/evidence/recorder.ts";
import type { Proof } from "../../model/evidence/findings.ts";
import type { Redaction } from "../../model/evidence/redaction.ts";
import type { Sender } from "../../harness/sending/sender.ts";
import { pause } from "../../harness/sending/turns.ts";
import type { Exchange, Origin, CreationShare } from "../../model/exchange.ts";
import type { RequestSpec } from "../../model/request.ts";
import type { Violation } from "../../model/mistake.ts";
import type { RunSettings, Target } from "../../model/target.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { Probes } from "./observing.ts";
import { now, type TargetKnowledge } from "./target-knowledge.ts";

/** What one scenario sends, draws and notes with. The kit wraps it. */
export type ScenarioCore = ReturnType<typeof createContext>;

/** What all scenarios of a run share: a session, a recorder, and what is known of the target. */
export interface RunContext {
  readonly target: Target;
  readonly settings: RunSettings;
  /** The id of the run: eight letters and digits, for values that must be unique. */
  readonly runId: string;
  /** Aborts when the run ends. */
  readonly signal: AbortSignal;
  readonly sender: Sender;
  readonly recorder: Recorder;
  readonly redaction: Redaction;
  readonly knowledge: TargetKnowledge;
  readonly probes: Probes;
  /** Waits until something is old. `since`: when it was created, in milliseconds since 1970. */
  readonly untilOld: (scenario: string, since: number) => Promise<void>;
}

type SendRequest = (spec: RequestSpec) => Promise<Exchange>;

interface ScenarioFacts {
  readonly id: string;
  readonly title: string;
  readonly checks: readonly RequirementId[];
  readonly drawsTheSame?: boolean;
  readonly urgency?: number;
  readonly share?: CreationShare;
}

/** Makes the core of a scenario, to which the kit adds further verbs. */
export function createContext(run: RunContext, scenario: ScenarioFacts) {
  const { settings, sender, recorder, signal, knowledge, probes } = run;
  const target = knowledge.corrected ?? run.target;
  const { id, title: name, urgency = 0, share = "ordinary" } = scenario;
  let proofs = 0;
  const originNow = (): Origin => ({ id, name, urgency, share: proofs > 0 ? "proof" : share });
  const origin = originNow();
  const selection = new Set(settings.selection);
  const isChosen = scenario.checks.some((requirement) => selection.has(requirement));

  const send: SendRequest = async (spec) => {
    const exchange = await sender.send(spec, originNow());
    probes.addObserved(spec, exchange);
    return exchange;
  };
  const violated = (requirement: RequirementId, violation: Violation, proof: Proof = {}): void =>
    recorder.violated(requirement, origin, { ...violation, ...proof });

  /**
   * How long a target that was late needs until each of its nodes knows a new resource, in
   * milliseconds: somewhat longer than one was seen to need, and as long as one of a usual server
   * may need (INT-43).
   */
  const knownAfter = (): number =>
    Math.min(Math.max(sender.lag() * 1.3 + 200, waits.usualLag), settings.grace);

  return {
    run,
    id,
    target,
    settings,
    knowledge,
    send,
    violated,
    /** The seed of this scenario. It is the same in every run with the same `--seed`. */
    seed: seedFor(scenario.drawsTheSame === true ? 0 : settings.seed, scenario.id),
    /**
     * Whether a requirement must be judged: it is selected, or no requirement of the scenario is, so
     * that the scenario runs only because the rules judge its requests.
     */
    wants: (requirement: RequirementId): boolean => selection.has(requirement) || !isChosen,
    alone: <T>(task: (send: SendRequest) => Promise<T>): Promise<T> =>
      sender.alone((inTurn) => task((spec) => inTurn(spec, originNow()))),
    /**
     * Performs a task that shows a failure once more. What the task creates counts against the
     * share `proof` of what a run may create (`CreationShare`).
     */
    proving: async <T>(task: () => Promise<T>): Promise<T> => {
      proofs += 1;
      return task().finally(() => (proofs -= 1));
    },
    succeed: (spec: RequestSpec): Promise<Exchange> => send({ ...spec, mustSucceed: true }),
    /**
     * Waits until the target knows a resource. `since`: when the resource was created, in
     * milliseconds since 1970.
     */
    knownSince: async (since: number): Promise<void> => {
      if (sender.lag() > 0) await pause(Math.max(0, since + knownAfter() - now()), signal);
    },
    /**
     * Waits until all other scenarios have ended, bad credentials among them, and then until two
     * seconds after `at`, when a resource was created, in milliseconds since 1970. No scenario may
     * start `after` one that waits in this way.
     */
    old: ({ at }: { readonly at: number }): Promise<void> => run.untilOld(scenario.id, at),
    violationsOf: sender.violationsOf,
    /** Shows this exchange as the example in the finding of each requirement that it breaks. */
    showInstead: (exchange: Exchange): void => {
      for (const { requirement, violation } of sender.violationsOf(exchange))
        if (violation !== undefined) violated(requirement, violation, { exchange, smallest: true });
    },
    /** Records that the requirement holds. The report keeps the exchange that shows it. */
    holds: (requirement: RequirementId, exchange?: Exchange): void =>
      recorder.holds([requirement], exchange),
    /** Records why a requirement has no verdict. */
    inconclusive: recorder.inconclusive,
    /**
     * Records an answer to an open question that several responses have shown. The name of the case
     * must be the same in every run: it has no drawn values and no ids.
     */
    observe: recorder.observe,
    /**
     * Records as the answer to an open question what the server did with a request. A refusal is no
     * answer if valid requests are refused as well. @defaultValue a word such as "accepted"
     */
    answered: probes.add,
  };
}

/**
 * Returns the seed for a part of the run, made from the run's seed and the name of the part. So a
 * part draws the same values in a selection as in the whole run.
 */
export function seedFor(seed: number, name: string): number {
  let hash = 0x811c9dc5 ^ seed;
  for (let i = 0; i < name.length; i += 1) hash = Math.imul(hash ^ name.charCodeAt(i), 0x01000193);
  return hash | 0;
}

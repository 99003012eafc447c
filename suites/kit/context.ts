import type { Generators } from "../../generators/index.ts";
import type { Proof } from "../../harness/recording/recorder.ts";
import { Inconclusive, hintOn } from "../../harness/scenario-errors.ts";
import { seedFor } from "../../harness/seed.ts";
import { pause } from "../../harness/transport/throttling.ts";
import { isRefusal, isSuccess, isRedirection, messageOf } from "../../model/exchange.ts";
import type { Exchange, RequestSpec } from "../../model/exchange.ts";
import type { Judgement, Violation } from "../../model/finding.ts";
import type { RunSettings, Target } from "../../model/target.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { operationTitle } from "../../spec/operations.ts";
import type { QuestionId } from "../../spec/questions.ts";
import type { RunContext } from "./run-context.ts";

/** What a scenario works with: the target, target knowledge, functions to send, and functions to record results. */
export interface Context {
  readonly target: Target;
  readonly settings: RunSettings;
  readonly generators: Generators;
  readonly run: RunContext;
  readonly knowledge: RunContext["knowledge"];
  /** A seed of this scenario's own, the same in every run with the same `--seed`. */
  readonly seed: number;
  /** Whether a requirement must be judged: it is selected, or the scenario runs only for its traffic. */
  readonly wants: (requirement: RequirementId) => boolean;
  /** Sends a request and returns the response, whatever it is. Throws Inconclusive if none comes. */
  readonly send: (spec: RequestSpec) => Promise<Exchange>;
  /** Performs a task that sends several requests in a row, while nothing else is in flight. */
  readonly alone: <T>(task: (send: (spec: RequestSpec) => Promise<Exchange>) => Promise<T>) => Promise<T>;
  /**
   * Sends a valid request and returns its success. A refusal is tried again within the grace period, as something new
   * may need a moment; then throws Inconclusive with the server's words.
   */
  readonly succeed: (spec: RequestSpec) => Promise<Exchange>;
  /**
   * Waits until a new resource is known to the target, as long as this target has needed before. Otherwise a refusal
   * could mean that the resource is not there yet.
   */
  readonly untilKnown: () => Promise<void>;
  /** What the rules found wrong with a response. */
  readonly violationsOf: (exchange: Exchange) => readonly Judgement[];
  /** Replaces the exchange that a finding shows by this one; `circumstance` is added to what was found. */
  readonly showInstead: (exchange: Exchange, circumstance?: string) => void;
  /** The requirement holds; `exchange` is kept as the one that shows it. */
  readonly holds: (requirement: RequirementId, exchange?: Exchange) => void;
  readonly violated: (requirement: RequirementId, violation: Violation, proof?: Proof) => void;
  readonly inconclusive: (requirement: RequirementId, reason: string, cutShort?: boolean) => void;
  /** `inCase` must be the same in every run: no drawn values, no ids. */
  readonly observe: (question: QuestionId, inCase: string, answer: string) => void;
  /** Observes the answer to a request. A refusal that valid requests get too is left out at the end of the run. */
  readonly observeAnswer: RunContext["probes"]["add"];
  /** Adds a warning to the report. */
  readonly warn: (text: string) => void;
}

/** What a context needs to know of its scenario. */
interface Origin {
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly RequirementId[];
  readonly drawsTheSame?: boolean;
  readonly urgency?: number;
}

export const createContext = (run: RunContext, scenario: Origin): Context => {
  const { target, settings, generators, sender, recorder, signal, knowledge, probes } = run;
  const origin = { id: scenario.id, name: scenario.title, urgency: scenario.urgency ?? 0 };
  const selection = new Set(settings.selection);
  const isChosen = scenario.requirements.some((requirement) => selection.has(requirement));

  const traced = async (sending: Promise<Exchange>): Promise<Exchange> => {
    const from = now();
    const exchange = await sending;
    if (run.traced) {
      const { operation, response } = exchange;
      recorder.emit({ type: "span", scenario: scenario.id, operation, from, to: now(), took: response.took });
    }
    return exchange;
  };
  const send: Context["send"] = async (spec) => {
    const exchange = await traced(sender.send(spec, origin));
    probes.addObserved(spec, exchange);
    return exchange;
  };
  const violated: Context["violated"] = (requirement, violation, proof = {}) =>
    recorder.violated(requirement, origin, { ...violation, ...proof });

  return {
    target,
    settings,
    generators,
    run,
    knowledge,
    seed: seedFor(scenario.drawsTheSame === true ? 0 : settings.seed, scenario.id),
    wants: (requirement) => selection.has(requirement) || !isChosen,
    send,
    alone: (task) => sender.alone((inTurn) => task((spec) => traced(inTurn(spec, origin)))),
    succeed: (spec) => success(run, send, spec),
    untilKnown: async () => {
      if (knowledge.lag > 0) await pause(Math.min(knowledge.lag * 1.3 + 200, settings.grace), signal);
    },
    violationsOf: sender.violationsOf,
    showInstead: (exchange, circumstance) => {
      for (const { requirement, violation } of sender.violationsOf(exchange)) {
        if (violation === undefined) continue;
        const actual = circumstance === undefined ? violation.actual : `${violation.actual}, ${circumstance}`;
        violated(requirement, { ...violation, actual }, { exchange, smallest: true });
      }
    },
    holds: (requirement, exchange) => recorder.holds([requirement], exchange),
    violated,
    inconclusive: recorder.inconclusive,
    observe: recorder.observe,
    observeAnswer: probes.add,
    warn: (text) => recorder.emit({ type: "note", kind: "warning", text }),
  };
};

/** The success of a valid request. Throws Inconclusive if the target refuses it throughout. */
const success = async (
  { knowledge, sender, settings, signal }: RunContext,
  send: Context["send"],
  spec: RequestSpec,
): Promise<Exchange> => {
  const { operation } = spec;
  const started = performance.now();
  const until = started + settings.grace;
  // Wait as long as this target has needed before, instead of sending one request after another.
  const first = Math.max(100, Math.min(knowledge.lag, settings.grace / 2));
  for (let wait = first; ; wait = Math.min(wait * 2, 1000)) {
    const exchange = await send(spec);
    if (isSuccess(exchange)) {
      knowledge.accepted(operation);
      if (wait > first) knowledge.learn({ lag: Math.max(knowledge.lag, performance.now() - started) });
      return exchange;
    }
    const mayPass = isRefusal(exchange) && refersToCreated(spec) && !knowledge.refuses(operation);
    if (!mayPass || performance.now() + wait > until || signal.aborted) {
      if (mayPass) knowledge.refusedThroughout(operation);
      const broken = isRefusal(exchange) ? [] : sender.violationsOf(exchange).map(({ requirement }) => requirement);
      const cause = broken.length === 0 ? "" : `, which breaks ${broken.join(", ")}`;
      const hint = isRedirection(exchange) ? redirectionHint : hintOn[operation];
      throw new Inconclusive(
        `${operationTitle(operation)} answered a valid request with ${messageOf(exchange)}${cause}. ${hint}`,
      );
    }
    await pause(wait, signal);
  }
};

/** Milliseconds since 1970, more precise than `Date`, and the same in all threads of the process. */
export const now = (): number => performance.timeOrigin + performance.now();

/** Whether a request names something that was created a moment ago. */
const refersToCreated = ({ operation }: RequestSpec): boolean =>
  operation === "createOperation" || operation === "addAcamItem";

const redirectionHint = "Redirections are not followed: check the base URL (--base-url).";

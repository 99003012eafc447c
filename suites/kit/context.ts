import type { Generators } from "../../generators/index.ts";
import type { Judgement, Violated } from "../../harness/judging/checks/check.ts";
import { isRefusal, isSuccess, messageOf, type RequestSpec, type Exchange } from "../../model/exchange.ts";
import type { Origin } from "../../harness/recording/recorder.ts";
import type { Scenario } from "../../harness/scenario.ts";
import { seedFor } from "../../harness/seed.ts";
import type { RunSettings, Target } from "../../model/target.ts";
import { Inconclusive } from "../../harness/scenario-errors.ts";
import { pause } from "../../harness/transport/throttling.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { operationTitle, type OperationName } from "../../spec/operations.ts";
import type { QuestionId } from "../../spec/questions.ts";
import type { TargetKnowledge } from "./target-knowledge.ts";
import { refusalOfItsOwn, type StatedRefusal } from "./refusal.ts";
import type { RunContext } from "./run-context.ts";

/** What a scenario works with: the target, questions to it, and a place for what they show. */
export interface Context {
  readonly target: Target;
  readonly settings: RunSettings;
  readonly generators: Generators;
  readonly run: RunContext;
  /** What scenarios have found out and share. */
  readonly knowledge: TargetKnowledge;
  /** A seed of this scenario's own, the same in every run with the same `--seed`. */
  readonly seed: number;
  /** Asks and returns the response, whatever it is. Throws Inconclusive where none comes. */
  readonly ask: (ask: RequestSpec) => Promise<Exchange>;
  /**
   * Asks a valid request and returns its success. Where it is refused it is asked again within the grace period, as
   * something just created may need a moment; then throws Inconclusive with the server's words.
   */
  readonly succeed: (ask: RequestSpec, hint?: string) => Promise<Exchange>;
  /** Asks what must be refused: with a 4xx, or with the status that is stated. True where it was. */
  readonly refused: (requirement: RequirementId, ask: RequestSpec, stated?: StatedRefusal) => Promise<boolean>;
  /** What the standing checks found wrong with a response. */
  readonly violationsOf: (exchange: Exchange) => readonly Judgement[];
  /** Puts the least example in the place of the finding that led to it; `story` says what came before it. */
  readonly shrunk: (exchange: Exchange, story?: string) => void;
  readonly holds: (requirement: RequirementId) => void;
  /** `again` tells whether another response to the same request shows the fault too. */
  readonly violated: (
    requirement: RequirementId,
    violation: Violated,
    exchange?: Exchange,
    repeated?: string,
    again?: (exchange: Exchange) => boolean,
  ) => void;
  readonly inconclusive: (requirement: RequirementId, reason: string, cutShort?: boolean) => void;
  readonly observe: (question: QuestionId, inCase: string, answer: string) => void;
}

export const createContext = (run: RunContext, knowledge: TargetKnowledge, scenario: Scenario<Context>): Context => {
  const { sender, recorder, settings, signal } = run;
  const origin: Origin = { name: scenario.name, requirements: scenario.requirements };
  const ask = (question: RequestSpec): Promise<Exchange> => sender.send(question, origin);

  const violated: Context["violated"] = (requirement, violation, exchange, repeated, again) =>
    recorder.violated(requirement, origin, {
      ...violation,
      ...(again === undefined ? {} : { again }),
      ...(exchange === undefined ? {} : { exchange }),
      ...(repeated === undefined ? {} : { repeated }),
    });

  const succeed: Context["succeed"] = async (question, hint = hintFor(question.operation)) => {
    const started = performance.now();
    const until = started + settings.grace;
    // As long as this target was seen to need, rather than to ask it again and again.
    const first = Math.max(100, Math.min(knowledge.lag.longest, settings.grace / 2));
    for (let wait = first; ; wait = Math.min(wait * 2, 1000)) {
      const exchange = await ask(question);
      if (isSuccess(exchange)) {
        knowledge.accepted.add(question.operation);
        if (wait > first) knowledge.lag.longest = Math.max(knowledge.lag.longest, performance.now() - started);
        return exchange;
      }
      const waitable =
        isRefusal(exchange) && refersToCreated(question) && !knowledge.refusedForGood.has(question.operation);
      if (!waitable || performance.now() + wait > until || signal.aborted) {
        if (waitable && !knowledge.accepted.has(question.operation)) knowledge.refusedForGood.add(question.operation);
        throw new Inconclusive(
          `${operationTitle(question.operation)} answered a valid request with ${messageOf(exchange)}. ${hint}`,
        );
      }
      await pause(wait, signal);
    }
  };

  const refused: Context["refused"] = async (requirement, question, stated) => {
    const exactly = stated?.status;
    const isRight = (response: Exchange): boolean =>
      exactly === undefined ? isRefusal(response) : response.response.status === exactly;
    let exchange = await ask(question);
    // A crash now and then is blamed as a crash; it says something of this rule only where it comes again.
    if (exchange.response.status >= 500) exchange = await ask(question);
    if (stated !== undefined && isRefusal(exchange) && !isRight(exchange)) {
      const own = await refusalOfItsOwn(
        {
          ask,
          sendAlone: (other) => sender.sendAlone(other, origin),
          grace: settings.grace,
          knowledge,
          signal,
          waits: sender.waits,
        },
        question,
        exchange,
        stated,
      );
      if (own === undefined) {
        const reason = `the server refuses a valid request in the same way (${messageOf(exchange)}), so its status says nothing of this one. ${hintFor(question.operation)}`;
        recorder.inconclusive(requirement, reason);
        return false;
      }
      exchange = own;
    }
    const { status } = exchange.response;
    if (isRight(exchange)) {
      recorder.holds(requirement);
      return true;
    }
    const change = question.intent.kind === "invalid" ? question.intent.change : "this request";
    violated(
      requirement,
      {
        message: `${operationTitle(question.operation)} answers a request ${change} with ${status}.`,
        expected: exactly === undefined ? "a refusal: a 4xx status" : `status ${exactly}`,
        actual: `status ${messageOf(exchange)}`,
      },
      exchange,
      undefined,
      (other) => !isRight(other),
    );
    return false;
  };

  return {
    target: run.target,
    settings,
    generators: run.generators,
    run,
    knowledge,
    seed: seedFor(settings.seed, scenario.name),
    ask,
    succeed,
    refused,
    violationsOf: sender.violationsOf,
    shrunk: (exchange, story) => {
      for (const { requirement, violation } of sender.violationsOf(exchange)) {
        if (violation === undefined) continue;
        const actual = story === undefined ? violation.actual : `${violation.actual}, after: ${story}`;
        recorder.violated(requirement, origin, { ...violation, actual, exchange, smallest: true });
      }
    },
    holds: recorder.holds,
    violated,
    inconclusive: recorder.inconclusive,
    observe: recorder.observe,
  };
};

/** Whether a request names something that was made a moment ago. */
const refersToCreated = ({ operation }: RequestSpec): boolean =>
  operation === "createOperation" || operation === "addAcamItem";

const hintFor = (operation: OperationName): string => hints[operation];

const hints: Readonly<Record<OperationName, string>> = {
  createToken: "Check the API key (--api-key).",
  createCounterparty:
    "Check --customer-id, and whether this server accepts the counterparties that the suite makes up.",
  createOperation: "Check --currency-pairs, --amount and whether the purpose EFX is open to this client.",
  addAcamItem: "Check whether this client may add ACAM items to operations with the purpose EFX.",
  createBatch: "Check --currency-pairs, and whether this client may create batches.",
  listBatches: "Check whether this client may list batches.",
};

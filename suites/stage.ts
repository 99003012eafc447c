import type { Generators } from "../generators/index.ts";
import type { Judgement, Violated } from "../harness/checks/check.ts";
import { isRefusal, isSuccess, messageOf, type Ask, type Exchange } from "../harness/exchange.ts";
import type { Asker } from "../harness/ledger.ts";
import type { Scenario } from "../harness/scenario.ts";
import { seedFor } from "../harness/seed.ts";
import type { Manner, Target } from "../harness/target.ts";
import { Inconclusive } from "../harness/verdicts.ts";
import { pause } from "../harness/waiting.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import { operationTitle, type OperationName } from "../spec/operations.ts";
import type { QuestionId } from "../spec/questions.ts";
import type { Common } from "./common.ts";
import { refusalOfItsOwn, type StatedRefusal } from "./refusal.ts";
import type { World } from "./world.ts";

/** What a scenario works with: the target, questions to it, and a place for what they show. */
export interface Stage {
  readonly target: Target;
  readonly manner: Manner;
  readonly generators: Generators;
  readonly world: World;
  /** What scenarios have found out and share. */
  readonly common: Common;
  /** A seed of this scenario's own, the same in every run with the same `--seed`. */
  readonly seed: number;
  /** Asks and returns the answer, whatever it is. Throws Inconclusive where none comes. */
  readonly ask: (ask: Ask) => Promise<Exchange>;
  /**
   * Asks a valid request and returns its success. Where it is refused it is asked again within the grace period, as
   * something just created may need a moment; then throws Inconclusive with the server's words.
   */
  readonly succeed: (ask: Ask, hint?: string) => Promise<Exchange>;
  /** Asks what must be refused: with a 4xx, or with the status that is stated. True where it was. */
  readonly refused: (requirement: RequirementId, ask: Ask, stated?: StatedRefusal) => Promise<boolean>;
  /** What the standing checks found wrong with an answer. */
  readonly violationsOf: (exchange: Exchange) => readonly Judgement[];
  /** Puts the least example in the place of the finding that led to it; `story` says what came before it. */
  readonly shrunk: (exchange: Exchange, story?: string) => void;
  readonly holds: (requirement: RequirementId) => void;
  /** `again` tells whether another answer to the same request shows the fault too. */
  readonly violated: (
    requirement: RequirementId,
    violation: Violated,
    exchange?: Exchange,
    repeated?: string,
    again?: (exchange: Exchange) => boolean,
  ) => void;
  readonly inconclusive: (requirement: RequirementId, reason: string, cutShort?: boolean) => void;
  readonly observe: (question: QuestionId, value: string) => void;
}

export const createStage = (world: World, common: Common, scenario: Scenario<Stage>): Stage => {
  const { conversation, ledger, manner, signal } = world;
  const asker: Asker = { name: scenario.name, requirements: scenario.requirements };
  const ask = (question: Ask): Promise<Exchange> => conversation.ask(question, asker);

  const violated: Stage["violated"] = (requirement, violation, exchange, repeated, again) =>
    ledger.violated(requirement, asker, {
      ...violation,
      ...(again === undefined ? {} : { again }),
      ...(exchange === undefined ? {} : { exchange }),
      ...(repeated === undefined ? {} : { repeated }),
    });

  const succeed: Stage["succeed"] = async (question, hint = hintFor(question.operation)) => {
    const started = performance.now();
    const until = started + manner.grace;
    // As long as this target was seen to need, rather than to ask it again and again.
    const first = Math.max(100, Math.min(common.lag.longest, manner.grace / 2));
    for (let wait = first; ; wait = Math.min(wait * 2, 1000)) {
      const exchange = await ask(question);
      if (isSuccess(exchange)) {
        common.accepted.add(question.operation);
        if (wait > first) common.lag.longest = Math.max(common.lag.longest, performance.now() - started);
        return exchange;
      }
      const waitable =
        isRefusal(exchange) && refersToCreated(question) && !common.refusedForGood.has(question.operation);
      if (!waitable || performance.now() + wait > until || signal.aborted) {
        if (waitable && !common.accepted.has(question.operation)) common.refusedForGood.add(question.operation);
        throw new Inconclusive(
          `${operationTitle(question.operation)} answered a valid request with ${messageOf(exchange)}. ${hint}`,
        );
      }
      await pause(wait, signal);
    }
  };

  const refused: Stage["refused"] = async (requirement, question, stated) => {
    const exactly = stated?.status;
    const isRight = (answer: Exchange): boolean =>
      exactly === undefined ? isRefusal(answer) : answer.answer.status === exactly;
    let exchange = await ask(question);
    // A crash now and then is blamed as a crash; it says something of this rule only where it comes again.
    if (exchange.answer.status >= 500) exchange = await ask(question);
    if (stated !== undefined && isRefusal(exchange) && !isRight(exchange)) {
      const own = await refusalOfItsOwn(
        {
          ask,
          askAlone: (other) => conversation.askAlone(other, asker),
          grace: manner.grace,
          common,
          signal,
          waits: conversation.waits,
        },
        question,
        exchange,
        stated,
      );
      if (own === undefined) {
        const reason = `the server refuses a valid request in the same way (${messageOf(exchange)}), so its status says nothing of this one. ${hintFor(question.operation)}`;
        ledger.inconclusive(requirement, reason);
        return false;
      }
      exchange = own;
    }
    const { status } = exchange.answer;
    if (isRight(exchange)) {
      ledger.holds(requirement);
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
    target: world.target,
    manner,
    generators: world.generators,
    world,
    common,
    seed: seedFor(manner.seed, scenario.name),
    ask,
    succeed,
    refused,
    violationsOf: conversation.violationsOf,
    shrunk: (exchange, story) => {
      for (const { requirement, violation } of conversation.violationsOf(exchange)) {
        if (violation === undefined) continue;
        const actual = story === undefined ? violation.actual : `${violation.actual}, after: ${story}`;
        ledger.violated(requirement, asker, { ...violation, actual, exchange, smallest: true });
      }
    },
    holds: ledger.holds,
    violated,
    inconclusive: ledger.inconclusive,
    observe: ledger.observe,
  };
};

/** Whether a request names something that was made a moment ago. */
const refersToCreated = ({ operation }: Ask): boolean => operation === "createOperation" || operation === "addAcamItem";

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

import { isRefusal, wordsOf, type Exchange } from "../../model/exchange.ts";
import type { QuestionId } from "../../spec/questions.ts";

/** The answer to an open question, and the exchange that shows it. */
interface Probe {
  readonly question: QuestionId;
  readonly inCase: string;
  readonly answer: string;
  /** Operation, status and words of a refusal; absent if the probe was not refused. */
  readonly refusal?: string;
}

/**
 * Answers to open questions, kept until the end of the run. A refusal with the same message as a refusal of valid
 * requests (a quota, a firewall, a limit on batches) is not an answer: how often it occurs depends on the run.
 */
export interface Probes {
  /** Takes note of each exchange of a valid request. */
  readonly learn: (exchange: Exchange) => void;
  readonly add: (question: QuestionId, inCase: string, exchange: Exchange, answer: string) => void;
  /** The answers that remain at the end. */
  readonly answers: () => readonly Pick<Probe, "question" | "inCase" | "answer">[];
}

export const createProbes = (): Probes => {
  const probes: Probe[] = [];
  const refusalsOfValid = new Set<string>();
  const refusalOf = (exchange: Exchange): string => `${exchange.operation} ${wordsOf(exchange)}`;
  return {
    learn: (exchange) => {
      if (exchange.intent.kind === "valid" && isRefusal(exchange)) refusalsOfValid.add(refusalOf(exchange));
    },
    add: (question, inCase, exchange, answer) =>
      void probes.push({
        question,
        inCase,
        answer,
        ...(isRefusal(exchange) ? { refusal: refusalOf(exchange) } : {}),
      }),
    answers: () => probes.filter(({ refusal }) => refusal === undefined || !refusalsOfValid.has(refusal)),
  };
};

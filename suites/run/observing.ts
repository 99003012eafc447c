import { endpoints } from "../../spec/endpoints.ts";
import type { AnsweredQuestion } from "../../harness/judging/observations.ts";
import { defined } from "../../model/defined.ts";
import { isPage, isRefusal, isSuccess, wordsOf, type Exchange } from "../../model/exchange.ts";
import type { Observes, RequestSpec } from "../../model/request.ts";
import type { QuestionId } from "../../spec/questions.ts";

export function observing(
  spec: RequestSpec,
  question: QuestionId,
  inCase: string,
  by?: Observes["by"],
): RequestSpec {
  return {
    ...spec,
    observes: [...(spec.observes ?? []), { question, case: inCase, ...defined({ by }) }],
  };
}

export function observingStatus(spec: RequestSpec, inCase: string): RequestSpec {
  const question = endpoints[spec.operation].refusalQuestion;
  return question === undefined ? spec : observing(spec, question, inCase, "status");
}

/** What a server did with a request, in words that are the same for the same behaviour. */
export function answerOf(exchange: Exchange): string {
  const { status } = exchange.response;
  if (isPage(exchange)) return `answered with ${status} and a page`;
  if (isSuccess(exchange)) return "accepted";
  if (status >= 500) return `crashed with ${status}`;
  return status >= 400 ? `refused with ${status}` : `answered with ${status}`;
}

export type Probes = ReturnType<typeof createProbes>;

/**
 * Collects the answers to open questions. A refusal is no answer if valid requests to the same
 * operation get the same refusal, for example from a quota or a firewall.
 */
export function createProbes() {
  const probes: (AnsweredQuestion & { readonly refusal: string | undefined })[] = [];
  const refusalsOfValid = new Set<string>();
  const refusalOf = (exchange: Exchange): string | undefined =>
    isRefusal(exchange) ? `${exchange.operation} ${wordsOf(exchange)}` : undefined;
  const add = (
    question: QuestionId,
    inCase: string,
    exchange: Exchange,
    answer = answerOf(exchange),
  ): void => void probes.push({ question, case: inCase, answer, refusal: refusalOf(exchange) });
  return {
    learn: (exchange: Exchange): void => {
      const refusal = exchange.intent.kind === "valid" ? refusalOf(exchange) : undefined;
      if (refusal !== undefined) refusalsOfValid.add(refusal);
    },
    add,
    addObserved: ({ observes = [] }: RequestSpec, exchange: Exchange): void => {
      for (const { question, case: inCase, by } of observes)
        if (by === undefined) add(question, inCase, exchange);
        else if (isRefusal(exchange))
          add(question, inCase, exchange, String(exchange.response.status));
    },
    answers: (): readonly AnsweredQuestion[] =>
      probes.filter(({ refusal }) => refusal === undefined || !refusalsOfValid.has(refusal)),
  };
}

import { isRefusal, isSuccess, type Exchange, type Observes, type RequestSpec } from "../../model/exchange.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { QuestionId } from "../../spec/questions.ts";

/** The request, and an open question that the response to it answers. */
export const observing = (
  spec: RequestSpec,
  question: QuestionId | undefined,
  inCase: string,
  more: Pick<Observes, "by"> = {},
): RequestSpec =>
  question === undefined
    ? spec
    : { ...spec, observes: [...(spec.observes ?? []), { question, case: inCase, ...more }] };

/** Questions about the status of a refusal. */
const refusalQuestions: Readonly<Partial<Record<OperationName, QuestionId>>> = {
  createToken: "OPEN-07",
  createCounterparty: "OPEN-09",
  addAcamItem: "OPEN-11",
  createBatch: "OPEN-13",
};

/** The request, whose refusal shows the status of refusals of this kind. */
export const observingStatus = (spec: RequestSpec, inCase: string): RequestSpec =>
  observing(spec, refusalQuestions[spec.operation], inCase, { by: "status" });

/** What a server did with a request: equal behaviour gives equal words. */
export const answerOf = (exchange: Exchange): string => {
  const { status } = exchange.response;
  if (isSuccess(exchange)) return "accepted";
  if (status >= 500) return `crashed with ${status}`;
  return status >= 400 ? `refused with ${status}` : `answered with ${status}`;
};

/** The answer of a response to a question; undefined if it has none. */
export const answerTo = ({ by }: Observes, exchange: Exchange): string | undefined =>
  by === undefined ? answerOf(exchange) : isRefusal(exchange) ? String(exchange.response.status) : undefined;

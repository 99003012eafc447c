import type { RequirementId } from "../../spec/catalogue.ts";
import { intentText, type Exchange, type Fields, type Origin } from "../../model/exchange.ts";
import type { RecordedExchange } from "../../model/run.ts";

/** An exchange as it is kept; `started` is the time of the run's start in milliseconds since the epoch. */
export const recordedExchange = (
  exchange: Exchange,
  origin: Origin,
  violates: readonly RequirementId[],
  redact: (text: string) => string,
  started: number,
): RecordedExchange => {
  const { request, response } = exchange;
  const serverIds = response.headers
    .filter(([name]) => serverId.test(name))
    .map(([name, value]) => `${name}: ${redact(value).slice(0, bounds.answer)}`);
  return {
    id: exchange.id,
    operation: exchange.operation,
    scenario: origin.name,
    violates,
    intent: redact(intentText(exchange.intent)),
    startedAt: new Date(started + exchange.at).toISOString(),
    at: Math.round(exchange.at),
    waited: tenths(response.waited),
    took: tenths(response.took),
    request: {
      method: request.method,
      url: cutTo(redact(request.url), bounds.header),
      headers: fieldsKept(request.headers, redact),
      bodyBytes: request.body?.length ?? 0,
      ...(request.body === undefined ? {} : { body: bodyKept(request.body, redact) }),
    },
    response: {
      status: response.status,
      statusText: redact(response.statusText).slice(0, bounds.answer),
      headers: fieldsKept(response.headers, redact),
      body: bodyKept(response.body, redact),
      bodyBytes: response.body.length,
    },
    ...(serverIds.length === 0 ? {} : { serverIds }),
  };
};

/** Headers by which an implementer finds a request in a log. */
const serverId = /^(x-)?(request|correlation|trace|amzn-trace|amzn-request)-?id$|^traceparent$|^cf-ray$/i;

/** Milliseconds with one decimal place. */
export const tenths = (ms: number): number => Math.round(ms * 10) / 10;

const fieldsKept = (fields: Fields, redact: (text: string) => string): Fields =>
  fields
    .slice(0, bounds.headers)
    .map(([name, value]) => [redact(name).slice(0, bounds.answer), redact(value).slice(0, bounds.header)] as const);

/** Redacts more text than is kept, so that no secret is cut in two before redaction. */
const bodyKept = (body: Uint8Array, redact: (text: string) => string): string =>
  cutTo(redact(new TextDecoder().decode(body.subarray(0, bounds.body * 8))), bounds.body);

/** The most that is kept of what the target sends, so that no target can make a report grow without bound. */
export const bounds = {
  /**
   * Findings of a requirement, and those of one cause: findings of other causes need room too. The first one of each
   * operation and cause is kept beyond that, up to as many again for each operation.
   */
  findings: 16,
  findingsOfCause: 4,
  /** Exchanges for each requirement that they show broken, besides the first one of each operation and cause. */
  exchanges: 4,
  /** Exchanges without a finding, for each operation, kind of intent and class of status. */
  samples: 3,
  text: 600,
  answer: 200,
  id: 300,
  body: 16_384,
  header: 2048,
  headers: 60,
} as const;

export const cutTo = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

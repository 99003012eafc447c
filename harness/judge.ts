import { setImmediate } from "node:timers/promises";
import { operationTitle, type OperationName } from "../spec/operations.ts";
import {
  isOtherMethod,
  isSuccess,
  jsonOf,
  memberOf,
  type Exchange,
  type Origin,
  type RequestSpec,
} from "../model/exchange.ts";
import type { Judgement } from "../model/finding.ts";
import { isUsableToken, longestToken } from "../model/token.ts";
import type { Knowledge } from "./judging/checks/check.ts";
import { createdBy } from "./judging/checks/identity.ts";
import { exemptionOf } from "./judging/exemption.ts";
import { judgeExchange } from "./judging/judge-exchange.ts";
import { standingObservations } from "./judging/standing-observations.ts";
import type { Recorder } from "./recording/recorder.ts";
import type { Redaction } from "./recording/redaction.ts";
import type { Session } from "./session/session.ts";
import type { Delivered, Send } from "./transport/send.ts";

/** Turns responses into exchanges, which the standing checks judge and the recorder records. */
export interface Judge {
  readonly judged: (next: Send<Delivered>) => Send<Exchange>;
  /** The request spec that led to an exchange. */
  readonly specOf: (exchange: Exchange) => RequestSpec | undefined;
  /** What the standing checks found wrong with an exchange. */
  readonly violationsOf: (exchange: Exchange) => readonly Judgement[];
}

interface JudgeParts {
  readonly recorder: Recorder;
  readonly redaction: Redaction;
  readonly knowledge: Knowledge;
  readonly session: Session;
}

export const createJudge = ({ recorder, redaction, knowledge, session }: JudgeParts): Judge => {
  const known = new WeakMap<Exchange, { readonly spec: RequestSpec; readonly violations: readonly Judgement[] }>();
  const unread = new Set<OperationName>();
  let exchanges = 0;

  /** Makes an issued token a secret, and the current token if it is usable. */
  const takeToken = (exchange: Exchange): void => {
    const token = exchange.operation === "createToken" ? memberOf(exchange.json, "token") : undefined;
    if (typeof token === "string") redaction.add(token, "token");
    if (isSuccess(exchange) && isUsableToken(token) && token.length <= longestToken) session.adopt(token);
  };

  /** A body above the size limit is not a violation. Warns about it once for each operation. */
  const warnOfUnread = ({ operation, response }: Exchange): void => {
    if (response.defect?.kind !== "too large" || unread.has(operation)) return;
    unread.add(operation);
    const text = `${operationTitle(operation)}: ${response.defect.text}, and was not judged. Raise --max-body.`;
    recorder.emit({ type: "warning", text });
  };

  const judge = (spec: RequestSpec, origin: Origin, delivered: Delivered): Exchange => {
    const exchange = exchangeOf(++exchanges, spec, origin, delivered);
    takeToken(exchange);
    const judgements = judgeExchange(exchange, knowledge);
    known.set(exchange, { spec, violations: judgements.filter(({ violation }) => violation !== undefined) });
    recorder.record(exchange, origin, judgements);
    recordOutcome(exchange, recorder);
    warnOfUnread(exchange);
    for (const { question, case: inCase, answer } of standingObservations(exchange)) {
      recorder.observe(question, inCase, answer);
    }
    return exchange;
  };

  return {
    judged: (next) => async (spec, origin) => {
      const delivered = await next(spec, origin);
      // Let waiting requests go out before this response is judged.
      await setImmediate();
      return judge(spec, origin, delivered);
    },
    specOf: (exchange) => known.get(exchange)?.spec,
    violationsOf: (exchange) => known.get(exchange)?.violations ?? [],
  };
};

const exchangeOf = (id: number, spec: RequestSpec, origin: Origin, delivered: Delivered): Exchange => {
  const { operation, intent } = spec;
  const { sent: request, response, at } = delivered;
  const exemptBy = spec.exemptBy ?? exemptionOf({ operation, request, response });
  return { id, operation, intent, scenario: origin.name, request, response, at, json: jsonOf(response), exemptBy };
};

/** Records that an operation succeeded, and what it created. */
const recordOutcome = (exchange: Exchange, recorder: Recorder): void => {
  if (!isSuccess(exchange)) return;
  const isRead = exchange.response.defect?.kind !== "too large";
  if (exchange.intent.kind === "valid" && isRead) recorder.emit({ type: "succeeded", operation: exchange.operation });
  const made = createdBy(exchange);
  if (made !== undefined) recorder.emit({ type: "created", kind: made.kind, id: made.id });
  if (exchange.operation === "addAcamItem" && !isOtherMethod(exchange)) {
    recorder.emit({
      type: "created",
      kind: "acam item",
      id: decodeURIComponent(new URL(exchange.request.url).pathname.split("/").at(-2) ?? ""),
    });
  }
};

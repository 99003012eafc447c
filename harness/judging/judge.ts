import { operationTitle, type OperationName } from "../../spec/operations.ts";
import { checks } from "./checks/index.ts";
import type { Judgement, Knowledge } from "./checks/check.ts";
import { createdBy } from "./checks/identity.ts";
import type { Delivered, DeliveryParts } from "../transport/delivery.ts";
import { isSuccess, jsonOf, memberOf, type RequestSpec, type Exchange } from "../../model/exchange.ts";
import type { Origin, Recorder } from "../recording/recorder.ts";
import { standingObservations } from "./standing-observations.ts";
import { isUsableToken, longestToken, type Session } from "../session/session.ts";

/** Makes exchanges of what was delivered: judged by the standing checks, and entered into the recorder. */
export interface Judge {
  readonly settle: (ask: RequestSpec, origin: Origin, delivered: Delivered) => Exchange;
  /** The question that led to a response. */
  readonly specOf: (exchange: Exchange) => RequestSpec | undefined;
  /** What the standing checks found wrong with a response. */
  readonly violationsOf: (exchange: Exchange) => readonly Judgement[];
}

type JudgeParts = Pick<DeliveryParts, "recorder" | "redaction"> & {
  readonly knowledge: Knowledge;
  readonly session: Session;
};

export const createJudge = ({ recorder, redaction, knowledge, session }: JudgeParts): Judge => {
  const violations = new WeakMap<Exchange, readonly Judgement[]>();
  const asks = new WeakMap<Exchange, RequestSpec>();
  let exchanges = 0;

  const unread = new Set<OperationName>();
  /** What is longer than we read is no fault, and must not go unnoticed. */
  const warnOfUnread = ({ operation, response }: Exchange): void => {
    if (response.defect?.kind !== "too large" || unread.has(operation)) return;
    unread.add(operation);
    const text = `${operationTitle(operation)}: ${response.defect.text}, and was not judged. Raise --max-body.`;
    recorder.tell({ type: "warning", text });
  };

  const settle: Judge["settle"] = (ask, origin, delivered) => {
    const exchange: Exchange = {
      id: ++exchanges,
      operation: ask.operation,
      intent: ask.intent,
      scenario: origin.name,
      request: delivered.sent,
      response: delivered.response,
      at: delivered.at,
      json: jsonOf(delivered.response),
      offContract: ask.method !== undefined,
    };
    const token = ask.operation === "createToken" ? memberOf(exchange.json, "token") : undefined;
    if (typeof token === "string") redaction.add(token, "token");
    if (isSuccess(exchange) && isUsableToken(token) && token.length <= longestToken) session.adopt(token);
    const judgements = dedupe(checks.flatMap((check) => check.judge(exchange, knowledge)));
    const made = createdBy(exchange);
    if (made !== undefined && exchange.intent.kind === "invalid") knowledge.identities.taint(made.kind, made.id);
    else if (made !== undefined) knowledge.identities.remember(made.kind, made.id, made.data);
    violations.set(
      exchange,
      judgements.filter(({ violation }) => violation !== undefined),
    );
    asks.set(exchange, ask);
    recorder.holds("HTTP-05", exchange);
    recorder.record(exchange, origin, judgements);
    tellOutcome(exchange, recorder);
    warnOfUnread(exchange);
    for (const { question, case: inCase, answer } of standingObservations(exchange)) {
      recorder.observe(question, inCase, answer);
    }
    return exchange;
  };

  return {
    settle,
    specOf: (exchange) => asks.get(exchange),
    violationsOf: (exchange) => violations.get(exchange) ?? [],
  };
};

const tellOutcome = (exchange: Exchange, recorder: Recorder): void => {
  if (!isSuccess(exchange)) return;
  const isRead = exchange.response.defect?.kind !== "too large";
  if (exchange.intent.kind === "valid" && isRead) recorder.tell({ type: "succeeded", operation: exchange.operation });
  const made = createdBy(exchange);
  if (made !== undefined) recorder.tell({ type: "created", kind: made.kind, id: made.id });
  if (exchange.operation === "addAcamItem" && !exchange.offContract) {
    recorder.tell({
      type: "created",
      kind: "acam item",
      id: decodeURIComponent(new URL(exchange.request.url).pathname.split("/").at(-2) ?? ""),
    });
  }
};

/** One accusation a requirement and place, whichever check made it first. */
const dedupe = (judgements: readonly Judgement[]): readonly Judgement[] => {
  const accused = new Set(
    judgements.filter(({ violation }) => violation !== undefined).map(({ requirement }) => requirement),
  );
  const seen = new Set<string>();
  return judgements.filter(({ requirement, violation }) => {
    const key = violation === undefined ? requirement : `${requirement} ${violation.pointer ?? ""}`;
    if (seen.has(key) || (violation === undefined && accused.has(requirement))) return false;
    seen.add(key);
    return true;
  });
};

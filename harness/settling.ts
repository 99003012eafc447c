import { operationTitle, type OperationName } from "../spec/operations.ts";
import { checks } from "./checks/index.ts";
import type { Judgement, Knowledge } from "./checks/check.ts";
import { createdBy } from "./checks/identity.ts";
import type { Delivered, DeliveryParts } from "./delivery.ts";
import { isSuccess, jsonOf, memberOf, type Ask, type Exchange } from "./exchange.ts";
import type { Asker, Ledger } from "./ledger.ts";
import { standingObservations } from "./observations.ts";
import { isUsableToken, longestToken, type Session } from "./session.ts";

/** Makes exchanges of what was delivered: judged by the standing checks, and entered into the ledger. */
export interface Settling {
  readonly settle: (ask: Ask, asker: Asker, delivered: Delivered) => Exchange;
  /** The question that led to an answer. */
  readonly askOf: (exchange: Exchange) => Ask | undefined;
  /** What the standing checks found wrong with an answer. */
  readonly violationsOf: (exchange: Exchange) => readonly Judgement[];
}

type SettlingParts = Pick<DeliveryParts, "ledger" | "redaction"> & {
  readonly knowledge: Knowledge;
  readonly session: Session;
};

export const createSettling = ({ ledger, redaction, knowledge, session }: SettlingParts): Settling => {
  const violations = new WeakMap<Exchange, readonly Judgement[]>();
  const asks = new WeakMap<Exchange, Ask>();
  let exchanges = 0;

  const unread = new Set<OperationName>();
  /** What is longer than we read is no fault, and must not go unnoticed. */
  const warnOfUnread = ({ operation, answer }: Exchange): void => {
    if (answer.defect?.kind !== "too large" || unread.has(operation)) return;
    unread.add(operation);
    const text = `${operationTitle(operation)}: ${answer.defect.text}, and was not judged. Raise --max-body.`;
    ledger.tell({ type: "warning", text });
  };

  const settle: Settling["settle"] = (ask, asker, delivered) => {
    const exchange: Exchange = {
      id: ++exchanges,
      operation: ask.operation,
      intent: ask.intent,
      scenario: asker.name,
      request: delivered.sent,
      answer: delivered.answer,
      at: delivered.at,
      json: jsonOf(delivered.answer),
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
    ledger.holds("HTTP-05");
    ledger.record(exchange, asker, judgements);
    tellOutcome(exchange, ledger);
    warnOfUnread(exchange);
    for (const { question, value } of standingObservations(exchange)) ledger.observe(question, value);
    return exchange;
  };

  return {
    settle,
    askOf: (exchange) => asks.get(exchange),
    violationsOf: (exchange) => violations.get(exchange) ?? [],
  };
};

const tellOutcome = (exchange: Exchange, ledger: Ledger): void => {
  if (!isSuccess(exchange)) return;
  const isRead = exchange.answer.defect?.kind !== "too large";
  if (exchange.intent.kind === "valid" && isRead) ledger.tell({ type: "succeeded", operation: exchange.operation });
  const made = createdBy(exchange);
  if (made !== undefined) ledger.tell({ type: "created", kind: made.kind, id: made.id });
  if (exchange.operation === "addAcamItem" && !exchange.offContract) {
    ledger.tell({
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

import { requirementOf } from "../spec/catalogue.ts";
import { operationTitle, type OperationName } from "../spec/operations.ts";
import { checks } from "./checks/index.ts";
import type { Judgement, Knowledge } from "./checks/check.ts";
import { createdBy } from "./checks/identity.ts";
import { pairKey } from "./checks/listed.ts";
import { createDelivery, type Delivery, type Delivered, type DeliveryParts } from "./delivery.ts";
import { isRefusal, isSuccess, jsonOf, memberOf, messageOf, valid, type Ask, type Exchange } from "./exchange.ts";
import type { Asker, Ledger } from "./ledger.ts";
import { standingObservations } from "./observations.ts";
import { createSession, isUsableToken, longestToken, tokenAsks, type Session } from "./session.ts";
import { Inconclusive } from "./verdicts.ts";
import { isThrottling, longestWait, longestWaits, pause, waitOf } from "./waiting.ts";
import { presentsItsOwn, usesSession } from "./wire.ts";

/** Asks the target, with all the patience that the rulings grant it, and judges each answer by the standing checks. */
export interface Conversation {
  /** The answer that counts. Throws Inconclusive where none is to be had. */
  readonly ask: (ask: Ask, asker: Asker) => Promise<Exchange>;
  /** The question that led to an answer. */
  readonly askOf: (exchange: Exchange) => Ask | undefined;
  /** What the standing checks found wrong with an answer. */
  readonly violationsOf: (exchange: Exchange) => readonly Judgement[];
  readonly session: Session;
  readonly delivery: Delivery;
}

export interface ConversationParts extends DeliveryParts {
  readonly knowledge: Knowledge;
}

/** Waits before a gateway's 502, 503 or 504 is asked again, in milliseconds (ruling 4). */
const gatewayWaits = [200, 800, 1600];

/** Waits where what worked before is refused, before it is asked again, in milliseconds. */
const blockWaits = [1000, 2000, 4000];

/** Controls that were accepted, after which 403 is taken for this server's word on a request. */
const mostControls = 3;

/** Bytes of a list that is asked for again and again. */
const longestControl = 100_000;

/** The control for 403: it changes nothing. */
const listAsk: Ask = { operation: "listBatches", intent: valid };

/** Sendings of one request among others, on account of tokens that those made obsolete. */
const mostAttempts = 3;

/** Conflicts that stay when asked again alone, after which 409 is taken for this server's word on what it refuses. */
const mostConflicts = 3;

const ourselves: Asker = { name: "session", requirements: ["AUTH-01"] };

export const createConversation = (parts: ConversationParts): Conversation => {
  const { ledger, pace, redaction, knowledge, signal } = parts;
  const violations = new WeakMap<Exchange, readonly Judgement[]>();
  const asks = new WeakMap<Exchange, Ask>();
  let exchanges = 0;
  /** How this server was seen to issue tokens. */
  let tokenAsk: Ask | undefined;
  let keyWorked = false;
  /** Bytes of the list when it was last given. */
  let listLength: number | undefined;

  const unread = new Set<OperationName>();
  /** What is longer than we read is no fault, and must not go unnoticed. */
  const warnOfUnread = ({ operation, answer }: Exchange): void => {
    if (answer.defect?.kind !== "too large" || unread.has(operation)) return;
    unread.add(operation);
    const text = `${operationTitle(operation)}: ${answer.defect.text}, and was not judged. Raise --max-body.`;
    ledger.tell({ type: "warning", text });
  };

  const session = createSession(async () => reissue());
  const delivery = createDelivery(parts, session);

  /** A key that has worked is right: what refuses it now may pass, as a firewall's block does. */
  const reissue = async (): ReturnType<typeof issueToken> => {
    let issued = await issueToken();
    for (const wait of keyWorked ? blockWaits : []) {
      if ("token" in issued || signal.aborted) break;
      ledger.tell({ type: "waiting", text: `no token for a key that has worked, waiting ${wait / 1000} s` });
      await pause(wait, signal);
      issued = await issueToken();
    }
    return issued;
  };

  const issueToken = async (): Promise<{ token: string } | { reason: string }> => {
    let reason = "";
    for (const ask of [...new Set([...(tokenAsk === undefined ? [] : [tokenAsk]), ...tokenAsks])]) {
      const exchange = await patiently(ask, ourselves);
      const token = memberOf(exchange.json, "token");
      if (isSuccess(exchange) && isUsableToken(token)) {
        if (token.length > longestToken)
          return { reason: `POST /auth/token gave a token of ${token.length} characters, which no header can carry` };
        tokenAsk = ask;
        return { token };
      }
      if (reason === "")
        reason = `POST /auth/token gave no usable token: ${messageOf(exchange)}. Is the API key right?`;
      if (!isRefusal(exchange)) break;
    }
    return { reason };
  };

  const settle = (ask: Ask, asker: Asker, delivered: Delivered): Exchange => {
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
    if (isSuccess(exchange) && isUsableToken(token) && token.length <= longestToken) {
      session.adopt(token);
      keyWorked ||= exchange.intent.kind === "valid";
    }
    if (isSuccess(exchange) && ask.operation === "listBatches") listLength = exchange.answer.body.length;
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

  /** Bad credentials that were put off for longer than one waits. */
  const lockedOut = new Set<"keys" | "tokens">();

  /**
   * Servers put off who presents bad credentials, and nobody else: this question waits, and in vain but once. Throws
   * Inconclusive where it has waited long enough (ruling 13).
   */
  const lockOut = async (ask: Ask, status: number, wait: number, waited: number): Promise<void> => {
    const kind = ask.operation === "createToken" ? "keys" : "tokens";
    if (lockedOut.has(kind) || wait > longestWait || waited + wait > longestWaits) {
      lockedOut.add(kind);
      throw new Inconclusive(
        `${operationTitle(ask.operation)} puts bad ${kind} off with ${status}. Raise the server's limit of failed attempts for this client.`,
      );
    }
    ledger.tell({ type: "waiting", text: `${status} for bad ${kind}, waiting ${Math.ceil(wait / 1000)} s` });
    await pause(Math.max(wait, 200), signal);
    if (signal.aborted) throw new Inconclusive("the run was stopped before this was answered");
  };

  const conflicts = { stayed: 0, gone: 0 };

  /** A conflict may be one with another request under way (RFC 9110, 15.5.10): asked again while there is none. */
  const undisturbed = async (ask: Ask, delivered: Delivered): Promise<Delivered> => {
    if (delivered.answer.status !== 409 || (conflicts.gone === 0 && conflicts.stayed >= mostConflicts))
      return delivered;
    const again = await pace.alone(() => delivery.direct(ask));
    if (again.answer.status === 409) conflicts.stayed += 1;
    else {
      conflicts.gone += 1;
      ledger.observe("OPEN-27", "409 while another request was in flight");
    }
    return again;
  };

  /** One ask until something other than a request for patience comes back. */
  const patiently = async (ask: Ask, asker: Asker): Promise<Exchange> => {
    let waited = 0;
    for (let gateway = 0; ;) {
      const delivered = await undisturbed(ask, await delivery.deliver(ask, asker));
      const { answer } = delivered;
      if (isThrottling(answer)) {
        ledger.observe(
          "OPEN-27",
          `${answer.status} ${answer.headers.some(([n]) => n.toLowerCase() === "retry-after") ? "with" : "without"} Retry-After`,
        );
        const wait = waitOf(answer, Date.now());
        if (presentsItsOwn(ask)) {
          await lockOut(ask, answer.status, wait, waited);
          waited += Math.max(wait, 200);
          continue;
        }
        const long = wait > longestWait || waited + wait > longestWaits || pace.throttledFor() > longestWaits;
        if (pace.throttledFor() > longestWaits) pace.throttled(wait);
        if (long) throw new Inconclusive(tooLong(ask, answer.status, wait));
        waited += Math.max(wait, 200);
        ledger.tell({ type: "waiting", text: `${answer.status} from the target, waiting ${Math.ceil(wait / 1000)} s` });
        pace.throttled(wait);
        continue;
      }
      pace.answered();
      const wait = gatewayWaits[gateway];
      if ([502, 503, 504].includes(answer.status) && wait !== undefined && !delivery.hopeless(ask.operation)) {
        gateway += 1;
        await pause(wait, signal);
        continue;
      }
      if ([502, 503, 504].includes(answer.status)) delivery.gaveUp(ask.operation);
      return settle(ask, asker, delivered);
    }
  };

  /** With the session's token, and with another where this one may have lapsed or been revoked (rulings 14 and 16). */
  const signed = async (ask: Ask, asker: Asker): Promise<Exchange> => {
    await session.token();
    let renewed = false;
    for (let attempts = 1; ; attempts += 1) {
      const exchange = await patiently(ask, asker);
      const used = tokenOf(exchange);
      const { status } = exchange.answer;
      if (isSuccess(exchange)) {
        session.proved(used, exchange.at);
        if (ask.intent.kind === "valid") ledger.holds("AUTH-04");
        return exchange;
      }
      if (status !== 401 && status !== 403) return exchange;
      if (session.current() !== used && attempts < mostAttempts) continue;
      // A token that has just been accepted elsewhere explains no 403; 401 speaks of the token (ruling 14).
      const isProved = session.provedSince(used, exchange.at);
      const isOfTheRequest = ask.intent.kind !== "valid" || status === 403;
      if (isOfTheRequest && (isProved || (await isAlive(used, ask)))) return exchange;
      if (renewed || attempts >= mostAttempts) return examineToken(ask, asker);
      renewed = true;
      ledger.observe("OPEN-19", `a token was refused with ${status}, and another was asked for`);
      await session.renew(used);
    }
  };

  /** Whether the list takes the token, which costs less than another; not where the list is long. */
  const isAlive = async (token: string, { operation }: Ask): Promise<boolean> => {
    if (listLength === undefined || listLength > longestControl || operation === "listBatches") return false;
    const control = await patiently(listAsk, ourselves);
    if (!isSuccess(control) || tokenOf(control) !== token) return false;
    session.proved(token, control.at);
    return true;
  };

  /**
   * With a token of its own while nothing else is in flight, since others may use a token up or revoke it. A token
   * that was just issued and is refused twice is no token (ruling 14).
   */
  const examineToken = (ask: Ask, asker: Asker): Promise<Exchange> =>
    pace.alone(async () => {
      const waits = [...blockWaits];
      for (let refusals = 0; ;) {
        const issue = tokenAsk ?? tokenAsks[0];
        const issued = issue === undefined ? undefined : settle(issue, ourselves, await delivery.direct(issue));
        const delivered = await delivery.direct(ask);
        if (delivered.answer.status === 429 || [502, 503, 504].includes(delivered.answer.status)) {
          throw new Inconclusive(
            `${operationTitle(ask.operation)} answered ${delivered.answer.status} while its token was looked into`,
          );
        }
        const exchange = settle(ask, asker, delivered);
        const { status } = exchange.answer;
        if (isSuccess(exchange)) session.proved(tokenOf(exchange), exchange.at);
        if (isSuccess(exchange) && ask.intent.kind === "valid") ledger.holds("AUTH-04");
        const wait = status === 403 && (await isBlocked(issued)) ? waits.shift() : undefined;
        if (wait !== undefined) {
          ledger.tell({ type: "waiting", text: `403 to everything, waiting ${wait / 1000} s` });
          await pause(wait, signal);
          continue;
        }
        if (status !== 401 || ask.intent.kind !== "valid") return exchange;
        refusals += 1;
        if (refusals === 2) {
          accuseToken(exchange, asker);
          return exchange;
        }
      }
    });

  /** Whether 403 is not about the request: what worked before is refused too, as a firewall does for a while. */
  const isBlocked = async (issued: Exchange | undefined): Promise<boolean> => {
    if (issued !== undefined && isRefusal(issued) && keyWorked) return true;
    if (listLength === undefined || (blocks.seen === 0 && blocks.none >= mostControls)) return false;
    const control = settle(listAsk, ourselves, await delivery.direct(listAsk));
    const blocked = control.answer.status === 403;
    if (blocked) blocks.seen += 1;
    else blocks.none += 1;
    return blocked;
  };

  const blocks = { seen: 0, none: 0 };

  const accuseToken = (exchange: Exchange, asker: Asker): void =>
    ledger.violated("AUTH-04", asker, {
      message: `${operationTitle(exchange.operation)} refuses tokens that were just issued.`,
      expected: requirementOf("AUTH-04").statement,
      actual: `two fresh tokens in a row were answered with ${messageOf(exchange)}`,
      exchange,
    });

  return {
    session,
    delivery,
    askOf: (exchange) => asks.get(exchange),
    violationsOf: (exchange) => violations.get(exchange) ?? [],
    ask: async (ask, asker) => {
      if (signal.aborted) throw new Inconclusive("the run was stopped before this was asked");
      if (ask.operation === "createBatch" && ask.intent.kind === "invalid") {
        knowledge.identities.sentInvalidPair(pairKey(typeof ask.body === "function" ? undefined : ask.body));
      }
      if (usesSession(ask)) return signed(ask, asker);
      if (ask.operation === "createToken") return session.inOrder(() => patiently(ask, asker));
      return patiently(ask, asker);
    },
  };
};

const tooLong = (ask: Ask, status: number, wait: number): string =>
  `${operationTitle(ask.operation)} was put off with ${status}` +
  (wait > longestWait ? ` and asked to wait ${Math.round(wait / 1000)} s` : ` for more than ${longestWaits / 1000} s`) +
  `. Raise the server's limit for this client, or lower --rate and --concurrency.`;

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

const tokenOf = (exchange: Exchange): string =>
  (exchange.request.headers.find(([name]) => name === "Authorization")?.[1] ?? "").replace(/^Bearer /, "");

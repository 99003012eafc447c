import { operationTitle, type OperationName } from "../spec/operations.ts";
import type { Client, NetworkFailure, Sent } from "./client.ts";
import { isSuccess, jsonOf, memberOf, valid, type Answer, type Ask, type SentRequest } from "./exchange.ts";
import type { Asker, Ledger } from "./ledger.ts";
import type { Pace } from "./pace.ts";
import type { Redaction } from "./redaction.ts";
import { isUsableToken, type Session } from "./session.ts";
import type { Manner, Target } from "./target.ts";
import { Inconclusive } from "./verdicts.ts";
import { longestWaits, pause } from "./waiting.ts";
import { usesSession, wireOf } from "./wire.ts";

/** A request that was answered. */
export interface Delivered {
  readonly sent: SentRequest;
  readonly answer: Answer;
  /** Milliseconds since the run started. */
  readonly at: number;
}

/** Brings an ask to the target and an answer back, and finds out whose fault it is where none comes (ruling 4). */
export interface Delivery {
  readonly deliver: (ask: Ask, asker: Asker) => Promise<Delivered>;
  /** Sends at once, past the pace: for what has made itself alone. */
  readonly direct: (ask: Ask) => Promise<Delivered>;
  /** Sends over plain HTTP to the host and port of the base URL; the outcome as it is, unjudged. */
  readonly deliverPlain: (ask: Ask) => Promise<Sent>;
  /** An operation that answered 502, 503 or 504 to the last gives no hope that waiting helps. */
  readonly hopeless: (operation: OperationName) => boolean;
  readonly gaveUp: (operation: OperationName) => void;
  readonly requests: () => number;
}

export interface DeliveryParts {
  readonly target: Target;
  readonly manner: Manner;
  readonly client: Client;
  readonly pace: Pace;
  readonly ledger: Ledger;
  readonly redaction: Redaction;
  readonly userAgent: string;
  readonly signal: AbortSignal;
}

type Attempt = { readonly sent: SentRequest; readonly at: number } & Sent;

/** Silences of an operation that are looked into; after these its further ones are only told. */
const mostAccusations = 3;
/** Times that a request whose connection is dropped is asked alone: a drop may be chance, and costs little. */
const mostDrops = 3;
/** Gateway errors in a row after which an operation is no longer asked again. */
const mostGatewayErrors = 3;

export const createDelivery = (parts: DeliveryParts, session: Session): Delivery => {
  const { target, manner, client, pace, ledger, redaction, userAgent, signal } = parts;
  const started = performance.now();
  const accusations = new Map<OperationName, number>();
  /** Answers cut short that were looked into and are how this server answers. */
  const cuts = new Map<OperationName, number>();
  const gatewayErrors = new Map<OperationName, number>();
  const creationsLeft = { count: mostCreations(manner) };
  let requests = 0;
  let lost: string | undefined;

  const attempt = async (ask: Ask, fresh: boolean): Promise<Attempt> => {
    // In smoke the client refuses them, as an error of ours.
    if (manner.profile === "full" && creates(ask) && creationsLeft.count-- <= 0) {
      throw new Inconclusive(
        `this run has created as much as it announced (${mostCreations(manner)}); raise --runs or select less`,
      );
    }
    requests += 1;
    const token = usesSession(ask) ? session.current() : undefined;
    const { wire, sent } = wireOf(ask, target, { token, userAgent, serial: requests });
    const at = performance.now() - started;
    const result = await client.send(wire, { fresh });
    // What was refused was not created.
    if (creates(ask) && result.answer !== undefined && isClientError(result.answer)) creationsLeft.count += 1;
    if (result.failure !== undefined) ledger.recordFailure(ask.operation, at, result.failure.took);
    return { sent, at, ...result };
  };

  /** Whether the target answers a valid request on a connection of its own. */
  const controlAnswers = async (suspect: OperationName): Promise<boolean> => {
    const token = session.current();
    if (suspect === "createToken" && token === undefined) return false;
    const operation = suspect === "createToken" ? "listBatches" : "createToken";
    const { answer } = await attempt({ operation, intent: valid }, true);
    if (answer === undefined) return false;
    const issued = operation === "createToken" && isSuccess({ answer }) ? memberOf(jsonOf(answer), "token") : undefined;
    if (isUsableToken(issued)) {
      redaction.add(issued, "token");
      session.adopt(issued);
    }
    return true;
  };

  /** Asks again alone; accuses where only this request stays without an answer. */
  const examine = (ask: Ask, asker: Asker, failure: NetworkFailure): Promise<Delivered> =>
    pace.alone(async () => {
      guard();
      const times = accusations.get(ask.operation) ?? 0;
      const title = operationTitle(ask.operation);
      if (times >= mostAccusations) throw new Inconclusive(`${title} gave no answer: ${failure.message}`);
      let again = await attempt(ask, true);
      for (let drops = 1; again.failure !== undefined && isDrop(again.failure) && drops < mostDrops; drops += 1) {
        again = await attempt(ask, true);
      }
      if (again.answer !== undefined) return again;
      guard();
      if (await controlAnswers(ask.operation)) {
        accusations.set(ask.operation, times + 1);
        ledger.violated("HTTP-05", asker, {
          message: `${title} gives no answer to ${ask.intent.kind === "invalid" ? `a request ${ask.intent.change}` : `${ask.intent.kind === "unusual" ? "an" : "a"} ${ask.intent.kind} request`}.`,
          expected: "an answer to every request",
          actual: `${again.failure.message}; alone and on a fresh connection too, while another request was answered`,
          operation: ask.operation,
          request: again.sent,
        });
        throw new Inconclusive(`${title} gave no answer: ${again.failure.message}`);
      }
      return recover(ask, again.failure);
    });

  /** Cut short twice: asked once more alone, since a target in trouble cuts answers too. */
  const examineCut = (ask: Ask, seen: Delivered): Promise<Delivered> =>
    pace.alone(async () => {
      guard();
      const times = cuts.get(ask.operation) ?? 0;
      if (times >= mostAccusations) return seen;
      const again = await attempt(ask, true);
      if (again.answer === undefined) return recover(ask, again.failure);
      if (isWhole(again.answer)) return again;
      // Without a token there is no control, and a server whose every answer is cut is not silent either.
      const hasControl = ask.operation !== "createToken" || session.current() !== undefined;
      if (hasControl && !(await controlAnswers(ask.operation))) {
        throw new Inconclusive(
          `${operationTitle(ask.operation)} cut its answer short, and the target answered nothing else meanwhile`,
        );
      }
      cuts.set(ask.operation, times + 1);
      return again;
    });

  /** The target as a whole is silent: waits for it to come back, and gives it up when it does not. */
  const recover = async (ask: Ask, failure: NetworkFailure): Promise<Delivered> => {
    const until = performance.now() + manner.timeout + manner.grace;
    ledger.tell({
      type: "waiting",
      text: `the target does not answer (${failure.message}), waiting for it to come back`,
    });
    for (let wait = 250; performance.now() < until && !signal.aborted; wait = Math.min(wait * 2, 2000)) {
      await pause(wait, signal);
      if (!(await controlAnswers(ask.operation)) && !(await controlAnswers("listBatches"))) continue;
      const again = await attempt(ask, true);
      if (again.answer !== undefined) return again;
      throw new Inconclusive(
        `the target was in trouble and did not answer ${operationTitle(ask.operation)}: ${again.failure.message}`,
      );
    }
    guard();
    const seconds = Math.round((performance.now() - started) / 1000);
    const reason = `the target stopped answering ${seconds} s into the run: ${failure.message}`;
    lose(reason);
    throw new Inconclusive(reason);
  };

  const guard = (): void => {
    if (signal.aborted) throw new Inconclusive("the run was stopped before this was answered");
    if (lost === undefined && pace.exhausted()) {
      lose(`the target has put everything off for more than ${longestWaits / 1000} s. Lower --rate and --concurrency`);
    }
    if (lost !== undefined) throw new Inconclusive(lost);
  };

  const lose = (reason: string): void => {
    lost = reason;
    ledger.tell({ type: "untestable", reason });
  };

  /** In its turn, unless the target was lost meanwhile. */
  const admitted = (ask: Ask, fresh: boolean): Promise<Attempt> =>
    pace.admit(async () => {
      guard();
      return attempt(ask, fresh);
    });

  return {
    deliver: async (ask, asker) => {
      guard();
      const first = await admitted(ask, false);
      if (first.answer !== undefined && isWhole(first.answer)) return first;
      guard();
      if (first.answer !== undefined || first.failure.kind !== "timeout") {
        const second = await admitted(ask, true);
        if (second.answer !== undefined) return isWhole(second.answer) ? second : examineCut(ask, second);
        return examine(ask, asker, second.failure);
      }
      return examine(ask, asker, first.failure);
    },
    direct: async (ask) => {
      guard();
      const { answer, failure, sent, at } = await attempt(ask, false);
      if (answer === undefined)
        throw new Inconclusive(`${operationTitle(ask.operation)} gave no answer: ${failure.message}`);
      return { sent, answer, at };
    },
    deliverPlain: async (ask) => {
      requests += 1;
      const { wire } = wireOf(ask, target, { token: session.current(), userAgent, serial: requests });
      return pace.admit(() => client.sendPlain(wire));
    },
    hopeless: (operation) => (gatewayErrors.get(operation) ?? 0) >= mostGatewayErrors,
    gaveUp: (operation) => void gatewayErrors.set(operation, (gatewayErrors.get(operation) ?? 0) + 1),
    requests: () => requests,
  };
};

const isWhole = ({ defect }: Answer): boolean => defect?.kind !== "cut";

const isDrop = ({ kind }: NetworkFailure): boolean => kind === "dropped";

const isClientError = ({ status }: Answer): boolean => status >= 400 && status < 500;

const creates = (ask: Ask): boolean => ask.operation !== "createToken" && ask.operation !== "listBatches";

/** Most requests of a run that may succeed in creating something; a full run with the default options needs fewer. */
export const mostCreations = (manner: Manner): number => (manner.profile === "smoke" ? 0 : 400 + 10 * manner.runs);

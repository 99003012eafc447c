import { operationTitle, type OperationName } from "../../spec/operations.ts";
import type { Client, NetworkFailure, Sent } from "./client.ts";
import {
  isSuccess,
  jsonOf,
  memberOf,
  valid,
  type ReceivedResponse,
  type RequestSpec,
  type SentRequest,
} from "../../model/exchange.ts";
import type { Origin, Recorder } from "../recording/recorder.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import type { Redaction } from "../recording/redaction.ts";
import { isUsableToken, type Session } from "../session/session.ts";
import type { RunSettings, Target } from "../../model/target.ts";
import { Inconclusive } from "../scenario-errors.ts";
import { longestWaits, pause } from "./throttling.ts";
import { usesSession, wireOf } from "./wire.ts";

/** A request that was answered. */
export interface Delivered {
  readonly sent: SentRequest;
  readonly response: ReceivedResponse;
  /** Milliseconds since the run started. */
  readonly at: number;
}

/** Brings an ask to the target and a response back, and finds out whose fault it is where none comes (ruling 4). */
export interface Delivery {
  readonly deliver: (ask: RequestSpec, origin: Origin) => Promise<Delivered>;
  /** Sends at once, past the rateLimiter: for what has made itself alone. */
  readonly direct: (ask: RequestSpec) => Promise<Delivered>;
  /** Sends over plain HTTP to the host and port of the base URL; the outcome as it is, unjudged. */
  readonly deliverPlain: (ask: RequestSpec) => Promise<Sent>;
  /** An operation that answered 502, 503 or 504 to the last gives no hope that waiting helps. */
  readonly hopeless: (operation: OperationName) => boolean;
  readonly gaveUp: (operation: OperationName) => void;
  readonly requests: () => number;
}

export interface DeliveryParts {
  readonly target: Target;
  readonly settings: RunSettings;
  readonly client: Client;
  readonly rateLimiter: RateLimiter;
  readonly recorder: Recorder;
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
  const { target, settings, client, rateLimiter, recorder, redaction, userAgent, signal } = parts;
  const started = performance.now();
  const accusations = new Map<OperationName, number>();
  /** Answers cut short that were looked into and are how this server answers. */
  const cuts = new Map<OperationName, number>();
  const gatewayErrors = new Map<OperationName, number>();
  const creationsLeft = { count: mostCreations(settings) };
  let requests = 0;
  let lost: string | undefined;

  const attempt = async (ask: RequestSpec, fresh: boolean): Promise<Attempt> => {
    // In smoke the client refuses them, as an error of ours.
    if (settings.profile === "full" && creates(ask) && creationsLeft.count-- <= 0) {
      throw new Inconclusive(
        `this run has created as much as it announced (${mostCreations(settings)}); raise --runs or select less`,
      );
    }
    requests += 1;
    const token = usesSession(ask) ? session.current() : undefined;
    const { wire, sent } = wireOf(ask, target, { token, userAgent, serial: requests });
    const at = performance.now() - started;
    const result = await client.send(wire, { fresh });
    // What was refused was not created.
    if (creates(ask) && result.response !== undefined && isClientError(result.response)) creationsLeft.count += 1;
    if (result.failure !== undefined) recorder.recordFailure(ask.operation, at, result.failure.took);
    return { sent, at, ...result };
  };

  /** Whether the target answers a valid request on a connection of its own. */
  const controlAnswers = async (suspect: OperationName): Promise<boolean> => {
    const token = session.current();
    if (suspect === "createToken" && token === undefined) return false;
    const operation = suspect === "createToken" ? "listBatches" : "createToken";
    const { response } = await attempt({ operation, intent: valid }, true);
    if (response === undefined) return false;
    const issued =
      operation === "createToken" && isSuccess({ response }) ? memberOf(jsonOf(response), "token") : undefined;
    if (isUsableToken(issued)) {
      redaction.add(issued, "token");
      session.adopt(issued);
    }
    return true;
  };

  /** Asks again alone; accuses where only this request stays without a response. */
  const examine = (ask: RequestSpec, origin: Origin, failure: NetworkFailure): Promise<Delivered> =>
    rateLimiter.alone(async () => {
      guard();
      const times = accusations.get(ask.operation) ?? 0;
      const title = operationTitle(ask.operation);
      if (times >= mostAccusations) throw new Inconclusive(`${title} gave no response: ${failure.message}`);
      let again = await attempt(ask, true);
      for (let drops = 1; again.failure !== undefined && isDrop(again.failure) && drops < mostDrops; drops += 1) {
        again = await attempt(ask, true);
      }
      if (again.response !== undefined) return again;
      guard();
      if (await controlAnswers(ask.operation)) {
        accusations.set(ask.operation, times + 1);
        recorder.violated("HTTP-05", origin, {
          message: `${title} gives no response to ${ask.intent.kind === "invalid" ? `a request ${ask.intent.change}` : `${ask.intent.kind === "unusual" ? "an" : "a"} ${ask.intent.kind} request`}.`,
          expected: "a response to every request",
          actual: `${again.failure.message}; alone and on a fresh connection too, while another request was answered`,
          operation: ask.operation,
          request: again.sent,
        });
        throw new Inconclusive(`${title} gave no response: ${again.failure.message}`);
      }
      return recover(ask, again.failure);
    });

  /** Cut short twice: asked once more alone, since a target in trouble cuts answers too. */
  const examineCut = (ask: RequestSpec, seen: Delivered): Promise<Delivered> =>
    rateLimiter.alone(async () => {
      guard();
      const times = cuts.get(ask.operation) ?? 0;
      if (times >= mostAccusations) return seen;
      const again = await attempt(ask, true);
      if (again.response === undefined) return recover(ask, again.failure);
      if (isWhole(again.response)) return again;
      // Without a token there is no control, and a server whose every response is cut is not silent either.
      const hasControl = ask.operation !== "createToken" || session.current() !== undefined;
      if (hasControl && !(await controlAnswers(ask.operation))) {
        throw new Inconclusive(
          `${operationTitle(ask.operation)} cut its response short, and the target answered nothing else meanwhile`,
        );
      }
      cuts.set(ask.operation, times + 1);
      return again;
    });

  /** The target as a whole is silent: waits for it to come back, and gives it up when it does not. */
  const recover = async (ask: RequestSpec, failure: NetworkFailure): Promise<Delivered> => {
    const until = performance.now() + settings.timeout + settings.grace;
    recorder.tell({
      type: "waiting",
      text: `the target does not response (${failure.message}), waiting for it to come back`,
    });
    for (let wait = 250; performance.now() < until && !signal.aborted; wait = Math.min(wait * 2, 2000)) {
      await pause(wait, signal);
      if (!(await controlAnswers(ask.operation)) && !(await controlAnswers("listBatches"))) continue;
      const again = await attempt(ask, true);
      if (again.response !== undefined) return again;
      throw new Inconclusive(
        `the target was in trouble and did not response ${operationTitle(ask.operation)}: ${again.failure.message}`,
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
    if (lost === undefined && rateLimiter.exhausted()) {
      lose(`the target has put everything off for more than ${longestWaits / 1000} s. Lower --rate and --concurrency`);
    }
    if (lost !== undefined) throw new Inconclusive(lost);
  };

  const lose = (reason: string): void => {
    lost = reason;
    recorder.tell({ type: "untestable", reason });
  };

  /** In its turn, unless the target was lost meanwhile. */
  const admitted = (ask: RequestSpec, fresh: boolean): Promise<Attempt> =>
    rateLimiter.admit(async () => {
      guard();
      return attempt(ask, fresh);
    });

  return {
    deliver: async (ask, origin) => {
      guard();
      const first = await admitted(ask, false);
      if (first.response !== undefined && isWhole(first.response)) return first;
      guard();
      if (first.response !== undefined || first.failure.kind !== "timeout") {
        const second = await admitted(ask, true);
        if (second.response !== undefined) return isWhole(second.response) ? second : examineCut(ask, second);
        return examine(ask, origin, second.failure);
      }
      return examine(ask, origin, first.failure);
    },
    direct: async (ask) => {
      guard();
      const { response, failure, sent, at } = await attempt(ask, false);
      if (response === undefined)
        throw new Inconclusive(`${operationTitle(ask.operation)} gave no response: ${failure.message}`);
      return { sent, response, at };
    },
    deliverPlain: async (ask) => {
      requests += 1;
      const { wire } = wireOf(ask, target, { token: session.current(), userAgent, serial: requests });
      return rateLimiter.admit(() => client.sendPlain(wire));
    },
    hopeless: (operation) => (gatewayErrors.get(operation) ?? 0) >= mostGatewayErrors,
    gaveUp: (operation) => void gatewayErrors.set(operation, (gatewayErrors.get(operation) ?? 0) + 1),
    requests: () => requests,
  };
};

const isWhole = ({ defect }: ReceivedResponse): boolean => defect?.kind !== "cut";

const isDrop = ({ kind }: NetworkFailure): boolean => kind === "dropped";

const isClientError = ({ status }: ReceivedResponse): boolean => status >= 400 && status < 500;

const creates = (ask: RequestSpec): boolean => ask.operation !== "createToken" && ask.operation !== "listBatches";

/** Most requests of a run that may succeed in creating something; a full run with the default options needs fewer. */
export const mostCreations = (settings: RunSettings): number =>
  settings.profile === "smoke" ? 0 : 400 + 10 * settings.runs;

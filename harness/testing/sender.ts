import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, vi } from "vitest";
import type { RequirementId } from "../../spec/catalogue.ts";
import { operationNames, operations, type OperationName } from "../../spec/operations.ts";
import type { Client, HttpRequest, SendOptions } from "../sending/client.ts";
import { createSerials } from "../sending/attempt.ts";
import { createSender } from "../sending/sender.ts";
import { createProgress } from "../../model/evidence/counts.ts";
import { fieldOf, type NetworkFailure, type Origin, type Sent } from "../../model/exchange.ts";
import { invalid, valid, type RequestSpec } from "../../model/request.ts";
import { createRecorder } from "../../model/evidence/recorder.ts";
import { createScheduler } from "../sending/turns.ts";
import { createRedaction } from "../../model/evidence/redaction.ts";
import type { RunSettings } from "../../model/target.ts";
import { responseOf, sound, type ExchangeOverrides } from "../../model/testing/exchanges.ts";
import { nothingKnown } from "./judgements.ts";
import { settings as usual, target } from "../../model/testing/target.ts";

/** A request as a scripted server sees it. */
export interface SeenRequest {
  readonly operation: OperationName;
  /** The number of the request among all requests, from 1. */
  readonly n: number;
  /** The number of the request among those of its operation, from 1. */
  readonly nth: number;
  /** The token in the Authorization header. */
  readonly token: string | undefined;
  readonly fresh: boolean;
  readonly spare: boolean;
  readonly plain: boolean;
  readonly request: HttpRequest;
}

/**
 * A response, or the kind of failure in place of one. Undefined: a sound success, with a new token
 * for each call of the token endpoint.
 */
export type Reply =
  (ExchangeOverrides & { readonly delay?: number }) | NetworkFailure["kind"] | undefined;
export type Script = (seen: SeenRequest) => Reply;

/** The origin of the requests that tests with this helper send. */
export const origin: Origin = { id: "test", name: "test" };

export const create: RequestSpec = {
  operation: "createBatch",
  intent: valid,
  body: { currency_pair: "USDBRL" },
};
export const list: RequestSpec = { operation: "listBatches", intent: valid };
export const token: RequestSpec = { operation: "createToken", intent: valid };
export const badToken: RequestSpec = {
  ...list,
  intent: invalid("with a made-up token"),
  authorization: "Bearer made-up",
};
/** With a token that differs from a good one in its end. */
export const altered: RequestSpec = {
  ...list,
  intent: invalid("with an altered token"),
  withToken: (good) => ({ authorization: `Bearer ${good}x` }),
  refusal: { requirement: "AUTH-38" },
};

/** A refusal by a scripted server. */
export function no(status: number, ...headers: readonly (readonly [string, string])[]) {
  return { status, json: { message: "no" }, headers } as const;
}
export const isToken = ({ operation }: SeenRequest): boolean => operation === "createToken";
export const isBatch = ({ operation }: SeenRequest): boolean => operation === "createBatch";

/** Makes all tests of a file use fake time. */
export function useFakeTime(): void {
  beforeEach(
    () => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] }),
  );
  afterEach(() => {
    ended += 1;
    vi.useRealTimers();
  });
}

/**
 * A sender whose server answers as the script says, together with what the run has found and all
 * requests that the server got.
 */
export function senderWith(script: Script, more: Partial<RunSettings> = {}) {
  const settings = { ...usual, ...more };
  const stop = new AbortController();
  const seen: SeenRequest[] = [];
  const redaction = createRedaction();
  const progress = createProgress();
  const recorder = createRecorder({ redaction, progress, replayCommand: "replay" });
  const scheduler = createScheduler(settings.concurrency, settings.rate ?? Infinity, stop.signal);
  const client = scriptedClient(script, seen);
  const parts = {
    target,
    settings,
    client,
    scheduler,
    recorder,
    redaction,
    ruleContext: nothingKnown(),
    userAgent: "test/1",
    nextSerial: createSerials(),
  };
  const sender = createSender({
    ...parts,
    signal: stop.signal,
    quiet: async () => undefined,
    learn: () => undefined,
  });
  return {
    sender,
    /** Sends a request while fake time passes. */
    send: (spec: RequestSpec) => inTime(sender.send(spec, origin)),
    sendAlone: (spec: RequestSpec) => inTime(sender.alone((inTurn) => inTurn(spec, origin))),
    stop,
    scheduler,
    seen,
    redaction,
    found: recorder.evidence,
    progress,
    /** A line for each request, with its token if it has one: `listBatches token-1`. */
    sent: () =>
      seen.map(({ operation, token }) =>
        token === undefined ? operation : `${operation} ${token}`,
      ),
    /** The requirements that have a finding, in the order of their first ones. */
    broken: () => [...recorder.failing()],
    /** How often a requirement was judged. */
    judged: (id: RequirementId) => recorder.evidence().judged.get(id)?.asked ?? 0,
    /** The findings of a requirement. */
    findings: (id: RequirementId) => recorder.evidence().judged.get(id)?.findings ?? [],
    /** The requirements for which a reason was noted why they may end without a verdict. */
    open: () =>
      [...recorder.evidence().judged].flatMap(([id, { inconclusive }]) =>
        inconclusive.length > 0 ? [id] : [],
      ),
  };
}

/** How many tests have ended. What still waits for one of them lets no time of the next one pass. */
let ended = 0;

/** How many turns of the event loop pass at each moment of fake time, so that responses are judged. */
const turnsAtOnce = 10;

/** Lets fake time pass until the promise is settled. */
export async function inTime<T>(promise: Promise<T>, most = 400_000): Promise<T> {
  const state = { done: false };
  const end = (): void => {
    state.done = true;
  };
  promise.then(end, end);
  const before = ended;
  for (let passed = 0; passed < most && !state.done; passed += 50) {
    for (let turn = 0; turn < turnsAtOnce; turn += 1) await nextTurn();
    if (ended > before) return promise;
    await vi.advanceTimersByTimeAsync(50);
  }
  if (!state.done) throw new Error(`not done within ${most} ms`);
  return promise;
}

function scriptedClient(script: Script, seen: SeenRequest[]): Client {
  const replyTo = async (request: HttpRequest, how: SendOptions = {}): Promise<Sent> => {
    const operation = operationOf(request);
    const one: SeenRequest = {
      operation,
      n: seen.length + 1,
      nth: seen.filter((before) => before.operation === operation).length + 1,
      token: fieldOf(request.headers, "authorization")?.replace(/^Bearer /, ""),
      fresh: how.isFresh === true,
      spare: how.spare !== undefined,
      plain: how.isPlain === true,
      request,
    };
    seen.push(one);
    const { timeout = 1000 } = how;
    const scripted = script(one) ?? {};
    const isLate = typeof scripted === "object" && (scripted.delay ?? 0) > timeout;
    const reply = isLate ? "timeout" : scripted;
    const usualDelay = reply === "timeout" ? timeout : 10;
    const delay = typeof reply === "string" ? usualDelay : (reply.delay ?? usualDelay);
    await new Promise((resolve) => setTimeout(resolve, delay));
    if (typeof reply === "string")
      return { failure: { kind: reply, message: `${reply} by script`, took: 10 } };
    const json =
      operation === "createToken" ? { token: `token-${one.nth}` } : sound[operation].response;
    const headers = [["Content-Type", "application/json"] as const, ...(reply.headers ?? [])];
    return { response: { ...responseOf({ json, ...reply, headers }), took: delay } };
  };
  return {
    send: replyTo,
    atMost: () => undefined,
    close: async () => undefined,
  };
}

function operationOf({ method, path }: HttpRequest): OperationName {
  const own = (path.split("?")[0] ?? "").replace(new URL(target.baseUrl).pathname, "");
  const matches = (name: OperationName): boolean =>
    new RegExp(`^${operations[name].path.replaceAll(/\{\w+\}/g, "[^/]*")}$`).test(own);
  const found =
    operationNames.find((name) => matches(name) && operations[name].method === method) ??
    operationNames.find(matches);
  if (found === undefined) throw new Error(`no operation is ${method} ${path}`);
  return found;
}

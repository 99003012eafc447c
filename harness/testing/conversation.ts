import { vi } from "vitest";
import { operationNames, operations, type OperationName } from "../../spec/operations.ts";
import type { Client, NetworkFailure, Sent, WireRequest } from "../client.ts";
import { createConversation } from "../conversation.ts";
import type { Evidence } from "../evidence.ts";
import { fieldOf } from "../exchange.ts";
import { createLedger } from "../ledger.ts";
import { createPace } from "../pace.ts";
import { createRedaction } from "../redaction.ts";
import type { Manner } from "../target.ts";
import { answerOf, sound, type Told } from "./exchanges.ts";
import { nothingKnown } from "./judgements.ts";
import { manner as usual, target } from "./target.ts";

/** A request as a scripted server sees it. */
export interface Seen {
  readonly operation: OperationName;
  /** From 1, among all requests. */
  readonly n: number;
  /** From 1, among those of the operation. */
  readonly nth: number;
  /** Of the Authorization header. */
  readonly token: string | undefined;
  readonly fresh: boolean;
  readonly plain: boolean;
  readonly wire: WireRequest;
}

/** An answer, or why there is none; nothing: a sound success, and a new token for each call of the token endpoint. */
export type Reply = (Told & { readonly delay?: number }) | NetworkFailure["kind"] | undefined;
export type Script = (seen: Seen) => Reply;

/** A conversation with a server that does what the script says; its evidence, and all that it was asked. */
export const conversationWith = (script: Script, more: Partial<Manner> = {}) => {
  const manner = { ...usual, ...more };
  const stop = new AbortController();
  const seen: Seen[] = [];
  const emitted: Evidence[] = [];
  const redaction = createRedaction();
  const ledger = createLedger((evidence) => void emitted.push(...evidence), redaction);
  const pace = createPace(manner.concurrency, manner.rate);
  const client = scriptedClient(script, seen);
  const parts = { target, manner, client, pace, ledger, redaction, knowledge: nothingKnown(), userAgent: "test/1" };
  const conversation = createConversation({ ...parts, signal: stop.signal });
  const evidence = (): readonly Evidence[] => {
    ledger.flush();
    return emitted;
  };
  return {
    conversation,
    stop,
    pace,
    seen,
    redaction,
    evidence,
    /** `GET /batches token-1`, a line a request. */
    asked: () => seen.map(({ operation, token }) => (token === undefined ? operation : `${operation} ${token}`)),
    broken: () => evidence().flatMap((one) => (one.type === "finding" ? [one.finding.requirement] : [])),
    held: (id: string) =>
      evidence().reduce(
        (sum, one) =>
          sum + (one.type === "asked" ? (Object.entries(one.counts).find(([key]) => key === id)?.[1] ?? 0) : 0),
        0,
      ),
  };
};

/** Lets fake time pass until the promise is settled. */
export const inTime = async <T>(promise: Promise<T>, most = 400_000): Promise<T> => {
  const state = { settled: false };
  const end = (): void => {
    state.settled = true;
  };
  promise.then(end, end);
  for (let passed = 0; passed < most && !state.settled; passed += 50) await vi.advanceTimersByTimeAsync(50);
  if (!state.settled) throw new Error(`not settled within ${most} ms`);
  return promise;
};

const scriptedClient = (script: Script, seen: Seen[]): Client => {
  const reply = async (wire: WireRequest, fresh: boolean, plain: boolean): Promise<Sent> => {
    const operation = operationOf(wire);
    const one: Seen = {
      operation,
      n: seen.length + 1,
      nth: seen.filter((before) => before.operation === operation).length + 1,
      token: fieldOf(wire.headers, "authorization")?.replace(/^Bearer /, ""),
      fresh,
      plain,
      wire,
    };
    seen.push(one);
    const told = script(one) ?? {};
    const delay = told === "timeout" ? 1000 : typeof told === "string" ? 10 : (told.delay ?? 10);
    await new Promise((resolve) => setTimeout(resolve, delay));
    if (typeof told === "string") return { failure: { kind: told, message: `${told} by script`, took: 10 } };
    const json = operation === "createToken" ? { token: `token-${one.nth}` } : sound[operation].answer;
    const headers = [["Content-Type", "application/json"] as const, ...(told.headers ?? [])];
    return { answer: answerOf({ json, ...told, headers }) };
  };
  return {
    send: (wire, { fresh = false } = {}) => reply(wire, fresh, false),
    sendPlain: (wire) => reply(wire, true, true),
    close: async () => undefined,
  };
};

const operationOf = ({ method, path }: WireRequest): OperationName => {
  const own = (path.split("?")[0] ?? "").replace(new URL(target.baseUrl).pathname, "");
  const matches = (name: OperationName): boolean =>
    new RegExp(`^${operations[name].path.replaceAll(/\{\w+\}/g, "[^/]*")}$`).test(own);
  const found =
    operationNames.find((name) => matches(name) && operations[name].method === method) ?? operationNames.find(matches);
  if (found === undefined) throw new Error(`no operation is ${method} ${path}`);
  return found;
};

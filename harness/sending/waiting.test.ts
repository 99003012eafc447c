import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import type { RequestSpec } from "../../model/request.ts";
import { settings } from "../../model/testing/target.ts";
import { createLargeBodies } from "./client.ts";
import { badToken } from "../testing/sender.ts";
import { noFacts } from "./facts.ts";
import { createLane, createSession } from "./credentials.ts";
import { createScheduler, nextRequest, pause } from "./turns.ts";

const spec: RequestSpec = { ...badToken, refusal: { requirement: "AUTH-37" } };

const never = async (): Promise<never> => new Promise<never>(() => undefined);

function laneOf(signal: AbortSignal, prove: () => Promise<string | undefined> = never) {
  const parts = { facts: noFacts(settings), signal, most: 8, current: () => "token" };
  return createLane({ ...parts, quiet: async () => undefined, prove });
}

/** Each wait for another part of the run, which never ends by itself here. */
const waits: Readonly<Record<string, (signal: AbortSignal) => Promise<unknown>>> = {
  "its turn": async (signal) => {
    const { shared } = createScheduler(1, Infinity, signal);
    void shared.send(nextRequest, never);
    return shared.send(nextRequest, never);
  },
  "all other requests": async (signal) => {
    const { shared } = createScheduler(1, Infinity, signal);
    void shared.send(nextRequest, never);
    return shared.exclusive();
  },
  "the turn of a bad credential": async (signal) => {
    const lane = laneOf(signal);
    await lane.placeOf(spec).enter();
    return lane.placeOf(spec).enter();
  },
  "good credentials after bad ones": async (signal) => {
    const place = laneOf(signal).placeOf(spec);
    await place.enter();
    return place.proven(undefined);
  },
  "a new token": async (signal) => {
    const { shared } = createScheduler(1, Infinity, signal);
    const session = createSession({ facts: noFacts(settings), send: never, shared, signal });
    return session.token();
  },
  "memory for a large response": async (signal) => {
    const take = createLargeBodies(signal);
    await take();
    return take();
  },
  "30.0 s to pass": async (signal) => pause(30_000, signal),
};

test.each(Object.entries(waits))("a wait for %s ends with the run", async (what, begin) => {
  const stop = new AbortController();
  const wait = begin(stop.signal);
  void wait.catch(() => undefined);
  await nextTurn();
  await nextTurn();
  stop.abort();
  await expect(wait).rejects.toThrow(`the run was ended while it waited for ${what}`);
});

test("a refusal that is held without a place begins a round", async () => {
  const place = laneOf(new AbortController().signal, async () => "token").placeOf(spec);
  await place.enter();
  expect(await place.proven(undefined)).toBe(true);
  expect(await place.proven(undefined)).toBe(true);
});

test("an error of the proof reaches those who wait for it, and the next round begins", async () => {
  let proofs = 0;
  const prove = async (): Promise<string> => {
    proofs += 1;
    if (proofs === 1) throw new Error("ours");
    return "token";
  };
  const place = laneOf(new AbortController().signal, prove).placeOf(spec);
  await place.enter();
  await expect(place.proven(undefined)).rejects.toThrow("ours");
  expect(await place.proven(undefined)).toBe(true);
});

import { once } from "node:events";
import { createServer, connect } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { deadlineIn } from "./client.ts";
import { listening } from "../../model/testing/listening.ts";

function block(ms: number): void {
  for (const until = performance.now() + ms; performance.now() < until;);
}

const never = new AbortController().signal;

test("what came while this thread was busy came in time", async () => {
  const server = createServer((socket) => socket.end("in time"));
  const socket = connect(await listening(server), "127.0.0.1");
  const { signal } = deadlineIn(100, never);
  const response = once(socket, "data", { signal });
  await once(socket, "connect");
  block(400);
  expect(String((await response)[0])).toBe("in time");
});

test("a thread that is always busy aborts in the end", async () => {
  const began = performance.now();
  const { signal } = deadlineIn(40, never);
  const timer = setInterval(() => block(120), 1);
  onTestFinished(() => clearInterval(timer));
  await once(signal, "abort");
  expect(performance.now() - began).toBeLessThan(2000);
});

test("it aborts when all ends, before and while it waits", () => {
  const stop = new AbortController();
  const { signal, clear } = deadlineIn(10_000, stop.signal);
  expect(signal.aborted).toBe(false);
  stop.abort();
  const late = deadlineIn(10_000, stop.signal);
  expect([signal.aborted, late.signal.aborted]).toEqual([true, true]);
  for (const end of [clear, late.clear]) end();
});

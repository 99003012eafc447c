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
  const { clear } = deadlineIn(100, never, () => socket.destroy(new Error("late")));
  onTestFinished(clear);
  const response = once(socket, "data");
  await once(socket, "connect");
  block(400);
  expect(String((await response)[0])).toBe("in time");
});

test("a thread that is always busy ends in the end", async () => {
  const timer = setInterval(() => block(120), 1);
  onTestFinished(() => clearInterval(timer));
  await new Promise<void>((end) => void deadlineIn(40, never, end));
});

test("it ends once when all ends, before and while it waits", () => {
  const stop = new AbortController();
  const ends: string[] = [];
  const early = deadlineIn(10_000, stop.signal, () => ends.push("early"));
  expect(early.isOver()).toBe(false);
  stop.abort();
  const late = deadlineIn(10_000, stop.signal, () => ends.push("late"));
  expect([early.isOver(), late.isOver(), ends]).toEqual([true, true, ["early", "late"]]);
  for (const { clear } of [early, late]) clear();
});

test("it does not end once it was cleared, not even in the turn in which its time was over", async () => {
  const { clear, isOver } = deadlineIn(1, never, () => undefined);
  const turn = new Promise((go) => void setTimeout(go, 1));
  block(5);
  await turn;
  clear();
  await new Promise((go) => void setTimeout(go, 5));
  expect(isOver()).toBe(false);
});

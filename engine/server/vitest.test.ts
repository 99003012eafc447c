import { MessageChannel } from "node:worker_threads";
import { expect, test } from "vitest";
import { startThread, startVitest } from "./vitest.ts";

/** A thread without its code, which only a build has beside the compiled files. */
function lostThread() {
  const { port1, port2 } = new MessageChannel();
  port1.unref();
  return startThread({ contract: "file:///none.json", port: port2 });
}

test("a thread that dies says why, in one sentence without its end", async () => {
  const thread = lostThread();
  expect(await thread.died).toMatch(
    /^the thread of the suites died: Cannot find module .*thread\.js/,
  );
});

test("vitest learns of an error from before it listened, and of no death", async () => {
  const thread = lostThread();
  await thread.died;
  const poolWorker = thread.pool.createPoolWorker({} as never);
  const heard: string[] = [];
  poolWorker.on("exit", () => void heard.push("exit"));
  await expect(poolWorker.start()).rejects.toThrow("Cannot find module");
  expect(heard).toEqual([]);
});

test("a thread that is ended did not die", async () => {
  const thread = lostThread();
  await thread.end();
  const answer = await Promise.race([thread.died, Promise.resolve("pending")]);
  expect(answer).toBe("pending");
});

test("vitest leaves nothing in its process: variables, handlers of signals, an exit code", async () => {
  const thread = lostThread();
  await thread.died;
  const before = stateOf();
  const errors: string[] = [];
  const vitest = startVitest(thread, 1, (some) => void errors.push(...some));
  await vitest.ended.catch(() => undefined);
  vitest.cancel();
  expect(stateOf()).toEqual(before);
});

function stateOf() {
  const events = ["SIGINT", "SIGTERM", "unhandledRejection"] as const;
  return {
    names: Object.keys(process.env).toSorted(),
    listeners: events.map((event) => process.listenerCount(event)),
    exitCode: process.exitCode,
  };
}

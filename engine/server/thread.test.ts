import { expect, test } from "vitest";
import { settings, target } from "../../model/testing/target.ts";
import { prepareWorker } from "./thread.ts";

const input = {
  target,
  settings,
  runId: "runid234",
  replayCommand: "",
  userAgent: "",
};

// Only a build has the code of the thread beside the compiled files.
test("a thread that dies says why, before its run and in it, and is alive no more", async () => {
  const worker = prepareWorker();
  expect(worker.isAlive()).toBe(true);
  const says = {
    errors: [expect.stringMatching(/^the thread of the suites died: Cannot find module .*thread/)],
  };
  expect(await worker.run(input, () => undefined)).toEqual(says);
  expect(worker.isAlive()).toBe(false);
  expect(await worker.run(input, () => undefined)).toEqual(says);
});

test("a thread that is ended serves no further run, and leaves nothing in its process", async () => {
  const before = stateOf();
  const worker = prepareWorker();
  await worker.end();
  expect(worker.isAlive()).toBe(false);
  expect((await worker.run(input, () => undefined)).errors).toHaveLength(1);
  expect(stateOf()).toEqual(before);
});

function stateOf() {
  const events = ["SIGINT", "SIGTERM", "unhandledRejection", "uncaughtException"] as const;
  return {
    names: Object.keys(process.env).toSorted(),
    listeners: events.map((event) => process.listenerCount(event)),
    exitCode: process.exitCode,
  };
}

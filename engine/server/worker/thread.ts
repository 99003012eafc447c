import { parentPort, workerData } from "node:worker_threads";
import { init, runBaseTests, setupEnvironment } from "vitest/worker";
import type { WorkerPreparation } from "./input.ts";

/**
 * Code for vitest's worker thread: it loads the suites while the main thread loads vitest, and then
 * runs their tests.
 */
const port = parentPort;
if (port === null) throw new Error("this module is the start of a worker thread");
init({
  post: (response) => port.postMessage(response),
  on: (receive) => port.on("message", receive),
  off: (receive) => port.off("message", receive),
  teardown: () => port.removeAllListeners("message"),
  runTests: (state, traces) => runBaseTests("run", state, traces),
  collectTests: (state, traces) => runBaseTests("collect", state, traces),
  setup: setupEnvironment,
});
await import("./scenarios.ts").then(
  ({ load }) => load(workerData as WorkerPreparation),
  // A failure is ignored here: the module that vitest loads imports `scenarios.ts` again, and
  // reports the error.
  () => undefined,
);

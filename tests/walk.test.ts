import { Session, type Profiler } from "node:inspector/promises";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished, test } from "vitest";
import { runOf } from "../engine/server/run-of.ts";
import type { RunOptions } from "../model/run-options.ts";
import { settings, target } from "../model/testing/target.ts";
import { valid } from "../model/request.ts";
import { startReference } from "../reference/server.ts";
import { json } from "../reports/formats/json.ts";
import { createContext } from "../suites/run/context.ts";
import { startedRun } from "./started-run.ts";

// How many files a reader enters who follows a request. Each bound is today's number, which may
// only fall.
const filesToTheJudgement = 26;
const filesToTheReport = 50;

test("a request enters few files from a scenario to its judgement, and few more to report.json", async () => {
  const server = await startReference({ apiKey: target.apiKey, customerId: target.customerId });
  onTestFinished(server.close);
  const options: RunOptions = {
    target: { ...target, baseUrl: server.baseUrl },
    settings,
    strict: false,
    statement: [],
    baseline: [],
    replayCommand: "",
  };
  const { run, store } = await startedRun(options.target, settings);
  const { send } = createContext(run, { id: "walk", title: "walk", checks: ["BATCH-01"] });
  const sends = async (): Promise<void> => {
    const body = { currency_pair: target.currencyPairs[0] ?? "" };
    await send({ operation: "createBatch", intent: valid, body });
  };
  // The first request fetches a token, and loads modules that are loaded late.
  await sends();
  run.flush();
  const toTheReport = (): void => {
    run.flush();
    const ended = { errors: [], bailed: false, interrupted: false };
    json.render(
      runOf(options, store.draft(), { ...ended, started: new Date(), runId: "1", version: "1" }),
    );
  };
  const entered = await filesEntered(sends, toTheReport);

  // Recording the judgement, in model/evidence and engine/, comes after the way of the request.
  const onTheWay = entered[0].filter((path) => /^(suites|harness)\//.test(path));
  expect(onTheWay.length, onTheWay.join("\n")).toBeLessThanOrEqual(filesToTheJudgement);
  const inAll = [...new Set(entered.flat())];
  expect(inAll.length, inAll.toSorted().join("\n")).toBeLessThanOrEqual(filesToTheReport);
});

/** The files of fxconform in which both tasks call a function, without vocabulary. */
async function filesEntered(first: () => Promise<void>, second: () => void) {
  const session = new Session();
  session.connect();
  onTestFinished(() => session.disconnect());
  const entered = async (): Promise<readonly string[]> => {
    const { result } = await session.post("Profiler.takePreciseCoverage");
    return result.filter(isEntered).map(pathOf).filter(isNoVocabulary);
  };
  await session.post("Profiler.enable");
  await session.post("Profiler.startPreciseCoverage", { callCount: true, detailed: false });
  await entered();
  await first();
  const byTheFirst = await entered();
  second();
  return [byTheFirst, await entered()] as const;
}

const root = fileURLToPath(new URL("..", import.meta.url));

function pathOf({ url }: Profiler.ScriptCoverage): string {
  return url.startsWith("file:") ? fileURLToPath(url).slice(root.length) : url;
}

/**
 * Whether a function of a script was called. The module itself counts as a function without a name.
 */
function isEntered({ functions }: Profiler.ScriptCoverage): boolean {
  return functions.some(
    ({ functionName, ranges }) => functionName !== "" && (ranges[0]?.count ?? 0) > 0,
  );
}

/**
 * Whether a file counts. The specification, and the types and predicates of the model, are
 * vocabulary and do not.
 */
function isNoVocabulary(path: string): boolean {
  return (
    /^(suites|harness|engine|reports|model\/[a-z]+)\//.test(path) &&
    !/[.]test[.]ts$|\/testing\//.test(path)
  );
}

import { execFile } from "node:child_process";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { listening } from "../model/testing/listening.ts";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { run, UsageError, type Options } from "../index.ts";
import { referenceFor } from "../reference/testing/reference.ts";
import { root } from "./execution.ts";

test("wrong options throw one error with the messages of the command line, before anything is sent", async () => {
  let connections = 0;
  const server = createServer(() => (connections += 1));
  const baseUrl = `https://localhost:${await listening(server)}`;
  const wrong: object = {
    baseUrl,
    apiKey: "secret-of-the-test",
    customerId: "c1",
    runs: 0,
    timeout: "soon",
    json: true,
    watch: true,
    reportsDir: "r",
  };
  const error: unknown = await run(wrong as Options).catch((one: unknown) => one);
  if (!(error instanceof UsageError)) throw new Error(`no UsageError: ${String(error)}`);
  expect(error.problems.map(({ where, what }) => `${where} ${what}`)).toEqual([
    "json is not an option of the library",
    "watch is not an option of the library",
    "reportsDir is not an option of the library",
    expect.stringMatching(/^runs must be a whole number from 1 to/),
    expect.stringMatching(/^timeout must be a duration from/),
  ]);
  expect(error.problems[2]?.advice).toBe("Did you mean reportDir?");
  expect(JSON.stringify(error.problems) + error.message).not.toContain("secret-of-the-test");
  expect(connections).toBe(0);
});

/**
 * A program that runs the built package as a library, and prints what the package leaves behind in
 * the process.
 */
const program = `
import { writeFileSync } from "node:fs";

const { run } = await import(process.env.LIBRARY);
const options = JSON.parse(process.env.OPTIONS);
const events = ["SIGINT", "SIGTERM", "SIGHUP", "exit", "beforeExit", "uncaughtException", "unhandledRejection", "warning"];
const state = () => ({
  listeners: events.map((event) => process.listenerCount(event)),
  env: { ...process.env },
  cwd: process.cwd(),
  exitCode: process.exitCode ?? null,
  argv: process.argv,
  title: process.title,
  globals: Object.getOwnPropertyNames(globalThis).sort(),
});
const before = state();
const saved = { reportDir: "reports", reports: ["json", "junit"] };
const both = await Promise.all([run({ ...options, only: "AUTH-01", ...saved }), run({ ...options, only: ["BATCH-20"] })]);
const stop = new AbortController();
const stopped = await run({ ...options, signal: stop.signal, onProgress: () => stop.abort() });
const after = state();
writeFileSync(
  process.env.RESULT,
  JSON.stringify({
    before,
    after,
    outcomes: [...both, stopped].map(({ outcome }) => outcome),
    passed: both.map(({ requirements }) => requirements.filter(({ verdict }) => verdict === "pass").map(({ id }) => id)),
  }),
);
`;

test("concurrent calls wait for each other, a signal ends one, and the process stays as it was", async () => {
  const cwd = temporaryFolder();
  const aside = temporaryFolder();
  const server = await referenceFor({ apiKey: "key-0123456789", customerId: "c1" });
  // The library reads neither the configuration file in the working directory nor a variable.
  await writeFile(join(cwd, "fxconform.config.yaml"), "profile: smoke\nruns: none\n");
  const options = { baseUrl: server.baseUrl, apiKey: "key-0123456789", customerId: "c1", runs: 2 };
  const { stdout, stderr } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--eval", program],
    {
      cwd,
      env: {
        PATH: process.env["PATH"],
        OPTIONS: JSON.stringify(options),
        LIBRARY: join(root, "dist/index.js"),
        RESULT: join(aside, "result.json"),
        FXCONFORM_RUNS: "none",
      },
      timeout: 60_000,
    },
  );
  expect({ stdout, stderr }).toEqual({ stdout: "", stderr: "" });
  const result = JSON.parse(await readFile(join(aside, "result.json"), "utf8")) as {
    readonly before: object;
    readonly after: object;
    readonly outcomes: readonly string[];
    readonly passed: readonly (readonly string[])[];
  };
  expect(result.after).toEqual(result.before);
  expect(result.outcomes).toEqual(["partial", "partial", "interrupted"]);
  expect(result.passed).toEqual([
    expect.arrayContaining(["AUTH-01"]),
    expect.arrayContaining(["BATCH-20"]),
  ]);
  expect((await readdir(cwd)).sort()).toEqual(["fxconform.config.yaml", "reports"]);
  expect((await readdir(join(cwd, "reports"))).sort()).toEqual(["junit.xml", "report.json"]);
}, 90_000);

import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import type { RunOptions } from "../../engine/options.ts";
import type { Latency, Run } from "../../model/run.ts";
import { runs } from "../../reports/testing/runs.ts";
import { expectRefused, testContext } from "../testing/test-context.ts";

const file = `
seed: 12
targets:
  sandbox: { baseUrl: "https://sandbox.fx.example", apiKey: "env:SANDBOX_KEY", profile: full }
  production: { baseUrl: "https://fx.example", apiKey: "env:PRODUCTION_KEY", maxBadCredentials: 3 }
`;
const env = { SANDBOX_KEY: "sandbox-key-01234", PRODUCTION_KEY: "production-key-01234" };

const certificate = { subject: "fx.example", issuer: "An authority", protocol: "TLSv1.3" };
const latency: Latency = {
  ...{ operation: "listBatches", count: 4, sum: 50, p50: 10, p95: 20, p99: 20, max: 20 },
  histogram: [
    [10, 3],
    [20, 1],
  ],
};
const sandbox: Run = {
  ...runs.conformant,
  certificate: { ...certificate, expires: "2031-01-01T00:00:00Z" },
  latency: [latency],
};

/** A context with the configuration file, and an engine with a result for each target. */
const contextWith = (production: Run) => {
  const engine = ({ target }: RunOptions) => Promise.resolve(target.name === "sandbox" ? sandbox : production);
  const context = testContext(engine);
  context.file("fxconform.config.yaml", file);
  return context;
};

test("runs smoke on both with one seed, the lower bound of bad credentials, and what each target sets", async () => {
  const { run, folder } = contextWith(sandbox);
  // One variable cannot hold for two targets.
  const { started, code, stdout } = await run("diff --targets sandbox,production --rate 5", {
    ...env,
    FXCONFORM_API_KEY: "another-key-01234",
    FXCONFORM_BASE_URL: "https://elsewhere.example",
    FXCONFORM_TARGET: "sandbox",
  });
  const settings = { profile: "smoke", seed: 12, rate: 5, maxBadCredentials: 3 };
  expect(started).toMatchObject([
    { settings, target: { name: "sandbox", baseUrl: "https://sandbox.fx.example", apiKey: env.SANDBOX_KEY } },
    { settings, target: { name: "production", baseUrl: "https://fx.example", apiKey: env.PRODUCTION_KEY } },
  ]);
  expect([code, stdout]).toEqual([0, expect.stringMatching(/\nNo verdict or answer differs\.\n$/)]);
  for (const name of ["sandbox", "production"]) {
    expect(existsSync(join(folder, `fxconform-report-${name}`, "report.json"))).toBe(true);
  }
});

test("the reports of each target have a folder of their own, whatever its name", async () => {
  const context = testContext(() => Promise.resolve(sandbox));
  const entry = { baseUrl: "https://fx.example", apiKey: "key-0123456789" };
  context.file("fxconform.config.json", JSON.stringify({ targets: { "../a": entry, b: entry } }));
  const { code } = await context.run("diff --targets ../a,b", { FXCONFORM_REPORT_DIR: "reports" });
  expect(code).toBe(0);
  const folders = ["fxconform.config.json", "reports-..%2Fa", "reports-b"];
  expect(readdirSync(context.folder).toSorted()).toEqual(folders);
});

test("both keep to one random seed where none is given", async () => {
  const { run } = contextWith(sandbox);
  const { started } = await run("diff --targets production,sandbox", env);
  expect(started[0]?.settings.seed).toBe(started[1]?.settings.seed);
});

test("prints certificate and latency, which fail nothing", async () => {
  const renewed = { ...certificate, expires: "2032-01-01T00:00:00Z" };
  const { run } = contextWith({ ...sandbox, certificate: renewed, latency: [{ ...latency, p95: 900 }] });
  const { code, stdout } = await run("diff --targets sandbox,production", env);
  expect(code).toBe(0);
  expect(stdout).toMatch(/\n {2}expires +2031-01-01T00:00:00Z → 2032-01-01T00:00:00Z\n/);
  expect(stdout).toMatch(/\n {2}GET \/batches +10\.0, 20\.0 → 10\.0, 900\.0\n/);
  expect(stdout).not.toContain("issuer");
});

test("exit code 1 where a verdict differs, also as JSON, which is all that is printed", async () => {
  const { run } = contextWith(runs.nonconformant);
  expect((await run("diff --targets sandbox,production", env)).code).toBe(1);
  const { code, stdout, stderr } = await run("diff --targets sandbox,production --json", env);
  expect([code, stderr]).toEqual([1, ""]);
  expect(JSON.parse(stdout)).toMatchObject({
    targets: [{ name: "sandbox" }, { name: "production", outcome: "nonconformant" }],
    verdicts: expect.arrayContaining([expect.objectContaining({ after: "fail" })]),
    latency: expect.arrayContaining([
      expect.objectContaining({ id: "listBatches", before: { count: 4, p50: 10, p95: 20, max: 20 } }),
    ]),
  });
});

test("exit code 3 where one cannot be tested: nothing is compared", async () => {
  const { run } = contextWith(runs.inconclusive);
  const { code, stdout } = await run("diff --targets sandbox,production", env);
  expect(code).toBe(3);
  expect(stdout).toContain(`production: ${runs.inconclusive.summary}`);
  expect(stdout).toMatch(/\nNo comparison: not every target could be tested\.\n$/);
});

test("an interruption ends the command: the second target is not tested", async () => {
  const context = testContext(() => Promise.resolve(runs.interrupted));
  context.file("fxconform.config.yaml", file);
  const { code, started, stdout } = await context.run("diff --targets sandbox,production", env);
  expect([code, started.length, stdout]).toEqual([130, 1, ""]);
});

test.each([
  ["--targets sandbox", ["must name two targets", "Write --targets"]],
  ["--targets sandbox,sandbox", ["must name two targets"]],
  ["--targets a,b,c", ["must name two targets"]],
  ["--targets", ["argument missing"]],
  ["--targets=", ["must be the names of two targets"]],
  [
    "--targets sandbx,production",
    ["--targets: names no target", "Did you mean sandbox? The targets are sandbox, production."],
  ],
  ["--targets sandbox,production before.json", ["takes no word"]],
  ["--targets sandbox,production --runs 0", ["fxconform: --runs: must be a whole number"]],
  ["--targets sandbox,production --profile full", ["--profile: is not an option of this command"]],
  ["before.json after.json --seed 1", ["--seed: applies only to --targets"]],
  ["before.json after.json --config fxconform.config.yaml", ["--config: applies only to --targets"]],
  ["", ["<before>: is missing", "(<before> <after> | --targets <names>)"]],
])("diff %s is refused before any request", async (words, says) => {
  const { run } = contextWith(sandbox);
  expectRefused(await run(`diff ${words}`, env), ...says);
});

test("a name that is no target of any file says where targets stand", async () => {
  expectRefused(await testContext().run("diff --targets a,b"), "Add targets to the configuration file");
});

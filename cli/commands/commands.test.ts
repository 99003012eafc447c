import { readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { json } from "../../reports/formats/json.ts";
import type { Run } from "../../model/run.ts";
import { runs } from "../../reports/testing/runs.ts";
import { expectRefused, local, testContext, type TestContext } from "../testing/test-context.ts";

const { conformant, nonconformant, inconclusive } = runs;
const file = ({ folder }: TestContext, name: string, run: Run): string => {
  writeFileSync(join(folder, name), json.render(run));
  return name;
};
const textOf = ({ folder }: TestContext, name: string): string => readFileSync(join(folder, name), "utf8");

const keyed = { FXCONFORM_API_KEY: "key-0123456789" };

/** A run that failed, with the options that it was given. */
const failedRun: Run = {
  ...nonconformant,
  settings: { customerId: "c", timeout: "3s", strict: true, only: ["OPER-02"], apiKeyFile: "gone.txt" },
};

/** The result of a second run: every row as before, except the changed ones. */
const again = (changes: Readonly<Record<string, Partial<Run["requirements"][number]>>>): Run => ({
  ...failedRun,
  requirements: failedRun.requirements.map((row) => ({ ...row, ...changes[row.id] })),
});

const failuresOf = (id: string) => failedRun.requirements.find((row) => row.id === id)?.findings ?? [];

test("replay takes target, settings and samples from the report and needs only the key", async () => {
  const here = testContext(() => Promise.resolve(again({})));
  const report = file(here, "report.json", failedRun);
  const before = textOf(here, report);
  here.file("fxconform.config.yaml", "runs: 3\nstrict: true\nbaseUrl: https://elsewhere.example\n");
  const { started, code, stderr } = await here.run(`replay ${report}`, { ...keyed, FXCONFORM_SEED: "9" });
  expect(code, stderr).toBe(1);
  expect(started[0]).toMatchObject({
    target: { baseUrl: failedRun.target.baseUrl, customerId: "c" },
    settings: {
      selection: ["OPER-02", "ACAM-03"],
      seed: failedRun.seed,
      runs: failedRun.runs,
      profile: failedRun.profile,
      timeout: 3_000,
    },
    strict: false,
  });
  expect(textOf(here, report)).toBe(before);
  expect(statSync(join(here.folder, "replay", "report.json")).isFile()).toBe(true);
  const other = await here.run(`replay ${report} --base-url https://localhost:1`, keyed);
  expect(other.started[0]?.target.baseUrl).toBe("https://localhost:1");
});

test.each<[string, Parameters<typeof again>[0], number, RegExp]>([
  ["one fixed", { "OPER-02": passed() }, 1, /^OPER-02 +fixed +A new operation[^]*^ACAM-03 +still failing/m],
  [
    "another message",
    {
      "OPER-02": passed(),
      "ACAM-03": { findings: [{ message: "other", expected: "status 400", actual: "x", replay: "", curl: "" }] },
    },
    1,
    /^ACAM-03 +another cause[^]*^ {2}before +\S[^]*^ {2}was +\S[^]*^ {2}finding +other$[^]*^1 fixed, 1 another cause$/m,
  ],
  [
    "the same status for a request of another kind",
    { "OPER-02": passed(), "ACAM-03": { findings: failuresOf("ACAM-03").map((one) => ({ ...one, intent: "valid" })) } },
    1,
    /^ACAM-03 +another cause[^]*^1 fixed, 1 another cause$/m,
  ],
  [
    "no verdict",
    { "OPER-02": passed(), "ACAM-03": { verdict: "inconclusive", reason: "no item", findings: [] } },
    3,
    /^ACAM-03 +unreachable[^]*^ {2}reason +no item$/m,
  ],
])("replay with %s", async (_, changes, code, says) => {
  const here = testContext(() => Promise.resolve(again(changes)));
  file(here, "report.json", failedRun);
  const result = await here.run("replay report.json --reports json", keyed);
  expect(result.stdout).toMatch(says);
  expect(result.code).toBe(code);
});

function passed(): Partial<Run["requirements"][number]> {
  return { verdict: "pass", findings: [] };
}

test("replay needs the added headers again whose values no report holds", async () => {
  const here = testContext();
  const run = { ...failedRun, target: { ...failedRun.target, headers: ["X-A", "X-B"] } };
  here.file(
    "report.json",
    JSON.stringify({ ...run, settings: { ...run.settings, headers: { "X-A": "env:GATEWAY" } } }),
  );
  const [a, b] = [{ GATEWAY: "value-of-a" }, ["--header", "X-A: 1", "--header", "X-B: 2"]];
  const refused = await here.run("replay report.json --reports json", { ...keyed, ...a });
  expectRefused(refused, "--header: is missing: the run sent X-B, and no report holds the value.");
  const { started } = await here.run(["replay", "report.json", "--reports", "json", ...b], keyed);
  expect(started[0]?.target.headers?.map(({ name }) => name)).toEqual(["X-A", "X-B"]);
});

const answered = (inCase: string, answer: string): Run["observations"][number]["answers"][number] => ({
  case: inCase,
  answer,
  count: 1,
});

test("pin writes a statement that run reads: each answer with its cases", async () => {
  const here = testContext();
  const answers = [
    answered("without /name", 'a "quoted" : text\nwith lines'),
    answered("without /iban", "201"),
    answered("any, [case]", "201"),
    answered("any, [case]", "true"),
  ];
  file(here, "r.json", { ...conformant, observations: [{ id: "OPEN-08", question: "Which?\n- trick", answers }] });
  expect(await here.run("pin r.json -o s.yaml")).toMatchObject({ code: 0, stdout: "" });
  const target = `${local} --reports json`;
  const { started, stderr } = await here.run(`run ${target} --statement s.yaml`);
  const byCase = started[0]?.statement.toSorted((a, b) => String(b.case).localeCompare(String(a.case)));
  expect(byCase, stderr).toEqual([
    { question: "OPEN-08", case: "without /name", answers: ['a "quoted" : text\nwith lines'] },
    { question: "OPEN-08", case: "without /iban", answers: ["201"] },
    { question: "OPEN-08", case: "any, [case]", answers: ["201", "true"] },
  ]);
  expect(await here.run("pin r.json -o s.yaml")).toMatchObject({ code: 2, stderr: expect.stringContaining("--force") });
  expect(await here.run("pin r.json -o s.yaml --force")).toMatchObject({ code: 0 });
  expect((await here.run("pin r.json")).stdout).toBe(textOf(here, "s.yaml"));
  file(here, "empty.json", inconclusive);
  await here.run("pin empty.json -o none.yaml");
  expect((await here.run(`run ${target} --statement none.yaml`)).started[0]?.statement).toEqual([]);
});

test("demo checks its own server with its own key, whatever is configured", async () => {
  const here = testContext();
  writeFileSync(join(here.folder, "fxconform.config.yaml"), "baseUrl: https://fx.example\nruns: 3\n");
  const { started, code, stderr } = await here.run("demo --seed 5 --reports json", {
    FXCONFORM_BASE_URL: "https://x",
    FXCONFORM_API_KEY: "mine",
  });
  expect(code, stderr).toBe(0);
  expect(started[0]).toMatchObject({
    target: { currencyPairs: ["USDBRL", "EURBRL"], otherPurposes: ["IMPORT"] },
    settings: { profile: "full", seed: 5, runs: 25 },
    given: { seed: 5, reports: ["json"] },
    // The server of a demo ends with it, so a new demo repeats the run.
    replayCommand: "fxconform demo --seed 5",
  });
  expect(started[0]?.target.baseUrl).toMatch(/^https:\/\/localhost:\d+$/);
  expect(started[0]?.target.apiKey).not.toBe("mine");
  expect(started[0]?.target.ca).toContain("BEGIN CERTIFICATE");
});

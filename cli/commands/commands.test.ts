import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { causesOf } from "../../model/conclusion/causes.ts";
import { json } from "../../reports/formats/json.ts";
import type { Run } from "../../model/run.ts";
import { findingOf } from "../../model/testing/rows.ts";
import { runs } from "../../reports/testing/runs.ts";
import { expectRefused, local, testContext, type TestContext } from "../testing/test-context.ts";

const { conformant, nonconformant, inconclusive } = runs;
function file({ folder }: TestContext, name: string, run: Run): string {
  writeFileSync(join(folder, name), json.render(run));
  return name;
}
function fileText({ folder }: TestContext, name: string): string {
  return readFileSync(join(folder, name), "utf8");
}

const keyed = { FXCONFORM_API_KEY: "key-0123456789" };

/** A run that failed, with the options that it was given. */
const failedRun: Run = {
  ...nonconformant,
  settings: {
    customerId: "c",
    timeout: "3s",
    strict: true,
    only: ["OPER-02"],
    apiKeyFile: "gone.txt",
  },
};

/** The result of a second run, in which only the given rows changed. */
function again(changes: Readonly<Record<string, Partial<Run["requirements"][number]>>>): Run {
  return {
    ...failedRun,
    requirements: failedRun.requirements.map((row) => ({ ...row, ...changes[row.id] })),
  };
}

/** The flags that a user adds for a replay of `failedRun`. */
const mine = `--base-url ${failedRun.target.baseUrl} --profile full --customer-id c`;

test("replay takes seed, samples and what it checks from the report, and everything else from the user", async () => {
  const here = testContext(() => Promise.resolve(again({})));
  const given = {
    currencyPairs: ["EURBRL"],
    amount: "5..6:2",
    runs: 3,
    timeout: "3s",
    ...failedRun.settings,
  };
  const report = file(here, "report.json", { ...failedRun, settings: given });
  const before = fileText(here, report);
  here.file(
    "fxconform.config.yaml",
    "runs: 3\nstrict: true\nbaseUrl: https://127.0.0.1:7\namount: { min: 7, max: 8, decimals: 2 }\ncustomerId: of-the-file\n",
  );
  const { started, code, stderr } = await here.run(`replay ${report}`, {
    ...keyed,
    FXCONFORM_SEED: "9",
  });
  expect(code, stderr).toBe(1);
  expect(started[0]).toMatchObject({
    target: {
      baseUrl: "https://127.0.0.1:7",
      customerId: "of-the-file",
      currencyPairs: ["EURBRL"],
      amount: { min: 7, max: 8 },
    },
    settings: {
      selection: ["OPER-02", "ACAM-03"],
      seed: failedRun.seed,
      runs: failedRun.runs,
      profile: "full",
      timeout: 10_000,
    },
    strict: false,
  });
  expect(stderr).toContain("baseUrl in fxconform.config.yaml names https://127.0.0.1:7");
  expect(fileText(here, report)).toBe(before);
  expect(statSync(join(here.folder, "replay", "report.json")).isFile()).toBe(true);
  const other = await here.run(`replay ${report} --base-url https://localhost:1`, keyed);
  expect(other.started[0]?.target.baseUrl).toBe("https://localhost:1");
});

test("replay without a file reads the report in the folder where run writes", async () => {
  const here = testContext(() => Promise.resolve(again({})));
  mkdirSync(join(here.folder, "fxconform-report"));
  mkdirSync(join(here.folder, "elsewhere"));
  file(here, "fxconform-report/report.json", failedRun);
  file(here, "elsewhere/report.json", { ...failedRun, seed: 99 });
  const usual = await here.run(`replay ${mine}`, keyed);
  expect(usual.started[0]?.settings.seed, usual.stderr).toBe(failedRun.seed);
  expect(usual.stderr).toContain("Replays fxconform-report/report.json: ");
  here.file("fxconform.config.yaml", "reportDir: elsewhere\n");
  expect((await here.run(`replay ${mine}`, keyed)).started[0]?.settings.seed).toBe(99);
  expectRefused(await testContext().run(`replay ${mine}`, keyed), "fxconform-report/report.json");
});

describe("a report is input, not configuration", () => {
  /** A report by somebody who wants to get hold of the key, a file and a variable. */
  const foreign = (baseUrl: string): Run => ({
    ...failedRun,
    target: { ...failedRun.target, baseUrl },
    settings: {
      baseUrl,
      apiKeyFile: "private.txt",
      customerId: "theirs",
      proxy: "http://proxy.example:1",
      allowHttp: true,
      insecure: true,
      profile: "full",
      ca: "private.txt",
      concurrency: 256,
      timeout: "10m",
      headers: { "X-File": "file:private.txt", "X-Variable": "env:PRIVATE" },
    },
  });
  const env = { ...keyed, PRIVATE: "of the environment" };

  test.each([
    ["https://evil.example/$(touch x)", "--base-url 'https://evil.example/$(touch%20x)'"],
    ["https://localhost@evil.example", "--base-url https://host/base"],
    ["\u001b[31m##[error]", "--base-url https://host/base"],
  ])("the address %j is refused with the line to add", async (baseUrl, line) => {
    const here = testContext();
    here.file("private.txt", "of the file");
    file(here, "report.json", foreign(baseUrl));
    const result = await here.run("replay report.json", env);
    expectRefused(result, "a report does not decide where the key is sent");
    expect(result.stderr).toContain(`If that is your server, add ${line}.`);
    expect(result.stderr).not.toMatch(/\u001b|##\[/);
  });

  test("a loopback address is used, with nothing else of the report that decides where or how requests are sent", async () => {
    const here = testContext(() => Promise.resolve(again({})));
    here.file("private.txt", "of the file");
    file(here, "report.json", foreign("https://localhost:4010"));
    const { started, stderr } = await here.run("replay report.json --customer-id mine", env);
    expect(started[0]?.target, stderr).toMatchObject({
      baseUrl: "https://localhost:4010",
      apiKey: keyed.FXCONFORM_API_KEY,
      customerId: "mine",
      allowHttp: false,
      insecure: false,
    });
    for (const name of ["proxy", "headers", "ca"] as const)
      expect(started[0]?.target[name]).toBeUndefined();
    expect(started[0]?.settings).toMatchObject({ concurrency: 8, timeout: 10_000 });
  });
});

test("the replay line repeats what stood in neither file nor variable, and no secret", async () => {
  const here = testContext(() => Promise.resolve(runs.nonconformant));
  here.file("more.yaml", "customerId: of-the-file\nrate: 5\n");
  here.file("key.txt", "key-0123456789");
  here.file("gateway.txt", "gateway-0123456789");
  const words = [
    "run",
    "--config",
    "more.yaml",
    "--base-url",
    "https://localhost:4010/a b",
    "--currency-pairs",
    "USDBRL,EURBRL",
    "--header",
    "X-Hidden: hidden-0123",
    "--header",
    "X-File: file:gateway.txt",
    "--proxy",
    "http://me:password-01@proxy.example:8",
    "--timeout",
    "3s",
    "--api-key-file",
    "key.txt",
    "--no-insecure",
    "--amount",
    "1..2:2",
    "--seed",
    "5",
    "--strict",
    "--quiet",
  ];
  const { started, stderr } = await here.run(words, { FXCONFORM_CONCURRENCY: "3" });
  const line = started[0]?.replayCommand ?? "";
  expect(line, stderr).toBe(
    "fxconform replay --config more.yaml --base-url 'https://localhost:4010/a b' " +
      "--api-key-file key.txt --currency-pairs USDBRL,EURBRL --amount 1..2:2 " +
      "--header 'X-File: file:gateway.txt' --proxy http://proxy.example:8 --no-insecure " +
      "--timeout 3s",
  );
  const byKey = await here.run(
    `run --api-key key-0123456789 --base-url https://localhost --customer-id c`,
  );
  expect(byKey.started[0]?.replayCommand).toBe(
    "fxconform replay --base-url https://localhost --customer-id c",
  );
});

test("replay shows each mistake that is still there, as a run does", async () => {
  const findings = (["createBatch", "createOperation"] as const).map((operation) =>
    findingOf({
      operation,
      mistake: { kind: "silence", of: operation, expected: "", actual: "" },
      message: `${operation} is silent.`,
    }),
  );
  const failed = {
    ...failedRun,
    requirements: failedRun.requirements.map((row) =>
      row.id === "ACAM-03" ? { ...row, findings } : row,
    ),
  };
  const both = { ...failed, causes: causesOf(failed.requirements) };
  const words = `replay report.json ${mine} --reports json --only ACAM-03`;
  for (const left of [findings, findings.slice(0, 1)]) {
    const { requirements } = again({ "ACAM-03": { findings: left } });
    const here = testContext(() =>
      Promise.resolve({ ...again({}), requirements, causes: causesOf(requirements) }),
    );
    file(here, "report.json", both);
    const { stdout } = await here.run(words, keyed);
    expect(stdout).toMatch(/^ACAM-03 +still failing/m);
    expect(stdout.match(/^\u2717 ACAM-03/gm)).toHaveLength(left.length);
  }
});

test.each<[string, Parameters<typeof again>[0], number, RegExp]>([
  [
    "one fixed",
    { "OPER-02": passed() },
    1,
    /^OPER-02 +fixed +A new operation[^]*^ACAM-03 +still failing/m,
  ],
  [
    "another message",
    {
      "OPER-02": passed(),
      "ACAM-03": {
        findings: [findingOf({ message: "other", expected: "status 400", actual: "x" })],
      },
    },
    1,
    /^ACAM-03 +another cause[^]*^1 another cause, 1 fixed$/m,
  ],
  [
    "no verdict",
    {
      "OPER-02": passed(),
      "ACAM-03": { verdict: "inconclusive", reason: "no item", findings: [] },
    },
    3,
    /^ACAM-03 +no verdict[^]*^ {2}reason +no item$/m,
  ],
])("replay with %s", async (_, changes, code, says) => {
  const here = testContext(() => Promise.resolve(again(changes)));
  file(here, "report.json", failedRun);
  const result = await here.run(`replay report.json ${mine} --reports json`, keyed);
  expect(result.stdout).toMatch(says);
  expect(result.code).toBe(code);
});

function passed(): Partial<Run["requirements"][number]> {
  return { verdict: "pass", findings: [] };
}

test("replay needs the added headers again whose values no report holds", async () => {
  const here = testContext();
  file(here, "report.json", {
    ...failedRun,
    target: { ...failedRun.target, headers: ["X-A", "X-B"] },
  });
  const words = ["replay", "report.json", ...mine.split(" "), "--reports", "json"];
  const a = ["--header", "X-A: env:GATEWAY"];
  const env = { ...keyed, GATEWAY: "value-of-a" };
  const refused = await here.run([...words, ...a], env);
  expectRefused(refused, "--header: is missing: the run sent X-B, and no report holds the value.");
  const { started } = await here.run([...words, ...a, "--header", "X-B: 2"], env);
  expect(started[0]?.target.headers?.map(({ name }) => name)).toEqual(["X-A", "X-B"]);
});

function answered(inCase: string, answer: string): Run["observations"][number]["answers"][number] {
  return {
    case: inCase,
    answer,
    count: 1,
  };
}

test("a statement has a line for each question and answer, and below it only the cases that differ", async () => {
  const here = testContext();
  const observations: Run["observations"] = [
    { id: "OPEN-08", question: "With which status?", answers: [answered("a success", "201")] },
    {
      id: "OPEN-28",
      question: "Which texts?",
      answers: [
        answered("empty", "refused with 400"),
        ...["long", "odd", "cut"].map((name) => answered(name, "accepted")),
        answered("both", "accepted"),
        answered("both", "refused with 400"),
      ],
    },
  ];
  file(here, "r.json", { ...conformant, observations });
  await here.run("pin r.json -o s.yaml");
  expect(fileText(here, "s.yaml").replace(/^#.*\n/gm, "")).toBe(`
OPEN-08: "201" # With which status?
OPEN-28: # Which texts?
  accepted:
    - every other case
    - both
  refused with 400:
    - empty
    - both
`);
  const { started, stderr } = await here.run(`run ${local} --reports json --statement s.yaml`);
  const except = ["both", "empty"];
  expect(started[0]?.statement, stderr).toEqual([
    { question: "OPEN-08", answers: ["201"] },
    { question: "OPEN-28", except, answers: ["accepted"] },
    { question: "OPEN-28", case: "both", answers: ["accepted", "refused with 400"] },
    { question: "OPEN-28", case: "empty", answers: ["refused with 400"] },
  ]);
  const chosen = await here.run("pin r.json --only open-08");
  expect(chosen.stdout).toMatch(/^OPEN-08: "201"/m);
  expect(chosen.stdout).not.toContain("OPEN-28");
  expectRefused(await here.run("pin r.json --only OPEN-99"), "--only: must be one of OPEN-01");
});

test("serve --list shows the faults and variants that have the given words", async () => {
  const here = testContext();
  const { stdout, code } = await here.run(["serve", "--list", "operation amount"]);
  const lines = stdout.split("\n").filter((line) => line.startsWith("  "));
  expect(code).toBe(0);
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.filter((line) => !/amount/i.test(line))).toEqual([]);
  expect((await here.run(["serve", "--list"])).stdout.split("\n").length).toBeGreaterThan(100);
  expectRefused(
    await here.run(["serve", "--list", "no-such-word"]),
    "--list: finds no fault or variant",
  );
});

test("pin refuses a report that has nothing to pin", async () => {
  const here = testContext();
  file(here, "empty.json", inconclusive);
  file(here, "previous.json", conformant);
  const nothing = await here.run("pin empty.json -o none.yaml");
  expect(nothing).toMatchObject({ code: 3, stdout: "" });
  expect(nothing.stderr).toContain(
    "empty.json has nothing to pin; previous.json beside it is the last report with a verdict.",
  );
  expect(existsSync(join(here.folder, "none.yaml"))).toBe(false);
});

test("replay names what it reads, and reads the last report with a verdict if the new one has none", async () => {
  const here = testContext(() => Promise.resolve(again({})));
  file(here, "report.json", {
    ...failedRun,
    ...inconclusive,
    startedAt: "2026-11-24T14:02:03.000Z",
  });
  const empty = await here.run(`replay report.json ${mine}`, keyed);
  expect(empty).toMatchObject({ code: 3, started: [] });
  expect(empty.stderr).toMatch(
    /^Replays report\.json: run of 24 November 2026, 14:02 UTC at https:\S+, profile full, seed \d+\.$/m,
  );
  expect(empty.stdout).toContain("there is nothing to replay");
  file(here, "previous.json", failedRun);
  const { started, stderr } = await here.run(`replay report.json ${mine}`, keyed);
  expect(started[0]?.settings.selection).toEqual(["OPER-02", "ACAM-03"]);
  expect(stderr).toContain(
    "report.json has no verdict: the last report with one is replayed.\nReplays previous.json: ",
  );
});

test("demo checks its own server with its own key, whatever is configured", async () => {
  const here = testContext();
  writeFileSync(
    join(here.folder, "fxconform.config.yaml"),
    "baseUrl: https://fx.example\nruns: 3\n",
  );
  const { started, code, stderr } = await here.run("demo --seed 5 --reports json", {
    FXCONFORM_BASE_URL: "https://x",
    FXCONFORM_API_KEY: "mine",
  });
  expect(code, stderr).toBe(0);
  expect(started[0]).toMatchObject({
    target: { currencyPairs: ["USDBRL", "EURBRL"], otherPurposes: ["IMPORT"] },
    settings: { profile: "full", seed: 5, runs: 25 },
    given: { seed: 5, reports: ["json"] },
    // The server of a demo ends with the demo, so that a new demo repeats the run.
    replayCommand: "fxconform demo --seed 5",
  });
  expect(started[0]?.target.baseUrl).toMatch(/^https:\/\/localhost:\d+$/);
  expect(started[0]?.target.apiKey).not.toBe("mine");
  expect(started[0]?.target.ca).toContain("BEGIN CERTIFICATE");
});

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { json } from "../../reports/formats/json.ts";
import type { Run } from "../../model/run.ts";
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

test("replay takes seed and what it checks from the report, and everything else from the user", async () => {
  const here = testContext(() => Promise.resolve(again({})));
  here.file("private.txt", "of the file");
  const foreign = {
    baseUrl: "https://evil.example",
    apiKeyFile: "private.txt",
    proxy: "http://proxy.example:1",
    insecure: true,
    headers: { "X-File": "file:private.txt" },
  };
  const report = file(here, "report.json", {
    ...failedRun,
    settings: { ...failedRun.settings, ...foreign },
  });
  const before = fileText(here, report);
  expectRefused(await here.run(`replay ${report}`, keyed), "there is no target by default");
  here.file(
    "fxconform.config.yaml",
    "runs: 3\nstrict: true\nreportDir: .\nbaseUrl: https://127.0.0.1:7\ncustomerId: of-the-file\n",
  );
  const env = { ...keyed, FXCONFORM_SEED: "9" };
  const { started, code, stderr } = await here.run(`replay ${report}`, env);
  expect(code, stderr).toBe(1);
  expect(started[0]).toMatchObject({
    target: { baseUrl: "https://127.0.0.1:7", customerId: "of-the-file", insecure: false },
    settings: {
      selection: ["OPER-02", "ACAM-03"],
      seed: failedRun.seed,
      runs: 3,
      timeout: 10_000,
    },
    strict: false,
  });
  for (const name of ["proxy", "headers", "ca"] as const)
    expect(started[0]?.target[name]).toBeUndefined();
  const own = await here.run(`replay ${report} --report-dir .`, env);
  expectRefused(own, "is the folder of the report to replay, which would be lost");
  expect(started[0]?.replayCommand).toBe(`npx fxconform replay ${report}`);
  expect(fileText(here, report)).toBe(before);
  expect(statSync(join(here.folder, "replay", "report.json")).isFile()).toBe(true);
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
    "npx fxconform replay --config more.yaml --base-url 'https://localhost:4010/a b' " +
      "--api-key-file key.txt --currency-pairs USDBRL,EURBRL --amount 1..2:2 " +
      "--header 'X-File: file:gateway.txt' --proxy http://proxy.example:8 --no-insecure " +
      "--timeout 3s",
  );
  const byKey = await here.run(
    `run --api-key key-0123456789 --base-url https://localhost --customer-id c`,
  );
  expect(byKey.started[0]?.replayCommand).toBe(
    "npx fxconform replay --base-url https://localhost --customer-id c",
  );
});

test.each(["inconclusive", "skip"] as const)(
  "replay ends with 3 if what failed is %s now",
  async (verdict) => {
    const open = { verdict, reason: "no item", findings: [] };
    const { requirements } = again({ "OPER-02": passed(), "ACAM-03": open });
    const here = testContext(() => Promise.resolve({ ...conformant, requirements }));
    file(here, "report.json", failedRun);
    const result = await here.run(`replay report.json ${mine} --reports json`, keyed);
    expect(result.stdout).toContain("1 no verdict, 1 fixed.");
    expect(result.code).toBe(3);
  },
);

function passed(): Partial<Run["requirements"][number]> {
  return { verdict: "pass", findings: [] };
}

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

test("list --deviations shows the faults and variants that have the given words", async () => {
  const here = testContext();
  const { stdout, code } = await here.run(["list", "--deviations", "operation amount"]);
  const lines = stdout.split("\n").filter((line) => line.startsWith("  "));
  expect(code).toBe(0);
  expect(lines.length).toBeGreaterThan(2);
  expect(lines.filter((line) => !/amount/i.test(line))).toEqual([]);
  expect((await here.run(["list", "--deviations"])).stdout.split("\n").length).toBeGreaterThan(100);
  expectRefused(
    await here.run(["list", "--deviations", "no-such-word"]),
    "--deviations: finds no fault or variant",
  );
});

test("pin refuses a report that has nothing to pin", async () => {
  const here = testContext();
  file(here, "empty.json", inconclusive);
  const nothing = await here.run("pin empty.json -o none.yaml");
  expect(nothing).toMatchObject({ code: 3, stdout: "" });
  expect(nothing.stderr).toContain("empty.json has nothing to pin.");
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
    /^Replays report\.json: run of 24 Nov 2026 14:02 UTC at https:\S+, profile full, seed \d+\.$/m,
  );
  expect(empty.stdout).toContain("there is nothing to replay");
  file(here, "previous.json", failedRun);
  const { started, stderr } = await here.run(`replay report.json ${mine}`, keyed);
  expect(started[0]?.settings.selection).toEqual(["OPER-02", "ACAM-03"]);
  expect(stderr).toContain(
    "report.json has no verdict: the last report with one is read.\nReplays previous.json: ",
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
    replayCommand: "npx fxconform demo --seed 5",
  });
  expect(started[0]?.target.baseUrl).toMatch(/^https:\/\/localhost:\d+$/);
  expect(started[0]?.target.apiKey).not.toBe("mine");
  expect(started[0]?.target.ca).toContain("BEGIN CERTIFICATE");
});

test("an example is copied once, and never over a file", async () => {
  const here = testContext();
  expect((await here.run("example first-hour")).code).toBe(0);
  expect(readdirSync(here.folder)).toContain("server.mjs");
  expectRefused(await here.run("example first-hour"), "server.mjs: exists already");
  expectRefused(await here.run("example ../suites"), "example: names no example");
});

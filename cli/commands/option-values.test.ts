import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import { local, testContext } from "../testing/test-context.ts";

const quiet = "--reports json";

test("a flag wins over a variable, a variable over the file, the file over the default", async () => {
  const { run, file } = testContext();
  file("fxconform.config.yaml", "runs: 1\nconcurrency: 1\ngrace: 1s\n");
  const { started, code } = await run(`run ${local} ${quiet} --runs 3`, {
    FXCONFORM_RUNS: "2",
    FXCONFORM_CONCURRENCY: "2",
    FXCONFORM_TIMEOUT: "",
  });
  expect(code).toBe(0);
  expect(started[0]?.settings).toMatchObject({
    runs: 3,
    concurrency: 2,
    grace: 1_000,
    timeout: 10_000,
    maxBody: 128 * 2 ** 20,
  });
});

test("the defaults are those of the design", async () => {
  const { started } = await testContext().run(`run ${local} ${quiet}`);
  expect(started[0]).toMatchObject({
    target: {
      baseUrl: "https://localhost:4010",
      currencyPairs: ["USDBRL"],
      otherPurposes: [],
      insecure: false,
      allowHttp: false,
    },
    settings: {
      profile: "full",
      runs: 25,
      concurrency: 8,
      timeout: 10_000,
      grace: 5_000,
      maxBody: 134_217_728,
      seed: 4711,
    },
    strict: false,
  });
  expect(started[0]?.target.amount).toEqual({ min: 10, max: 1_000, decimals: 2 });
  expect(started[0]?.settings).not.toHaveProperty("rate");
});

test.each([
  ["--timeout 1500ms", { timeout: 1_500 }],
  ["--max-body 1MiB", { maxBody: 1_048_576 }],
  ["--only oper-02,ACAM-03 --only HTTP-01", { selection: ["OPER-02", "ACAM-03", "HTTP-01"] }],
  ["--only oper-02,acam-03 --exclude ACAM", { selection: ["OPER-02"] }],
])("%s", async (words, settings) => {
  const { started } = await testContext().run(`run ${local} ${quiet} ${words}`);
  expect(started[0]?.settings).toMatchObject(settings);
});

test.each([
  ["--base-url https://localhost/base/v1/", { baseUrl: "https://localhost/base/v1" }],
  ["--base-url HTTPS://LOCALHOST:443/", { baseUrl: "https://localhost" }],
  ["--base-url http://fx.example --allow-http --profile full", { baseUrl: "http://fx.example", allowHttp: true }],
  ["--currency-pairs USDBRL,EURBRL,USDBRL", { currencyPairs: ["USDBRL", "EURBRL"] }],
  ["--amount 10.07..10.07:2", { amount: { min: 10.07, max: 10.07, decimals: 2 } }],
])("%s", async (words, target) => {
  const { started, stderr } = await testContext().run(`run ${local} ${quiet} ${words}`);
  expect(started[0]?.target, stderr).toMatchObject(target);
});

test("paths in the file are relative to the file, and a named file needs not be here", async () => {
  const { run, file, folder } = testContext();
  file("key.txt", "key-from-file-1\n");
  file("other.yaml", `apiKeyFile: key.txt\nbaseUrl: https://localhost\ncustomerId: '0017'\nreports: json\n`);
  const { started, code, stderr } = await run(["run", "--config", `${folder}/other.yaml`]);
  expect(stderr).toContain(`Reports in ${folder}/fxconform-report: report.json`);
  expect(code).toBe(0);
  expect(started[0]?.target).toMatchObject({ apiKey: "key-from-file-1", customerId: "0017" });
});

test("a key in a file that git would commit is worth a warning on standard error", { tags: "git" }, async () => {
  const { run, file, folder } = testContext();
  file("fxconform.config.yaml", "apiKey: key-0123456789");
  const words = `run --base-url https://localhost --customer-id c ${quiet}`;
  const warning = "apiKey in fxconform.config.yaml: keep the key out of version control";
  expect((await run(words)).stderr).not.toContain(warning);
  execFileSync("git", ["init", "--quiet"], { cwd: folder });
  const { stderr, stdout, code } = await run(words);
  expect(stderr).toContain(warning);
  expect({ stdout: stdout.includes("version control"), code }).toEqual({ stdout: false, code: 0 });
  file(".gitignore", "fxconform.config.yaml\n");
  expect((await run(words)).stderr).not.toContain(warning);
});

test("statement and baseline are read", async () => {
  const { run, file } = testContext();
  file("s.yaml", "OPEN-08: 201\nOPEN-09: [400, '422']\nOPEN-10: { 200: [a, 1], 201: a }\n");
  file("b.json", '[{"requirement":"oper-02","reason":"ticket 5","expires":"2030-01-31"}]');
  const { started } = await run(`run ${local} ${quiet} --statement s.yaml --baseline b.json`);
  expect(started[0]?.statement).toEqual([
    { question: "OPEN-08", answers: ["201"] },
    { question: "OPEN-09", answers: ["400", "422"] },
    { question: "OPEN-10", case: "a", answers: ["200", "201"] },
    { question: "OPEN-10", case: "1", answers: ["200"] },
  ]);
  expect(started[0]?.baseline).toEqual([{ requirement: "OPER-02", reason: "ticket 5", expires: "2030-01-31" }]);
});

test("the options as given go into the report: no defaults, no secrets, paths as seen from here", async () => {
  const { run, file, folder } = testContext();
  file("s.yaml", "{}");
  file("key.txt", "key-from-file-1");
  const words = `--base-url https://localhost --customer-id c1 --api-key-file ${folder}/key.txt --statement s.yaml`;
  const more =
    "--timeout 1500 --max-body 1048576 --currency-pairs USDBRL,EURBRL --strict --amount 0.00000015..0.000001:8";
  const { started, stderr } = await run(`run ${words} ${more} --no-insecure --only oper-02`);
  expect(started[0]?.given, stderr).toEqual({
    baseUrl: "https://localhost",
    apiKeyFile: "key.txt",
    customerId: "c1",
    currencyPairs: ["USDBRL", "EURBRL"],
    amount: "0.00000015..0.000001:8",
    only: ["oper-02"],
    timeout: "1500",
    maxBody: "1048576",
    strict: true,
    statement: "s.yaml",
    insecure: false,
  });
  expect(started[0]?.selected).toEqual({ only: ["oper-02"] });
  const { started: plain } = await run(`run ${local}`);
  expect(plain[0]).not.toHaveProperty("selected");
  expect(plain[0]).toMatchObject({ replayCommand: "fxconform replay fxconform-report/report.json" });
  const { started: elsewhere } = await run(["run", ...local.split(" "), "--report-dir", "it's here"]);
  expect(elsewhere[0]).toMatchObject({ replayCommand: `fxconform replay 'it'\\''s here/report.json'` });
});

test.each([
  ["", {}, false],
  ["", { FORCE_COLOR: "1" }, true],
  ["--color", { NO_COLOR: "1" }, true],
])("colour without a terminal: %s %o", async (words, env, colored) => {
  const { stdout } = await testContext().run(`run ${local} ${quiet} ${words}`, env);
  expect(stdout.includes("\u001b[")).toBe(colored);
});

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
    maxBody: 32 * 2 ** 20,
  });
});

test("paths in the file are relative to the file, and a named file needs not be here", async () => {
  const { run, file, folder } = testContext();
  file("key.txt", "key-from-file-1\n");
  file(
    "other.yaml",
    `apiKeyFile: key.txt\nbaseUrl: https://localhost\ncustomerId: '0017'\nreports: json\n`,
  );
  const { started, code, stderr } = await run(["run", "--config", `${folder}/other.yaml`]);
  expect(stderr).toContain(`Reports in ${folder}/fxconform-report: report.json`);
  expect(code).toBe(0);
  expect(started[0]?.target).toMatchObject({ apiKey: "key-from-file-1", customerId: "0017" });
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
    amount: { min: 0.00000015, max: 0.000001, decimals: 8 },
    only: ["oper-02"],
    timeout: "1500",
    maxBody: "1048576",
    strict: true,
    statement: "s.yaml",
    insecure: false,
  });
  expect(started[0]?.selected).toEqual({ only: ["oper-02"] });
  const { started: plain } = await run(`run ${local}`);
  expect(plain[0]?.selected).toBeUndefined();
  expect(plain[0]).toMatchObject({
    replayCommand: expect.stringMatching(/^npx fxconform replay --/),
  });
  const { started: elsewhere } = await run([
    "run",
    ...local.split(" "),
    "--report-dir",
    "it's here",
  ]);
  expect(elsewhere[0]?.replayCommand).toMatch(
    `npx fxconform replay 'it'\\''s here/report.json' --`,
  );
});

test("only what a file leaves out or tolerates narrows the gate unseen", async () => {
  const { run, file } = testContext();
  file("b.yaml", "- { requirement: OPER-02, reason: known, expires: 2030-01-31 }");
  file("fxconform.config.yaml", "only: [OPER-02, auth]\nbaseline: b.yaml\nstrict: true\n");
  const { started, stderr } = await run(`run ${local} ${quiet}`);
  const place = { file: "fxconform.config.yaml" };
  expect(started[0]?.narrowing, stderr).toEqual([
    { option: "only", given: "[OPER-02, auth]", ...place },
    { option: "baseline", given: "b.yaml", ...place },
  ]);
  const { started: byFlags } = await run(`run ${local} ${quiet} --only AUTH-01 --baseline b.yaml`);
  expect(byFlags[0]?.narrowing).toEqual([]);
});

function words(...more: readonly string[]): readonly string[] {
  return ["run", ...local.split(" "), ...quiet.split(" "), ...more];
}

test("headers come from flags and the file, their values from variables and files too", async () => {
  const { run, file } = testContext();
  const path = file("gateway.txt", "from-a-file\n");
  const flags = ["--header", "X-Tenant: a, b: c", "--header", "x-key:env:GATEWAY"];
  const byFlag = await run(words(...flags), { GATEWAY: "from-a-variable" });
  expect(byFlag.code).toBe(0);
  expect(byFlag.started[0]?.target.headers).toEqual([
    { name: "X-Tenant", value: "a, b: c" },
    { name: "x-key", value: "from-a-variable", source: "env:GATEWAY" },
  ]);
  file("fxconform.config.yaml", "headers:\n  X-Key: file:gateway.txt\n");
  const byFile = await run(words("--config", "fxconform.config.yaml"));
  expect(byFile.started[0]?.target.headers).toEqual([
    { name: "X-Key", value: "from-a-file", source: `file:${path}` },
  ]);
});

test("--proxy holds for loopback addresses too, and its credentials are decoded and kept apart", async () => {
  const flags = words("--proxy", "http://us%40er:p%3Ass@proxy.example:3128");
  const { started } = await testContext().run(flags, {
    HTTPS_PROXY: "http://other.example",
    NO_PROXY: "*",
  });
  expect(started[0]?.target.proxy).toEqual({
    url: "http://proxy.example:3128",
    credentials: { user: "us@er", password: "p:ss" },
    from: "--proxy",
  });
  expect(started[0]?.given).toMatchObject({ proxy: "http://proxy.example:3128" });
});

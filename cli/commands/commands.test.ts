import { existsSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test, vi } from "vitest";
import { json } from "../../reports/json.ts";
import { readRun } from "../../reports/read.ts";
import type { Run } from "../../model/run.ts";
import { runs } from "../../reports/testing/runs.ts";
import { questionIds } from "../../spec/questions.ts";
import { requirementIds } from "../../spec/catalogue.ts";
import { world, type RunContext } from "../testing/fake-io.ts";

const { conformant, nonconformant, inconclusive, interrupted } = runs;
const file = ({ folder }: RunContext, name: string, run: Run): string => {
  writeFileSync(join(folder, name), json.render(run));
  return name;
};
const textOf = ({ folder }: RunContext, name: string): string => readFileSync(join(folder, name), "utf8");

test("list shows every requirement and question, or the selected ones", async () => {
  const { run } = world();
  const all = await run("list");
  expect(all.code).toBe(0);
  for (const id of [...requirementIds, ...questionIds]) expect(all.stdout).toContain(`\n${id} `.trimStart());
  const some = await run("list --only oper-02,acam");
  expect(some.stdout.split("\n").filter((line) => /^[A-Z]/.test(line))).toHaveLength(7);
  expect(some.stdout).not.toContain("OPEN-");
});

test("list as JSON", async () => {
  const { stdout } = await world().run("list --json --only OPER-02");
  expect(JSON.parse(stdout)).toEqual({
    requirements: [expect.objectContaining({ id: "OPER-02", area: "operation", level: "MUST" })],
    questions: [],
  });
});

test("replay asks what failed again, with the seed of the report, and keeps the report", async () => {
  const here = world();
  const report = file(here, "report.json", nonconformant);
  const before = textOf(here, report);
  const { asked, code } = await here.run(`replay ${report} --customer-id c --profile full --reports json`, {
    FXCONFORM_API_KEY: "key-0123456789",
    FXCONFORM_SEED: "9",
  });
  expect(code).toBe(0);
  expect(asked[0]?.settings).toMatchObject({ selection: ["OPER-02", "ACAM-03"], seed: nonconformant.seed });
  expect(asked[0]?.target.baseUrl).toBe(nonconformant.target.baseUrl);
  expect(asked[0]?.replayArguments).toContain(`--base-url ${nonconformant.target.baseUrl}`);
  expect(textOf(here, report)).toBe(before);
  expect(statSync(join(here.folder, "replay", "report.json")).isFile()).toBe(true);
});

test("replay of a report without failures has nothing to do; another target may be named", async () => {
  const here = world();
  file(here, "report.json", conformant);
  expect(await here.run("replay .")).toMatchObject({
    code: 0,
    asked: [],
    stdout: expect.stringContaining("nothing to replay"),
  });
  file(here, "report.json", nonconformant);
  const other = "--base-url https://localhost:1 --api-key key-0123456789 --customer-id c --seed 3 --reports json";
  const { asked } = await here.run(`replay report.json ${other}`);
  expect(asked[0]).toMatchObject({ target: { baseUrl: "https://localhost:1" }, settings: { seed: 3 } });
});

test("diff tells verdicts, observations and latencies apart", async () => {
  const here = world();
  const [latency] = conformant.latency;
  if (latency === undefined) throw new Error("the fixture has no latency");
  file(here, "a.json", conformant);
  file(here, "b.json", {
    ...nonconformant,
    observations: [{ id: "OPEN-01", question: "?", answers: [{ case: "any", answer: "created\u001b[31m", count: 1 }] }],
    latency: [{ ...latency, p95: 999 }],
  });
  const { code, stdout } = await here.run("diff a.json b.json");
  expect(code).toBe(1);
  expect(stdout).toMatch(/OPER-02 +pass → fail {2}A new operation/);
  expect(stdout).toMatch(/OPEN-01 .*→ created\\u001b/);
  expect(stdout).toMatch(/\/ 999/);
  expect(stdout).toMatch(/verdicts differ\.\n$/);
  expect(JSON.parse((await here.run("diff a.json b.json --json")).stdout)).toHaveProperty("verdicts");
});

test("diff tells first where target, profile or version differ", async () => {
  const here = world();
  file(here, "a.json", conformant);
  file(here, "b.json", { ...conformant, target: { baseUrl: "https://other.example" }, profile: "smoke" });
  const { code, stdout } = await here.run("diff a.json b.json");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^Asked under other circumstances\n {2}target +https:\S+ → https:\/\/other\.example\n/);
  expect(stdout).toMatch(/\n {2}profile +full → smoke\n/);
  expect((await here.run("diff a.json a.json")).stdout).toBe("No verdict differs.\n");
});

test("diff of equal verdicts ends with 0, whatever else differs", async () => {
  const here = world();
  file(here, "a.json", conformant);
  file(here, "b.json", { ...conformant, observations: [], seed: 1 });
  const { code, stdout } = await here.run("diff a.json b.json");
  expect(code).toBe(0);
  expect(stdout).toMatch(/→ nothing/);
  expect(stdout).toMatch(/No verdict differs\.\n$/);
});

test("pin writes a statement that run reads", async () => {
  const here = world();
  const answers = [
    { value: 'a "quoted" : text\nwith lines', count: 1 },
    { case: "any", answer: "201", count: 2 },
  ];
  file(here, "r.json", { ...conformant, observations: [{ id: "OPEN-08", question: "Which?\n- trick", answers }] });
  expect(await here.run("pin r.json -o s.yaml")).toMatchObject({ code: 0, stdout: "" });
  const target = "--base-url https://localhost --api-key key-0123456789 --customer-id c --reports json";
  const { asked, stderr } = await here.run(`run ${target} --statement s.yaml`);
  expect(asked[0]?.statement, stderr).toEqual([{ question: "OPEN-08", answers: answers.map(({ value }) => value) }]);
  expect(await here.run("pin r.json -o s.yaml")).toMatchObject({ code: 2, stderr: expect.stringContaining("--force") });
  expect(await here.run("pin r.json -o s.yaml --force")).toMatchObject({ code: 0 });
  expect((await here.run("pin r.json")).stdout).toBe(textOf(here, "s.yaml"));
  file(here, "empty.json", inconclusive);
  await here.run("pin empty.json -o none.yaml");
  expect((await here.run(`run ${target} --statement none.yaml`)).asked[0]?.statement).toEqual([]);
});

test("report makes the same bytes again", async () => {
  const here = world();
  const target = "--base-url https://localhost --api-key key-0123456789 --customer-id c";
  await here.run(`run ${target} --reports json,junit,markdown`);
  expect((await here.run("report fxconform-report --to json,junit,markdown --report-dir again")).code).toBe(0);
  for (const name of ["report.json", "junit.xml", "summary.md"]) {
    expect(textOf(here, `again/${name}`)).toBe(textOf(here, `fxconform-report/${name}`));
  }
});

test("merge joins shards", async () => {
  const here = world();
  const shard = (run: Run, runId: string, kept: (id: string) => boolean): Run => ({
    ...run,
    runId,
    requirements: run.requirements.map((row) =>
      kept(row.id) ? row : { ...row, verdict: "skip", reason: "another shard", asked: 0, findings: [] },
    ),
  });
  file(
    here,
    "1.json",
    shard(conformant, "one", (id) => id !== "OPER-02"),
  );
  file(
    here,
    "2.json",
    shard(nonconformant, "two", (id) => id === "OPER-02"),
  );
  const { code, stdout, stderr } = await here.run("merge 1.json 2.json -o all");
  expect(code, stderr).toBe(1);
  expect(stdout).toContain("nonconformant");
  const merged = readRun(textOf(here, "all/report.json"));
  expect(merged).toMatchObject({
    runId: "one+two",
    outcome: "nonconformant",
    summary: "1 of the MUST requirements is broken.",
    gate: { pass: false },
    requests: conformant.requests + nonconformant.requests,
  });
  expect(merged.requirements.map(({ id, verdict }) => `${id} ${verdict}`)).toEqual(
    conformant.requirements.map(({ id, verdict }) => `${id} ${id === "OPER-02" ? "fail" : verdict}`),
  );
  const ids = merged.exchanges.map(({ id }) => id);
  expect(new Set(ids).size).toBe(conformant.exchanges.length + nonconformant.exchanges.length);
  const pointed = merged.requirements.flatMap(({ findings }) => findings.flatMap(({ exchange }) => exchange ?? []));
  for (const id of pointed) expect(merged.exchanges.find((one) => one.id === id)?.violates).toContain("OPER-02");
});

test.each<[string, Partial<Run>, number, string]>([
  ["the same run twice", { runId: conformant.runId }, 2, "same run"],
  ["another target", { target: { baseUrl: "https://other" } }, 2, "another target"],
  ["an interrupted one", interrupted, 130, ""],
  ["an inconclusive one", inconclusive, 3, ""],
  ["another seed", { seed: 1 }, 0, "different seeds"],
])("merge with %s", async (_, change, code, says) => {
  const here = world();
  file(here, "1.json", conformant);
  file(here, "2.json", { ...conformant, runId: "two", ...change, ...(code === 2 ? {} : { runId: "two" }) });
  const result = await here.run("merge 1.json 2.json -o all");
  expect(result.stderr).toContain(says);
  expect(result.code).toBe(code);
});

/** Part `index` of a run that selects all rows of the fixture or those that are named. */
function partOf(index: number, count: number, selection = conformant.requirements.map(({ id }) => id)): Run {
  return {
    ...conformant,
    runId: `${index} of ${count}, ${selection.length}`,
    shard: { index, count },
    requirements: conformant.requirements.map((row) => {
      const position = selection.indexOf(row.id);
      if (position >= 0 && position % count === index - 1) return row;
      return { ...row, verdict: "skip", skippedBy: position < 0 ? "selection" : "shard", asked: 0, findings: [] };
    }),
  };
}

test("merge of all parts is a run without parts", async () => {
  const here = world();
  for (const index of [1, 2, 3]) file(here, `${index}.json`, partOf(index, 3));
  const { code, stderr } = await here.run("merge 3.json 1.json 2.json -o all");
  expect(code, stderr).toBe(0);
  const merged = readRun(textOf(here, "all/report.json"));
  expect(merged).not.toHaveProperty("shard");
  expect(merged.requirements.map(({ verdict }) => verdict)).toEqual(
    conformant.requirements.map(({ verdict }) => verdict),
  );
});

test.each<[string, readonly Run[], readonly string[]]>([
  ["one part alone", [partOf(1, 3)], ["merge: lacks part 2 of 3", "--shard 2/3", "merge: lacks part 3 of 3"]],
  ["a part missing", [partOf(3, 3), partOf(1, 3)], ["merge: lacks part 2 of 3"]],
  ["a part twice", [partOf(1, 2), { ...partOf(1, 2), runId: "again" }], ["2.json: is part 1 of 2, as", "1.json is"]],
  ["parts of another number", [partOf(1, 2), partOf(2, 3)], ["is part 2 of 3, where", "is one of 2"]],
  [
    "parts of another selection",
    [
      partOf(1, 2),
      partOf(
        2,
        2,
        conformant.requirements.slice(3).map(({ id }) => id),
      ),
    ],
    ["merge: finds no part that asked AUTH-11", "the same --only"],
  ],
])("merge with %s says what is missing", async (_, parts, says) => {
  const here = world();
  const names = parts.map((run, i) => file(here, `${i + 1}.json`, run));
  const { code, stderr } = await here.run(`merge ${names.join(" ")} -o all`);
  for (const words of says) expect(stderr).toContain(words);
  expect(code).toBe(2);
  expect(existsSync(join(here.folder, "all"))).toBe(false);
});

test("init writes once", async () => {
  const here = world();
  expect(await here.run("init")).toMatchObject({ code: 0 });
  expect(textOf(here, "fxconform.config.yaml")).toMatch(/^# yaml-language-server: \$schema=.*config\.schema\.json\n/);
  expect(await here.run("init")).toMatchObject({ code: 2 });
  expect((await here.run("run --api-key key-0123456789 --customer-id c --reports json")).code).toBe(0);
});

test.each([
  [[{ step: "name", ok: true, found: "localhost is 127.0.0.1" }], 0, "Ready"],
  [[{ step: "tls", ok: false, found: "self-signed key-0123456789", advice: "Give --ca." }], 3, "Give --ca."],
] as const)("doctor tells its steps", async (steps, code, says) => {
  const here = world(undefined, { preflight: () => Promise.resolve(() => Promise.resolve(steps)) });
  const result = await here.run("doctor --base-url https://localhost --api-key key-0123456789 --customer-id c");
  expect(result.code).toBe(code);
  expect(result.stdout).toContain(says);
  expect(result.stdout).not.toContain("key-0123456789");
  expect(result.stderr).toContain("One counterparty is registered and one operation created at https://localhost;");
  const smoke = await here.run("doctor --base-url https://localhost --api-key key-0123456789 --profile smoke");
  expect(smoke.stderr).toBe("");
});

test("demo asks its own server with its own key, whatever is configured", async () => {
  const here = world();
  writeFileSync(join(here.folder, "fxconform.config.yaml"), "baseUrl: https://fx.example\nruns: 3\n");
  const { asked, code, stderr } = await here.run("demo --seed 5 --reports json", {
    FXCONFORM_BASE_URL: "https://x",
    FXCONFORM_API_KEY: "mine",
  });
  expect(code, stderr).toBe(0);
  expect(asked[0]).toMatchObject({
    target: { currencyPairs: ["USDBRL", "EURBRL"], otherPurposes: ["IMPORT"] },
    settings: { profile: "full", seed: 5, runs: 25 },
    replayCommand: "demo",
    replayArguments: "",
  });
  expect(asked[0]?.target.baseUrl).toMatch(/^https:\/\/localhost:\d+$/);
  expect(asked[0]?.target.apiKey).not.toBe("mine");
  expect(asked[0]?.target.ca).toContain("BEGIN CERTIFICATE");
  const narrow = await here.run("demo --currency-pairs USDBRL --runs 3 --reports json");
  expect(narrow.asked[0]?.replayArguments).toBe("--currency-pairs USDBRL --runs 3");
});

test("an empty variable names no configuration file", async () => {
  const here = world();
  writeFileSync(join(here.folder, "fxconform.config.yaml"), "runs: none\n");
  expect(await here.run("demo --reports json", { FXCONFORM_CONFIG: "" })).toMatchObject({ code: 0 });
});

test("serve prints a command that run takes, and ends when it is interrupted", async () => {
  const here = world();
  const serving = here.run("serve");
  const line = await new Promise<string>((done) => {
    const poll = setInterval(() => {
      const text = here.output();
      if (!text.includes("\n")) return;
      clearInterval(poll);
      done(text);
    }, 10);
  });
  const words = line.trim().split(" ");
  expect(words.slice(0, 2)).toEqual(["fxconform", "run"]);
  const { asked, code, stderr } = await here.run([...words.slice(1), "--reports", "json"]);
  expect(code, stderr).toBe(0);
  expect(asked[0]?.target.otherPurposes).toEqual(["IMPORT"]);
  here.interrupt();
  expect((await serving).code).toBe(0);
});

test.each(["demo", "serve"])("%s says that there is no place for temporary files", async (command) => {
  const here = world();
  vi.stubEnv("TMPDIR", "/nowhere/to/be/found");
  onTestFinished(() => void vi.unstubAllEnvs());
  const { code, stderr, asked } = await here.run(command);
  expect({ code, asked }).toEqual({ code: 2, asked: [] });
  expect(stderr).toContain("TMPDIR: is not a folder that can be written to (ENOENT)");
});

test("serve lists its faults and variants", async () => {
  const { stdout, code } = await world().run("serve --list");
  expect(code).toBe(0);
  expect(stdout).toMatch(/\n {2}[a-z0-9-]+ +[A-Z]+-\d\d +\S/);
});

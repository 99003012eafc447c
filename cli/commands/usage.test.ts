import { describe, expect, test } from "vitest";
import { json } from "../../reports/formats/json.ts";
import { runs } from "../../reports/testing/runs.ts";
import { expectRefused, local, testContext } from "../testing/test-context.ts";

/** A wrong invocation and what is said of it. */
interface Row {
  readonly argv: string | readonly string[];
  readonly says: readonly string[];
  readonly env?: Record<string, string>;
  readonly files?: Record<string, string>;
}

const row = (argv: string, ...says: readonly string[]): Row => ({ argv, says });
const withFile = (argv: string, name: string, content: string, ...says: readonly string[]): Row => ({
  argv,
  files: { [name]: content },
  says,
});
const withConfig = (content: string, ...says: readonly string[]): Row =>
  withFile(`run ${local}`, "fxconform.config.yaml", content, ...says);
const withVariable = (name: string, value: string, ...says: readonly string[]): Row => ({
  argv: `run ${local}`,
  env: { [name]: value },
  says,
});

const sound = json.render(runs.conformant);

const rows: readonly Row[] = [
  // Words
  row("", "Usage: fxconform"),
  row("run extra", "run: takes 0 arguments, but got 1. Put the flag before each value."),
  row(`run ${local} --bas-url x`, "unknown option '--bas-url'", "Did you mean --base-url?"),
  row(`run ${local} --fault accepts-any-token`, "fxconform serve --fault"),
  row("run --seed", "option '--seed <n>' argument missing"),
  row("run --base-url --api-key k", "--base-url: must be followed by a value"),
  row("demo --base-url https://x", "The demo starts its own server"),
  row("list --only auht", 'found "auht". Did you mean auth?'),
  row("frob", "unknown command 'frob'", "fxconform --help lists the commands."),
  row(`run ${local} --insecure=yes`, "unknown option '--insecure=…'"),
  row(`run ${local} --quiet --json`, "--json: cannot be combined with --quiet. Each prints something else"),
  withVariable("FXCONFORM_MAX_LATENCY", "listBatchs p95=300ms", "Did you mean listBatches?"),
  row("diff a.json", "missing required argument 'after'"),
  // Everything at once
  row("replay nope --timeout 0", "2 problems", "nope: names a file", "--timeout: must be"),
  row("merge x y --output=", "3 problems", "x: names a file", "y: names a file", "--output: must be a text"),
  row("report nope --to pdf --report-dir=", "3 problems", "nope: names", "--to: must be one of json", 'found "pdf"'),
  row("serve --list --fault x --port x", "2 problems", "--fault: names no", "--port: must be"),
  withFile(`run ${local} --seed x --report-dir f`, "f", "", "2 problems", "--report-dir: is not a folder"),
  withFile("pin r.json -o --force", "r.json", sound, "--output: must be followed by a value"),
  row("pin nowhere.json", "nowhere.json: names a file that cannot be read (ENOENT)"),
  // Target
  row("run", "--base-url: is missing", "fxconform demo", "--api-key: is missing"),
  row("run --base-url localhost:4010 --api-key key-01234567", "Give an address such as https://localhost:4010."),
  row("run --base-url https://u:secret@localhost --api-key key-01234567", "user and password", "https://…@localhost"),
  row("run --base-url http://fx.example --profile smoke --api-key key-01234567", "unencrypted", "--allow-http"),
  row("run --base-url https://fx.example --api-key key-01234567", "--profile: must be chosen", "--profile smoke"),
  row("run --base-url https://localhost --api-key key-01234567", "--customer-id: is missing"),
  row("run --base-url https://localhost --customer-id c", "FXCONFORM_API_KEY"),
  row(
    "run --base-url https://localhost --customer-id c --api-key-file none.txt",
    "--api-key-file: names a file that cannot be read (ENOENT)",
  ),
  withFile("run --base-url https://localhost --customer-id c --api-key-file k", "k", "\n", "without a key"),
  withFile("run --base-url https://localhost --customer-id c --api-key-file k", "k", "a\nb", "no header"),
  withFile(`run ${local} --api-key-file k`, "k", "key", "Keep one of the two"),
  row(`run ${local} --ca none.pem`, "--ca: names a file that cannot be read"),
  withFile(`run ${local} --ca ca.pem`, "ca.pem", "no certificate", "without readable PEM certificates"),
  row(`run ${local} --currency-pairs USD/BRL`, "must be a list of currency pairs", "Write USDBRL."),
  row(`run ${local} --other-purposes EFX`, "EFX is always used"),
  row(`run ${local} --amount 1000..10`, "Write 10..1000:2."),
  row(`run ${local} --amount 10.001..10.009:2`, "with an amount of 2 decimals in it"),
  row(`run ${local} --batch-members []`, "an object such as"),
  row(`run ${local} --batch-members {"ids":[["{id}"]]}`, "Replace {id} with {operation_id}."),
  // Selection and settings
  row(`run ${local} --profile ful`, "must be one of smoke, full", "Did you mean full?"),
  row(`run ${local} --only OPR-02`, 'found "OPR-02". Did you mean OPER-02?'),
  row(`run ${local} --only OPEN-03`, "Open questions are observed in every run"),
  row(`run ${local} --only oper-02 --exclude operation`, "--exclude: leaves no requirement to check"),
  row(`run ${local} --profile smoke --only operation`, "--only: leaves no requirement that profile smoke can check"),
  row(`run ${local} --runs 0`, 'must be a whole number from 1 to 1000000, found "0"'),
  row(`run ${local} --concurrency 1.5`, "a whole number"),
  row(`run ${local} --rate 0`, "a number from 0.1 to 10000"),
  row(`run ${local} --timeout 0`, "a duration from 1ms to 10m", "1500ms, 10s or 2m"),
  row(`run ${local} --max-body 1TB`, "a size from 1KiB to 1GiB"),
  row(`run ${local} --update-baseline --only auth`, "--update-baseline: needs a full run", "--only leaves"),
  row(`run ${local} --update-baseline --profile smoke`, "needs a full run"),
  row(
    `run ${local} --watch`,
    "--watch: needs a terminal for its keys. Start it in a terminal, or run without --watch.",
  ),
  row(`run ${local} --watch-files .`, "--watch-files: needs --watch. Add --watch, or leave it out."),
  row(`run ${local} --watch-files nowhere`, "2 problems", "names no file or folder", 'nowhere"', "needs --watch"),
  row(`run ${local} --watch --json`, "--watch: cannot be combined with --json. Leave --json out"),
  row("demo --watch", "--watch: is not an option of this command. The demo starts its own server"),
  row(`run ${local} --bail 0`, "--bail: must be a whole number from 1 to 1000", "Leave the option out for no limit."),
  row(`run ${local} --reports pdf`, "one of json, junit, html", 'found "pdf"'),
  // Files and variables
  row(`run ${local} --config none.yaml`, "--config: names a file that cannot be read (ENOENT)"),
  withConfig("base_url: https://x", "base_url in fxconform.config.yaml: is not an option. Did you mean baseUrl?"),
  withConfig("runs: many", 'runs in fxconform.config.yaml: must be a whole number from 1 to 1000000, found "many"'),
  withConfig("customerId: 0017", "must be a text", "Put it in quotes."),
  withConfig("only: [OPER-02", "fxconform.config.yaml: is not YAML"),
  withConfig("- a", "must be an object of options"),
  withFile(
    `run ${local}`,
    "fxconform.config.json",
    '{"runs": 1,\n"runs": 2}',
    "fxconform.config.json: has a name twice in one object, at line 2, column 1.",
  ),
  withConfig("runs: 1\n---\nruns: 2\n", "holds several documents", "Keep one of them"),
  {
    argv: `run ${local}`,
    files: { "fxconform.config.json": "{}", "fxconform.config.yml": "" },
    says: ["only one of them can be used"],
  },
  withVariable("FXCONFORM_RUNS", "0", 'FXCONFORM_RUNS: must be a whole number from 1 to 1000000, found "0"'),
  {
    argv: "run",
    env: { FXCONFORM_CUSTOMERID: "c", FXCONFORM_APIKEY: "k" },
    says: [
      "--api-key: is missing",
      "FXCONFORM_APIKEY: is not read. Did you mean FXCONFORM_API_KEY?",
      "Did you mean FXCONFORM_CUSTOMER_ID?",
    ],
  },
  withVariable("FXCONFORM_CONFIG", "none.yaml", "FXCONFORM_CONFIG: names a file that cannot be read"),
  withFile(`run ${local} --statement s.yaml`, "s.yaml", "OPEN-99: a", "OPEN-99 in s.yaml: is not the id"),
  withFile(`run ${local} --statement s.yaml`, "s.yaml", "# a", "s.yaml: is empty", "{} pins"),
  withFile(`run ${local} --baseline b.yaml`, "b.yaml", "", "b.yaml: is empty", "Write []"),
  withFile(`run ${local} --statement s.yaml`, "s.yaml", "- a", "must map ids of open questions"),
  {
    argv: `run ${local} --baseline b.yaml`,
    files: { "b.yaml": "- { requirement: OPER-99, expires: 2030-02-30 }" },
    says: ["OPER-99", "must say why the failure is tolerated", "must be a day such as 2030-01-31"],
  },
  // Reports
  withFile(`run ${local} --report-dir taken`, "taken", "", "--report-dir: is not a folder that can be written to"),
  row(`run ${local} --report-dir /proc/x`, "--report-dir: is not a folder that can be written to (E"),
  ...['{"formatVersion":4,"tool":{"name":"other"}}', '{"formatVersion":3}', '{"tests":[]}', "<html>"].map((text) =>
    withFile(`run ${local} --report-dir .`, "report.json", text, "would be lost"),
  ),
  withFile("report r.json", "r.json", "{}", "not a report of fxconform"),
  withFile("init --force", "fxconform.config.json", "{}", "exists already. Move it away first"),
  withFile("init", "fxconform.config.yaml", "", "exists already. Edit it, or add --force"),
  withConfig('headers: { X-Key: "env:" }', "ends after env:. Write the name of a variable"),
  // Serve
  row("serve --port 99999", "--port: must be a whole number from 0 to 65535"),
  row("serve --fault accept-any-token", "--fault: names no fault"),
];

describe("wrong usage ends with 2, before anything is sent", () => {
  test.each(rows)("$argv → $says", async ({ argv, says, env, files }) => {
    const { file, run } = testContext();
    for (const [name, content] of Object.entries(files ?? {})) file(name, content);
    const result = await run(argv, env);
    expectRefused(result, ...says);
    expect(result.stdout).toBe("");
  });
});

describe("a key that went astray is not shown", () => {
  const key = "supersecretkey1";
  const astray: readonly Row[] = [
    row(`run --base-url --api-key ${key}`, "--base-url: must be followed by a value", "but got 1"),
    row(`replay --apikey ${key} r.json`, "unknown option '--apikey'", "Did you mean --api-key?"),
    row(`replay --apiky ${key} r.json`, "unknown option '--apiky'", "Did you mean --api-key?"),
    row(`replay --unheard-of ${key} r.json`, "unknown option '--unheard-of"),
    row(`diff --api-key ${key} a.json b.json`, "unknown option '--api-key"),
    row(`merge --token ${key} a.json b.json`, "unknown option '--token"),
    row(`list --api-key ${key}`, "unknown option '--api-key"),
    row(`init --api-key ${key}`, "unknown option '--api-key"),
    row(`run --apikey=${key}`, "unknown option '--apikey"),
    row(`--apikey=${key} run`, "unknown option '--apikey"),
    withFile(`run ${local}`, "fxconform.config.json", `{"apiKey": ${key}}`, "is not JSON, at line 1, column 12"),
    withFile(`run ${local}`, "fxconform.config.json", `{"apiKey": "${key}}`, "is not JSON, at line 1"),
    withConfig(`apiKey: *${key}`, "is not YAML: Unresolved alias"),
    withConfig(`apiKey: |${key}`, "is not YAML: "),
    withConfig(`apiKey: "${key}`, "is not YAML: Missing closing"),
    withConfig(`apiKey: [a]${key}]`, "is not YAML: "),
    withFile("report k.txt", "k.txt", key, "k.txt: cannot be read: The report is not JSON"),
  ];
  test.each(astray)("$argv $files", async ({ argv, says, files }) => {
    const { file, run } = testContext();
    for (const [name, content] of Object.entries(files ?? {})) file(name, content);
    const result = await run(argv);
    expectRefused(result, ...says);
    expect(result.stderr + result.stdout).not.toContain(key.slice(0, 5));
  });
});

test("all problems are reported together", async () => {
  const { run, file } = testContext();
  file("fxconform.config.yaml", "runz: 3\nconcurrency: 0\n");
  const { stderr } = await run("run --base-url https://fx.example --seed -1 --only nothing", { FXCONFORM_GRACE: "x" });
  expect(stderr.trimEnd().split("\n")).toEqual([
    "fxconform: 7 problems",
    "  runz in fxconform.config.yaml: is not an option. Did you mean runs?",
    expect.stringContaining("  --seed: must be a whole number"),
    expect.stringContaining("  concurrency in fxconform.config.yaml: must be a whole number"),
    expect.stringContaining("  FXCONFORM_GRACE: must be a duration"),
    expect.stringContaining("  --only: names neither a requirement nor an area"),
    expect.stringContaining("  --profile: must be chosen"),
    expect.stringContaining("  --api-key: is missing"),
  ]);
});

import { join } from "node:path";
import { expect, test } from "vitest";
import { expectRefused, local, testContext } from "../testing/test-context.ts";

/** A wrong invocation: its words, and the files and variables that are there. */
interface Row {
  readonly argv: string | readonly string[];
  readonly files?: Readonly<Record<string, string>>;
  readonly env?: Record<string, string>;
}

/** A key that no message may show. */
const key = "supersecretkey1";
const run = `run ${local}`;
const fx = "run --base-url https://fx.example";
const smoke = `${fx} --profile smoke --api-key ${key}`;

const withFile = (argv: string, name: string, text: string): Row => ({
  argv,
  files: { [name]: text },
});
const config = (text: string): Row => withFile(run, "fxconform.config.yaml", text);
const statement = (text: string): Row => withFile(`${run} --statement s.yaml`, "s.yaml", text);
const document = (text: string): Row => withFile("contract openapi.yaml", "openapi.yaml", text);
const recording = (text: string): Row => withFile("judge it.har", "it.har", text);
const withHeaders = (...headers: readonly string[]): Row => ({
  argv: [...run.split(" "), ...headers.flatMap((header) => ["--header", header])],
});

const rows: readonly (string | Row)[] = [
  // Words
  `${run} --bas-url x`,
  `run --base-url --api-key ${key}`,
  `replay --apikey ${key} r.json`,
  "frob",
  // Everything at once
  `${run} --seed x --timeout 0`,
  // Target
  "run",
  `run --base-url https://u:${key}@localhost --api-key key-01234567`,
  `run --base-url fx.example --profile smoke --api-key ${key}`,
  `run --base-url http://fx.example --profile smoke --api-key ${key}`,
  `${fx} --api-key ${key}`,
  `run --base-url https://fx.example/api/Super%73ecretkey1 --profile smoke --api-key ${key}`,
  `${smoke} --report-dir out-${key}`,
  withFile(`${run} --api-key-file k`, "k", key),
  withFile(`${fx} --profile smoke --api-key-file k`, "k", `${key}\n${key}`),
  `${run} --config /dev/zero`,
  withHeaders("X-Key: 1", "x-key: 2"),
  withHeaders(`X-Api-Key: ${key}`),
  withHeaders(`authorization: ${key}`),
  withHeaders(`X-Key: ${key}\u0001${key}`),
  `${run} --proxy socks5://proxy.example`,
  `${run} --proxy http://me:${key}%zz@proxy.example`,
  { argv: smoke, env: { HTTPS_PROXY: "http://proxy.example:8080/pac" } },
  { argv: smoke.replace(` --api-key ${key}`, ""), env: { FXCONFORM_API_KEY: `“${key}”` } },
  `${smoke} --customer-id file:id.txt`,
  // Selection and settings
  `${run} --profile smoke --only operation`,
  `${run} --batch-members {"ids":[["{id}"]]}`,
  `${run} --only OPER-2`,
  `${run} --only open-20`,
  `${run} --only OPER-02 --exclude OPER-02`,
  // Files and variables
  config("base_url: https://x"),
  config("customerId: env:CUSTOMER"),
  config(`apiKey: *${key}`),
  withFile(`${fx} --config own.yaml`, "own.yaml", "apiKey: env:OWN\nprofile: smoke"),
  config('amount: "5..500:2"'),
  config("amount: { min: 1, max: 2, step: 1 }"),
  config('headers: ["X-A: one", "X-B: two"]'),
  config(`batchMembers: '{"note":"x"}'`),
  config("reports: [junit, jsn]"),
  statement("OPEN-99: yes"),
  statement("OPEN-19: {}"),
  statement("[OPEN-19]"),
  { argv: run, files: { "fxconform.config.json": `{"apiKey": ${key}}` } },
  { argv: run, files: { "fxconform.config.json": "{}", "fxconform.config.yml": "" } },
  { argv: "run", env: { FXCONFORM_CUSTOMERID: "c", FXCONFORM_APIKEY: key, FXCONFORM_XYZ: "1" } },
  {
    argv: `${run} --baseline b.yaml`,
    files: { "b.yaml": "- { requirement: OPER-99, expires: 2030-02-30 }" },
  },
  { argv: run, env: { FXCONFORM_BATCH_MEMBERS: "{" } },
  // What others wrote
  withFile("report k.txt", "k.txt", key),
  `contract https://me:${key}@localhost/openapi.yaml?token=${key}`,
  "contract /dev/zero",
  document("a: b: c"),
  document('{"openapi": "3.1.0",\n"openapi": "3.1.0"}'),
  document("swagger: '2.0'"),
  recording("<html>"),
  recording("[]"),
  recording('{"info":{"schema":"x"},"item":[]}'),
  recording('{"log":{"entries":[{"a":}]}}'),
  recording('{"log":{"entries":[{}'),
  recording("PK\u0003\u0004\u0014\0"),
  // What is written
  withFile(`${run} --report-dir taken`, "taken", ""),
  `${run} --record /dev/null/run.har`,
  withFile("init --force", "fxconform.config.json", "{}"),
  // Serve
  "serve --fault accept-any-token",
];

/** A text in one line, without control characters. */
const shown = (text: string): string =>
  text.replaceAll("\n", String.raw`\n`).replaceAll(/\p{Cc}/gu, "…");

test("wrong usage ends with 2, before anything is sent, and says what to do without a secret", async () => {
  const said: string[] = [];
  for (const one of rows) {
    const { argv, files = {}, env }: Row = typeof one === "string" ? { argv: one } : one;
    const here = testContext();
    for (const [name, content] of Object.entries(files)) here.file(name, content);
    const result = await here.run(argv, env);
    expectRefused(result);
    expect([result.stdout, /supersecret/i.exec(result.stderr)]).toEqual(["", null]);
    const given = [...Object.entries(env ?? {}), ...Object.entries(files)].map(
      ([name, value]) => `# ${name}: ${shown(value)}\n`,
    );
    const words = shown([argv].flat().join(" "));
    said.push(
      `${given.join("")}$ fxconform ${words}\n${result.stderr.replaceAll(here.folder, ".")}`,
    );
  }
  await expect(said.join("\n")).toMatchFileSnapshot(
    join(import.meta.dirname, "../testing/usage.golden"),
  );
});

test("without a command, the usage is printed", async () => {
  expectRefused(await testContext().run(""), "Usage: fxconform");
});

test("explain takes the id of an interpretation, and says what rests on it", async () => {
  const { run } = testContext();
  const { code, stdout } = await run("explain INT-37");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^INT-37 {2}\S/);
  for (const title of ["Interpretation", "Never blamed", "Why"])
    expect(stdout).toContain(`\n${title}\n`);
  expect((await run("explain int-19")).stdout).toMatch(/What rests on it\n\n? +[A-Z]+-\d+/);
});

import { join } from "node:path";
import { expect, test } from "vitest";
import { makeCertificate } from "../../reference/certificate.ts";
import { flagOf, optionNames, optionOf, variableOf } from "../../settings/options.ts";
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

const config = (text: string): Row => ({ argv: run, files: { "fxconform.config.yaml": text } });
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
  `run --base-url http://fx.example --profile smoke --api-key ${key}`,
  `${fx} --api-key ${key}`,
  `run --base-url https://fx.example/api/Super%73ecretkey1 --profile smoke --api-key ${key}`,
  `${smoke} --report-dir out-${key}`,
  { argv: `${run} --api-key-file k`, files: { k: key } },
  withHeaders("X-Key: 1", "x-key: 2"),
  withHeaders(`X-Api-Key: ${key}`),
  withHeaders(`authorization: ${key}`),
  withHeaders(`X-Key: ${key}\u0001${key}`),
  `${run} --proxy socks5://proxy.example`,
  `${run} --proxy http://me:${key}%zz@proxy.example`,
  // Selection and settings
  `${run} --profile smoke --only operation`,
  `${run} --update-baseline --only auth`,
  // Files and variables
  config("base_url: https://x"),
  config(`apiKey: *${key}`),
  { argv: run, files: { "fxconform.config.json": `{"apiKey": ${key}}` } },
  { argv: run, files: { "fxconform.config.json": "{}", "fxconform.config.yml": "" } },
  { argv: "run", env: { FXCONFORM_CUSTOMERID: "c", FXCONFORM_APIKEY: key } },
  {
    argv: `${run} --baseline b.yaml`,
    files: { "b.yaml": "- { requirement: OPER-99, expires: 2030-02-30 }" },
  },
  { argv: "report k.txt", files: { "k.txt": key } },
  `contract https://me:${key}@localhost/openapi.yaml?token=${key}`,
  // What is written
  { argv: `${run} --report-dir taken`, files: { taken: "" } },
  { argv: "init --force", files: { "fxconform.config.json": "{}" } },
  // Serve
  "serve --fault accept-any-token",
];

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
      ([name, value]) => `# ${name}: ${value}\n`,
    );
    const words = [argv].flat().join(" ").replaceAll("\u0001", "…");
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

const readOptions = optionNames.filter(
  (name) => optionOf(name).isPath === true && !["reportDir", "record", "events"].includes(name),
);

test.each([...readOptions, "config"])(
  "a value that stands where the path of a file belongs is not quoted: %s",
  async (name) => {
    const { run, file } = testContext();
    const { cert } = await makeCertificate();
    file("cert.pem", cert);
    const beside = name === "key" ? "--cert cert.pem" : "";
    const words = `run --base-url https://localhost:4010 --customer-id c1 ${beside}`;
    const keyed: Record<string, string> =
      name === "apiKeyFile" ? {} : { FXCONFORM_API_KEY: "key-0123456789" };
    const byVariable = await run(words, { ...keyed, [variableOf(name)]: key });
    expectRefused(byVariable, `${variableOf(name)}: `);
    const byFlag = await run(`${words} ${flagOf(name)} ${key}`, keyed);
    expectRefused(byFlag, `${flagOf(name)}: `);
    expect(byVariable.stderr + byFlag.stderr).not.toContain(key.slice(0, 5));
  },
);

test("explain takes the id of an interpretation, and says what rests on it", async () => {
  const { run } = testContext();
  const { code, stdout } = await run("explain INT-37");
  expect(code).toBe(0);
  expect(stdout).toMatch(/^INT-37 {2}\S/);
  for (const title of ["Interpretation", "Never blamed", "Why"])
    expect(stdout).toContain(`\n${title}\n`);
  expect((await run("explain int-19")).stdout).toMatch(/What rests on it\n\n? +[A-Z]+-\d+/);
});

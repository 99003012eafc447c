import { describe, expect, test } from "vitest";
import { makeCertificate } from "../../reference/certificate.ts";
import { flagOf, optionNames, optionOf, variableOf } from "../../settings/options.ts";
import { expectRefused, local, testContext } from "../testing/test-context.ts";

/** A wrong invocation, and what the program says of it. */
interface Row {
  readonly argv: string | readonly string[];
  readonly says: readonly string[];
  readonly env?: Record<string, string>;
  readonly files?: Record<string, string>;
}

const row = (argv: string, ...says: readonly string[]): Row => ({ argv, says });
function withFile(argv: string, name: string, content: string, ...says: readonly string[]): Row {
  return {
    argv,
    files: { [name]: content },
    says,
  };
}
function withConfig(content: string, ...says: readonly string[]): Row {
  return withFile(`run ${local}`, "fxconform.config.yaml", content, ...says);
}
const rows: readonly Row[] = [
  // Words
  row("", "Usage: fxconform"),
  row(
    `run ${local} --bas-url x`,
    "unknown option '--bas-url'",
    "Did you mean --base-url?",
    "run --help lists its options.",
  ),
  row(
    "run --base-url https://fx.example/api/Key%2D01234567 --profile smoke --api-key key-01234567",
    "--base-url: contains the API key, which reports would show",
  ),
  row(
    "run --base-url https://fx.example --profile smoke --api-key key-01234567 --report-dir out-key-01234567",
    "--report-dir: contains the API key, which reports would show",
  ),
  row("run --base-url --api-key k", "--base-url: must be followed by a value"),
  row("frob", "unknown command 'frob'", "fxconform --help lists the commands."),
  // Everything at once
  row(`run ${local} --seed x --timeout 0`, "2 problems", "--seed: must be", "--timeout: must be"),
  // Target
  row("run", "--base-url: is missing", "fxconform demo", "--api-key: is missing"),
  row(
    "run --base-url https://u:secret@localhost --api-key key-01234567",
    "user and password",
    "https://…@localhost",
  ),
  row(
    "run --base-url http://fx.example --profile smoke --api-key key-01234567",
    "unencrypted",
    "--allow-http",
  ),
  row(
    "run --base-url https://fx.example --api-key key-01234567",
    "--profile: must be chosen",
    "--profile smoke",
  ),
  withFile(`run ${local} --api-key-file k`, "k", "key", "Keep one of the two"),
  // Selection and settings
  row(
    `run ${local} --profile smoke --only operation`,
    "--only: leaves no requirement that profile smoke can check",
  ),
  row(
    `run ${local} --update-baseline --only auth`,
    "--update-baseline: needs a full run",
    "--only leaves",
  ),
  // Files and variables
  withConfig(
    "base_url: https://x",
    "base_url in fxconform.config.yaml: is not an option. Did you mean baseUrl?",
  ),
  {
    argv: `run ${local}`,
    files: { "fxconform.config.json": "{}", "fxconform.config.yml": "" },
    says: ["only one of them can be used"],
  },
  {
    argv: "run",
    env: { FXCONFORM_CUSTOMERID: "c", FXCONFORM_APIKEY: "k" },
    says: [
      "--api-key: is missing",
      "FXCONFORM_APIKEY: is not read. Did you mean FXCONFORM_API_KEY?",
      "Did you mean FXCONFORM_CUSTOMER_ID?",
    ],
  },
  {
    argv: `run ${local} --baseline b.yaml`,
    files: { "b.yaml": "- { requirement: OPER-99, expires: 2030-02-30 }" },
    says: ["OPER-99", "must say why the failure is tolerated", "must be a day such as 2030-01-31"],
  },
  // Reports
  withFile(
    `run ${local} --report-dir taken`,
    "taken",
    "",
    "--report-dir: is not a folder that can be written to",
  ),
  withFile("init --force", "fxconform.config.json", "{}", "exists already. Move it away first"),
  // Serve
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
    withFile(
      `run ${local}`,
      "fxconform.config.json",
      `{"apiKey": ${key}}`,
      "is not JSON: Unresolved plain scalar",
    ),
    withConfig(`apiKey: *${key}`, "is not YAML: Unresolved alias"),
    row(
      `contract https://me:${key}@localhost/openapi.yaml?token=${key}`,
      "contract: reads a file, not an address",
    ),
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

const readOptions = optionNames.filter(
  (name) => optionOf(name).isPath === true && !["reportDir", "record", "events"].includes(name),
);

test.each([...readOptions, "config"])(
  "a value that stands where the path of a file belongs is not quoted: %s",
  async (name) => {
    const key = "supersecretkey1";
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

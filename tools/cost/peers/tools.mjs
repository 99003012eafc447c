// The tools: how each is installed, run and read. None of the others is a dependency of the project.
import { execFile } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { documentFor } from "./contract.mjs";

/** Runs a program for at most `limit` seconds. Resolves to how it ended, also if it does not exist. */
export const finished = (command, args, { cwd, env, limit }) =>
  new Promise((resolve) => {
    const start = performance.now();
    const bounds = { timeout: limit * 1000, killSignal: "SIGKILL", maxBuffer: 1024 ** 3 };
    execFile(command, args, { cwd, env: { ...process.env, ...env }, ...bounds }, (error, stdout, stderr) => {
      const ms = Math.round(performance.now() - start);
      const output = stdout + stderr || (error?.message ?? "");
      resolve({ code: error?.code ?? (error ? null : 0), timedOut: error?.killed === true, ms, output });
    });
  });

const pathOf = (name) => fileURLToPath(new URL(name, import.meta.url));
const own = JSON.parse(readFileSync(pathOf("../../../package.json"), "utf8"));
const npm = (...packages) => [
  ["npm", "install", "--prefix", ".", "--ignore-scripts", "--no-audit", "--no-fund", "--save-exact", ...packages],
];
const pip = (...packages) => [
  ["python3", "-m", "venv", "venv"],
  ["venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", ...packages],
];
const documentText = async (...given) => JSON.stringify(await documentFor(...given));

const fxconform = {
  id: "fxconform",
  name: "fxconform",
  version: own.version,
  install: [],
  command: ({ known, seed }) => ({
    command: process.execPath,
    args: [
      ...[pathOf("../../../dist/cli/bin.js"), "run", "--base-url", known.baseUrl, "--customer-id", known.customerId],
      ...["--profile", "full", "--currency-pairs", "USDBRL,EURBRL", "--timeout", "3s", "--seed", String(seed)],
      ...["--reports", "json", "--report-dir", "report", "--quiet"],
    ],
    env: { FXCONFORM_API_KEY: known.apiKey },
  }),
  /** Requirements with the verdict fail (MUST) or warn (SHOULD). */
  read: (file) => {
    const { requirements } = JSON.parse(file("report/report.json"));
    const of = (wanted) => requirements.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
    return { failures: of("fail"), warnings: of("warn") };
  },
};

const variables = ["baseUrl", "apiKey", "customerId", "counterpartyId", "operationId"];

const portman = {
  id: "portman",
  name: "Portman with Newman",
  version: "1.33.0, 6.2.2",
  // Portman needs tslib, but does not declare it.
  install: npm("@apideck/portman@1.33.0", "newman@6.2.2", "tslib@2.8.1"),
  /** Makes the collection once. It has variables for what differs between servers. */
  prepare: async ({ installed, folder }) => {
    // Portman accepts any success as the status, but checks the schema of a response only if it has a single status.
    const statuses = { createCounterparty: 201, createBatch: 201 };
    const known = { ...Object.fromEntries(variables.map((name) => [name, `{{${name}}}`])), statuses };
    const document = await documentText({ ...known, baseUrl: "http://localhost" }, { patterns: true, statuses: true });
    writeFileSync(join(folder, "openapi.json"), document);
    const args = [
      ...[installed("node_modules/@apideck/portman/bin/portman"), "--local", "openapi.json", "--includeTests"],
      ...["--output", "collection.json", "--portmanConfigFile", pathOf("portman-config.json")],
    ];
    const { code, output } = await finished(process.execPath, args, { cwd: folder, limit: 60 });
    if (code !== 0) throw new Error(`Portman makes no collection: ${output.trim().split("\n").at(-1)}`);
  },
  command: ({ known, installed }) => ({
    command: process.execPath,
    args: [
      ...[installed("node_modules/newman/bin/newman.js"), "run", installed("collection.json")],
      ...["--timeout-request", "3000", "--reporters", "json", "--reporter-json-export", "report.json"],
      ...["--env-var", `bearerToken=${known.token}`],
      ...variables.flatMap((name) => ["--env-var", `${name}=${known[name]}`]),
    ],
  }),
  /** Failed assertions by request and name. */
  read: (file) => ({
    failures: JSON.parse(file("report.json")).run.failures.map(
      ({ source, error }) => `${source?.name}: ${error.test ?? error.name ?? "error"}`,
    ),
  }),
};

const schemathesis = {
  id: "schemathesis",
  name: "Schemathesis",
  version: "4.32.5",
  install: pip("schemathesis==4.32.5"),
  command: async ({ known, seed, installed }) => ({
    files: {
      "openapi.json": await documentText(known, { links: true }),
      "schemathesis.toml": `[auth.openapi]\napiKey.api_key = "\${KEY}"\nbearer.bearer = "\${TOKEN}"\n`,
    },
    command: installed("venv/bin/st"),
    args: [
      ...["run", "openapi.json", "--url", known.baseUrl, "--checks", "all", "--mode", "all", "--max-examples", "10"],
      ...["--seed", String(seed), "--continue-on-failure", "--no-shrink", "--request-timeout", "3", "--no-color"],
      ...["--generation-database", "none", "--report", "json", "--report-json-path", "report.json"],
    ],
    env: { KEY: known.apiKey, TOKEN: known.token, SCHEMATHESIS_HOOKS: pathOf("schemathesis-hooks.py") },
  }),
  /** Failures and errors by their code and operation; warnings by their kind and operation. */
  read: (file) => {
    const { failures, errors, warnings } = JSON.parse(file("report.json"));
    const failed = failures.flatMap(({ code, operations }) => operations.map((operation) => `${code} ${operation}`));
    return {
      failures: [
        ...failed,
        ...errors.map(({ title = "error", operations = [] }) => `${title} ${operations.join(", ")}`),
      ],
      warnings: Object.entries(warnings).flatMap(([kind, places]) =>
        places.map((place) => `${kind} ${JSON.stringify(place)}`),
      ),
    };
  },
};

const specmatic = {
  id: "specmatic",
  name: "Specmatic",
  version: "2.55.1",
  install: [["java", "-version"], ...npm("specmatic@2.55.1")],
  command: async ({ known, installed }) => ({
    files: { "openapi.json": await documentText(known, { statuses: true }) },
    command: "java",
    args: [
      ...["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-jar", installed("node_modules/specmatic/specmatic.jar")],
      ...["test", "openapi.json", `--testBaseURL=${known.baseUrl}`, "--junitReportDir=report", "--timeout-in-ms=3000"],
    ],
    env: {
      apiKey: known.apiKey,
      bearer: known.token,
      SPECMATIC_GENERATIVE_TESTS: "true",
      MAX_TEST_REQUEST_COMBINATIONS: "8",
    },
  }),
  /** Failed tests by their names, without ids of the server. Without its closing tag, the report is not complete. */
  read: (file) => {
    const xml = file("report/TEST-junit-jupiter.xml");
    if (!/<\/testsuite>\s*$/.test(xml)) throw new Error("the report is not complete");
    const failed = xml.matchAll(
      /<testcase [^>]*?\bname="([^"]*)"[^>]*(?<!\/)>(?:(?!<\/testcase>)[^])*?<(?:failure|error)\b/g,
    );
    return {
      failures: [...failed].map(([, name]) => name.replace(/^.* (?:&gt;|>) /, "").replaceAll(/&quot;.*?&quot;/g, '""')),
    };
  },
};

export const tools = [fxconform, portman, schemathesis, specmatic];

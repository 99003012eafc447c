import { fileURLToPath } from "node:url";
import { asOpenApi30, documentFor } from "../contract.mjs";
import { readText, testcasesIn } from "../report-file.mjs";

const command = async ({ known, installed }) => ({
  files: {
    "openapi.json": JSON.stringify(asOpenApi30(await documentFor(known, { patterns: true, statuses: true }))),
  },
  command: process.execPath,
  args: [
    ...[installed("node_modules/dredd/bin/dredd"), "openapi.json", known.baseUrl, "--sorted", "--no-color"],
    ...["--hookfiles", fileURLToPath(new URL("dredd-hooks.cjs", import.meta.url))],
    ...["--reporter", "xunit", "--output", "report.xml"],
  ],
  env: { KEY: known.apiKey, TOKEN: known.token },
});

/** Failed transactions: method, expected status and path, without the ids of the server. */
const read = (folder) => ({
  failures: testcasesIn(readText(folder, "report.xml"))
    .filter(({ failed }) => failed)
    .map(({ name }) => name.replace(/(customers|operation)\/[^/]+/, "$1/…")),
});

export const dredd = { command, read };

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { documentFor } from "../contract.mjs";
import { runLimited } from "../process.mjs";
import { readJson } from "../report-file.mjs";

const collection = "collection.json";
const variable = (name) => `{{${name}}}`;

/** Makes the collection once. It has variables for what differs between servers. */
const prepare = async ({ installed, folder }) => {
  const known = {
    baseUrl: "http://localhost",
    customerId: variable("customerId"),
    counterpartyId: variable("counterpartyId"),
    operationId: variable("operationId"),
    // Portman accepts any success as the status, but checks the schema of a response only if it has a single status.
    statuses: { createCounterparty: 201, createBatch: 201 },
  };
  writeFileSync(
    join(folder, "openapi.json"),
    JSON.stringify(await documentFor(known, { patterns: true, statuses: true })),
  );
  const args = [
    ...[installed("node_modules/@apideck/portman/bin/portman"), "--local", "openapi.json", "--output", collection],
    ...["--portmanConfigFile", fileURLToPath(new URL("portman-config.json", import.meta.url)), "--includeTests"],
  ];
  const { code, output } = await runLimited(process.execPath, args, { cwd: folder, limit: 60_000 });
  if (code !== 0) throw new Error(`Portman makes no collection: ${output.trim().split("\n").at(-1)}`);
};

const command = ({ known, installed }) => ({
  command: process.execPath,
  args: [
    ...[installed("node_modules/newman/bin/newman.js"), "run", installed(collection), "--timeout-request", "3000"],
    ...["--reporters", "json", "--reporter-json-export", "report.json"],
    ...Object.entries({
      baseUrl: known.baseUrl,
      apiKey: known.apiKey,
      bearerToken: known.token,
      customerId: known.customerId,
      counterpartyId: known.counterpartyId,
      operationId: known.operationId,
    }).flatMap(([name, value]) => ["--env-var", `${name}=${value}`]),
  ],
});

/** Failed assertions by request and name. */
const read = (folder) => ({
  failures: readJson(folder, "report.json").run.failures.map(
    ({ source, error }) => `${source?.name}: ${error.test ?? error.name ?? "error"}`,
  ),
});

export const portman = { prepare, command, read };

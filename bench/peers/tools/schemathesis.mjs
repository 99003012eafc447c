import { fileURLToPath } from "node:url";
import { readJson } from "../report-file.mjs";
import { documentFor } from "../contract.mjs";

const settings = `[auth.openapi.apiKey]
api_key = "\${KEY}"
[auth.openapi.bearer]
bearer = "\${TOKEN}"
`;

const command = async ({ known, seed, installed }) => ({
  files: { "openapi.json": JSON.stringify(await documentFor(known, { links: true })), "schemathesis.toml": settings },
  command: installed("venv/bin/st"),
  args: [
    ...["run", "openapi.json", "--url", known.baseUrl, "--checks", "all", "--mode", "all", "--max-examples", "10"],
    ...["--seed", String(seed), "--continue-on-failure", "--no-shrink", "--request-timeout", "3", "--no-color"],
    ...["--generation-database", "none", "--report", "json", "--report-json-path", "report.json"],
  ],
  env: {
    KEY: known.apiKey,
    TOKEN: known.token,
    SCHEMATHESIS_HOOKS: fileURLToPath(new URL("schemathesis-hooks.py", import.meta.url)),
  },
});

/** Failures and errors by their code and operation; warnings by their kind and operation. */
const read = (folder) => {
  const { failures, errors, warnings } = readJson(folder, "report.json");
  return {
    failures: [
      ...failures.flatMap(({ code, operations }) => operations.map((operation) => `${code} ${operation}`)),
      ...errors.map(({ title = "error", operations = [] }) => `${title} ${operations.join(", ")}`),
    ],
    warnings: Object.entries(warnings).flatMap(([kind, places]) =>
      places.map((place) => `${kind} ${JSON.stringify(place)}`),
    ),
  };
};

export const schemathesis = { command, read };

import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { documentFor } from "../contract.mjs";

const workflowText = readFileSync(new URL("workflow.yml", import.meta.url), "utf8");

const command = async ({ known, installed, work }) => {
  const { schemas } = (await documentFor(known)).components;
  const { baseUrl, apiKey, token, customerId, counterpartyId } = known;
  return {
    files: { "workflow.yml": JSON.stringify({ ...parse(workflowText, { merge: true }), components: { schemas } }) },
    command: process.execPath,
    args: [
      ...[installed("node_modules/stepci/dist/index.js"), "run", "workflow.yml", "--env", `url=${baseUrl}`],
      ...[`key=${apiKey}`, `token=${token}`, `customer=${customerId}`, `counterparty=${counterpartyId}`],
    ],
    env: { STEPCI_DISABLE_ANALYTICS: "1", XDG_CONFIG_HOME: work, NO_COLOR: "1" },
  };
};

/** Failed and skipped steps and their failed checks, from the output. */
const read = (_folder, { output }) => {
  if (!/^Steps: /m.test(output)) throw new Error("no summary");
  return { failures: [...output.matchAll(/^ *([✕⚠●].*?)( (?:failed|skipped) after .*)?$/gm)].map(([, name]) => name) };
};

export const stepci = { command, read };

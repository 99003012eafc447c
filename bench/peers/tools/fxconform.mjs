import { fileURLToPath } from "node:url";
import { readJson } from "../report-file.mjs";

const bin = fileURLToPath(new URL("../../../dist/cli/bin.js", import.meta.url));

const command = ({ known, seed }) => ({
  command: process.execPath,
  args: [
    ...[bin, "run", "--base-url", known.baseUrl, "--customer-id", known.customerId, "--seed", String(seed)],
    ...["--profile", "full", "--currency-pairs", "USDBRL,EURBRL", "--timeout", "3s"],
    ...["--reports", "json", "--report-dir", "report", "--quiet"],
  ],
  env: { FXCONFORM_API_KEY: known.apiKey },
});

/** Requirements with the verdict fail (MUST) or warn (SHOULD). */
const read = (folder) => {
  const { requirements } = readJson(folder, "report/report.json");
  const of = (wanted) => requirements.filter(({ verdict }) => verdict === wanted).map(({ id }) => id);
  return { failures: of("fail"), warnings: of("warn") };
};

export const fxconform = { command, read };

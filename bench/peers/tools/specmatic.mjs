import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { documentFor } from "../contract.mjs";
import { runLimited } from "../process.mjs";
import { readText, testcasesIn } from "../report-file.mjs";

const program = "node_modules/specmatic/specmatic.jar";
const archive = "classes.jsa";
const options = ["-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"];

/** Makes an archive of its classes, in a run without a server. It saves a third of the time of each run. */
const prepare = async ({ installed, folder }) => {
  if (existsSync(installed(archive))) return;
  const known = { baseUrl: "http://127.0.0.1:9", customerId: "none", counterpartyId: "none", operationId: "none" };
  writeFileSync(
    join(folder, "openapi.json"),
    JSON.stringify(await documentFor({ ...known, statuses: {} }, { statuses: true })),
  );
  const args = [...options, `-XX:ArchiveClassesAtExit=${archive}`, "-jar", program, "test", "openapi.json"];
  await runLimited("java", [...args, `--testBaseURL=${known.baseUrl}`], { cwd: folder, limit: 180_000 });
};

const command = async ({ known, installed }) => ({
  files: { "openapi.json": JSON.stringify(await documentFor(known, { statuses: true })) },
  command: "java",
  args: [
    ...[...options, `-XX:SharedArchiveFile=${installed(archive)}`, "-Xshare:auto", "-jar", installed(program)],
    ...["test", "openapi.json", `--testBaseURL=${known.baseUrl}`, "--junitReportDir=report", "--timeout-in-ms=3000"],
  ],
  env: {
    apiKey: known.apiKey,
    bearer: known.token,
    SPECMATIC_GENERATIVE_TESTS: "true",
    MAX_TEST_REQUEST_COMBINATIONS: "8",
  },
});

/** Failed tests by their names. Parts of a name that depend on ids of the server are left out. */
const read = (folder) => ({
  failures: testcasesIn(readText(folder, "report/TEST-junit-jupiter.xml"))
    .filter(({ failed }) => failed)
    .map(({ name }) => name.replace(/^.* > /, "").replaceAll(/"[^"]*"/g, '""')),
});

export const specmatic = { prepare, command, read };

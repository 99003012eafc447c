import { dirname, join } from "node:path";
import { ask } from "./run-and-report.ts";
import type { Command } from "./command.ts";
import { configurationOf } from "../configuration/configuration.ts";
import { exitCodes } from "../output/exit-code.ts";
import { gathering } from "../configuration/problem.ts";
import { readReports } from "./report-input.ts";

/**
 * Asks the requirements that failed in an earlier report again, with its seed. The target of the report is asked unless
 * another is configured; the reports go beside the earlier ones, not over them.
 */
export const replay: Command = async (invocation, io, parts) => {
  const gathered = gathering();
  const [input] = (await gathered.read(() => readReports(invocation.words, [], io, parts))) ?? [];
  const failed = input?.run.requirements.filter(({ verdict }) => verdict === "fail").map(({ id }) => id) ?? [];
  if (input === undefined || failed.length === 0) {
    await configurationOf(invocation, io, { targetless: gathered.problems });
    io.stdout("No requirement failed in this report: there is nothing to replay.\n");
    return exitCodes.pass;
  }
  const { path, run } = input;
  const configuration = await configurationOf(invocation, io, {
    report: {
      above: { only: failed, seed: run.seed, ...(run.runs > 0 ? { runs: run.runs } : {}), profile: run.profile },
      below: { baseUrl: run.target.baseUrl },
    },
    defaults: { reportDir: join(dirname(path), "replay") },
  });
  return ask(configuration, "replay", io, parts);
};

import { dirname, resolve } from "node:path";
import { plural } from "../../model/plural.ts";
import { plain } from "../../reports/sanitize.ts";
import type { Run } from "../../model/run.ts";
import { type Command, writeText } from "./command.ts";
import { flagValue } from "../../settings/values.ts";
import { text } from "../../settings/kinds/words.ts";
import { problemCollector } from "../../settings/problem.ts";
import { readReports } from "../runs/report-input.ts";
import { packagePlace } from "../output/package-place.ts";
import { statementEntries } from "../runs/statement-entries.ts";

/** The observations of one or more reports as a statement, which `--statement` compares later runs with. */
export const pin: Command = async ({ words, flags, problems }, io, modules) => {
  const collected = problemCollector(problems);
  const output = collected.attempt(() => flagValue("--output", flags["output"], text));
  const reports = await readReports(words, collected.problems, io, modules);
  const folder = output === undefined ? io.cwd : dirname(resolve(io.cwd, output));
  const runs = reports.map(({ run }) => run);
  const statement = statementText(runs, packagePlace(folder, "dist/settings/statement.schema.json"));
  writeText(statement, output, flags["force"] === true, io);
  return 0;
};

function statementText(runs: readonly Run[], schema: string): string {
  const head = [
    `# yaml-language-server: $schema=${schema}`,
    "# Answers to questions that the specification leaves open: question, answer, the cases with that answer.",
    "# A run with --statement compares the cases that it observes. Another answer fails the gate.",
    ...(runs.length > 1 ? [`# Pinned is what ${plural(runs.length, "report")} have in common.`] : []),
    ...runs.map(
      ({ target, startedAt, profile, seed, tool }) =>
        `# Observed at ${plain(target.baseUrl)} on ${plain(startedAt)}, profile ${profile}, seed ${seed}, fxconform ${plain(tool.version)}.`,
    ),
    "# Remove what may vary. `OPEN-08: 201` or a list of answers holds for every case of a question.",
  ].join("\n");
  const entries = statementEntries(runs);
  const isEmpty = !entries.some(({ pinned }) => pinned);
  const body = [...(isEmpty ? ["# Nothing to pin.", "{}"] : []), ...entries.map((entry) => entry.text)].join("\n");
  return `${head}\n\n${body}\n`;
}

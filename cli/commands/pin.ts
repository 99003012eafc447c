import { plain } from "../../reports/plain.ts";
import type { Run } from "../../reports/run.ts";
import type { Command } from "../command.ts";
import { UsageError } from "../problem.ts";
import { readReport } from "../report-input.ts";
import { writeText } from "../text-output.ts";

/** The observations of a report as a statement, which `--statement` holds later runs to. */
export const pin: Command = async ({ words, flags, problems }, io, parts) => {
  if (problems.length > 0) throw new UsageError(problems);
  const { run } = await readReport(words[0], io, parts);
  writeText(statementText(run), flags["output"], flags["force"] === true, io);
  return 0;
};

/** The statement as YAML, a comment telling each question. */
export function statementText(run: Run): string {
  const { target, startedAt, profile, seed, tool } = run;
  const blocks = run.observations
    .filter(({ answers }) => answers.length > 0)
    .map(({ id, question, answers }) =>
      [`# ${plain(question)}`, `${id}:`, ...answers.map(({ value }) => `  - ${JSON.stringify(value)}`)].join("\n"),
    );
  const head = [
    "# Answers to questions that the specification leaves open. Given by --statement, they bind: another answer fails.",
    `# Observed at ${plain(target.baseUrl)} on ${plain(startedAt)}, profile ${profile}, seed ${seed}, fxconform ${plain(tool.version)}.`,
    "# Take out what may vary; add answers that are allowed too.",
  ].join("\n");
  return `${[head, ...(blocks.length > 0 ? blocks : ["# Nothing was observed.\n{}"])].join("\n\n")}\n`;
}

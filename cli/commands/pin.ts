import { dirname, resolve } from "node:path";
import { plain } from "../../reports/sanitize.ts";
import type { Run } from "../../model/run.ts";
import type { Command } from "./command.ts";
import { flagValue } from "../configuration/flag-value.ts";
import { text } from "../configuration/kinds/text.ts";
import { gathering } from "../configuration/problem.ts";
import { readReports } from "./report-input.ts";
import { schemaPlace } from "../configuration/schema-place.ts";
import { writeText } from "../output/text-output.ts";

/** The observations of a report as a statement, which `--statement` holds later runs to. */
export const pin: Command = async ({ words, flags, problems }, io, parts) => {
  const gathered = gathering(problems);
  const output = await gathered.read(() => flagValue("--output", flags["output"], text));
  const [report] = await readReports(words, gathered.problems, io, parts);
  if (report === undefined) throw new TypeError("a report without a problem is missing");
  const folder = output === undefined ? io.cwd : dirname(resolve(io.cwd, output));
  writeText(
    statementText(report.run, schemaPlace(folder, "statement.schema.json")),
    output,
    flags["force"] === true,
    io,
  );
  return 0;
};

/** The statement as YAML, a comment telling each question and the first one where its schema is. */
function statementText(run: Run, schema: string): string {
  const { target, startedAt, profile, seed, tool } = run;
  const blocks = run.observations
    .filter(({ answers }) => answers.length > 0)
    .map(({ id, question, answers }) =>
      [`# ${plain(question)}`, `${id}:`, ...new Set(answers.map(({ answer }) => `  - ${JSON.stringify(answer)}`))].join(
        "\n",
      ),
    );
  const head = [
    `# yaml-language-server: $schema=${schema}`,
    "# Answers to questions that the specification leaves open. Given by --statement, they bind: another answer fails.",
    `# Observed at ${plain(target.baseUrl)} on ${plain(startedAt)}, profile ${profile}, seed ${seed}, fxconform ${plain(tool.version)}.`,
    "# Take out what may vary; add answers that are allowed too.",
  ].join("\n");
  return `${[head, ...(blocks.length > 0 ? blocks : ["# Nothing was observed.\n{}"])].join("\n\n")}\n`;
}

import { plural } from "../../model/plural.ts";
import type { Run } from "../../model/run.ts";
import { groups } from "../../reports/groups.ts";
import { plain } from "../../reports/sanitize.ts";
import { questionIds } from "../../spec/questions.ts";

/** The observations of runs as a statement, in YAML: what is the same in all of them, and the rest in comments. */
export async function statementText(runs: readonly Run[], schema: string): Promise<string> {
  const { stringify } = await import("yaml");
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
  ];
  const entries = questionIds.flatMap((id) => {
    const cases = casesOf(id, runs);
    const [pinned, varying] = [cases.filter(isSameInAll), cases.filter((one) => !isSameInAll(one))];
    const answers = groups(
      pinned.flatMap(({ name, answers: [first = []] }) => first.map((answer) => ({ name, answer }))),
      ({ answer }) => answer,
    );
    const casesByAnswer = new Map([...answers].map(([answer, rows]) => [answer, rows.map(({ name }) => name)]));
    const [question] = runs.flatMap((run) => run.observations.find((one) => one.id === id)?.question ?? []);
    if (question === undefined || cases.length === 0) return [];
    return [
      "",
      `# ${pinned.length === 0 ? `${id}: ` : ""}${plain(question)}`,
      ...(pinned.length === 0 ? [] : [stringify(new Map([[id, casesByAnswer]]), { lineWidth: 0 }).trimEnd()]),
      ...(varying.length === 0 ? [] : ["# Not the same in all reports:", ...varying.map(varyingLine)]),
    ];
  });
  const isEmpty = entries.every((line) => line === "" || line.startsWith("#"));
  return [...head, ...(isEmpty ? ["", "# Nothing to pin.", "{}"] : []), ...entries, ""].join("\n");
}

/** A case with the answers of each run; none where the run did not observe it. */
interface Case {
  readonly name: string;
  readonly answers: readonly (readonly string[])[];
}

/** What runs observed of a question, by case; answers of a run are each there once, sorted: how often depends on the run. */
export function casesOf(id: string, runs: readonly Run[]): readonly Case[] {
  const all = runs.map((run) => run.observations.find((one) => one.id === id)?.answers ?? []);
  return [...new Set(all.flat().map((one) => one.case))].map((name) => ({
    name,
    answers: all.map((list) =>
      [...new Set(list.filter((one) => one.case === name).map(({ answer }) => answer))].toSorted(),
    ),
  }));
}

const isSameInAll = ({ answers: [first, ...rest] }: Case): boolean =>
  rest.every((one) => JSON.stringify(one) === JSON.stringify(first));

const varyingLine = ({ name, answers }: Case): string => {
  const texts = answers.map((one) => one.map((text) => plain(text, 200)).join(", ") || "not observed");
  return `#   ${plain(name, 200)}: ${[...new Set(texts)].join(" / ")}`;
};

import { plural } from "../../model/plural.ts";
import { requirementIds, requirementOf } from "../../spec/catalogue.ts";
import { interpretationIds } from "../../spec/interpretations.ts";
import { prose } from "../../spec/prose.ts";
import { questionIds } from "../../spec/questions.ts";
import { program } from "../../settings/command-line.ts";
import { options } from "../../settings/options.ts";
import { quoted, UsageError, wrong } from "../../settings/problem.ts";
import { selectionOf } from "../../settings/selection.ts";
import { suggestion } from "../../settings/suggestion.ts";
import { flagValue } from "../../settings/sources.ts";
import { explanationOf, readExamples, explanationText } from "./explanation.ts";
import type { Io } from "../output/io.ts";
import type { Command } from "./command.ts";
import { listDeviations } from "./reference-target.ts";

export const list: Command = async ({ flags }, io) => {
  if (flags["deviations"] !== undefined) return listDeviations(flags["deviations"], io);
  const value = flagValue("--only", flags["only"], options.only.kind);
  const selected =
    value === undefined ? undefined : selectionOf({ only: { value, where: "--only" } });
  if (selected !== undefined && selected.problems.length > 0)
    throw new UsageError(selected.problems);
  const requirements = (selected?.selection ?? requirementIds).map((id) => ({
    id,
    ...requirementOf(id),
  }));
  const open = (selected === undefined ? questionIds : []).map((id) => ({
    id,
    ...prose.questions[id],
  }));
  const must = requirements.filter(({ level }) => level === "MUST").length;
  const total = `${plural(requirements.length, "requirement")} (${must} MUST, ${requirements.length - must} SHOULD)`;
  const lines = [
    ...requirements.map(
      ({ id, level, statement }) => `${id.padEnd(9)} ${level.padEnd(7)} ${statement}`,
    ),
    ...open.map(({ id, question }) => `${id.padEnd(9)} open    ${question}`),
    "",
    `${total}${open.length === 0 ? "" : `, ${plural(open.length, "open question")}`}`,
  ];
  return printed(
    flags["json"] === true,
    { requirements, questions: open },
    () => `${lines.join("\n")}\n`,
    io,
  );
};

export const explain: Command = async ({ words, flags }, io) => {
  const known = [...requirementIds, ...questionIds, ...interpretationIds];
  const ids = words.map((found) => {
    const id = known.find((one) => one === found.toUpperCase());
    if (id !== undefined) return id;
    const advice = suggestion(found, known) ?? `${program()} list prints all of them.`;
    throw wrong(
      "explain",
      "takes the ids of requirements, open questions and interpretations",
      advice,
      quoted(found),
    );
  });
  const examples = readExamples();
  const explanations = ids.map((id) => explanationOf(id, examples));
  const text = (): string =>
    explanations.map((one) => explanationText(one, Math.min(io.columns, 100))).join("\n");
  return printed(flags["json"] === true, explanations, text, io);
};

function printed(asJson: boolean, document: unknown, text: () => string, io: Io): number {
  io.stdout(asJson ? `${JSON.stringify(document, undefined, 2)}\n` : text());
  return 0;
}

import { requirementIds } from "../../spec/catalogue.ts";
import { questionIds } from "../../spec/questions.ts";
import { problemCollector } from "../../settings/problem.ts";
import { suggestion } from "../../settings/selection.ts";
import { explanationOf, readExamples, explanationText } from "../explanation/explanation.ts";
import { program } from "../../settings/command-line.ts";
import type { Command } from "./command.ts";

/** Explains requirements and open questions: what they say, how they are read, and what shows them. */
export const explain: Command = async ({ words, flags, problems }, io) => {
  const collected = problemCollector(problems);
  const known = [...requirementIds, ...questionIds];
  const ids = words.flatMap((word) => known.find((id) => id === word.toUpperCase()) ?? []);
  collected.add(
    words
      .filter((word) => !known.some((id) => id === word.toUpperCase()))
      .map((word) => ({
        where: "explain",
        what: "takes the ids of requirements and open questions",
        found: word,
        advice: suggestion(word, known) ?? `${program} list prints all of them.`,
      })),
  );
  collected.throwIfAny();
  const examples = readExamples();
  const explanations = ids.map((id) => explanationOf(id, examples, program));
  io.stdout(
    flags["json"] === true
      ? `${JSON.stringify(explanations, undefined, 2)}\n`
      : explanations.map((one) => explanationText(one, Math.min(io.columns, 100))).join("\n"),
  );
  return 0;
};

import { requirementIds, requirementOf, type RequirementId } from "../../spec/catalogue.ts";
import { questionIds, questions } from "../../spec/questions.ts";
import type { Command } from "./command.ts";
import { flagValue } from "../configuration/flag-value.ts";
import { options } from "../configuration/options.ts";
import { gathering } from "../configuration/problem.ts";
import { selectionOf } from "../configuration/selection.ts";

/** The catalogue: requirements, and open questions where nothing is selected. */
export const list: Command = async ({ flags, problems }, io) => {
  const gathered = gathering(problems);
  const names = await gathered.read(() => flagValue("--only", flags["only"], namesKind));
  const selected = names === undefined ? undefined : selectionOf({ only: { value: names, where: "--only" } });
  gathered.add(selected?.problems ?? []);
  gathered.settle();
  const ids = selected?.selection ?? requirementIds;
  const asked = selected === undefined ? questionIds : [];
  if (flags["json"] === true) {
    const document = {
      requirements: ids.map((id) => ({ id, ...requirementOf(id) })),
      questions: asked.map((id) => ({ id, ...questions[id] })),
    };
    io.stdout(`${JSON.stringify(document, undefined, 2)}\n`);
    return 0;
  }
  const rows = [...ids.map(requirementLine), ...asked.map((id) => `${id.padEnd(9)} open    ${questions[id].question}`)];
  io.stdout(`${rows.join("\n")}\n${totalOf(ids, asked.length)}\n`);
  return 0;
};

const namesKind = options.only.kind;

function requirementLine(id: RequirementId): string {
  const { level, statement } = requirementOf(id);
  return `${id.padEnd(9)} ${level.padEnd(7)} ${statement}`;
}

function totalOf(ids: readonly RequirementId[], open: number): string {
  const must = ids.filter((id) => requirementOf(id).level === "MUST").length;
  const also = open === 0 ? "" : `, ${open} open questions`;
  return `\n${ids.length} requirements (${must} MUST, ${ids.length - must} SHOULD)${also}`;
}

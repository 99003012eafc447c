import { requirementIds, requirementOf, type RequirementId } from "../../spec/catalogue.ts";
import { questionIds, questions } from "../../spec/questions.ts";
import { plural } from "../../model/plural.ts";
import type { Command } from "./command.ts";
import { flagValue } from "../../settings/values.ts";
import { options } from "../../settings/options.ts";
import { problemCollector } from "../../settings/problem.ts";
import { selectionOf } from "../../settings/selection.ts";

/** The requirements, and the open questions unless requirements are selected. */
export const list: Command = async ({ flags, problems }, io) => {
  const collected = problemCollector(problems);
  const names = collected.attempt(() => flagValue("--only", flags["only"], namesKind));
  const selected = names === undefined ? undefined : selectionOf({ only: { value: names, where: "--only" } });
  collected.add(selected?.problems ?? []);
  collected.throwIfAny();
  const ids = selected?.selection ?? requirementIds;
  const open = selected === undefined ? questionIds : [];
  if (flags["json"] === true) {
    const document = {
      requirements: ids.map((id) => ({ id, ...requirementOf(id) })),
      questions: open.map((id) => ({ id, ...questions[id] })),
    };
    io.stdout(`${JSON.stringify(document, undefined, 2)}\n`);
    return 0;
  }
  const rows = [...ids.map(requirementLine), ...open.map((id) => `${id.padEnd(9)} open    ${questions[id].question}`)];
  io.stdout(`${rows.join("\n")}\n${totalOf(ids, open.length)}\n`);
  return 0;
};

const namesKind = options.only.kind;

function requirementLine(id: RequirementId): string {
  const { level, statement } = requirementOf(id);
  return `${id.padEnd(9)} ${level.padEnd(7)} ${statement}`;
}

function totalOf(ids: readonly RequirementId[], open: number): string {
  const must = ids.filter((id) => requirementOf(id).level === "MUST").length;
  const also = open === 0 ? "" : `, ${plural(open, "open question")}`;
  return `\n${plural(ids.length, "requirement")} (${must} MUST, ${ids.length - must} SHOULD)${also}`;
}

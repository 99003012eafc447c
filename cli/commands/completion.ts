import { areas, requirementIds } from "../../spec/catalogue.ts";
import { questionIds } from "../../spec/questions.ts";
import { completionScripts } from "../completion/scripts.ts";
import { completedCommands } from "../completion/words.ts";
import { problemCollector } from "../configuration/problem.ts";
import { suggestion } from "../configuration/suggestion.ts";
import type { Invocation } from "../configuration/invocation.ts";
import type { Io } from "../output/io.ts";
import type { Modules } from "../modules.ts";
import type { CommandRow } from "./command.ts";

const shells = Object.keys(completionScripts) as readonly (keyof typeof completionScripts)[];

/** Prints the completion script of a shell, made from the table of commands. */
export async function completion(
  commands: readonly CommandRow[],
  { words, problems }: Invocation,
  io: Io,
  modules: Modules,
): Promise<number> {
  const collected = problemCollector(problems);
  const [word] = words;
  const shell = shells.find((name) => name === word);
  if (shell === undefined && word !== undefined) {
    const advice = suggestion(word, shells) ?? `It knows ${shells.join(", ")}.`;
    collected.add([{ where: "completion", what: "takes the name of a shell", found: word, advice }]);
  }
  collected.throwIfAny();
  const ids = [...areas, ...requirementIds];
  const faults = (await modules.faults()).map(({ id }) => id);
  const variants = (await modules.variants()).map(({ id }) => id);
  const known = {
    "--only": ids,
    "--exclude": ids,
    "--fault": faults,
    "--variant": variants,
    explain: [...requirementIds, ...questionIds],
    completion: shells,
  };
  io.stdout(completionScripts[shell ?? "bash"](completedCommands(commands, known)));
  return 0;
}

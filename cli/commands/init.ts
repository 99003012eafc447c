import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Command } from "./command.ts";
import { configFileNames } from "../configuration/config-file.ts";
import { flagOf } from "../configuration/options.ts";
import { problemCollector } from "../configuration/problem.ts";
import { schemaPlace } from "../configuration/schema-place.ts";
import { choicesOf } from "../initial/choices.ts";
import { answered } from "../initial/questions.ts";
import { configurationText } from "../initial/text.ts";
import { exitCodes } from "../output/exit-code.ts";
import { writeText } from "../output/text-output.ts";

const written = "fxconform.config.yaml";

/** Writes a configuration file with comments, from flags and, on a terminal, from answers. Sends nothing. */
export const init: Command = async ({ flags, problems }, io) => {
  const replace = flags["force"] === true;
  const collected = problemCollector([...problems, ...choicesOf(flags, flagOf, io.cwd).problems]);
  for (const name of configFileNames.filter((one) => existsSync(join(io.cwd, one)))) {
    if (name !== written) {
      const advice = `Move it away first: ${written} would be a second one.`;
      collected.add([{ where: name, what: "exists already", advice }]);
    } else if (!replace) {
      collected.add([{ where: name, what: "exists already", advice: "Edit it, or add --force to replace it." }]);
    }
  }
  collected.throwIfAny();
  const given = io.stdinIsTerminal && io.stdoutIsTerminal ? await answered(flags, io) : flags;
  if (given === undefined) {
    io.stderr("\nNothing was written.\n");
    return exitCodes.interrupted;
  }
  const choices = choicesOf(given, flagOf, io.cwd);
  writeText(configurationText(schemaPlace(io.cwd, "config.schema.json"), choices, io.cwd), written, replace, io);
  return exitCodes.pass;
};

import { constants, copyFileSync, existsSync, readdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join } from "node:path";
import { codeOf } from "../../model/files.ts";
import { quoted, wrong } from "../../settings/problem.ts";
import { exitCodes } from "../output/exit-code.ts";
import type { Command } from "./command.ts";

/** The folder with the examples, in a checkout and in the package alike. */
const templates = join(
  dirname(createRequire(import.meta.url).resolve("fxconform/package.json")),
  "templates",
);

/** Copies the files of an example into the working directory. Never replaces a file. */
export const example: Command = async ({ words: [name = ""] }, io) => {
  const known = readdirSync(templates, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map((entry) => entry.name)
    .toSorted();
  if (!known.includes(name))
    throw wrong("example", "names no example", `Name one of ${known.join(", ")}.`, quoted(name));
  // Settings of a runner there are for our own tests of the example: a project has its own.
  const files = readdirSync(join(templates, name)).filter((file) => !file.includes(".config."));
  const taken = files.find((file) => existsSync(join(io.cwd, file)));
  if (taken !== undefined)
    throw wrong(taken, "exists already", "Move it away, or call this in another folder.");
  for (const file of files) {
    try {
      copyFileSync(join(templates, name, file), join(io.cwd, file), constants.COPYFILE_EXCL);
    } catch (error) {
      throw wrong(file, `cannot be written (${codeOf(error)})`, "Check the folder.");
    }
    io.stderr(`Written: ${join(io.cwd, file)}\n`);
  }
  return exitCodes.pass;
};

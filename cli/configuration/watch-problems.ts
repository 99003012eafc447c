import { existsSync } from "node:fs";
import type { Io } from "../output/io.ts";
import type { OptionValues } from "./option-values.ts";
import type { Problem } from "./problem.ts";

/** What is wrong with `--watch` and `--watch-files`: where they run, and what they are combined with. */
export function watchProblems(
  values: OptionValues,
  io: Pick<Io, "stdinIsTerminal" | "stdoutIsTerminal">,
): readonly Problem[] {
  const { watch, watchFiles } = values;
  const missing = (watchFiles?.value ?? []).filter((path) => !existsSync(path));
  const files = missing.map((found) => ({
    where: watchFiles?.where ?? "",
    what: "names no file or folder",
    found,
    advice: "Check the path; a pattern such as src/**/*.ts is not one: name the folder.",
  }));
  if (watch?.value !== true) {
    if (watchFiles === undefined) return [];
    return [...files, { where: watchFiles.where, what: "needs --watch", advice: "Add --watch, or leave it out." }];
  }
  const others = (["json", "quiet", "updateBaseline", "record"] as const).flatMap((name) => values[name] ?? []);
  return [
    ...files,
    ...(io.stdinIsTerminal && io.stdoutIsTerminal ? [] : [{ where: watch.where, ...noTerminal }]),
    ...others
      .filter(({ value }) => value !== false)
      .map(({ where }) => ({
        where: watch.where,
        what: `cannot be combined with ${where}`,
        advice: `Leave ${where} out, or run without --watch.`,
      })),
  ];
}

const noTerminal = {
  what: "needs a terminal for its keys",
  advice: "Start it in a terminal, or run without --watch.",
} as const;

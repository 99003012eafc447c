import { accessSync, constants, existsSync } from "node:fs";
import { delimiter, join } from "node:path";
import { fileURLToPath } from "node:url";

/**
 * Where the packages of tools/package.json are. Tests that need one have the tag `tools`, and are
 * skipped where they are missing.
 */
export const toolset = fileURLToPath(new URL("../tools/node_modules", import.meta.url));
export const hasToolset = existsSync(toolset);

/**
 * The programs of the system that tests start, each with the Debian package that installs it. A
 * test that starts one has its name as a tag (`vitest.config.ts`): it is skipped where the program
 * is missing. The shell and the basic commands of POSIX are taken for granted, because npm needs
 * them too.
 */
export const packages = {
  bash: "bash",
  chromium: "chromium",
  curl: "curl",
  git: "git",
  promtool: "prometheus",
  tar: "tar",
  xmllint: "libxml2-utils",
} as const;

export type SystemProgram = keyof typeof packages;

declare module "vitest" {
  interface TestTags {
    readonly program: SystemProgram | "tools";
  }
}

/** The path in `PATH` at which the program can be started. Undefined if it is missing. */
export function pathOf(program: SystemProgram): string | undefined {
  return (process.env["PATH"] ?? "")
    .split(delimiter)
    .map((folder) => join(folder, program))
    .find((path) => isExecutable(path));
}

/** The programs of the system that are missing. */
export function missingPrograms(): readonly SystemProgram[] {
  return (Object.keys(packages) as SystemProgram[]).filter(
    (program) => pathOf(program) === undefined,
  );
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

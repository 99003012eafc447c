import type { Reporter, TestModule, Vitest } from "vitest/node";
import { missingPrograms, packages, type SystemProgram } from "./system-programs.ts";

/**
 * A reporter that prints one line: how many tests were skipped because a program is missing, and
 * what installs the program.
 */
export default class MissingPrograms implements Reporter {
  #vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.#vitest = vitest;
  }

  onTestRunEnd(modules: readonly TestModule[]): void {
    const { logger, config } = this.#vitest ?? {};
    // With a filter, most tests are skipped for another reason.
    if (config?.testNamePattern !== undefined || config?.tagsFilter !== undefined) return;
    const tags = modules.flatMap(({ children }) =>
      [...children.allTests("skipped")].map((test) => test.tags),
    );
    const line = lineFor(tags, missingPrograms());
    if (line !== undefined) logger?.log(line);
  }
}

/** The line for skipped tests, which are given by their tags. */
export function lineFor(
  skipped: readonly (readonly string[])[],
  missing: readonly SystemProgram[],
): string | undefined {
  const counts = missing
    .map((program) => ({ program, tests: skipped.filter((tags) => tags.includes(program)).length }))
    .filter(({ tests }) => tests > 0);
  if (counts.length === 0) return undefined;
  const total = skipped.filter((tags) =>
    counts.some(({ program }) => tags.includes(program)),
  ).length;
  const names = counts.map(({ program, tests }) => `${program} (${tests})`).join(", ");
  const installed = [...new Set(counts.map(({ program }) => packages[program]))].join(" ");
  return `${total} ${total === 1 ? "test was" : "tests were"} skipped, because programs are missing: ${names}. Debian packages: ${installed}`;
}

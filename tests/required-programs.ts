import { beforeEach } from "vitest";
import { missingPrograms, packages } from "./system-programs.ts";

/**
 * With FXCONFORM_REQUIRE_PROGRAMS a test fails, instead of being skipped, if a program that it
 * starts is missing.
 */
const missing = missingPrograms();

beforeEach(({ task }) => {
  for (const program of missing.filter((one) => task.tags?.includes(one)))
    throw new Error(
      `${program} is missing, and FXCONFORM_REQUIRE_PROGRAMS is set: apt-get install ${packages[program]}`,
    );
});

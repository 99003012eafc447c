import { beforeEach } from "vitest";
import { missingPrograms, packages } from "./system-programs.ts";

/**
 * The programs that tests start and that are missing. With FXCONFORM_REQUIRE_PROGRAMS, such a test
 * fails and is not skipped.
 */
const missing = missingPrograms();

beforeEach(({ task }) => {
  for (const program of missing.filter((one) => task.tags?.includes(one)))
    throw new Error(
      `${program} is missing, and FXCONFORM_REQUIRE_PROGRAMS is set: apt-get install ${packages[program]}`,
    );
});

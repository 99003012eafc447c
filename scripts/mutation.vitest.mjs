import { defineConfig } from "vitest/config";

/** The unit tests that run against each mutant of generators, checks and the roll-up: quick ones, without network. */
export default defineConfig({
  test: {
    include: [
      "generators/**/*.test.ts",
      "harness/judging/checks/*.test.ts",
      "harness/judging/response-schemas.test.ts",
      "model/*.test.ts",
    ],
    testTimeout: 10_000,
  },
});

import { defineConfig } from "vitest/config";

/**
 * The unit tests of which at least one must fail for each mutant of the generators, the harness or
 * the model. They are quick and need no network.
 */
export default defineConfig({
  test: {
    include: [
      "generators/**/*.test.ts",
      "harness/judging/**/*.test.ts",
      "harness/sending/{sender,rows,refusals,guards,facts,session}.test.ts",
      "model/*.test.ts",
      "model/conclusion/*.test.ts",
    ],
    testTimeout: 10_000,
  },
});

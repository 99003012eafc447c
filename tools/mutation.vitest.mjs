import { defineConfig } from "vitest/config";

/**
 * The unit tests that must fail for a mutant of the generators, the harness or the model: quick
 * tests without network.
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

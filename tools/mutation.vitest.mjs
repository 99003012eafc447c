import { defineConfig } from "vitest/config";

/**
 * The unit tests that mutants of the generators, the harness and the model have to get past: quick
 * ones, without network.
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

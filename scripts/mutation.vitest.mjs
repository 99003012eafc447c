import { defineConfig } from "vitest/config";

/** The unit tests that mutants of generators, checks and the model have to get past: quick ones, without network. */
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

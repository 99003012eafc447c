import { defineConfig } from "vitest/config";

/**
 * The tests of which at least one must fail for each mutant: the unit tests of the folders that are
 * mutated, and of what crosses folders the tests that are quick and need neither network nor build.
 */
export default defineConfig({
  test: {
    include: [
      "{generators,harness,suites}/**/*.test.ts",
      "model/{*,conclusion/*}.test.ts",
      "tests/{blame,coverage,one-judge,selection}.test.ts",
    ],
    isolate: false,
    testTimeout: 60_000,
  },
});

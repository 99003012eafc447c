import { defineConfig } from "vitest/config";

/** The tests that ask us. The scenarios that ask a target are started by `engine/` with options of their own. */
export default defineConfig({
  test: {
    include: ["{spec,generators,harness,suites,reference,reports,engine,cli,tests}/**/*.test.ts"],
    testTimeout: 30_000,
    coverage: {
      provider: "v8",
      include: ["{spec,generators,harness,reports}/**/*.ts"],
      exclude: ["**/*.test.ts", "**/testing/**"],
      reporter: ["text", "html"],
    },
  },
});

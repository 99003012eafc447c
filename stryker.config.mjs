/**
 * Mutation testing of the code that verdicts rest on: `npm run mutation`, or a part of it with
 * `-- --mutate <files>`. CONTRIBUTING.md says how to read it.
 *
 * @type {import("@stryker-mutator/api/core").PartialStrykerOptions}
 */
export default {
  packageManager: "npm",
  plugins: ["@stryker-mutator/vitest-runner"],
  testRunner: "vitest",
  vitest: { configFile: "tools/mutation.vitest.mjs", related: false },
  mutate: [
    "{generators,harness/judging,harness/sending,model/conclusion,suites/kit,suites/run}/**/*.ts",
    "!**/*.test.ts",
    "!**/testing/**",
  ],
  ignorePatterns: ["dist", "coverage", "fxconform-report", "tools/*", "!tools/mutation.vitest.mjs"],
  coverageAnalysis: "perTest",
  concurrency: 2,
  timeoutMS: 10_000,
  dryRunTimeoutMinutes: 20,
  reporters: ["clear-text", "progress"],
  clearTextReporter: { allowColor: false, reportTests: false },
};

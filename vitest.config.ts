import { availableParallelism } from "node:os";
import { configDefaults, defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import {
  hasToolset,
  missingPrograms,
  packages,
  type SystemProgram,
} from "./tests/system-programs.ts";

/**
 * Starts the slow tests first, and of each project the test files below `tests/`, as some take a
 * minute, so that the rest runs beside them. The files of a project follow one another: a worker
 * serves only one project, and a new one has to load all modules again.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rankOf = ({ moduleId, project }: TestSpecification): number =>
      (project.name === "slow" ? 0 : 2) + (/\/tests\//.test(moduleId) ? 0 : 1);
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rankOf(one) - rankOf(other));
  }
}

/** The programs that tests start and that are missing: the tests are skipped, which one line says. */
const missing = missingPrograms();
const sentences = [
  missing.length > 0 && `Programs are missing: ${missing.join(", ")}.`,
  missing.length > 0 && `Debian packages: ${missing.map((name) => packages[name]).join(" ")}`,
  !hasToolset && "Packages of tools/ are missing: node tools/toolset.mjs installs them.",
].filter((text) => text !== false);
if (sentences.length > 0) {
  const line = sentences.join(" ");
  if ((process.env["FXCONFORM_REQUIRE_PROGRAMS"] ?? "") !== "") throw new Error(line);
  // This file is read once for each project.
  if (process.env["FXCONFORM_MISSING_PROGRAMS"] !== line)
    process.stderr.write(`Tests are skipped. ${line}\n`);
  process.env["FXCONFORM_MISSING_PROGRAMS"] = line;
}

const all = [
  "{spec,model,generators,harness,suites,reference,reports,engine,settings,cli,tests}/**/*.test.ts",
];

/**
 * The slow tests: of what shows only outside the code (pages, browsers, scripts, pipelines,
 * monitoring, the package, the network, processes), and tests that go through hundreds of cases or
 * thousands of entries: legal servers with faults, mistakes in a document, broken responses, recordings with
 * secrets, a long recording.
 */
const slow = [
  "tests/stories/stories.test.ts",
  "tests/{announcement,api,curl,first-hour,pages,kit,monitoring,order,package,gaps,left-behind}.test.ts",
  "tests/{judge-secrets,page.browser}.test.ts",
  "tests/{fuzz,network}/*.test.ts",
  "tests/cli/{interruption,program,signals,traffic}.test.ts",
  "engine/document/mutations.test.ts",
];

/**
 * Configures the tests of fxconform itself, and the suites as tests of vitest. No run of fxconform
 * reads this file.
 */
export default defineConfig({
  test: {
    // `npm test` runs the first project, `npm run test:all` both.
    projects: [
      {
        extends: true,
        test: {
          name: "usual",
          include: all,
          exclude: [...configDefaults.exclude, ...slow],
        },
      },
      { extends: true, test: { name: "slow", include: slow } },
    ],
    // A worker loads each module once and not once for each test file, which halves the CPU time. A
    // test that changes a module or the environment restores it.
    isolate: false,
    // Modules that did not change since an earlier run are not compiled again.
    experimental: { fsModuleCache: true },
    testTimeout: 60_000,
    // A tag for each system program that some test starts. The tag is described by the Debian package of the
    // program, and skips its tests if the program is missing.
    tags: [
      ...(Object.keys(packages) as SystemProgram[]).map((name) => ({
        name,
        description: packages[name],
        ...(missing.includes(name) && { skip: true }),
      })),
      { name: "tools", description: "", ...(!hasToolset && { skip: true }) },
    ],
    // Tests wait much of the time for programs that they started.
    maxWorkers: availableParallelism() + 1,
    sequence: { sequencer: LongestFirst },
    coverage: {
      provider: "v8",
      include: ["{spec,model,generators,harness,reports}/**/*.ts"],
      exclude: ["**/*.test.ts", "**/testing/**"],
      reporter: ["text", "html"],
    },
  },
});

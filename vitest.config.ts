import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";

/** What takes minutes is started first, so that the rest runs beside it. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const takesMinutes = ({ moduleId }: TestSpecification): boolean =>
      /\/tests\/(hostile|fuzz|network)\//.test(moduleId);
    const sorted = await super.sort(files);
    return [...sorted.filter(takesMinutes), ...sorted.filter((file) => !takesMinutes(file))];
  }
}

const workflowParser = "@actions/workflow-parser";

/** Its modules name source maps that it does not bring along: each would be a warning. */
const withoutSourceMaps = {
  name: "without-source-maps",
  load: (id: string): string | undefined =>
    id.includes(workflowParser) && id.endsWith(".js")
      ? readFileSync(id, "utf8").replace(/^\/\/# sourceMappingURL=.*$/m, "")
      : undefined,
};

/** The tests of fxconform itself. The scenarios that check a target are started by `engine/` with options of their own. */
export default defineConfig({
  plugins: [withoutSourceMaps],
  test: {
    include: ["{spec,model,generators,harness,suites,reference,reports,engine,traffic,cli,library,tests}/**/*.test.ts"],
    testTimeout: 30_000,
    // Much of the time is spent waiting for programs that were started.
    maxWorkers: "100%",
    sequence: { sequencer: LongestFirst },
    // It imports JSON in a way that Node 20 refuses.
    server: { deps: { inline: [workflowParser] } },
    coverage: {
      provider: "v8",
      include: ["{spec,model,generators,harness,reports}/**/*.ts"],
      exclude: ["**/*.test.ts", "**/testing/**"],
      reporter: ["text", "html"],
    },
  },
});

/**
 * Makes a layer. `imports` are names of folders with spaces between them. The folders that
 * `more.types` names may be imported for their types alone.
 */
function layer(folder, imports, purpose, more = {}) {
  return { folder, purpose, imports: imports.split(" ").filter(Boolean), ...more };
}

/**
 * The layers from the bottom up: what each folder (or file) may import, and what it is for.
 * dependency-cruiser enforces them, and ARCHITECTURE.md shows them. `tests` and `tools` may import
 * anything. `inside` has the folders of a layer from the bottom up: each may import the folders
 * that it names and the files beside it, and no other folder.
 */
export const layers = [
  layer(
    "spec",
    "",
    "what must be true: the contract, the catalogue of requirements and the open questions",
  ),
  layer("model", "spec", "what a run is made of: plain data, and pure functions", {
    inside: { evidence: [], conclusion: ["evidence"] },
  }),
  layer(
    "generators",
    "spec",
    "what can be sent: bodies in which each pair of attributes occurs, and odd texts",
  ),
  layer("harness", "spec model", "how to send, and how to judge", {
    inside: { judging: [], sending: ["judging"] },
  }),
  layer(
    "suites",
    "spec model generators harness",
    "scenarios: a kit of tools, and a folder for each area",
  ),
  layer(
    "reference",
    "",
    "a server that obeys, and in deviations/ named ways to disobey or to differ legally",
    {
      types: ["spec"],
    },
  ),
  layer(
    "reports",
    "spec model",
    "renderers: from a run to text, and how the texts are searched for secrets and saved",
  ),
  layer("engine/version.ts", "", "the version of fxconform, and the id of a run"),
  layer(
    "engine/recording",
    "spec model harness engine/version.ts",
    "makes a run of recordings of what others sent",
  ),
  layer(
    "engine/document",
    "spec model harness engine/version.ts",
    "makes a run of an OpenAPI document of an implementer",
  ),
  layer(
    "engine/server",
    "spec model generators harness suites engine/version.ts",
    "makes a run of a server: its half of the main thread, and in worker/ that of the thread of the scenarios",
  ),
  layer(
    "settings",
    "spec model",
    "the options: one table; flags, variables and the configuration file in, plain data out",
  ),
  layer(
    "cli",
    "spec model reference reports settings engine/version.ts engine/recording engine/document engine/server",
    "the command line: commands and output",
    {
      inside: {
        output: [],
        runs: ["output"],
        commands: ["output", "runs"],
      },
    },
  ),
  layer("index.ts", "model reports settings engine/server", "what programs import as `fxconform`"),
  layer(
    "conformance.ts",
    "spec reports settings index.ts",
    "what tests of vitest import as `fxconform/vitest`",
  ),
];

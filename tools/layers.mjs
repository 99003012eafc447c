/** Makes a layer; its imports are names, with spaces between. `types` may be imported only for its types. */
const layer = (folder, imports, purpose, more = {}) => ({ folder, purpose, imports: wordsIn(imports), ...more });
const wordsIn = (text) => text.split(" ").filter(Boolean);

/**
 * The layers, from the bottom up: what each folder may import, and what it is for. dependency-cruiser enforces them and
 * ARCHITECTURE.md shows them. `tests` and `tools` may import anything. `inside` has the folders of a layer,
 * from the bottom up: each may import those that it names and no other one.
 */
export const layers = [
  layer("spec", "", "what must be true: the contract, the catalogue of requirements and the open questions"),
  layer("model", "spec", "what a run is made of, and the one pure way from findings to verdicts, outcome and gate"),
  layer(
    "generators",
    "spec",
    "what can be sent: JSON Schema to fast-check arbitraries, valid, or invalid by one change",
  ),
  layer("harness", "spec model", "how to send and judge: transport, session, judging, recording"),
  layer("suites", "spec model generators harness", "scenarios: a kit of tools, and a folder for each area"),
  layer("reference", "", "a server that obeys, and named ways to disobey (faults) or to differ legally (variants)", {
    types: ["spec"],
  }),
  layer("reports", "spec model", "renderers: from a run to text, and how the texts are saved"),
  layer(
    "engine",
    "spec model generators harness",
    "starts vitest on the suites and collects what they find into a run",
  ),
  layer("traffic", "spec model harness engine", "judges requests that others sent, in recordings"),
  layer("contract", "spec model generators harness engine", "judges the OpenAPI documents of implementers"),
  layer(
    "settings",
    "spec model",
    "the options: one table; flags, variables and the configuration file in, plain data out",
  ),
  layer(
    "cli",
    "spec model reference reports engine traffic contract settings",
    "the command line: commands and output",
    {
      inside: {
        output: [],
        explanation: [],
        reference: ["output"],
        runs: ["output"],
        watch: ["output", "runs"],
        commands: ["output", "explanation", "reference", "runs", "watch"],
      },
    },
  ),
  layer("library", "spec model reports engine settings", "the typed functions that programs import"),
];

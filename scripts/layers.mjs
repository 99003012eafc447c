/**
 * The layers, from the bottom up: what each folder is for and whose modules it may import.
 * dependency-cruiser enforces this object and ARCHITECTURE.md shows it.
 * A folder in `types` may be imported only for its types. `tests`, `bench` and `scripts` may import anything.
 * `inside` has the folders of a layer, from the bottom up: each may import those that it names and no other one.
 *
 * @type {readonly {
 *   folder: string, purpose: string, imports: readonly string[], types?: readonly string[],
 *   inside?: Readonly<Record<string, readonly string[]>>
 * }[]}
 */
export const layers = [
  {
    folder: "spec",
    purpose: "what must be true: the contract, the catalogue of requirements and the open questions",
    imports: [],
  },
  {
    folder: "model",
    purpose: "what a run is made of, as plain types, and the one pure way from findings to verdicts, outcome and gate",
    imports: ["spec"],
  },
  {
    folder: "generators",
    purpose: "what can be sent: JSON Schema to fast-check arbitraries, valid, or invalid by one change",
    imports: ["spec"],
  },
  {
    folder: "harness",
    purpose: "how to send and judge: transport, session, judging, recording",
    imports: ["spec", "model"],
  },
  {
    folder: "suites",
    purpose: "scenarios: a kit of tools, and a folder for each area of the specification",
    imports: ["spec", "model", "generators", "harness"],
  },
  {
    folder: "reference",
    purpose: "a server that obeys, and named ways to disobey (faults) or to differ legally (variants)",
    imports: [],
    types: ["spec"],
  },
  {
    folder: "reports",
    purpose: "renderers: from a run to text, and how the texts are saved",
    imports: ["spec", "model"],
  },
  {
    folder: "engine",
    purpose: "starts vitest on the suites and collects what they find into a run",
    imports: ["spec", "model", "generators", "harness"],
  },
  {
    folder: "traffic",
    purpose: "judges requests that others sent, in recordings",
    imports: ["spec", "model", "harness", "engine"],
  },
  {
    folder: "settings",
    purpose: "the options: one table; flags, variables and the configuration file in, plain data out",
    imports: ["spec", "model"],
  },
  {
    folder: "cli",
    purpose: "the command line: commands and output",
    imports: ["spec", "model", "reference", "reports", "engine", "traffic", "settings"],
    inside: {
      output: [],
      explanation: [],
      reference: ["output"],
      runs: ["output"],
      watch: ["output", "runs"],
      commands: ["output", "explanation", "reference", "runs", "watch"],
    },
  },
  {
    folder: "library",
    purpose: "the typed functions that programs import",
    imports: ["spec", "model", "reports", "engine", "settings"],
  },
];

/** The tables of ARCHITECTURE.md, as Markdown: the layers, and the folders inside them. */
export function layersTable() {
  const cell = ({ imports, types = [] }) =>
    [...imports, ...types.map((folder) => `types of ${folder}`)].join(", ") || "nothing of ours";
  const inner = layers.flatMap(({ folder, inside = {} }) =>
    Object.entries(inside).map(([name, imports]) => `| \`${folder}/${name}/\` | ${imports.join(", ") || "none"} |`),
  );
  return [
    "| folder | holds | imports |",
    "| --- | --- | --- |",
    ...layers.map((layer) => `| \`${layer.folder}/\` | ${layer.purpose} | ${cell(layer)} |`),
    "",
    "| folder inside a layer | imports of its siblings |",
    "| --- | --- |",
    ...inner,
  ].join("\n");
}

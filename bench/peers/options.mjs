import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";
import { wholeNumber } from "../../scripts/command-line.mjs";

/** Faults and variants of the sample that the page shows. */
const whole = { faults: 60, variants: 40, seed: 1 };

/** The help, for tools with these ids. */
export const usageFor = (ids) => `
Usage: npm run peers -- [options]

Installs other tools for OpenAPI into a cache folder, runs each and fxconform against
a sample of faulty and of legal servers, and writes the tables of docs/comparison.md.

  --only <ids>       measures only some of
                     ${ids.join(", ")};
                     the page keeps the results of the others on the same sample
  --sample <f,v>     f faults and v variants (default: ${whole.faults},${whole.variants});
                     prints the table of another sample and does not write it
  --seed <n>         draws the sample, and is the seed of tools that take one (default: ${whole.seed});
                     prints the table of another seed and does not write it
  --processes <n>    tools at once (default: one for each core)
  --cache <folder>   where the tools are installed (default: node_modules/.cache/fxconform-peers)
  --help
`;

/** Reads the arguments; `isWhole` is true for the sample that the page shows. Throws what is wrong, in one line. */
export const optionsOf = (words, ids) => {
  const { values } = parseArgs({
    args: words,
    options: {
      only: { type: "string", default: ids.join(",") },
      sample: { type: "string", default: `${whole.faults},${whole.variants}` },
      seed: { type: "string", default: String(whole.seed) },
      processes: { type: "string", default: String(availableParallelism()) },
      cache: { type: "string" },
    },
  });
  const only = values.only.split(",");
  const unknown = only.filter((id) => !ids.includes(id));
  if (unknown.length > 0)
    throw new Error(`--only: there is no tool ${unknown.join(", ")}. There are: ${ids.join(", ")}`);
  if (!/^\d+,\d+$/.test(values.sample)) throw new Error("--sample needs two numbers, such as 60,40");
  const [faults, variants] = values.sample.split(",").map(Number);
  const seed = wholeNumber(values, "seed");
  const isWhole = faults === whole.faults && variants === whole.variants && seed === whole.seed;
  const processes = wholeNumber(values, "processes");
  return { only, counts: { faults, variants }, seed, processes, isWhole, cache: values.cache };
};

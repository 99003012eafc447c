import { availableParallelism } from "node:os";
import { parseArgs } from "node:util";

/** Faults and variants of the sample that the page shows. */
const whole = { faults: 60, variants: 40, seed: 1 };

/** The help, for tools with these ids. */
export const helpFor = (ids) => `Usage: npm run peers -- [options]

Installs other tools for OpenAPI into a cache folder, runs each and fxconform against
a sample of faulty and of legal servers, and writes the tables of docs/comparison.md.

  --only <ids>       measure only some of
                     ${ids.join(", ")};
                     the page keeps what was measured of the others on the same sample
  --sample <f,v>     so many faults and variants (default: ${whole.faults},${whole.variants});
                     the table of another sample is printed, and not written
  --seed <n>         draws the sample, and is the seed of the tools that take one (default: ${whole.seed});
                     the table of another seed is printed, and not written
  --processes <n>    tools at once (default: one for each core)
  --cache <folder>   where the tools are installed (default: node_modules/.cache/fxconform-peers)
  --help
`;

/** What the words of the command line say; `isWhole` for the sample of the page. Throws what is wrong, in one line. */
export const optionsOf = (words, ids) => {
  const { values } = parseArgs({
    args: words,
    options: {
      only: { type: "string", default: ids.join(",") },
      sample: { type: "string", default: `${whole.faults},${whole.variants}` },
      seed: { type: "string", default: String(whole.seed) },
      processes: { type: "string", default: String(availableParallelism()) },
      cache: { type: "string" },
      help: { type: "boolean", default: false },
    },
  });
  const only = values.only.split(",");
  const unknown = only.filter((id) => !ids.includes(id));
  if (unknown.length > 0)
    throw new Error(`--only: there is no tool ${unknown.join(", ")}. There are: ${ids.join(", ")}`);
  if (!/^\d+,\d+$/.test(values.sample)) throw new Error("--sample needs two numbers, such as 60,40");
  const [faults, variants] = values.sample.split(",").map(Number);
  const seed = above0(values, "seed");
  const isWhole = faults === whole.faults && variants === whole.variants && seed === whole.seed;
  const processes = above0(values, "processes");
  return { only, counts: { faults, variants }, seed, processes, isWhole, cache: values.cache, help: values.help };
};

function above0(values, name) {
  if (!/^[1-9]\d*$/.test(values[name])) throw new Error(`--${name} needs a whole number above 0`);
  return Number(values[name]);
}

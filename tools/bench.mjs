// Measures what fxconform costs. No test depends on the figures.
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { Command } from "commander";

const { beside, repeats } = new Command("npm run bench --")
  .description(
    "Measures what fxconform costs, as ratios of medians, which differ less between machines than times.",
  )
  .option("--beside <checkout>", "compare with this checkout, which is built, in turn")
  .option("--repeats <n>", "how often", "5")
  .parse()
  .opts();
const root = fileURLToPath(new URL("..", import.meta.url));
const checkouts = [root, ...(beside === undefined ? [] : [resolve(beside)])];
const folder = mkdtempSync(join(tmpdir(), "fxconform-bench-"));

/** Prints, when a process ends, its wall time, its CPU time (both in seconds) and its memory (in MB). */
const meter = `data:text/javascript,process.on("exit",()=>{const{userCPUTime:u,systemCPUTime:s,maxRSS:m}=process.resourceUsage();process.stderr.write("\\n"+JSON.stringify({wall:performance.now()/1000,cpu:(u+s)/1e6,memory:m/1024}))})`;

function measured(words) {
  const { stderr, error } = spawnSync(process.execPath, ["--import", meter, ...words], {
    encoding: "utf8",
  });
  if (error !== undefined) throw error;
  return JSON.parse(stderr.slice(stderr.lastIndexOf("\n")));
}

const demo = ["demo", "--seed", "1", "--quiet", "--report-dir", folder];
const figures = [
  ["fxconform --help, wall time", "wall", ["--help"]],
  ["fxconform demo, wall time", "wall", demo],
  ["fxconform demo, CPU time", "cpu", demo],
  ["fxconform demo, memory", "memory", demo],
];

const median = (all) => all.toSorted((a, b) => a - b)[Math.floor(all.length / 2)];
const shown = (all) => [median(all), Math.min(...all), Math.max(...all)].map((n) => n.toFixed(2));

/** The figure of each checkout, beside that of Node with an empty program. */
function rowsOf([name, unit, words]) {
  const turns = Array.from({ length: Number(repeats) }, () => ({
    node: measured(["--eval", "0"])[unit],
    own: checkouts.map((one) => measured([join(one, "dist/cli/bin.js"), ...words])[unit]),
  }));
  const rows = [
    [`${name}, beside an empty program of Node`, turns.map(({ node, own }) => own[0] / node)],
    ...(checkouts.length > 1
      ? [[`${name}, beside the other checkout`, turns.map(({ own: [a, b] }) => a / b)]]
      : []),
  ];
  return rows.map(([what, all]) => [what, ...shown(all)]);
}

console.log("median  least  greatest");
for (const figure of figures)
  for (const [what, ...numbers] of rowsOf(figure))
    console.log(`${numbers.map((text) => text.padStart(6)).join("  ")}  ${what}`);
rmSync(folder, { recursive: true });

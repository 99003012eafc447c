import { existsSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { commandLine } from "./command-line.mjs";
import { layers } from "./layers.mjs";

const most = 20;
const usage = `
Usage: node scripts/folders.mjs [root]

Exits with 1 if a folder holds more than ${most} source files. Tests and their helpers do not count.

  root      the folder of the repository (default: that of this script)
  --help
`;
const { positionals } = commandLine(usage, (args) => parseArgs({ args, allowPositionals: true }));
const root = positionals[0] ?? dirname(dirname(fileURLToPath(import.meta.url)));

const counts = {};
for (const top of [...layers.map(({ folder }) => folder), "tests", "scripts", "bench"]) {
  if (!existsSync(join(root, top))) continue;
  for (const name of readdirSync(join(root, top), { recursive: true })) {
    if (!/\.(ts|mjs)$/.test(name) || /\.test\.ts$|(^|\/)testing\//.test(name)) continue;
    const folder = dirname(join(top, name));
    counts[folder] = (counts[folder] ?? 0) + 1;
  }
}
const crowded = Object.entries(counts).filter(([, files]) => files > most);
for (const [folder, files] of crowded)
  console.error(`${folder}/ holds ${files} source files, more than ${most}. Try: group them in folders`);
process.exitCode = crowded.length === 0 ? 0 : 1;

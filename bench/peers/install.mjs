// Installs a tool into its folder of the cache, unless it is already installed.
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { runLimited } from "./process.mjs";

const limit = 300_000;

/** Resolves to undefined, or to the reason why the tool cannot be used. */
export const install = async ({ install: { npm, pip, java } }, folder) => {
  const mark = join(folder, "installed.json");
  const packages = JSON.stringify(npm ?? pip ?? []);
  if (java && (await runLimited("java", ["-version"], { limit: 20_000 })).code !== 0) return "Java is not installed";
  if (existsSync(mark) && readFileSync(mark, "utf8") === packages) return undefined;
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  for (const [command, ...args] of stepsOf({ npm, pip }, folder)) {
    const { code, timedOut, output } = await runLimited(command, args, { cwd: folder, limit });
    if (code !== 0) {
      const why = timedOut ? `took longer than ${limit / 1000} s` : (output.trim().split("\n").at(-1) ?? "");
      return `cannot be installed: ${command} ${why}`;
    }
  }
  writeFileSync(mark, packages);
  return undefined;
};

function stepsOf({ npm, pip }, folder) {
  if (npm !== undefined) {
    writeFileSync(join(folder, "package.json"), JSON.stringify({ private: true }));
    return [
      ["npm", "install", "--prefix", folder, "--ignore-scripts", "--no-audit", "--no-fund", "--save-exact", ...npm],
    ];
  }
  if (pip === undefined) return [];
  return [
    ["python3", "-m", "venv", "venv"],
    ["venv/bin/pip", "install", "--quiet", "--disable-pip-version-check", ...pip],
  ];
}

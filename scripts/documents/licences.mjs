import { readFileSync } from "node:fs";
import { join } from "node:path";

/** `docs/licences.md`: what is installed with the package, as the lock file has it. */
export function licencesDocument(root) {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  const installed = Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional)
    .map(([path, { version, license = "not stated" }]) => [`${nameOf(path)} ${version}`, license])
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return [
    "# Licences",
    "Made by `npm run docs`; do not edit by hand. `npm run sbom` prints the same as a CycloneDX bill of materials.",
    [
      `fxconform is under Apache-2.0. Its runtime dependencies come to ${installed.length} packages,`,
      "those included that only another platform installs.",
    ].join(" "),
    ["| package | licence |", "| --- | --- |", ...installed.map((cells) => `| ${cells.join(" | ")} |`)].join("\n"),
  ].join("\n\n");
}

function nameOf(path) {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

import { runtimePackages } from "../runtime-packages.mjs";
import { table } from "./table.mjs";

/** `docs/licences.md`: the runtime packages in the lock file and their licences. */
export function licencesDocument(root) {
  const installed = runtimePackages(root);
  return [
    "# Licences",
    "Made by `npm run docs`; do not edit by hand. `npm run sbom` prints a CycloneDX bill of what is installed here.",
    [
      `fxconform is under Apache-2.0. It has ${installed.length} runtime dependencies, transitive ones included,`,
      "and those that only some platforms install.",
    ].join(" "),
    table(
      ["package", "licence"],
      installed.map(({ id, licence }) => [id, licence]),
    ),
  ].join("\n\n");
}

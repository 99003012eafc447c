import { runtimePackages } from "../runtime-packages.mjs";

/** `THIRD_PARTY_LICENSES.md`: the runtime packages in the lock file and their licences. */
export function licencesDocument(root) {
  const installed = runtimePackages(root);
  return [
    "# Licences of the dependencies",
    "Made by `npm run docs`; do not edit by hand.",
    [
      `fxconform is under Apache-2.0. It has ${installed.length} runtime dependencies, transitive ones included,`,
      "and those that only some platforms install.",
    ].join(" "),
    ...[...new Set(installed.map(({ licence }) => licence))]
      .toSorted((a, b) => a.localeCompare(b, "en"))
      .flatMap((one) => [
        `## ${one}`,
        installed
          .filter(({ licence }) => licence === one)
          .map(({ id }) => id)
          .join(", "),
      ]),
  ].join("\n\n");
}

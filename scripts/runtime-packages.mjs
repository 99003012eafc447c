import { readFileSync } from "node:fs";
import { join } from "node:path";

/** The runtime packages in the lock file, for all platforms, sorted: `id` is the name and the version. */
export function runtimePackages(root) {
  const { packages } = JSON.parse(readFileSync(join(root, "package-lock.json"), "utf8"));
  return Object.entries(packages)
    .filter(([path, { dev, devOptional }]) => path !== "" && !dev && !devOptional)
    .map(([path, { version, license = "not stated" }]) => ({ id: `${nameOf(path)}@${version}`, licence: license }))
    .toSorted((a, b) => (a.id < b.id ? -1 : 1));
}

function nameOf(path) {
  return path.slice(path.lastIndexOf("node_modules/") + "node_modules/".length);
}

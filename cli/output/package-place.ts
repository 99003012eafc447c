import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The path of a file of this package from a folder: relative in a checkout; else its place in an installed package. */
export function packagePlace(folder: string, name: string): string {
  const path = relative(folder, fileURLToPath(new URL(`../../../${name}`, import.meta.url))).replaceAll("\\", "/");
  // pnpm installs behind a link, in a folder whose name has the version in it.
  return path.startsWith("..") || path.includes("node_modules/") ? `./node_modules/fxconform/${name}` : `./${path}`;
}

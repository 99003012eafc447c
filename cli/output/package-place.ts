import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The path of a file of this package from a folder: relative if it is below; else its place in an installed package. */
export function packagePlace(folder: string, name: string): string {
  const path = relative(folder, fileURLToPath(new URL(`../../../${name}`, import.meta.url))).replaceAll("\\", "/");
  return path.startsWith("..") ? `./node_modules/fxconform/${name}` : `./${path}`;
}

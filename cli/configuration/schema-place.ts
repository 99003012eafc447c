import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** The path of a schema for a file in a folder: relative if it is below; else its place in an installed package. */
export function schemaPlace(folder: string, name: string): string {
  const path = relative(folder, fileURLToPath(new URL(`../${name}`, import.meta.url))).replaceAll("\\", "/");
  return path.startsWith("..") ? `./node_modules/fxconform/dist/cli/${name}` : `./${path}`;
}

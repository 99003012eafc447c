import { relative } from "node:path";
import { fileURLToPath } from "node:url";

/** Where a schema is, seen from a folder: relative below it; else where an installation in the project has it. */
export function schemaPlace(folder: string, name: string): string {
  const path = relative(folder, fileURLToPath(new URL(`../${name}`, import.meta.url))).replaceAll("\\", "/");
  return path.startsWith("..") ? `./node_modules/fxconform/dist/cli/${name}` : `./${path}`;
}

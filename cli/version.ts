import { existsSync, readFileSync } from "node:fs";

/** The version in package.json, which stands above both the sources and what they are compiled to. */
export function toolVersion(): string {
  for (const above of ["../package.json", "../../package.json"]) {
    const file = new URL(above, import.meta.url);
    if (existsSync(file)) return (JSON.parse(readFileSync(file, "utf8")) as { readonly version: string }).version;
  }
  return "0.0.0";
}

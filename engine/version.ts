import { readFileSync } from "node:fs";

/** The version in package.json, from the source and from the built package alike. */
export const toolVersion = (): string => {
  for (const path of ["../package.json", "../../package.json"]) {
    try {
      return (JSON.parse(readFileSync(new URL(path, import.meta.url), "utf8")) as { version: string }).version;
    } catch {
      continue;
    }
  }
  return "0.0.0";
};

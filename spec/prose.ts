import { existsSync, readFileSync } from "node:fs";
import { proseOf, type Prose } from "./markdown.ts";

const built = new URL("./prose.json", import.meta.url);

/** The texts as they were read when fxconform was built, or Markdown in the source tree. */
export const prose: Prose = existsSync(built)
  ? (JSON.parse(readFileSync(built, "utf8")) as Prose)
  : proseOf((file) => readFileSync(new URL(file, import.meta.url), "utf8"));

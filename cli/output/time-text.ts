import { plural } from "../../model/plural.ts";

/** A time in seconds, in words: `25 seconds`, `2 minutes`. */
export function timeText(seconds: number): string {
  return seconds % 60 === 0 ? plural(seconds / 60, "minute") : plural(seconds, "second");
}

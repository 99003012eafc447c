import { countsText } from "../model/conclusion/comparison.ts";
import type { Run } from "../model/run.ts";
import { atMost } from "./wording.ts";
import { plain } from "./sanitize.ts";

/**
 * What changed since the last run, as a sentence, empty if no run was compared: `Since the
 * last run on 24 Nov 2026 14:02 UTC: 2 new failures, 3 fixed (new: OPER-02, CPTY-01).`
 */
export function sinceLastText({ sinceLast }: Run): string {
  if (sinceLast === undefined) return "";
  const { startedAt, changes } = sinceLast;
  const counts = countsText(changes.map(({ change }) => change));
  const news = changes
    .filter(({ change }) => change === "new failure")
    .map(({ requirement }) => requirement as string);
  const ids = atMost(mostIds, news, (left) => `${left} more`).join(", ");
  const named = ids === "" ? "" : ` (new: ${ids})`;
  return `Since the last run on ${momentText(startedAt)}: ${counts === "" ? "no failure, then or now" : counts}${named}.`;
}

const mostIds = 5;

/**
 * A moment for people, the same on every machine: `24 Nov 2026 14:02 UTC`. `instant`: ISO 8601; any
 * other text is shown as it is.
 */
export function momentText(instant: string): string {
  const date = new Date(instant);
  if (Number.isNaN(date.getTime())) return plain(instant, 40);
  return `${date.toUTCString().slice(5, 22)} UTC`;
}

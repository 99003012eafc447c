import { textsOf, withTexts, type Redaction } from "../model/evidence/redaction.ts";
import type { Run } from "../model/run.ts";

/** What reports need of the redaction of a run. */
export type Secrets = Pick<Redaction, "redact" | "redactWords" | "wholeIn">;

/**
 * The text of a report. Undefined if the run contains a secret. If a secret arises only in the form
 * of this report, all texts of the server and of clients are left out.
 */
export function reportText(
  run: Run,
  render: (run: Run) => string,
  secrets: Secrets,
): string | undefined {
  const text = render(run);
  const found = secrets.wholeIn(text);
  if (found.size === 0) return text;
  if (holdsSecret(run, secrets)) return undefined;
  const own = render(withTexts(run, () => "[left out]"));
  const inOwn = secrets.wholeIn(own);
  return [...found].some((secret) => !inOwn.has(secret)) ? own : text;
}

/**
 * Whether the texts of the server or of clients contain a whole secret in any spelling, in a run or
 * in an entry of a recording.
 */
export function holdsSecret(whole: unknown, { wholeIn }: Secrets): boolean {
  return textsOf(whole).some((text) => wholeIn(text).size > 0);
}

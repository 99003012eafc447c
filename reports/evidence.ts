import type { Finding } from "../model/run.ts";

/** What was expected, with its place in the body: `/status = "pending_quote"`. */
export const expectedText = (finding: Finding): string => placed(finding.pointer, finding.expected);

/** What was found, with its place in the body: `/status = "created"`. */
export const actualText = (finding: Finding): string => placed(finding.pointer, finding.actual);

/** How often a finding was seen: `again in 2 of 3 repeats, 14 times`. Empty for a finding that was seen once. */
export const frequencyText = ({ repeated, occurrences = 1 }: Finding): string =>
  [
    repeated === undefined ? undefined : `again in ${repeated} repeats`,
    occurrences > 1 ? `${occurrences} times` : undefined,
  ]
    .filter((part) => part !== undefined)
    .join(", ");

function placed(pointer: string | undefined, text: string): string {
  if (!pointer || text.startsWith(pointer)) return text;
  return isJsonValue(text) ? `${pointer} = ${text}` : `${pointer}: ${text}`;
}

const isJsonValue = (text: string): boolean => /^(?:["[{]|-?\d|(?:true|false|null)$)/.test(text);

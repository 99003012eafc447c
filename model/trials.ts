import type { RequestFacts, Trial } from "./request-facts.ts";

/** What a trial has shown, but for the place, in words that follow "requests". Undefined: nothing. */
export function shownBy(trial: Trial): string | undefined {
  const { place, over, from, mark, isAny, header, parameter } = trial;
  if (over !== undefined)
    return `with more than ${over} ${over === 1 ? "character" : "characters"}`;
  if (from !== undefined) return `with an amount of ${from} or more`;
  if (mark !== undefined) return `with ${mark}`;
  if (isAny === true) return `with a text that is made up at ${place}`;
  if (header !== undefined) return `with the header ${header}`;
  return parameter === undefined ? undefined : `with ${parameter.split("=")[0]} in the query`;
}

/** Whether a request has what a trial has shown to be enough, wherever else it is odd. */
export function isExplained(request: RequestFacts, trial: Trial): boolean {
  const { place = "", over, from, mark, isAny, header, parameter, isAnywhere = false } = trial;
  const { texts = {}, marks = {}, amount = 0 } = request;
  if (over !== undefined)
    return isAnywhere
      ? Object.values(texts).some((length) => length > over)
      : (texts[place] ?? 0) > over;
  if (from !== undefined) return amount >= from;
  if (mark !== undefined)
    return isAnywhere ? marks[mark] !== undefined : marks[mark]?.includes(place) === true;
  if (isAny === true) return request.places?.includes(place) === true && place in texts;
  if (header !== undefined) return request.headers?.includes(header) === true;
  return parameter !== undefined && request.parameters?.includes(parameter) === true;
}

/** So much longer than usual is a wait for something else. */
const longer = { times: 3, ms: 500 };

/**
 * How long a response takes that waited for something else, in milliseconds, at least, if responses
 * took so long: a tenth of them is quick even where many wait.
 */
export function longWait(took: readonly number[]): number {
  const quick = [...took].sort((one, other) => one - other)[Math.floor(took.length / 10)] ?? 0;
  return Math.max(quick * longer.times, quick + longer.ms);
}

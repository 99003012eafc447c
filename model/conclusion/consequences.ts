import { broughtInText, type RequestFacts } from "../request-facts.ts";
import { notFinite, type Mistake } from "../run.ts";
import type { Root, RootRule } from "./root-rule.ts";

/**
 * A wrong value that a server accepts stands in its batches and lists from then on. A mistake about
 * such a value is reported as part of the mistake that let the value in. A value that came in during an
 * earlier run counts too, as long as the server still accepts values of its kind.
 */
export const consequences: RootRule = (seen) => {
  const accepted = seen.filter(({ mistake }) => mistake.kind === "accepted");
  return new Map(
    seen.flatMap(({ key, mistake, requests }): readonly (readonly [string, Root])[] => {
      const value = valueIn(mistake);
      if (value === undefined || !requests.every(isShownLater)) return [];
      const source = accepted.find((one) =>
        one.requests.some(({ broughtIn = [] }) => broughtIn.includes(value)),
      );
      return source === undefined ? [] : [[key, { mistake: source.mistake, isConsequence: true }]];
    }),
  );
};

/**
 * The wrong value that a mistake is about, in the words of `broughtIn`. Undefined if the mistake is
 * about something else.
 */
function valueIn({ kind, of, actual }: Mistake): string | undefined {
  if (kind === "type") return broughtInText(of, actual);
  return actual === notFinite ? notFinite : undefined;
}

/**
 * Whether the response to a request can show a wrong value that the server accepted: a batch or a
 * list shows what was created before, and the success of an invalid request shows its own values.
 */
function isShownLater({ operation, isInvalid }: RequestFacts): boolean {
  return operation === "createBatch" || operation === "listBatches" || isInvalid === true;
}

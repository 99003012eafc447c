import { expect, test } from "vitest";
import type { RequirementId } from "../../spec/catalogue.ts";
import { findingOf } from "../testing/rows.ts";
import type { Mistake } from "../run.ts";
import { mistakeText, type ToldMistake } from "./mistake-words.ts";

function told(mistake: Mistake, more: Partial<ToldMistake>): string {
  return mistakeText({
    finding: findingOf({ mistake }),
    members: [],
    parents: [],
    operations: ["createOperation"],
    possible: ["createOperation"],
    ...more,
  });
}

const unknown: Mistake = {
  kind: "refusal",
  of: "createOperation",
  expected: "400",
  actual: "404",
};
const general = "An invalid operation is answered with 404, must be 400";
const id = "/counterparty_id";
const asNumber = `At ${id}, a number is taken for the text "12345"`;
const asUnknown = "answered as an unknown id (404), must be 400";

test.each([
  [[`with 12345 at ${id}`], `${asNumber}: ${asUnknown}`],
  [[`with 12345 at ${id}`, `with the id at ${id} as a number`], `${asNumber}: ${asUnknown}`],
  [
    [`with 12345 at ${id}`, `with true at ${id}`],
    `${asNumber} and true is taken for the text "true": ${asUnknown}`,
  ],
  [
    [`with 12345 at ${id}`, `with null at ${id}`, `with ${id} left out`],
    `${id} is looked up before its type is checked: ${asUnknown}`,
  ],
  [[`with 12345 at ${id}`, "with 12345 at /currency_pair"], general],
  [["with an empty body"], general],
  [[], general],
])("a 404 where 400 is due says what was looked up: %j", (changes, words) => {
  expect(told(unknown, { changes })).toBe(words);
});

const accepted: Mistake = {
  kind: "accepted",
  of: "tokens",
  expected: "refused",
  actual: "accepted",
};
const scheme = "with a good token and the scheme Token";
const two = [scheme, "with a good token and the scheme Basic"];
const one = `A scheme is accepted that is not Bearer (${scheme})`;

test.each<[readonly RequirementId[], number, readonly string[], string]>([
  [["AUTH-41"], 2, two, "Any scheme is accepted with a good token: 2 of 2 requests"],
  [["AUTH-41"], 2, [scheme], `${one}: 2 of 2 requests`],
  [["AUTH-41"], 1, [scheme], `${one}: 1 of 2 requests`],
  [["AUTH-42"], 2, [scheme], "A good token is accepted in the query: 2 of 2 requests"],
  [["AUTH-39", "AUTH-41"], 2, [scheme], `A bad token is accepted (${scheme}): 2 of 2 requests`],
])(
  "a good token in an unusual form is not called bad: %j, %i of 2, %j",
  (requirements, count, changes, words) => {
    const share = { affected: count, of: 2 };
    expect(told(accepted, { requirements, share, changes })).toBe(words);
  },
);

import { isObject, type Json } from "../../../spec/json.ts";
import type { RequirementId } from "../../../spec/catalogue.ts";
import { memberRefusals } from "../../../spec/refusals.ts";
import {
  asPlainText,
  derived,
  leftOut,
  scenario,
  type Change,
  type Value,
} from "../../kit/index.ts";
import { asReference, asText, halved, inArray, inObject, operator } from "../../tables/values.ts";

/**
 * Each member of an operation must be present and have its type (specification, Endpoints, 3;
 * INT-19).
 */
export const invalidMembers = scenario({
  id: "operation/invalid/members",
  title: "each member of an operation is left out, null, or of another type",
  checks: Object.values(memberRefusals).flatMap((requirements) => Object.values(requirements)),
  run: async ({ controlOperation, refused, together }) => {
    const control = await controlOperation(400);
    const send = ({ requirement, ...change }: WrongMemberChange) =>
      refused(control, change, requirement, 400);
    const [answers] = await together([
      together(missingMembers.map(send)),
      together(wrongMembers.map(send)),
      together(membersInQuery.map(send)),
    ]);
    const number = idAsNumber(control.body.counterparty_id);
    if (number !== undefined) await refused(control, idWrittenAs(number), "OPER-31", 400);
    // If a request that lacks one member got another status than 400, a request that lacks all of
    // them may get it for the same reason, and is not sent.
    if (answers.every((answer) => answer === undefined || answer.response.status === 400))
      await together(withoutMembers.map((change) => refused(control, change, "OPER-20", 400)));
  },
});

interface WrongMemberChange extends Change {
  readonly requirement: RequirementId;
}

export type Member = keyof typeof memberRefusals;

/**
 * Returns a change for each value, which puts the value at the member, with the requirement that
 * forbids this kind of mistake (left out, null or another type) at this member.
 */
function wrong(member: Member, values: readonly Value[]): readonly WrongMemberChange[] {
  return values.map((value) => ({
    with: { [`/${member}`]: value },
    requirement: memberRefusals[member][kindOf(value)],
  }));
}

function kindOf(value: Value): "omit" | "null" | "type" {
  if (value === leftOut) return "omit";
  return value === null ? "null" : "type";
}

const asWholeText = derived("the right value as a string without decimals", (right) =>
  String(Math.trunc(Number(right))),
);
const withComma = derived(
  "the right value as a string with a comma",
  (right) => `${Math.trunc(Number(right))},5`,
);

const missingMembers: readonly WrongMemberChange[] = [
  ...wrong("currency_amount", [leftOut]),
  ...wrong("operation_purpose", [leftOut]),
  ...wrong("currency_pair", [leftOut]),
  ...wrong("counterparty_id", [leftOut]),
];

/**
 * Each of these moves one member from the body to the query, where it counts as missing (INT-44).
 */
const membersInQuery: readonly WrongMemberChange[] = missingMembers.map(
  ({ with: places = {}, requirement }) => {
    const [place = ""] = Object.keys(places);
    return {
      what: `with ${place} in the query alone`,
      with: places,
      query: (right) => queryOf(right, [place.slice(1)]),
      requirement,
    };
  },
);

/** Operations with a wrong value for one member. */
const wrongMembers: readonly WrongMemberChange[] = [
  ...wrong("currency_amount", [null, asText, true, inObject, inArray]),
  ...wrong("currency_amount", ["", false, asWholeText, withComma, "NaN"]),
  ...wrong("operation_purpose", [null, 12345, true, inObject, inArray, 0, [], 1]),
  ...wrong("currency_pair", [null, 12345, true, inObject, inArray, 0, false, halved]),
  ...wrong("counterparty_id", [null, 12345, true, inObject, inArray, operator, asReference]),
];

/**
 * Bodies without any member. To a client that accepts anything, some frameworks send a redirect or
 * a page in place of the status 400.
 */
const withoutMembers: readonly Change[] = [
  { what: "without members, for Accept: */*", body: {}, headers: [["Accept", "*/*"]] },
  // Some frameworks also read members from the query (INT-44).
  { what: "whose members stand in the query", body: {}, query: (right) => queryOf(right) },
];

/** Returns members of a body as a query, with its `?`. `names`: the members. @defaultValue all */
function queryOf(right: Json, names?: readonly string[]): string {
  const members = Object.entries(isObject(right) ? right : {})
    .filter(([name]) => names?.includes(name) !== false)
    .map(([name, value]) => [name, asPlainText(value)]);
  return `?${new URLSearchParams(Object.fromEntries(members)).toString()}`;
}

function idWrittenAs(number: string): Change {
  return {
    what: "with the id at /counterparty_id as a number",
    text: `{…,"counterparty_id":${number}}`,
  };
}

/**
 * Returns the number that an id spells: its digits, or the 128 bits of a UUID. Returns undefined
 * for other ids.
 */
function idAsNumber(id: string): string | undefined {
  const hexadecimal = id.replaceAll("-", "");
  if (/^[1-9]\d*$/.test(id)) return id;
  return /^[\da-f]{32}$/i.test(hexadecimal) ? String(BigInt(`0x${hexadecimal}`)) : undefined;
}

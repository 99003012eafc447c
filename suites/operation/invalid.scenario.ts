import {
  scenario,
  type Change,
  asPlainText,
  derived,
  leftOut,
  type Value,
  areRandom,
  idsNear,
  unknownLike,
  withLettersBehind,
} from "../kit/index.ts";
import {
  bodyThat,
  byteOfLatin1,
  cutCharacter,
  declaredAsGzip,
  emptyBody,
  firstHalf,
  malformedOperations,
  nested,
  noMembers,
  notObjects,
  whiteSpaceAlone,
  asReference,
  asText,
  at,
  halved,
  inArray,
  inObject,
  operator,
} from "../tables/bodies.ts";
import { isObject, type Json } from "../../spec/json.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { memberRefusals } from "../../spec/refusals.ts";
import { isRefusal } from "../../model/exchange.ts";

/** The body of an operation must be one JSON object (specification, Endpoints, 3; INT-19). */
export const invalidBodies = scenario({
  id: "operation/invalid/bodies",
  title: "bodies that are not an operation",
  checks: ["OPER-32", "OPER-33", "OPER-34"],
  run: async ({ controlOperation, observed, refused, together }) => {
    const control = await controlOperation();
    await together([
      ...noOperations.map((change) => refused(control, change, "OPER-32", 400)),
      refused(control, emptyBody, "OPER-33", 400),
      ...malformed.map((change) => refused(control, change, "OPER-34", 400)),
    ]);
    await together(doubtfulBodies.map((change) => observed(control, change, "OPEN-36")));
  },
});

/**
 * Bodies that are JSON but no operation. Some servers read an array as the values of the members,
 * in the order of the contract.
 */
const noOperations: readonly Change[] = [
  { what: "whose body is an array around an operation", body: (right) => [right] },
  {
    what: "whose body is a string that holds an operation",
    body: (right) => JSON.stringify(right),
  },
  ...notObjects,
];

const malformed: readonly Change[] = [whiteSpaceAlone, firstHalf, ...malformedOperations];

/**
 * Bodies that some servers accept: for example, many decoders replace bytes that are not UTF-8
 * before they parse. Only a crash is a fault.
 */
const doubtfulBodies: readonly Change[] = [
  byteOfLatin1,
  cutCharacter,
  nested,
  // A parser may accept or refuse a byte order mark (RFC 8259, 8.1).
  bodyThat("begins with a byte order mark", "\ufeff{…}"),
  declaredAsGzip,
];

/**
 * Each member of an operation must be present and have its type (specification, Endpoints, 3;
 * INT-19).
 */
export const invalidMembers = scenario({
  id: "operation/invalid/members",
  title: "each member of an operation is left out, null, or of another type",
  checks: Object.values(memberRefusals).flatMap((requirements) => Object.values(requirements)),
  run: async ({ controlOperation, refused, together }) => {
    const control = await controlOperation();
    const send = ({ requirement, ...change }: WrongMemberChange) =>
      refused(control, change, requirement, 400);
    const [answers] = await together([
      together(missingMembers.map(send)),
      together(wrongMembers.map(send)),
      together(membersInQuery.map(send)),
    ]);
    const number = idAsNumber(control.body.counterparty_id);
    const what = "with the id at /counterparty_id as a number";
    const text = `{…,"counterparty_id":${number}}`;
    if (number !== undefined) await refused(control, { what, text }, "OPER-31", 400);
    // If a request that lacks one member got another status than 400, a request that lacks all of
    // them may get it for the same reason, and is not sent.
    if (answers.every((answer) => answer === undefined || answer.response.status === 400))
      await together(withoutMembers.map((change) => refused(control, change, "OPER-20", 400)));
  },
});

interface WrongMemberChange extends Change {
  readonly requirement: RequirementId;
}

type Member = keyof typeof memberRefusals;

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

const members = Object.keys(memberRefusals) as Member[];
const missingMembers = members.flatMap((member) => wrong(member, [leftOut]));

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

/** Bodies without any member. */
const withoutMembers: readonly Change[] = [
  noMembers,
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

/**
 * Returns the number that an id spells: its digits, or the 128 bits of a UUID. Returns undefined
 * for other ids.
 */
function idAsNumber(id: string): string | undefined {
  const hexadecimal = id.replaceAll("-", "");
  if (/^[1-9]\d*$/.test(id)) return id;
  return /^[\da-f]{32}$/i.test(hexadecimal) ? String(BigInt(`0x${hexadecimal}`)) : undefined;
}

/**
 * Values that good practice refuses, although the specification does not say so. Any 4xx counts as
 * a refusal (INT-20).
 */
export const invalidValues = scenario({
  id: "operation/invalid/values",
  title: "values that no operation should have",
  checks: ["OPER-40", "OPER-41", "OPER-42", "OPER-43", "OPER-44"],
  run: async ({ controlOperation, refused, registered, runId, send, ...context }) => {
    const { isGiven, target, together } = context;
    const control = await controlOperation();
    const known = control.body.counterparty_id;
    const { id: another } = await registered();
    const unknown = `nobody-${runId}`;
    const beyond = async (): Promise<void> => {
      const answer = await refused(
        control,
        payeeOf(unknown, "with a counterparty that does not exist"),
        "OPER-44",
      );
      const isRefused = answer !== undefined && isRefusal(answer);
      await send(control, isRefused ? beyondDoublesOf(unknown) : beyondDoubles);
    };
    const amounts = [-target.amount.max, -(10 ** -target.amount.decimals)];
    const ofPayees = [
      // An id that the server gave out or shows may be one of these words.
      ...["", "null", "undefined"].filter((id) => !isGiven(id)).map((id) => payeeOf(id)),
      // If ids are numbers, a counterparty may have the id 0 (INT-39).
      ...(/^\d+$/.test(known) ? [] : [payeeOf("0")]),
      ...[
        withLettersBehind(known),
        // Only if ids are random is it certain that no counterparty has the made-up id (INT-39).
        ...(areRandom(known, another) ? [unknownLike(known), ...idsNear(known)] : []),
      ].map((id) => payeeOf(id, "with an id like a counterparty's that none has")),
    ];
    await together([
      refused(control, noAmount, "OPER-40"),
      ...at("/currency_amount", amounts).map((change) => refused(control, change, "OPER-41")),
      ...at("/currency_pair", ["dollars", "", "USD"]).map((change) =>
        refused(control, change, "OPER-42"),
      ),
      refused(control, unknownPair, "OPER-43"),
      beyond(),
      ...ofPayees.map((change) => refused(control, change, "OPER-44")),
    ]);
  },
});

const noAmount: Change = { with: { "/currency_amount": 0 } };
const unknownPair: Change = { with: { "/currency_pair": "QQQZZZ" } };

function payeeOf(id: string, what?: string): Change {
  return { with: { "/counterparty_id": id }, ...(what !== undefined && { what }) };
}

/**
 * A number that no double can hold (RFC 8259, 6), in a request that a server refuses for something
 * else. A server that accepted it could show it in its lists for ever, as null or as Infinity, which
 * is no JSON, and later runs would meet it there (INT-40). A server that refuses an unknown
 * counterparty often looks at the amount before. Others get null as the purpose, which must be
 * refused.
 */
function beyondDoublesOf(counterparty: string): Change {
  return {
    what: "with the number 1e400 at /currency_amount and a counterparty that does not exist",
    text: `{"currency_amount":1e400,"counterparty_id":${JSON.stringify(counterparty)},…}`,
  };
}

const beyondDoubles: Change = {
  what: "with the number 1e400 at /currency_amount and null at /operation_purpose",
  text: '{"currency_amount":1e400,"operation_purpose":null,…}',
};

/**
 * Sends what must or should be refused once more when all else was sent, so that no single request
 * decides: a server may stop checking members after some requests, and HTTP servers answer an empty
 * body by themselves, and not always in the same way (INT-19 and INT-20).
 */
export const repeated = scenario({
  id: "operation/invalid/repeated",
  title: "nulls, an empty body, no amount and an unknown pair when all else was sent",
  checks: [
    ...Object.values(memberRefusals).map((requirements) => requirements.null),
    memberRefusals.counterparty_id.omit,
    "OPER-33",
    "OPER-40",
    "OPER-43",
  ],
  run: async ({ controlOperation, old, refused, together }) => {
    const control = await controlOperation();
    await old({ at: Date.now() });
    await together([
      refused(control, emptyBody, "OPER-33", 400),
      ...[
        ...members.flatMap((member) => wrong(member, [null])),
        ...wrong("counterparty_id", [leftOut]),
      ].map(({ requirement, ...change }) => refused(control, change, requirement, 400)),
      refused(control, noAmount, "OPER-40"),
      refused(control, unknownPair, "OPER-43"),
    ]);
  },
});

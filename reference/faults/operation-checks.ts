import { all, answers, edit, isJson, problem, reading, sent, set, type When } from "../change.ts";
import { sentMembers } from "../endpoints.ts";
import type { Call, Change } from "../policy.ts";
import {
  at,
  forSomeValues,
  inState,
  memberRefusals,
  operationRefusals,
  type Broken,
  type Fault,
} from "./fault.ts";
import {
  bodyOf,
  has,
  isEmpty,
  isList,
  isMalformed,
  lacks,
  membersOf,
  type Sent,
} from "./raw-body.ts";

const { fault, refuses, gives, shows } = at.createOperation;
const members = sentMembers.createOperation;
type OperationMember = (typeof members)[number];
type IsWrongValue = (value: unknown) => boolean;

/** For each member, the value that a careless server takes if the member is missing or wrong. */
function standIns(call: Call): Readonly<Record<OperationMember, unknown>> {
  return {
    currency_amount: 100,
    operation_purpose: "EFX",
    currency_pair: "USDBRL",
    counterparty_id: [...call.store.counterparties.keys()].at(-1),
  };
}

/** Accepts a wrong value of a member, and uses the stand-in for that member. */
function tolerates(member: OperationMember, isWrong: IsWrongValue): Change {
  return reading("createOperation", (body, call) =>
    isWrong(body[member]) ? { ...body, [member]: standIns(call)[member] } : body,
  );
}

/** Once there is an operation, accepts this wrong value, and uses the stand-in for the member. */
function later(member: OperationMember, wrong: null | undefined): Change {
  return reading("createOperation", (body, call) => {
    const isTolerated = body[member] === wrong && call.store.operations.size > 0;
    return isTolerated ? { ...body, [member]: standIns(call)[member] } : body;
  });
}

/** Reads strings that match the pattern as amounts. */
function readsAmounts(pattern: RegExp): Change {
  const read = edit("currency_amount", (it) =>
    typeof it === "string" && pattern.test(it) ? Number(it) : it,
  );
  return reading("createOperation", read);
}

/** Accepts a wrong value of a member, and shows it in the response. */
function keeps(member: OperationMember, isWrong: IsWrongValue): Change {
  const name = member === "currency_amount" ? "foreign_currency_amount" : member;
  const showing = shows((body, call) => {
    const value = membersOf(call)[member];
    return isWrong(value) ? edit(name, () => value)(body) : body;
  });
  return all(tolerates(member, isWrong), showing);
}

/** Accepts some invalid bodies as if they were valid. */
function accepts(when: Sent): Change {
  return (base) => ({
    parse: (call) =>
      call.operation === "createOperation" && when(call) ? standIns(call) : base.parse(call),
  });
}

/** Accepts malformed JSON that matches the pattern. */
function reads(pattern: RegExp): Change {
  return accepts((call) => isMalformed(call) && pattern.test(call.bytes.toString()));
}

/**
 * Refuses invalid requests for an operation with this status, not with 400. `when` limits this to
 * some requests.
 */
export function refusesWith(status: number, when: Sent = () => true): Change {
  const isRefused: When = (answer, call) =>
    call.operation === "createOperation" && answer.status === 400 && when(call);
  return answers(isRefused, set({ status }));
}

/** The faults that every member of the request has. */
function carelessness(member: OperationMember, type: "number" | "string"): readonly Fault[] {
  const name = member.replaceAll("_", "-");
  const broken = memberRefusals[member];
  const isMissing: IsWrongValue = (value) => value === undefined;
  const isNull: IsWrongValue = (value) => value === null;
  const isOther: IsWrongValue = (value) =>
    !isMissing(value) && !isNull(value) && typeof value !== type;
  const anyType = `Any type except null is accepted as the ${member}.`;
  return [
    fault(
      `${name}-optional`,
      broken.missing,
      `${member} may be missing.`,
      tolerates(member, isMissing),
    ),
    fault(`${name}-nullable`, broken.null, `${member} may be null.`, tolerates(member, isNull)),
    fault(`${name}-any-type`, broken.type, anyType, tolerates(member, isOther)),
  ];
}

function isText(pattern: RegExp): IsWrongValue {
  return (it) => typeof it === "string" && pattern.test(it);
}

const isLater = ({ store }: Call): boolean => store.operations.size > 0;
function hasMissing(call: Call): boolean {
  return isJson(call.body) && members.some((name) => !(name in sent(call)));
}
const hasNull = (call: Call): boolean => members.some((name) => sent(call)[name] === null);
function hasWrongType(call: Call): boolean {
  return isJson(call.body) && !hasMissing(call) && !hasNull(call);
}
const isInQuery = ({ query }: Call): boolean => members.every((name) => query.has(name));
function isBlank(call: Call): boolean {
  return call.bytes.length > 0 && call.bytes.toString().trim() === "";
}
const isNoObject = ({ body }: Call): boolean => body !== undefined && !isJson(body);

const { missing, types } = operationRefusals;
const unknown: Broken = ["OPER-05", "OPER-44"];
const unknownToken = problem(401, "The token is not known");
const in200 = set({ status: 200 });
const told200: Broken = ["OPER-21", ...missing, "OPER-02", "OPER-05"];
const all400: Broken = ["OPER-20", ...Object.values(operationRefusals).flat()];

export const operationCheckFaults: readonly Fault[] = [
  ...carelessness("currency_amount", "number"),
  ...carelessness("operation_purpose", "string"),
  ...carelessness("currency_pair", "string"),
  ...carelessness("counterparty_id", "string"),
  fault(
    "pair-optional-later",
    "OPER-22",
    "Once there is an operation, currency_pair may be missing.",
    later("currency_pair", undefined),
    inState,
  ),
  fault(
    "amount-nullable-later",
    "OPER-24",
    "Once there is an operation, currency_amount may be null.",
    later("currency_amount", null),
    inState,
  ),
  fault(
    "purpose-nullable-later",
    "OPER-25",
    "Once there is an operation, operation_purpose may be null.",
    later("operation_purpose", null),
    inState,
  ),
  fault(
    "pair-nullable-later",
    "OPER-26",
    "Once there is an operation, currency_pair may be null.",
    later("currency_pair", null),
    inState,
  ),
  fault(
    "amount-from-whole-string",
    "OPER-28",
    "A string of digits is an amount.",
    readsAmounts(/^\d+$/),
    forSomeValues,
  ),
  fault(
    "purpose-from-ordinal",
    "OPER-29",
    "The number 1 is accepted as the operation_purpose.",
    tolerates("operation_purpose", (it) => it === 1),
    forSomeValues,
  ),
  fault(
    "pair-from-two",
    "OPER-30",
    "An array of two is accepted as the currency_pair.",
    tolerates("currency_pair", (it) => Array.isArray(it) && it.length === 2),
    forSomeValues,
  ),
  fault(
    "counterparty-from-reference",
    "OPER-31",
    "{ id } is accepted as the counterparty_id.",
    tolerates("counterparty_id", (it) => isJson(it) && "id" in it),
    forSomeValues,
  ),
  fault(
    "counterparty-from-integer",
    "OPER-31",
    "The integer of a UUID is accepted as the counterparty_id.",
    tolerates("counterparty_id", (it) => Number(it) > 1e18),
    forSomeValues,
  ),

  fault("body-list-accepted", "OPER-32", "A body that is an array is accepted.", accepts(isList)),
  fault(
    "members-from-query",
    "OPER-20",
    "A body whose members stand in the query is accepted.",
    accepts(isInQuery),
    forSomeValues,
  ),
  fault(
    "body-null-accepted",
    "OPER-32",
    "A body that is null is accepted.",
    accepts((call) => bodyOf(call) === null),
    forSomeValues,
  ),
  fault("body-empty-accepted", "OPER-33", "An empty body is accepted.", accepts(isEmpty)),
  fault("body-malformed-accepted", "OPER-34", "Malformed JSON is accepted.", accepts(isMalformed)),
  fault(
    "python-literals-read",
    "OPER-34",
    "A literal of Python is accepted.",
    reads(/[[:](True|False|None)\b/),
    forSomeValues,
  ),

  fault("invalid-422", all400, "Every invalid request is refused with 422.", refusesWith(422)),
  fault(
    "type-422",
    ["OPER-28", ...types],
    "A wrong type is refused with 422.",
    refusesWith(422, hasWrongType),
  ),
  fault(
    "empty-object-422",
    "OPER-20",
    "An empty object is refused with 422.",
    refusesWith(422, ({ body }) => isJson(body) && !Object.keys(body)[0]),
    forSomeValues,
  ),
  fault(
    "blank-body-422",
    "OPER-34",
    "A body of white space is refused with 422.",
    refusesWith(422, isBlank),
    forSomeValues,
  ),
  fault(
    "body-list-422",
    "OPER-32",
    "A body that is no object is refused with 422.",
    refusesWith(422, isNoObject),
  ),
  fault(
    "body-empty-415-later",
    "OPER-33",
    "Once there is an operation, an empty body is refused with 415.",
    refusesWith(415, (call) => isLater(call) && isEmpty(call)),
    inState,
  ),
  fault(
    "counterparty-missing-404-later",
    "OPER-23",
    "Once there is an operation, a missing counterparty_id is refused with 404.",
    refusesWith(404, (call) => isLater(call) && lacks("counterparty_id")(call)),
    inState,
  ),
  fault(
    "counterparty-null-404-later",
    "OPER-27",
    "Once there is an operation, a null counterparty_id is refused with 404.",
    refusesWith(404, (call) => isLater(call) && has("counterparty_id", null)(call)),
    inState,
  ),
  fault(
    "missing-refused-with-200-later",
    told200,
    "Once there is an operation, a missing member is refused with 200.",
    refusesWith(200, (call) => isLater(call) && hasMissing(call)),
    inState,
  ),
  fault(
    "malformed-needs-no-token",
    "OPER-34",
    "Malformed JSON gets a 401.",
    gives(unknownToken, isMalformed),
  ),
  fault(
    "unknown-counterparty-told-in-200",
    unknown,
    "An unknown payee gets a 200.",
    refuses("counterparty", in200),
  ),
  fault(
    "amount-zero-accepted",
    "OPER-40",
    "A zero amount is accepted.",
    keeps("currency_amount", (it) => it === 0),
  ),
  fault(
    "amount-negative-accepted",
    "OPER-41",
    "A negative amount is accepted.",
    keeps("currency_amount", (it) => Number(it) < 0),
  ),
  fault(
    "pair-malformed-accepted",
    "OPER-42",
    "Any string as the pair is accepted.",
    keeps("currency_pair", isText(/^(?![A-Z]{6}$)/)),
  ),
  fault(
    "pair-unknown-accepted",
    "OPER-43",
    "Any six capital letters are accepted.",
    keeps("currency_pair", isText(/^[A-Z]{6}$/)),
  ),
  fault(
    "counterparty-unknown-accepted",
    "OPER-44",
    "A counterparty that does not exist is accepted.",
    (base) => ({
      findCounterparty: (id, call) => base.findCounterparty(id, call) ?? { id },
    }),
  ),
];

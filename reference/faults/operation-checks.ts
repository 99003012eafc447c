import { all, answers, problem, reading, sent, success, edit, isJson, set } from "../change.ts";
import { sentMembers } from "../endpoints.ts";
import type { Call, Change } from "../policy.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { rows, type Broken, type Fault, memberRefusals, operationRefusals } from "./fault.ts";
import { bodyOf, has, isEmpty, isList, isMalformed, lacks, membersOf } from "./raw-body.ts";

const row = rows.createOperation;
const members = sentMembers.createOperation;
type Member = (typeof members)[number];
type IsWrong = (value: unknown) => boolean;

const standIns = (call: Call): Readonly<Record<Member, unknown>> => ({
  currency_amount: 100,
  operation_purpose: "EFX",
  currency_pair: "USDBRL",
  counterparty_id: [...call.store.counterparties.keys()].at(-1),
});

const tolerating = (member: Member, wrong: IsWrong): Change =>
  reading("createOperation", (body, call) =>
    wrong(body[member]) ? { ...body, [member]: standIns(call)[member] } : body,
  );

const readingAmounts = (pattern: RegExp): Change =>
  reading(
    "createOperation",
    edit("currency_amount", (it) => (typeof it === "string" && pattern.test(it) ? Number(it) : it)),
  );

const shown = (id: string, breaks: RequirementId, what: string, member: Member, wrong: IsWrong): Fault => {
  const name = member === "currency_amount" ? "foreign_currency_amount" : member;
  const showing = success("createOperation", (body, call) => {
    const value = membersOf(call)[member];
    return wrong(value) ? edit(name, () => value)(body) : body;
  });
  return row(`${id}-accepted`, breaks, `${what} accepted.`).by(all(tolerating(member, wrong), showing));
};

const typeAccepted = (id: string, member: Member, what: string, wrong: IsWrong): Fault =>
  row(id, memberRefusals[member].type, `${what} is accepted as the ${member}.`).by(tolerating(member, wrong));

const carelessness = (member: Member): readonly Fault[] => {
  const name = member.replaceAll("_", "-");
  const { missing, null: nulls } = memberRefusals[member];
  const isOther: IsWrong = (it) => it !== undefined && it !== null && typeof it !== typeOf[member];
  return [
    row(`${name}-optional`, missing, `${member} may be missing.`).by(tolerating(member, (it) => it === undefined)),
    row(`${name}-nullable`, nulls, `${member} may be null.`).by(tolerating(member, (it) => it === null)),
    typeAccepted(`${name}-any-type`, member, "Any type except null", isOther),
  ];
};

const typeOf: Readonly<Record<Member, string>> = {
  currency_amount: "number",
  operation_purpose: "string",
  currency_pair: "string",
  counterparty_id: "string",
};

const accepted = (id: string, breaks: Broken, what: string, when: (call: Call) => boolean): Fault =>
  row(id, breaks, `${what} is accepted.`).by((base) => ({
    parse: (call) => (call.operation === "createOperation" && when(call) ? standIns(call) : base.parse(call)),
  }));

const read = (id: string, what: string, pattern: RegExp): Fault =>
  accepted(id, "OPER-34", what, (call) => isMalformed(call) && pattern.test(call.bytes.toString()));

const refused = (id: string, status: number, broken: Broken, what: string, when?: (call: Call) => boolean): Fault =>
  row(id, broken, `${what} is refused with ${status}.`).by(
    answers(
      (answer, call) => call.operation === "createOperation" && answer.status === 400 && when?.(call) !== false,
      set({ status }),
    ),
  );

const hasMissing = (call: Call): boolean => isJson(call.body) && members.some((name) => !(name in sent(call)));
const hasNull = (call: Call): boolean => members.some((name) => sent(call)[name] === null);
const hasWrongType = (call: Call): boolean => isJson(call.body) && !hasMissing(call) && !hasNull(call);
const isListOfValues = (call: Call): boolean => isList(call) && Object.keys(Object(bodyOf(call))).length === 4;
const isInQuery = ({ query }: Call): boolean => members.every((name) => query.has(name));
const isBlank = (call: Call): boolean => call.bytes.length > 0 && call.bytes.toString().trim() === "";
const isScalar = (call: Call): boolean => ["string", "number", "boolean"].includes(typeof bodyOf(call));
const isNoObject = ({ body }: Call): boolean => body !== undefined && !isJson(body);
const isOperator: IsWrong = (it) => isJson(it) && "$gt" in it;
const isText =
  (pattern: RegExp): IsWrong =>
  (it) =>
    typeof it === "string" && pattern.test(it);

const { missing, nulls, types } = operationRefusals;
const unknown: Broken = ["OPER-05", "OPER-44"];
const unknownToken = problem(401, "The token is not known");
const errorIn200 = set({ status: 200, body: { error: "unknown counterparty" } });
const in200 = set({ status: 200 });
const told200: Broken = ["OPER-21", ...missing, "OPER-02", "OPER-05"];
const all400: Broken = ["OPER-20", ...Object.values(operationRefusals).flat()];

export const operationCheckFaults: readonly Fault[] = [
  ...members.flatMap(carelessness),
  typeAccepted("amount-empty-string", "currency_amount", "An empty string", (it) => it === ""),
  typeAccepted("amount-from-boolean", "currency_amount", "A boolean", (it) => typeof it === "boolean"),
  typeAccepted("amount-false", "currency_amount", "false", (it) => it === false),
  typeAccepted("amount-from-word", "currency_amount", "The string NaN", (it) => it === "NaN"),
  typeAccepted("amount-from-comma", "currency_amount", "A string with a decimal comma", isText(/^\d+,\d+$/)),
  row("amount-from-string", "OPER-28", "A string with a number is an amount.").by(readingAmounts(/^\d+(\.\d+)?$/)),
  row("amount-from-whole-string", "OPER-28", "A string of digits is an amount.").by(readingAmounts(/^\d+$/)),
  typeAccepted("purpose-from-number", "operation_purpose", "A number", (it) => typeof it === "number"),
  typeAccepted("purpose-from-ordinal", "operation_purpose", "The number 1", (it) => it === 1),
  typeAccepted("purpose-zero", "operation_purpose", "Zero", (it) => it === 0),
  typeAccepted("purpose-empty-array", "operation_purpose", "[]", (it) => Array.isArray(it) && it.length === 0),
  typeAccepted("pair-zero", "currency_pair", "Zero", (it) => it === 0),
  typeAccepted("pair-false", "currency_pair", "false", (it) => it === false),
  typeAccepted("pair-from-list", "currency_pair", "An array", Array.isArray),
  typeAccepted("pair-from-two", "currency_pair", "An array of two", (it) => Array.isArray(it) && it.length === 2),
  typeAccepted("counterparty-from-object", "counterparty_id", "An object", isJson),
  typeAccepted("counterparty-from-reference", "counterparty_id", "{ id }", (it) => isJson(it) && "id" in it),
  typeAccepted("counterparty-from-integer", "counterparty_id", "The integer of a UUID", (it) => Number(it) > 1e18),
  typeAccepted("counterparty-from-operator", "counterparty_id", "The database operator $gt", isOperator),

  accepted("body-list-accepted", "OPER-32", "A body that is an array", isList),
  accepted("body-values-accepted", "OPER-32", "An array of the values of the members", isListOfValues),
  accepted("members-from-query", "OPER-20", "A body whose members stand in the query", isInQuery),
  accepted("body-scalar-accepted", "OPER-32", "A body that is a string, a number or a boolean", isScalar),
  accepted("body-null-accepted", "OPER-32", "A body that is null", (call) => bodyOf(call) === null),
  accepted("body-empty-accepted", "OPER-33", "An empty body", isEmpty),
  accepted("body-malformed-accepted", "OPER-34", "Malformed JSON", isMalformed),
  read("nan-elsewhere-accepted", "NaN or Infinity in an unknown member", /"more":\D*(NaN|Infinity)/),
  read("plus-sign-read", "A number with a plus sign", /:\+\d/),
  read("hexadecimal-read", "A hexadecimal number", /:0x/i),
  read("capital-literals-read", "The literal TRUE", /:TRUE\b/),
  read("python-literals-read", "A literal of Python", /[[:](True|False|None)\b/),
  read("undefined-read", "The literal undefined", /:undefined\b/),
  read("hash-comment-read", "A comment that begins with #", /^ *#/m),
  read("missing-comma-read", "A missing comma between members", /" "more"/),
  read("missing-brace-read", "A missing closing brace", /^\{[^}]*"$/),
  read("unknown-escape-read", "An unknown escape", /\\x/),

  refused("invalid-422", 422, all400, "Every invalid request"),
  refused("invalid-403", 403, all400, "Every invalid request"),
  refused("missing-422", 422, ["OPER-20", ...missing], "A missing member", hasMissing),
  refused("null-422", 422, ["OPER-24", ...nulls], "A null member", hasNull),
  refused("type-422", 422, ["OPER-28", ...types], "A wrong type", hasWrongType),
  refused("empty-object-422", 422, "OPER-20", "An empty object", ({ body }) => isJson(body) && !Object.keys(body)[0]),
  refused("blank-body-422", 422, "OPER-34", "A body of white space", isBlank),
  refused("body-list-422", 422, "OPER-32", "A body that is no object", isNoObject),
  refused("body-empty-415", 415, "OPER-33", "An empty body", isEmpty),
  refused("body-empty-411", 411, "OPER-33", "An empty body", isEmpty),
  refused("body-malformed-422", 422, "OPER-34", "Malformed JSON", isMalformed),
  refused("counterparty-missing-404", 404, "OPER-23", "A missing counterparty_id", lacks("counterparty_id")),
  refused("counterparty-null-404", 404, "OPER-27", "A null counterparty_id", has("counterparty_id", null)),
  refused("missing-refused-with-200", 200, told200, "A missing member", hasMissing),
  row("malformed-needs-no-token", "OPER-34", "Malformed JSON gets a 401.").gives(unknownToken, isMalformed),
  row("unknown-counterparty-told-in-200", unknown, "An unknown payee gets a 200.").refuses("counterparty", in200),
  row("unknown-counterparty-error-in-200", unknown, "The error is in a 200.").refuses("counterparty", errorIn200),
  shown("amount-zero", "OPER-40", "A zero amount is", "currency_amount", (it) => it === 0),
  shown("amount-negative", "OPER-41", "A negative amount is", "currency_amount", (it) => Number(it) < 0),
  shown("pair-malformed", "OPER-42", "Any string as the pair is", "currency_pair", isText(/^(?![A-Z]{6}$)/)),
  shown("pair-unknown", "OPER-43", "Any six capital letters are", "currency_pair", isText(/^[A-Z]{6}$/)),
  row("counterparty-unknown-accepted", "OPER-44", "A counterparty that does not exist is accepted.").by((base) => ({
    findCounterparty: (id, call) => base.findCounterparty(id, call) ?? { id },
  })),
];

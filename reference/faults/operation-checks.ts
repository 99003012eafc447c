import type { RequirementId } from "../../spec/catalogue.ts";
import { all, answers, instead, problem, reading, sent, success } from "../change.ts";
import { edit, isJson, set } from "../edits.ts";
import type { Json } from "../edits.ts";
import type { Call, Change } from "../policy.ts";
import { rowsOf } from "./fault.ts";
import type { Fault } from "./fault.ts";
import { isEmpty, isMalformed } from "./raw-body.ts";
import { operationRefusals } from "./refusals.ts";

const row = rowsOf("createOperation", "operation-");
const { missing, nulls, types } = operationRefusals;

const members = ["currency_amount", "operation_purpose", "currency_pair", "counterparty_id"] as const;
type Member = (typeof members)[number];

/** Valid values that replace invalid ones. */
const standIns = (call: Call): Readonly<Record<Member, unknown>> => ({
  currency_amount: 100,
  operation_purpose: "EFX",
  currency_pair: "USDBRL",
  counterparty_id: [...call.store.counterparties.keys()].at(-1),
});

type IsWrong = (value: unknown) => boolean;

/** Accepts an invalid member and replaces it with a valid value. */
const tolerating = (member: Member, wrong: IsWrong): Change =>
  reading("createOperation", (body, call) =>
    wrong(body[member]) ? { ...body, [member]: standIns(call)[member] } : body,
  );

/** Accepts bodies that are not objects. */
const toleratingBody =
  (wrong: IsWrong): Change =>
  (base) => ({
    parse: (call) => {
      const body = base.parse(call);
      return call.operation === "createOperation" && wrong(body) ? standIns(call) : body;
    },
  });

/** Accepts bodies that cannot be parsed. */
const toleratingBytes =
  (wrong: (call: Call) => boolean): Change =>
  (base) => ({
    parse: (call) => (call.operation === "createOperation" && wrong(call) ? standIns(call) : base.parse(call)),
  });

/** Accepts strings of a pattern as amounts. */
const readingAmounts = (pattern: RegExp): Change =>
  reading(
    "createOperation",
    edit("currency_amount", (it) => (typeof it === "string" && pattern.test(it) ? Number(it) : it)),
  );

/** Accepts an invalid value and shows it in the response. */
const letting = (member: "currency_amount" | "currency_pair", wrong: IsWrong): Change =>
  all(
    tolerating(member, wrong),
    success("createOperation", (body, call) => {
      const { [member]: value } = JSON.parse(call.bytes.toString().replace(/^\u{feff}/u, "")) as Json;
      const shown = member === "currency_amount" ? "foreign_currency_amount" : member;
      return wrong(value) ? edit(shown, () => value)(body) : body;
    }),
  );

/** Refuses invalid requests with another status than 400. */
const refusedWith = (status: number, when: (call: Call) => boolean = () => true): Change =>
  answers(
    (answer, call) => call.operation === "createOperation" && answer.status === 400 && when(call),
    set({ status }),
  );

const hasMissing = (call: Call): boolean => isJson(call.body) && members.some((name) => !(name in sent(call)));
const hasNull = (call: Call): boolean => members.some((name) => sent(call)[name] === null);
const invalid: readonly RequirementId[] = Object.values(operationRefusals).flat();

/** Faults of a member that may be missing, null or of another type. `broken` are the requirements, in this order. */
const carelessness = (member: Member, type: string, broken: readonly [RequirementId, RequirementId, RequirementId]) => {
  const name = member.replaceAll("_", "-");
  return [
    row(`${name}-optional`, broken[0], `${member} may be missing.`).by(tolerating(member, (it) => it === undefined)),
    row(`${name}-nullable`, broken[1], `${member} may be null.`).by(tolerating(member, (it) => it === null)),
    row(`${name}-any-type`, broken[2], `${member} may be of any type except null.`).by(
      tolerating(member, (it) => ![type, "undefined"].includes(typeof it) && it !== null),
    ),
  ];
};

/** Extensions of JSON that lenient parsers accept. */
const liberties: readonly (readonly [id: string, about: string, pattern: RegExp])[] = [
  ["plus-sign", "A number with a plus sign is accepted.", /:\+\d/],
  ["hexadecimal", "A hexadecimal number is accepted.", /:0x/i],
  ["capital-literals", "The literal TRUE is accepted.", /:TRUE\b/],
  ["python-literals", "The literals of Python are accepted.", /[[:](True|False|None)\b/],
  ["undefined", "The literal undefined is accepted.", /:undefined\b/],
  ["hash-comment", "Comments that begin with # are accepted.", /^ *#/m],
  ["missing-comma", "A missing comma between members is accepted.", /" "more"/],
  ["missing-brace", "A missing closing brace is accepted.", /^\{[^}]*"$/],
  ["unknown-escape", "Unknown escapes are accepted.", /\\x/],
];

/** Faults of what POST /corporate/operation accepts, and of its status for refusals. */
export const operationCheckFaults: readonly Fault[] = [
  ...carelessness("currency_amount", "number", ["OPER-20", "OPER-24", "OPER-28"]),
  ...carelessness("operation_purpose", "string", ["OPER-21", "OPER-25", "OPER-29"]),
  ...carelessness("currency_pair", "string", ["OPER-22", "OPER-26", "OPER-30"]),
  ...carelessness("counterparty_id", "string", ["OPER-23", "OPER-27", "OPER-31"]),
  row(
    "unknown-counterparty-told-in-200",
    "OPER-05",
    "An unknown counterparty is refused with status 200 and a message.",
    {
      also: ["OPER-44"],
    },
  ).refuses(set({ status: 200 }), "counterparty"),
  row(
    "unknown-counterparty-error-in-200",
    "OPER-05",
    "An unknown counterparty is refused with status 200 and an error.",
    {
      also: ["OPER-44"],
    },
  ).refuses(set({ status: 200, body: { error: "unknown counterparty" } }), "counterparty"),
  row("purpose-empty-array", "OPER-29", "An empty array is accepted as the purpose.").by(
    tolerating("operation_purpose", (it) => Array.isArray(it) && it.length === 0),
  ),
  row("pair-zero", "OPER-30", "Zero is accepted as the pair.").by(tolerating("currency_pair", (it) => it === 0)),
  row("amount-empty-string", "OPER-28", "An empty string is accepted as the amount.").by(
    tolerating("currency_amount", (it) => it === ""),
  ),
  row("amount-from-string", "OPER-28", "A string with a number is accepted as the amount.").by(
    readingAmounts(/^\d+(\.\d+)?$/),
  ),
  row("amount-from-boolean", "OPER-28", "A boolean is accepted as the amount.").by(
    tolerating("currency_amount", (it) => typeof it === "boolean"),
  ),
  row("purpose-from-number", "OPER-29", "A number is accepted as the purpose.").by(
    tolerating("operation_purpose", (it) => typeof it === "number"),
  ),
  row("pair-from-list", "OPER-30", "An array is accepted as the pair.").by(tolerating("currency_pair", Array.isArray)),
  row("counterparty-from-object", "OPER-31", "An object is accepted as the counterparty_id.").by(
    tolerating("counterparty_id", isJson),
  ),
  row("amount-from-whole-string", "OPER-28", "A string with a whole number is accepted as the amount.").by(
    readingAmounts(/^\d+$/),
  ),
  row("purpose-from-ordinal", "OPER-29", "The number 1 is accepted as the purpose.").by(
    tolerating("operation_purpose", (it) => it === 1),
  ),
  row("pair-from-two", "OPER-30", "An array of two currencies is accepted as the pair.").by(
    tolerating("currency_pair", (it) => Array.isArray(it) && it.length === 2),
  ),
  row("counterparty-from-reference", "OPER-31", "An object with an id is accepted as the counterparty_id.").by(
    tolerating("counterparty_id", (it) => isJson(it) && "id" in it),
  ),
  row(
    "counterparty-from-operator",
    "OPER-31",
    "A database operator such as $gt is accepted as the counterparty_id.",
  ).by(tolerating("counterparty_id", (it) => isJson(it) && "$gt" in it)),

  row("amount-from-comma", "OPER-28", "A string with a decimal comma is accepted as the amount.").by(
    tolerating("currency_amount", (it) => typeof it === "string" && /^\d+,\d+$/.test(it)),
  ),
  row("amount-from-word", "OPER-28", "The string NaN is accepted as the amount.").by(
    tolerating("currency_amount", (it) => it === "NaN"),
  ),
  row("amount-false", "OPER-28", "false is accepted as the amount.").by(
    tolerating("currency_amount", (it) => it === false),
  ),
  row("purpose-zero", "OPER-29", "Zero is accepted as the purpose.").by(
    tolerating("operation_purpose", (it) => it === 0),
  ),
  row("pair-false", "OPER-30", "false is accepted as the pair.").by(tolerating("currency_pair", (it) => it === false)),

  row("body-list-accepted", "OPER-32", "An array is accepted as the body.").by(toleratingBody(Array.isArray)),
  row("body-scalar-accepted", "OPER-32", "A string, a number or a boolean is accepted as the body.").by(
    toleratingBody((it) => it !== null && typeof it !== "object"),
  ),
  row("body-null-accepted", "OPER-32", "null is accepted as the body.").by(toleratingBody((it) => it === null)),
  row("body-empty-accepted", "OPER-33", "An empty body is accepted.").by(toleratingBytes(isEmpty)),
  row("body-malformed-accepted", "OPER-34", "Malformed JSON is accepted.").by(toleratingBytes(isMalformed)),

  row("nan-elsewhere-accepted", "OPER-34", "NaN and Infinity are accepted in an unknown member.").by(
    toleratingBytes((call) => isMalformed(call) && /"more":\D*(NaN|Infinity)/.test(call.bytes.toString())),
  ),

  ...liberties.map(([id, about, pattern]) =>
    row(`${id}-read`, "OPER-34", about).by(
      toleratingBytes((call) => isMalformed(call) && pattern.test(call.bytes.toString())),
    ),
  ),

  row("invalid-422", "OPER-20", "Every invalid request is refused with 422.", { also: invalid }).by(refusedWith(422)),
  row("invalid-403", "OPER-20", "Every invalid request is refused with 403.", { also: invalid }).by(refusedWith(403)),
  row("empty-object-422", "OPER-20", "An empty object is refused with 422.").by(
    refusedWith(422, (call) => isJson(call.body) && Object.keys(call.body).length === 0),
  ),
  row("blank-body-422", "OPER-34", "A body of white space is refused with 422.").by(
    refusedWith(422, (call) => call.bytes.length > 0 && call.bytes.toString().trim() === ""),
  ),
  row("missing-422", "OPER-20", "A missing member is refused with 422.", { also: missing }).by(
    refusedWith(422, hasMissing),
  ),
  row("null-422", "OPER-24", "A null member is refused with 422.", { also: nulls }).by(refusedWith(422, hasNull)),
  row("type-422", "OPER-28", "A wrong type is refused with 422.", { also: types }).by(
    refusedWith(422, (call) => isJson(call.body) && !hasMissing(call) && !hasNull(call)),
  ),
  row("counterparty-missing-404", "OPER-23", "A missing counterparty is not found.").by(
    refusedWith(404, (call) => isJson(call.body) && !("counterparty_id" in call.body)),
  ),
  row("counterparty-null-404", "OPER-27", "A counterparty of null is not found.").by(
    refusedWith(404, (call) => sent(call)["counterparty_id"] === null),
  ),
  row("body-list-422", "OPER-32", "A body that is not an object is refused with 422.").by(
    refusedWith(422, (call) => call.body !== undefined && !isJson(call.body)),
  ),
  row("body-empty-415", "OPER-33", "An empty body is refused with 415.").by(refusedWith(415, isEmpty)),
  row("body-empty-411", "OPER-33", "An empty body is refused with 411.").by(refusedWith(411, isEmpty)),
  row("body-malformed-422", "OPER-34", "Malformed JSON is refused with 422.").by(refusedWith(422, isMalformed)),
  row("missing-refused-with-200", "OPER-21", "A missing member is reported in the body of a 200.", {
    also: [...missing, "OPER-02", "OPER-05"],
  }).by(refusedWith(200, hasMissing)),
  row("malformed-needs-no-token", "OPER-34", "Malformed JSON is refused with 401 although the token is valid.").by(
    instead(
      (call) => call.operation === "createOperation" && isMalformed(call),
      problem(401, "The token is not known"),
    ),
  ),

  row("amount-zero-accepted", "OPER-40", "An amount of zero is accepted.").by(
    letting("currency_amount", (it) => it === 0),
  ),
  row("amount-negative-accepted", "OPER-41", "A negative amount is accepted.").by(
    letting("currency_amount", (it) => Number(it) < 0),
  ),
  row("pair-malformed-accepted", "OPER-42", "Any string is accepted as the pair.").by(
    letting("currency_pair", (it) => typeof it === "string" && !/^[A-Z]{6}$/.test(it)),
  ),
  row("pair-unknown-accepted", "OPER-43", "Any six capital letters are accepted as the pair.").by(
    letting("currency_pair", (it) => typeof it === "string" && /^[A-Z]{6}$/.test(it)),
  ),
  row("counterparty-unknown-accepted", "OPER-44", "A counterparty that does not exist is accepted.").by((base) => ({
    findCounterparty: (id, call) => base.findCounterparty(id, call) ?? { id },
  })),
];

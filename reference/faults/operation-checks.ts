import type { RequirementId } from "../../spec/catalogue.ts";
import { all as both, answers, around, changed, isJson, problem, reading, refusal, sent, success } from "../change.ts";
import type { Json } from "../change.ts";
import type { Call, Change } from "../policy.ts";
import type { Fault } from "./fault.ts";
import { rowsOf } from "./row.ts";

const row = rowsOf("createOperation", "operation");

/** What stands in for a member that is not as it should be. */
const instead: Readonly<Record<string, (call: Call) => unknown>> = {
  currency_amount: () => 100,
  operation_purpose: () => "EFX",
  currency_pair: () => "USDBRL",
  counterparty_id: (call) => [...call.store.counterparties.keys()].at(-1),
};
const members = Object.keys(instead);

/** Takes bodies whose member is wrong in some way, as if it were right. */
const tolerating = (member: string, wrong: (value: unknown) => boolean): Change =>
  reading("createOperation", (body, call) =>
    wrong(body[member]) ? { ...body, [member]: instead[member]?.(call) } : body,
  );

const complete = (call: Call): Json => Object.fromEntries(members.map((name) => [name, instead[name]?.(call)]));

/** Takes bodies that are no objects. */
const toleratingBody =
  (wrong: (body: unknown) => boolean): Change =>
  (base) => ({
    parse: (call) => {
      const body = base.parse(call);
      return call.operation === "createOperation" && wrong(body) ? complete(call) : body;
    },
  });

/** Takes what cannot be parsed. */
const toleratingBytes =
  (wrong: (call: Call) => boolean): Change =>
  (base) => ({
    parse: (call) => (call.operation === "createOperation" && wrong(call) ? complete(call) : base.parse(call)),
  });

const isMalformed = (call: Call): boolean => {
  try {
    JSON.parse(call.bytes.toString());
    return false;
  } catch {
    return call.bytes.length > 0;
  }
};

/** Refuses invalid requests with another status than 400. */
const refusedWith = (status: number, when: (call: Call) => boolean): Change =>
  answers(
    (answer, call) => call.operation === "createOperation" && answer.status === 400 && when(call),
    (answer) => ({ ...answer, status }),
  );

const hasMissing = (call: Call): boolean => isJson(call.body) && members.some((name) => !(name in sent(call)));
const hasNull = (call: Call): boolean => members.some((name) => sent(call)[name] === null);
const isScalar = (value: unknown): boolean => value !== null && typeof value !== "object";

const missing = ["OPER-20", "OPER-21", "OPER-22", "OPER-23"] as const;
const nulls = ["OPER-24", "OPER-25", "OPER-26", "OPER-27"] as const;
const types = ["OPER-28", "OPER-29", "OPER-30", "OPER-31"] as const;
const all: readonly RequirementId[] = [...missing, ...nulls, ...types, "OPER-32", "OPER-33", "OPER-34"];

const shown: Readonly<Record<string, string>> = { currency_amount: "foreign_currency_amount" };

/** Lets a value pass that should not, and repeats it like any other. */
const letting = (member: string, wrong: (value: unknown) => boolean): Change =>
  both(
    tolerating(member, wrong),
    success("createOperation", (body, call) => {
      const { [member]: value } = JSON.parse(call.bytes.toString().replace(/^\u{feff}/u, "")) as Json;
      return wrong(value) ? changed(body, shown[member] ?? member, () => value) : body;
    }),
  );

/** Faults of what POST /corporate/operation accepts, and of the status with which it refuses. */
export const operationCheckFaults: readonly Fault[] = [
  ...members.flatMap((member, index) => {
    const name = member.replaceAll("_", "-");
    return [
      row(
        `${name}-optional`,
        missing[index] ?? "OPER-20",
        `${member} may be missing.`,
        tolerating(member, (value) => value === undefined),
      ),
      row(
        `${name}-nullable`,
        nulls[index] ?? "OPER-24",
        `${member} may be null.`,
        tolerating(member, (value) => value === null),
      ),
      row(
        `${name}-any-type`,
        types[index] ?? "OPER-28",
        `${member} may be of any type but null.`,
        tolerating(
          member,
          (value) => ![index === 0 ? "number" : "string", "undefined"].includes(typeof value) && value !== null,
        ),
      ),
    ];
  }),
  row(
    "unknown-counterparty-told-in-200",
    "OPER-05",
    "An unknown counterparty is answered with 200 and a message.",
    refusal("createOperation", (answer) => (answer.refusal === "counterparty" ? { ...answer, status: 200 } : answer)),
    { also: ["OPER-44"] },
  ),
  row(
    "unknown-counterparty-error-in-200",
    "OPER-05",
    "An unknown counterparty is answered with 200 and an error.",
    refusal("createOperation", (answer) =>
      answer.refusal === "counterparty" ? { ...answer, status: 200, body: { error: "unknown counterparty" } } : answer,
    ),
    { also: ["OPER-44"] },
  ),
  row(
    "purpose-empty-array",
    "OPER-29",
    "An empty array passes for a purpose.",
    tolerating("operation_purpose", (value) => Array.isArray(value) && value.length === 0),
  ),
  row(
    "pair-zero",
    "OPER-30",
    "Zero passes for a pair.",
    tolerating("currency_pair", (value) => value === 0),
  ),
  row(
    "amount-empty-string",
    "OPER-28",
    "An empty string passes for an amount.",
    tolerating("currency_amount", (value) => value === ""),
  ),
  row(
    "amount-from-string",
    "OPER-28",
    "A string of digits is taken for the amount.",
    reading("createOperation", (body) => {
      const { currency_amount } = body;
      const digits = typeof currency_amount === "string" && /^\d+(\.\d+)?$/.test(currency_amount);
      return digits ? { ...body, currency_amount: Number(currency_amount) } : body;
    }),
  ),
  row(
    "amount-from-boolean",
    "OPER-28",
    "A boolean is taken for the amount.",
    tolerating("currency_amount", (value) => typeof value === "boolean"),
  ),
  row(
    "purpose-from-number",
    "OPER-29",
    "A number is taken for the purpose.",
    tolerating("operation_purpose", (value) => typeof value === "number"),
  ),
  row("pair-from-list", "OPER-30", "A list is taken for the pair.", tolerating("currency_pair", Array.isArray)),
  row(
    "counterparty-from-object",
    "OPER-31",
    "An object is taken for the counterparty's id.",
    tolerating("counterparty_id", isJson),
  ),
  row(
    "amount-from-whole-string",
    "OPER-28",
    "A string of a whole number is taken for the amount.",
    reading("createOperation", (body) => {
      const { currency_amount } = body;
      const digits = typeof currency_amount === "string" && /^\d+$/.test(currency_amount);
      return digits ? { ...body, currency_amount: Number(currency_amount) } : body;
    }),
  ),
  row(
    "purpose-from-ordinal",
    "OPER-29",
    "The number of a purpose is taken for it.",
    tolerating("operation_purpose", (value) => value === 1),
  ),
  row(
    "pair-from-two",
    "OPER-30",
    "A list of two currencies is taken for the pair.",
    tolerating("currency_pair", (value) => Array.isArray(value) && value.length === 2),
  ),
  row(
    "counterparty-from-reference",
    "OPER-31",
    "An object with an id is taken for the counterparty's id.",
    tolerating("counterparty_id", (value) => isJson(value) && "id" in value),
  ),

  row("body-list-accepted", "OPER-32", "A list is taken for the body.", toleratingBody(Array.isArray)),
  row(
    "body-scalar-accepted",
    "OPER-32",
    "A string, a number or a boolean is taken for the body.",
    toleratingBody(isScalar),
  ),
  row(
    "body-null-accepted",
    "OPER-32",
    "null is taken for the body.",
    toleratingBody((body) => body === null),
  ),
  row(
    "body-empty-accepted",
    "OPER-33",
    "The body may be empty.",
    toleratingBytes((call) => call.bytes.length === 0),
  ),
  row("body-malformed-accepted", "OPER-34", "What cannot be parsed is guessed.", toleratingBytes(isMalformed)),

  row(
    "invalid-422",
    "OPER-20",
    "Every invalid request is answered with 422.",
    refusedWith(422, () => true),
    { also: all },
  ),
  row(
    "invalid-403",
    "OPER-20",
    "Every invalid request is answered with 403.",
    refusedWith(403, () => true),
    { also: all },
  ),
  row(
    "empty-object-422",
    "OPER-20",
    "An object without members is answered with 422.",
    refusedWith(422, (call) => isJson(call.body) && Object.keys(call.body).length === 0),
  ),
  row(
    "blank-body-422",
    "OPER-34",
    "A body of white space is answered with 422.",
    refusedWith(422, (call) => call.bytes.length > 0 && call.bytes.toString().trim() === ""),
  ),
  row("missing-422", "OPER-20", "A missing member is answered with 422.", refusedWith(422, hasMissing), {
    also: missing,
  }),
  row("null-422", "OPER-24", "A member of null is answered with 422.", refusedWith(422, hasNull), { also: nulls }),
  row(
    "type-422",
    "OPER-28",
    "A wrong type is answered with 422.",
    refusedWith(422, (call) => isJson(call.body) && !hasMissing(call) && !hasNull(call)),
    { also: types },
  ),
  row(
    "counterparty-missing-404",
    "OPER-23",
    "A missing counterparty is not found.",
    refusedWith(404, (call) => isJson(call.body) && !("counterparty_id" in call.body)),
  ),
  row(
    "counterparty-null-404",
    "OPER-27",
    "A counterparty of null is not found.",
    refusedWith(404, (call) => sent(call)["counterparty_id"] === null),
  ),
  row(
    "body-list-422",
    "OPER-32",
    "A body that is no object is answered with 422.",
    refusedWith(422, (call) => call.body !== undefined && !isJson(call.body)),
  ),
  row(
    "body-empty-415",
    "OPER-33",
    "An empty body is answered with 415.",
    refusedWith(415, (call) => call.bytes.length === 0),
  ),
  row(
    "body-empty-411",
    "OPER-33",
    "An empty body is answered with 411.",
    refusedWith(411, (call) => call.bytes.length === 0),
  ),
  row("body-malformed-422", "OPER-34", "Malformed JSON is answered with 422.", refusedWith(422, isMalformed)),
  row(
    "missing-refused-with-200",
    "OPER-21",
    "A missing member is told in the body of a 200.",
    refusedWith(200, hasMissing),
    {
      also: [...missing, "OPER-02", "OPER-05"],
    },
  ),
  row(
    "malformed-needs-no-token",
    "OPER-34",
    "Malformed JSON is answered with 401, although the token is good.",
    around(async (call, next) =>
      call.operation === "createOperation" && isMalformed(call) ? problem(401, "The token is not known") : next(call),
    ),
  ),

  row(
    "amount-zero-accepted",
    "OPER-40",
    "An amount of zero is taken.",
    letting("currency_amount", (value) => value === 0),
  ),
  row(
    "amount-negative-accepted",
    "OPER-41",
    "A negative amount is taken.",
    letting("currency_amount", (value) => Number(value) < 0),
  ),
  row(
    "pair-malformed-accepted",
    "OPER-42",
    "A pair of any shape is taken.",
    letting("currency_pair", (value) => typeof value === "string" && !/^[A-Z]{6}$/.test(value)),
  ),
  row(
    "pair-unknown-accepted",
    "OPER-43",
    "Any six capital letters are taken for a pair.",
    letting("currency_pair", (value) => typeof value === "string" && /^[A-Z]{6}$/.test(value)),
  ),
  row("counterparty-unknown-accepted", "OPER-44", "A counterparty that does not exist is taken.", (base) => ({
    findCounterparty: (id, call) => base.findCounterparty(id, call) ?? { id },
  })),
];

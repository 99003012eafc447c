// What can be wrong or odd about the requests for an operation that a server accepts and refuses.
import type { OperationName } from "../../spec/operations.ts";
import {
  all,
  answers,
  anyPurpose,
  around,
  edit,
  isJson,
  remembering,
  sent,
  set,
  type Json,
} from "../change.ts";
import { sentMembers } from "../endpoints.ts";
import { Refusal, type Call, type Change } from "../policy.ts";
import {
  hasMemberTwice,
  isEmpty,
  isList,
  isMalformed,
  lacks,
  membersOf,
  operationsForPayee,
  type Sent,
} from "../request.ts";
import {
  at,
  deviation as anywhere,
  type Broken,
  type Condition,
  type Deviation,
} from "./deviation.ts";

const { deviation, reads, rejection, rejects, shows } = at.operation;
const members = sentMembers.createOperation;
type Member = (typeof members)[number];
type IsWrongValue = (value: unknown) => boolean;

/** For each member: which requirement says that it is refused if missing, null or of a wrong type. */
const memberRefusals = {
  currency_amount: { missing: "OPER-20", null: "OPER-24", type: "OPER-28" },
  operation_purpose: { missing: "OPER-21", null: "OPER-25", type: "OPER-29" },
  currency_pair: { missing: "OPER-22", null: "OPER-26", type: "OPER-30" },
  counterparty_id: { missing: "OPER-23", null: "OPER-27", type: "OPER-31" },
} as const;
const ofMembers = Object.values(memberRefusals);
const missing = ofMembers.map((refusals) => refusals.missing);
/** The requirements that an invalid operation is refused with 400. */
export const stated400 = [
  ...ofMembers.flatMap((refusals) => [refusals.missing, refusals.null, refusals.type]),
  ...(["OPER-32", "OPER-33", "OPER-34"] as const),
] as const;

/** For each member, the value that a careless server takes if the member is missing or wrong. */
function standIns(call: Call): Readonly<Record<Member, unknown>> {
  return {
    currency_amount: 100,
    operation_purpose: "EFX",
    currency_pair: "USDBRL",
    counterparty_id: [...call.store.counterparties.keys()].at(-1),
  };
}

/** Accepts a wrong value of a member, and uses the stand-in for that member. */
function tolerates(
  member: Member,
  isWrong: IsWrongValue,
  when: (call: Call) => boolean = () => true,
): Change {
  return reads((body, call) =>
    isWrong(body[member]) && when(call) ? { ...body, [member]: standIns(call)[member] } : body,
  );
}

/** Accepts a wrong value of a member, and shows it in the response. */
function keeps(member: Member, isWrong: IsWrongValue): Change {
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

/** If a body cannot be parsed, changes its text and parses it again. */
function readsAlso(change: (text: string) => string): Change {
  return (base) => ({
    parse: (call) => {
      if (call.operation !== "createOperation" || !isMalformed(call)) return base.parse(call);
      return base.parse({ ...call, bytes: Buffer.from(change(call.bytes.toString())) });
    },
  });
}

/** Takes an array that holds one object as that object. */
const takesArrayOfOne: Change = (base) => ({
  parse: (call) => {
    const body = base.parse(call);
    const isOne = call.operation === "createOperation" && Array.isArray(body) && body.length === 1;
    return isOne ? (body[0] as unknown) : body;
  },
});

/** Takes a member from the query if the body lacks the member. */
function fromQuery(member: Member): Change {
  return reads((body, { query }) => {
    const text = query.get(member);
    if (body[member] !== undefined || text === null) return body;
    return { ...body, [member]: member === "currency_amount" ? Number(text) : text };
  });
}

/** Refuses invalid requests with this status, not with 400. */
function refusesWith(status: number, when: Sent = () => true): Change {
  return answers(
    (answer, call) => call.operation === "createOperation" && answer.status === 400 && when(call),
    set({ status }),
  );
}

const isLater = ({ store }: Call): boolean => store.operations.size > 0;
const isMissing: IsWrongValue = (value) => value === undefined;
const isNull: IsWrongValue = (value) => value === null;

/** The faults that every member of the request has. */
function carelessness(member: Member): readonly Deviation[] {
  const name = member.replaceAll("_", "-");
  const type = member === "currency_amount" ? "number" : "string";
  const broken = memberRefusals[member];
  const isOther: IsWrongValue = (value) =>
    !isMissing(value) && !isNull(value) && typeof value !== type;
  return [
    deviation(
      `operation-${name}-optional`,
      `${member} may be missing.`,
      tolerates(member, isMissing),
      { breaks: broken.missing },
    ),
    deviation(`operation-${name}-nullable`, `${member} may be null.`, tolerates(member, isNull), {
      breaks: broken.null,
    }),
    deviation(
      `operation-${name}-nullable-later`,
      `Once there is an operation, ${member} may be null.`,
      tolerates(member, isNull, isLater),
      { breaks: broken.null, when: "later" },
    ),
    deviation(
      `operation-${name}-any-type`,
      `Any type except null is accepted as the ${member}.`,
      tolerates(member, isOther),
      { breaks: broken.type },
    ),
    deviation(
      `operation-${name}-of-query`,
      `If the body lacks ${member}, it is taken from the query.`,
      fromQuery(member),
      { breaks: broken.missing, when: "data" },
    ),
  ];
}

/** A value that is accepted, though it has a wrong type. */
function taken(id: string, what: string, member: Member, isTaken: IsWrongValue): Deviation {
  return deviation(
    `operation-${id}`,
    `${what} is accepted as the ${member}.`,
    tolerates(member, isTaken),
    { breaks: memberRefusals[member].type, when: "data" },
  );
}

function malformed(id: string, what: string, change: Change): Deviation {
  return deviation(id, `${what} in a body is accepted.`, change, {
    breaks: "OPER-34",
    when: "data",
  });
}

/** Fault: what must be refused with 400 has another status. */
function status(
  id: string,
  about: string,
  breaks: Broken,
  change: Change,
  when?: Condition,
): Deviation {
  return deviation(`operation-${id}`, about, change, { breaks, when });
}

const hasMissing = (call: Call): boolean =>
  isJson(call.body) && members.some((name) => !(name in sent(call)));
const isText =
  (pattern: RegExp): IsWrongValue =>
  (it) =>
    typeof it === "string" && pattern.test(it);

/** Refuses an empty body with 415, except for the first of every four. */
const mostly415: Change = remembering(() => {
  let seen = 0;
  return refusesWith(415, (call) => {
    if (isEmpty(call)) seen += 1;
    return isEmpty(call) && seen % 4 !== 1;
  });
});

/** Once the server has had `most` requests, refuses a missing counterparty_id with 404. */
function counterpartyMissing404After(most: number): Change {
  return remembering(() => {
    let requests = 0;
    const counted: Change = around(async (call, next) => {
      requests += 1;
      return next(call);
    });
    const late = refusesWith(404, (call) => requests > most && lacks("counterparty_id")(call));
    return all(counted, late);
  });
}

/** Uses the newest counterparty for the id null. */
const takingNull: Change = (base) => ({
  findCounterparty: (id, call) =>
    id === "null"
      ? [...call.store.counterparties.values()].at(-1)
      : base.findCounterparty(id, call),
});

const faults: readonly Deviation[] = [
  ...members.flatMap(carelessness),
  deviation(
    "operation-amount-from-whole-string",
    "A string of digits is an amount.",
    reads(
      edit("currency_amount", (it) =>
        typeof it === "string" && /^\d+$/.test(it) ? Number(it) : it,
      ),
    ),
    { breaks: "OPER-28", when: "data" },
  ),
  taken("purpose-from-ordinal", "The number 1", "operation_purpose", (it) => it === 1),
  taken(
    "pair-from-two",
    "An array of two",
    "currency_pair",
    (it) => Array.isArray(it) && it.length === 2,
  ),
  taken(
    "counterparty-from-reference",
    "{ id }",
    "counterparty_id",
    (it) => isJson(it) && "id" in it,
  ),

  deviation(
    "operation-body-list-accepted",
    "A body that is an array is accepted.",
    accepts(isList),
    {
      breaks: "OPER-32",
    },
  ),
  deviation(
    "blind-array-of-one-accepted",
    "An array that holds one object is taken as the object.",
    takesArrayOfOne,
    { breaks: "OPER-32", when: "data" },
  ),
  deviation("operation-body-empty-accepted", "An empty body is accepted.", accepts(isEmpty), {
    breaks: "OPER-33",
  }),
  deviation(
    "operation-body-malformed-accepted",
    "Malformed JSON is accepted.",
    accepts(isMalformed),
    {
      breaks: "OPER-34",
    },
  ),
  malformed(
    "blind-comments-accepted",
    "A comment",
    readsAlso((text) => text.replaceAll(/\/\*.*?\*\//gs, "").replaceAll(/\/\/[^\n]*/g, "")),
  ),
  malformed(
    "blind-leading-zeros-accepted",
    "A number with leading zeros",
    readsAlso((text) => text.replaceAll(/("(?!currency_amount")\w+"\s*:\s*-?)0+(?=\d)/g, "$1")),
  ),
  malformed(
    "operation-zero-byte-behind-body",
    "A zero byte behind the JSON",
    readsAlso((text) => text.replace(/\0$/, "")),
  ),
  malformed(
    "blind-cut-body-accepted",
    "A missing last brace",
    readsAlso((text) => `${text}}`),
  ),

  status(
    "invalid-422",
    "Every invalid request is refused with 422.",
    ["OPER-20", ...stated400],
    refusesWith(422),
  ),
  status(
    "body-empty-415-mostly",
    "Three of four empty bodies are refused with 415, the first one with 400.",
    "OPER-33",
    mostly415,
    "later",
  ),
  status(
    "counterparty-missing-404-at-last",
    "After 300 requests, a missing counterparty_id is refused with 404.",
    ["OPER-23", "OPER-20"],
    counterpartyMissing404After(300),
    "later",
  ),
  status(
    "missing-refused-with-200-later",
    "Once there is an operation, a missing member is refused with 200.",
    ["OPER-21", ...missing, "OPER-02", "OPER-05"],
    refusesWith(200, (call) => isLater(call) && hasMissing(call)),
    "later",
  ),

  deviation(
    "operation-amount-zero-accepted",
    "A zero amount is accepted.",
    keeps("currency_amount", (it) => it === 0),
    { breaks: "OPER-40" },
  ),
  deviation(
    "operation-amount-negative-accepted",
    "A negative amount is accepted.",
    keeps("currency_amount", (it) => Number(it) < 0),
    { breaks: "OPER-41" },
  ),
  deviation(
    "operation-pair-malformed-accepted",
    "Any string as the pair is accepted.",
    keeps("currency_pair", isText(/^(?![A-Z]{6}$)/)),
    { breaks: "OPER-42" },
  ),
  deviation(
    "operation-pair-unknown-accepted",
    "Any six capital letters are accepted.",
    keeps("currency_pair", isText(/^(?!(?:USD|EUR)BRL$)[A-Z]{6}$/)),
    { breaks: "OPER-43" },
  ),
  deviation(
    "operation-counterparty-unknown-accepted",
    "A counterparty that does not exist is accepted.",
    (base) => ({ findCounterparty: (id, call) => base.findCounterparty(id, call) ?? { id } }),
    { breaks: "OPER-44" },
  ),
  deviation(
    "operation-counterparty-by-beginning",
    "A counterparty is found where counterparty_id begins with its id.",
    (base) => ({
      findCounterparty: (id, call) =>
        base.findCounterparty(id, call) ??
        [...call.store.counterparties.values()].find((one) => id.startsWith(one.id)),
    }),
    { breaks: "OPER-44", when: "data" },
  ),
  deviation("operation-counterparty-null", "The counterparty null is accepted.", takingNull, {
    breaks: "OPER-44",
    when: "data",
  }),
];

const amountOf = (body: Json): number => Number(body["currency_amount"]);
const decimalsOf = (amount: number): number => /\.(\d+)$/.exec(String(amount))?.[1]?.length ?? 0;

const onlyPair = "EURBRL is the only pair.";
const amounts = "amounts of operations";
const payees = { group: "payees" } as const;
const purposes = { group: "purposes" } as const;
const isOtherPair = (body: Json): boolean => body["currency_pair"] !== "EURBRL";
const refusingRepeated: Change = (base) => ({
  check: (call) => {
    if (hasMemberTwice(call)) throw new Refusal(400, "malformed", "A member stands twice");
    base.check(call);
  },
});

const membersAt: Readonly<Partial<Record<OperationName, readonly string[]>>> = sentMembers;
const refusingUnknown: Change = (base) => ({
  check: (call) => {
    base.check(call);
    const names = call.operation && membersAt[call.operation];
    const unknown = names && Object.keys(sent(call)).find((name) => !names.includes(name));
    if (unknown !== undefined)
      throw new Refusal(400, "invalid", `${JSON.stringify(unknown)} is not a member`);
  },
});

const isComplete = ({ body }: Call): boolean =>
  isJson(body) &&
  Number.isFinite(body["currency_amount"]) &&
  ["operation_purpose", "currency_pair", "counterparty_id"].every(
    (name) => typeof body[name] === "string",
  );

/** Takes any amount and pair, and unknown counterparties. */
const takingAnything: Change = (base) => ({
  findCounterparty: (id, call) => base.findCounterparty(id, call) ?? { id },
  check: (call) => {
    try {
      base.check(call);
    } catch (error) {
      const isForgiven =
        call.operation === "createOperation" &&
        error instanceof Refusal &&
        ["amount", "pair", "counterparty"].includes(String(error.answer.refusal)) &&
        isComplete(call);
      if (!isForgiven) throw error;
    }
  },
});

/** Accepts an amount that no double can hold, and shows it as null. */
export const takingInfinite: Change = (base) => ({
  check: (call) => {
    const body = sent(call);
    const isInfinite = call.operation === "createOperation" && body["currency_amount"] === Infinity;
    base.check(isInfinite ? { ...call, body: { ...body, currency_amount: 1 } } : call);
  },
});

/** Operations that a server refuses or takes legally. */
const legal: readonly Deviation[] = [
  anywhere("unknown-members-refused", "An unknown member is refused.", refusingUnknown),
  anywhere(
    "repeated-members-refused",
    "An object that has a member twice is refused.",
    refusingRepeated,
  ),
  rejection(
    "operations-up-to-20",
    "Operations above 20 are refused.",
    (body) => amountOf(body) > 20,
    { group: amounts },
  ),
  rejection(
    "operations-from-900",
    "Operations below 900 are refused.",
    (body) => amountOf(body) < 900,
    { group: amounts },
  ),
  rejection(
    "operations-of-hundreds",
    "The amount is a multiple of a hundred.",
    (body) => amountOf(body) % 100 !== 0,
    { group: amounts },
  ),
  rejection(
    "amount-two-decimals",
    "Amounts of more than two decimals are refused.",
    (body) => decimalsOf(amountOf(body)) > 2,
    { needs: { amountDecimals: 2 } },
  ),
  deviation(
    "amount-beyond-doubles",
    "A number beyond doubles is accepted and shown as null.",
    takingInfinite,
  ),
  rejection(
    "others-in-one-pair",
    "Purposes other than EFX are refused unless the pair is EURBRL.",
    (body) => body["operation_purpose"] !== "EFX" && isOtherPair(body),
    { group: ["purposes", "pairs"] },
  ),
  deviation("only-efx", "EFX is the only purpose.", () => ({ purposes: new Set(["EFX"]) }), {
    ...purposes,
    needs: { onlyEfx: true },
  }),
  deviation(
    "purpose-any",
    "Any string is accepted as the purpose.",
    () => ({ purposes: anyPurpose }),
    purposes,
  ),
  anywhere(
    "one-pair",
    onlyPair,
    all(rejects(isOtherPair, onlyPair), at.batch.rejects(isOtherPair, onlyPair)),
    { group: "pairs" },
  ),
  deviation(
    "operation-anything",
    "Any amount, any pair and unknown counterparties are accepted.",
    takingAnything,
    { group: "unknown counterparties" },
  ),
  rejection(
    "payee-for-one-operation",
    "A payee takes one operation.",
    (_body, call) => operationsForPayee(call).length > 0,
    payees,
  ),
  rejection(
    "payee-for-one-operation-of-a-pair",
    "A payee takes one operation of each pair.",
    (body, call) => operationsForPayee(call).some(({ pair }) => pair === body["currency_pair"]),
    payees,
  ),
  rejection(
    "payee-for-one-purpose",
    "A payee takes operations of the purpose of its first one.",
    (body, call) =>
      operationsForPayee(call).some(({ purpose }) => purpose !== body["operation_purpose"]),
    payees,
  ),
  rejection(
    "operations-eight-a-day",
    "After eight operations, more are refused.",
    (_body, { store }) => store.operations.size >= 8,
    { status: 422, reason: "limit", ...payees, known: "open" },
  ),
];

export const operationRequests: readonly Deviation[] = [...faults, ...legal];

import {
  answers,
  anyPurpose,
  around,
  edit,
  omit,
  pause,
  repeated,
  sent,
  set,
  successOf,
  type Edit,
  type Json,
} from "../change.ts";
import type { Answer, Call, Change } from "../policy.ts";
import {
  at,
  atOnce,
  inSequence,
  withPairs,
  withPurposes,
  type Fault,
  forSomeValues,
} from "./fault.ts";
import { crossedAnswers, numberIds, ofLatest, oneIdFor, sameId, sharedIds } from "./identity.ts";
import {
  fixedValue,
  fromRight,
  fromBody,
  leftOut,
  member,
  places,
  inSomeCalls,
  type WrongValue,
} from "./member.ts";

const { fault, shows, refuses } = at.createOperation;
const { operation } = places;

/** Gives the responses to some new operations this wrong status code. */
function succeedsWith(status: number, when: (call: Call) => boolean = () => true): Change {
  const isCreated = successOf("createOperation");
  return answers((answer, call) => isCreated(answer, call) && when(call), set({ status }));
}

/** Shows the value that the client sent for a member which the server should decide. */
function ofClient(name: string): WrongValue {
  return fromBody((body, call) => sent(call)[name] ?? body[name]);
}

/** Accepts any text as the purpose, and shows it changed. */
function keepsPurposes(kept: (purpose: string) => string): Change {
  const showing = shows(edit("operation_purpose", kept));
  return (base) => ({ ...showing(base), purposes: anyPurpose });
}

const amountOfLatest = ofLatest("createOperation", "foreign_currency_amount");
const withDecimals = { needs: { amountDecimals: 4 } } as const;
const cents = (amount: number): number => Math.round(amount * 100);
const payees = (call: Call): readonly string[] => [...call.store.counterparties.keys()];
const isOfFirst = (call: Call): boolean => sent(call)["counterparty_id"] === payees(call)[0];
const isAbove900 = (call: Call): boolean => Number(sent(call)["currency_amount"]) > 900;
function unlessEfx(status: string) {
  return inSomeCalls((call) => sent(call)["operation_purpose"] !== "EFX", status);
}
const withoutBicOrIban = (it: Json): Json => ("iban" in it ? it : omit("swift_code")(it));
const withoutCountry: Edit = (it, call) =>
  isOfFirst(call) ? it : edit("bank_account", omit("bank_country"))(it);
function inSaoPaulo(time: string): string {
  return new Date(Date.parse(time) - 3 * 3_600_000).toISOString().replace("Z", "-03:00");
}

/** Redirects clients that do not ask for JSON to a page, as some frameworks do. */
function toPage(answer: Answer, { headers }: Call): Answer {
  return headers.accept === "*/*" ? { status: 302, headers: { location: "/" } } : answer;
}

/** Shows a new operation as it is 25 ms after its creation, when a batch may already hold it. */
const readAgain: Change = around(async (call, next) => {
  const answer = await next(call);
  if (!successOf("createOperation")(answer, call)) return answer;
  await pause(25);
  const id = String((answer.body as Json)["operation_id"]);
  return {
    ...answer,
    body: set({ batch_id: call.store.operations.get(id)?.batch ?? null })(answer.body as Json),
  };
});

/** Gives operations with equal values of these members the same id. */
function idOf(...names: readonly string[]): Change {
  return oneIdFor("operation", (call) => JSON.stringify(names.map((name) => sent(call)[name])));
}

/** Shows the status `quoted` for a new operation if its counterparty already has an operation. */
const quotedLater: Change = repeated(
  successOf("createOperation"),
  (call) => sent(call)["counterparty_id"],
  (answer) => ({ ...answer, body: set({ status: "quoted" })(answer.body as Json) }),
);

const ofStatus = { value: "OPER-02", type: ["OPER-02", "OPER-10"] } as const;
const id = { value: "OPER-05", type: ["OPER-05", "OPER-10"] } as const;
const amount = {
  value: "OPER-06",
  type: ["OPER-10", "OPER-06"],
  sentAs: "currency_amount",
} as const;
const pair = { value: "OPER-07", sentAs: "currency_pair" } as const;
const purpose = { value: "OPER-08", sentAs: "operation_purpose" } as const;
const counterparty = {
  value: "OPER-09",
  type: ["OPER-10", "OPER-09"],
  sentAs: "counterparty_id",
} as const;
const account = { value: "OPER-11", type: ["OPER-11", "OPER-10"] } as const;
const time = {
  value: "OPER-13",
  type: ["OPER-13", "OPER-10", "OPER-14"],
  zone: ["OPER-13", "OPER-14"],
} as const;

export const operationMemberFaults: readonly Fault[] = [
  ...member(operation, "status", ofStatus, ["missing"], {
    created: ["is created", fixedValue("created")],
    "for-other-purposes": [
      "is approved unless the purpose is EFX",
      unlessEfx("approved"),
      "value",
      { ...withPurposes, ...forSomeValues },
    ],
  }),
  ...member(operation, "batch_id", { value: "OPER-03", type: ["OPER-03", "OPER-10"] }, [], {
    "of-client": ["is the one that the client sends", ofClient("batch_id"), "value", forSomeValues],
    set: ["is that of a batch of its own", fromBody((body) => `b-${String(body["operation_id"])}`)],
    absent: ["is left out", leftOut, "OPER-04"],
  }),
  ...member(operation, "operation_id", id, ["missing", "missing-later"]),
  ...member(operation, "customer_id", { type: "OPER-10" }, ["null", "number", "null-later"]),
  ...member(operation, "foreign_currency_amount", amount, ["string"], {
    whole: ["is rounded to a whole number", fromRight(Math.round)],
    float32: ["is stored as a 32-bit float", fromRight(Math.fround), "value", forSomeValues],
    "fee-above-900": [
      "is less a fee if it is above 900",
      fromRight((it: number) => (it > 900 ? it - 1 : it)),
      "value",
      forSomeValues,
    ],
    "string-above-20000": [
      "is a string above 20,000",
      fromRight((it: number) => (it > 2e4 ? it.toFixed(2) : it)),
      "type",
      forSomeValues,
    ],
    "two-decimals": [
      "is rounded to two decimals",
      fromRight((it: number) => cents(it) / 100),
      "value",
      { ...withDecimals, ...forSomeValues },
    ],
  }),
  ...member(operation, "currency_pair", pair, ["slash", "lower-case"]),
  ...member(operation, "currency_pair", { ...pair, ...withPairs, value: ["OPER-07", "OPER-16"] }, [
    "of-first",
  ]),
  ...member(operation, "operation_purpose", purpose, ["lower-case"], {
    "always-efx": [
      "is always EFX",
      fixedValue("EFX"),
      "value",
      { ...withPurposes, ...forSomeValues },
    ],
  }),
  ...member(operation, "counterparty_id", counterparty, ["upper-case"], {
    first: [
      "is always the oldest one",
      fromBody((_body, call) => payees(call)[0]),
      ["OPER-09", "OPER-16"],
      inSequence,
    ],
  }),
  ...member(operation, "bank_account", account, ["null", "iban-null"], {
    "swift-missing-without-iban": [
      "has no swift_code if it has no iban",
      fromRight(withoutBicOrIban),
      "value",
      forSomeValues,
    ],
  }),
  fault(
    "account-incomplete-for-others",
    "OPER-11",
    "Only the first payee's account is complete.",
    shows(withoutCountry),
    inSequence,
  ),
  ...member(
    operation,
    "intermediary_bank",
    { value: "OPER-12", type: ["OPER-12", "OPER-10"] },
    ["empty"],
    {
      incomplete: [
        "has no swift_code",
        fromRight((bank: Json | null) => bank && omit("swift_code")(bank)),
      ],
    },
  ),
  ...member(operation, "created_at", time, ["space-later", "without-zone"], {
    local: ["has the offset of São Paulo", fromRight(inSaoPaulo), "OPER-14"],
  }),
];

const anyId = ["OPER-15", "OPER-16", "ACAM-03", "ACAM-05"] as const;
const ofOtherPurpose = ["OPER-15", "ACAM-05"] as const;
const together = ["OPER-16", "OPER-15", "ACAM-03", "ACAM-05"] as const;
const crossed = [
  "OPER-16",
  "OPER-06",
  "OPER-07",
  "OPER-08",
  "OPER-09",
  "ACAM-03",
  "ACAM-05",
] as const;

export const operationFaults: readonly Fault[] = [
  fault("created-201", "OPER-01", "A new operation has status code 201.", succeedsWith(201)),
  fault(
    "created-201-above-900",
    "OPER-01",
    "A new operation above 900 has status code 202.",
    succeedsWith(202, isAbove900),
    forSomeValues,
  ),
  fault(
    "invalid-redirected",
    "OPER-20",
    "For Accept: */*, a refusal is a redirect.",
    refuses("invalid", toPage),
    forSomeValues,
  ),
  fault(
    "batch-meanwhile",
    "OPER-03",
    "A batch that takes a new operation at once shows in the reply.",
    readAgain,
    atOnce,
  ),
  fault(
    "status-quoted-later",
    "OPER-02",
    "The status of a second operation of a payee is quoted.",
    quotedLater,
    inSequence,
  ),
  fault(
    "purpose-cut",
    "OPER-08",
    "The purpose is cut at ten characters.",
    keepsPurposes((it) => it.slice(0, 10)),
    forSomeValues,
  ),
  fault(
    "id-number",
    id.type,
    "The id is a number.",
    numberIds("operation", "createOperation", "operation_id"),
  ),
  fault("id-same", anyId, "All operations have the same id.", sameId("operation", "0d5a")),
  fault(
    "id-of-counterparty",
    anyId,
    "All operations of a payee have the same id.",
    idOf("counterparty_id"),
    inSequence,
  ),
  fault(
    "id-without-purpose",
    ofOtherPurpose,
    "Operations of two purposes share an id.",
    idOf("counterparty_id", "currency_amount", "currency_pair"),
    { ...withPurposes, ...inSequence },
  ),
  fault(
    "id-same-together",
    together,
    "Concurrent operations share an id.",
    sharedIds("operation"),
    atOnce,
  ),
  fault(
    "answers-crossed",
    crossed,
    "Concurrent requests swap their answers.",
    crossedAnswers("createOperation"),
    atOnce,
  ),
  fault(
    "amount-crossed",
    ["OPER-16", "OPER-06"],
    "The amount is that of a later concurrent one.",
    amountOfLatest,
    atOnce,
  ),
];

// What can be wrong or odd about the response to a new operation, and about its id.
import {
  all,
  anyPurpose,
  around,
  batchOperation,
  edit,
  isJson,
  omit,
  pause,
  remembering,
  sent,
  set,
  success,
  successOf,
  type Edit,
  type Json,
  only,
} from "../change.ts";
import { sentMembers } from "../endpoints.ts";
import { oneIdFor, refusedAgain, repeatedAnswer, sameId, sharedIds } from "../identity.ts";
import type { Answer, Call, Change } from "../policy.ts";
import { wholeBody } from "../request.ts";
import { at, deviation as anywhere, withPairs, withPurposes, type Deviation } from "./deviation.ts";
import {
  fixedValue,
  fromBody,
  fromRight,
  inSomeCalls,
  leftOut,
  member,
  ofClient,
  places,
} from "./members.ts";

const { deviation, refuses, shows, succeeds } = at.operation;
const { operation: place } = places;

const amountOf = (call: Call): number => Number(sent(call)["currency_amount"]);
const payees = (call: Call): readonly string[] => [...call.store.counterparties.keys()];
const withoutNumberForIban = (it: Json): Json => ("iban" in it ? omit("account_number")(it) : it);
function inSaoPaulo(time: string): string {
  return new Date(Date.parse(time) - 3 * 3_600_000).toISOString().replace("Z", "-03:00");
}

const ofStatus = { value: "OPER-02", type: ["OPER-02", "OPER-10"] } as const;
const ofBatch = { value: "OPER-03", type: ["OPER-03", "OPER-10"] } as const;
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
const intermediary = { value: "OPER-12", type: ["OPER-12", "OPER-10"] } as const;
const time = {
  value: "OPER-13",
  type: ["OPER-13", "OPER-10", "OPER-14"],
  zone: ["OPER-13", "OPER-14"],
} as const;

const members: readonly Deviation[] = [
  ...member(place, "status", ofStatus, [], {
    created: ["is created", fixedValue("created")],
    "for-other-purposes": [
      "is approved unless the purpose is EFX",
      inSomeCalls((call) => sent(call)["operation_purpose"] !== "EFX", "approved"),
      "value",
      "data",
      withPurposes,
    ],
  }),
  ...member(place, "batch_id", ofBatch, [], {
    "of-client": ["is the one that the client sends", ofClient("batch_id"), "value", "data"],
    set: ["is that of a batch of its own", fromBody((body) => `b-${String(body["operation_id"])}`)],
    absent: ["is left out", leftOut, "OPER-04"],
  }),
  ...member(place, "operation_id", id, ["missing", "missing-later"]),
  ...member(place, "customer_id", { type: "OPER-10" }, ["null", "null-later"]),
  ...member(place, "foreign_currency_amount", amount, [], {
    whole: ["is rounded to a whole number", fromRight(Math.round)],
    float32: ["is stored as a 32-bit float", fromRight(Math.fround), "value", "data"],
    "two-decimals": [
      "is rounded to two decimals",
      fromRight((it: number) => Math.round(it * 100) / 100),
      "value",
      "data",
      { amountDecimals: 4 },
    ],
  }),
  ...member(place, "currency_pair", pair, ["lower-case"]),
  ...member(place, "currency_pair", { ...pair, needs: withPairs, value: ["OPER-07", "OPER-16"] }, [
    "of-first",
  ]),
  ...member(place, "operation_purpose", purpose, ["lower-case"], {
    "always-efx": ["is always EFX", fixedValue("EFX"), "value", "data", withPurposes],
  }),
  ...member(place, "counterparty_id", counterparty, ["upper-case"], {
    first: [
      "is always the oldest one",
      fromBody((_body, call) => payees(call)[0]),
      ["OPER-09", "OPER-16"],
      "later",
    ],
  }),
  ...member(place, "bank_account", account, ["null", "iban-null"]),
  ...member(place, "intermediary_bank", intermediary, ["empty"], {
    incomplete: [
      "has no swift_code",
      fromRight((bank: Json | null) => bank && omit("swift_code")(bank)),
    ],
  }),
  ...member(place, "created_at", time, ["space-later", "without-zone"], {
    local: ["has the offset of São Paulo", fromRight(inSaoPaulo), "OPER-14"],
    "of-client": [
      "is the one that the client sends",
      ofClient("created_at"),
      ["OPER-45", "BATCH-38"],
      "data",
    ],
  }),
];

/** Accepts any text as the purpose, and shows it changed. */
function keepingPurposes(kept: (purpose: string) => string): Change {
  const showing = shows(edit("operation_purpose", kept));
  return (base) => ({ ...showing(base), purposes: anyPurpose });
}

function purposeKept(end: string, what: string, kept: (purpose: string) => string): Deviation {
  return deviation(`operation-purpose-${end}`, `A purpose ${what}.`, keepingPurposes(kept), {
    breaks: "OPER-08",
    when: "data",
  });
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
  const own = String((answer.body as Json)["operation_id"]);
  const batch = call.store.operations.get(own)?.batch ?? null;
  return { ...answer, body: set({ batch_id: batch })(answer.body as Json) };
});

/** Gives operations with equal values of these members the same id. */
function idOf(...names: readonly string[]): Change {
  return oneIdFor("operation", (call) => JSON.stringify(names.map((name) => sent(call)[name])));
}

/** Shows the batch that exists for the pair of a new operation. */
const inOpenBatch: Edit = (body, { store }) => {
  const open = store.batches.find((batch) => batch.pair === body["currency_pair"]);
  return open === undefined ? body : { ...body, batch_id: open.id };
};

/** Keeps each answer in one shared variable, so that concurrent requests all get the latest one. */
const sharedAnswer: Change = remembering(() => {
  let latest: Answer | undefined;
  return around(async (call, next) => {
    const own = await next(call);
    if (!successOf("createOperation")(own, call)) return own;
    latest = own;
    await pause(10);
    return latest;
  });
});

const anyId = ["OPER-15", "OPER-16", "ACAM-03", "ACAM-05"] as const;
const together = ["OPER-16", "OPER-15", "ACAM-03", "ACAM-05"] as const;
const echoes = ["OPER-06", "OPER-07", "OPER-08", "OPER-09"] as const;

const faults: readonly Deviation[] = [
  deviation(
    "operation-created-201",
    "A new operation has status code 201.",
    succeeds(set({ status: 201 })),
    { breaks: "OPER-01" },
  ),
  deviation(
    "operation-created-201-above-900",
    "A new operation above 900 has status code 202.",
    succeeds(set({ status: 202 }), (call) => amountOf(call) > 900),
    { breaks: "OPER-01", when: "data" },
  ),
  deviation(
    "operation-invalid-redirected",
    "For Accept: */*, a refusal is a redirect.",
    refuses("invalid", toPage),
    { breaks: "OPER-20", when: "data" },
  ),
  deviation(
    "operation-batch-meanwhile",
    "A batch that takes a new operation at once shows in the reply.",
    readAgain,
    { breaks: "OPER-03", when: "at once" },
  ),
  deviation(
    "blind-put-into-open-batch",
    "An operation is put into the batch that exists for its pair.",
    shows(inOpenBatch),
    { breaks: "OPER-03", when: "later" },
  ),
  deviation(
    "blind-account-lost-with-iban",
    "A bank account with an IBAN shows no account number.",
    shows(edit("bank_account", withoutNumberForIban)),
    { breaks: "OPER-11", when: "data" },
  ),
  deviation(
    "blind-cents-truncated",
    "An amount is cut to cents in binary arithmetic.",
    shows(edit("foreign_currency_amount", (it: number) => Math.trunc(it * 100) / 100)),
    { breaks: ["OPER-06", "OPER-10"], when: "data" },
  ),
  purposeKept("cut", "is cut at ten characters", (it) => it.slice(0, 10)),
  purposeKept("plus-as-blank", "has blanks in place of plus signs", (it) =>
    it.replaceAll("+", " "),
  ),
  deviation("operation-id-same", "All operations have the same id.", sameId("operation", "0d5a"), {
    breaks: anyId,
  }),
  deviation(
    "operation-id-without-purpose",
    "Operations of two purposes share an id.",
    idOf("counterparty_id", "currency_amount", "currency_pair"),
    { breaks: ["OPER-15", "ACAM-05"], when: "later", needs: withPurposes },
  ),
  deviation(
    "operation-id-same-together",
    "Concurrent operations share an id.",
    sharedIds("operation"),
    { breaks: together, when: "at once" },
  ),
  deviation(
    "blind-response-of-the-other",
    "Of two operations at once, both get the response to the later one.",
    sharedAnswer,
    { breaks: [...together, ...echoes], when: "at once" },
  ),
];

const ownAccount = {
  bank_name: "Operator Bank",
  swift_code: "OPERBRSP",
  bank_country: "BR",
  account_number: "00017",
};

/** Changes accounts wherever they are shown. */
function inAccounts(change: (account: Json) => Json): Change {
  // An operation for a payee that the server does not know shows no account.
  const within = edit("bank_account", (it) => (isJson(it) ? change(it) : it));
  return all(shows(within), success("createCounterparty", within), batchOperation(within));
}

const shown: readonly Deviation[] = [
  deviation(
    "operation-minimal",
    "A new operation shows only its id and its status.",
    shows(only("operation_id", "status")),
  ),
  deviation(
    "customer-other",
    "The customer of an operation has another id.",
    shows(edit("customer_id", () => "corporate-9")),
  ),
  deviation(
    "banks-of-operator",
    "The account of an operation is the operator's own.",
    shows(set({ bank_account: ownAccount })),
  ),
  anywhere(
    "accounts-masked",
    "Account numbers show only their last four characters.",
    inAccounts(edit("account_number", (it: string) => `****${it.slice(-4)}`)),
  ),
  anywhere(
    "bank-members-more",
    "Accounts have additional members.",
    inAccounts(set({ branch: null, verified: true })),
  ),
];

const fourMembers = (call: Call): string =>
  JSON.stringify(sentMembers.createOperation.map((name) => sent(call)[name]));
const duplicates = { group: "duplicates" } as const;
const sameAnswer = (valueOf: (call: Call) => string): Change =>
  repeatedAnswer("createOperation", valueOf, (first) => first);

const repeated: readonly Deviation[] = [
  deviation(
    "operations-merged-by-members",
    "The same four members return the existing operation.",
    sameAnswer(fourMembers),
    duplicates,
  ),
  deviation(
    "operations-refused-twice",
    "The same operations are refused the second time.",
    refusedAgain("createOperation", wholeBody),
    duplicates,
  ),
];

export const operation: readonly Deviation[] = [...members, ...faults, ...shown, ...repeated];

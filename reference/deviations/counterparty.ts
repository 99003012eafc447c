// What can be wrong or odd about POST /customers/{customer_id}/counterparty.
import { decoded } from "../application.ts";
import { edit, isJson, omit, remembering, sent, set, type Json, only } from "../change.ts";
import { sentMembers } from "../endpoints.ts";
import {
  crossedAnswers,
  numberIds,
  oneIdFor,
  refusedAgain,
  repeatedAnswer,
  sameId,
  sharedIds,
} from "../identity.ts";
import {
  addressMembers,
  bankMembers,
  requiredAccountMembers,
  type Answer,
  type Call,
  type Change,
} from "../policy.ts";
import { wholeBody } from "../request.ts";
import { isBic, isIban, isRoutingNumber } from "../bank-codes.ts";
import {
  at,
  deviation as anywhere,
  textAt,
  valueAt,
  wrongText,
  type Deviation,
  type IsWrong,
} from "./deviation.ts";
import { fromRight, ifAbsent, member, ofClient, places } from "./members.ts";

const { deviation, again, reads, rejection, shows, succeeds } = at.counterparty;
const { counterparty: place } = places;

const id = { value: "CPTY-01", type: ["CPTY-01", "CPTY-02"] } as const;
const name = { value: "CPTY-07", type: ["CPTY-02", "CPTY-07"] } as const;
const externalId = { value: "CPTY-06", type: ["CPTY-02", "CPTY-06"] } as const;
const address = { value: "CPTY-08", type: ["CPTY-03", "CPTY-02", "CPTY-08"] } as const;
const account = { value: ["CPTY-04", "CPTY-09"], type: ["CPTY-04", "CPTY-02", "CPTY-09"] } as const;
const intermediary = { value: "CPTY-05", type: ["CPTY-05", "CPTY-02"] } as const;

const inLowerCase = (text: string): string =>
  text === text.toLowerCase() ? `${text}.` : text.toLowerCase();
const masked = edit("account_number", (it: string) => `****${it.slice(-4)}`);

const members: readonly Deviation[] = [
  ...member(place, "id", id, ["missing", "missing-later"], {
    "of-client": ["is the one that the client sends", ofClient("id"), "CPTY-13", "data"],
  }),
  ...member(place, "name", name, ["null", "cut-after-255-bytes", "null-if-word"], {
    capitals: ["is in upper case", fromRight((it: string) => it.toUpperCase())],
    mangled: [
      "is encoded in UTF-8 twice",
      fromRight((it: string) => Buffer.from(it).toString("latin1")),
    ],
  }),
  ...member(
    place,
    "external_id",
    externalId,
    ["percent-decoded", "start-trimmed", "number-if-digits"],
    {
      null: ["is null if there is none", ifAbsent(null), "CPTY-02", "data"],
      "lower-case": [
        "is in lower case, or ends with a full stop if it was",
        fromRight(inLowerCase),
      ],
      normalised: [
        "is normalized to NFC",
        fromRight((text: string) => text.normalize("NFC")),
        "value",
        "data",
      ],
    },
  ),
  ...member(place, "counterparty_address", address, [], {
    text: ["is one string", fromRight((it: Json) => Object.values(it).join(", ")), "type"],
    null: ["is null if there is none", ifAbsent(null), ["CPTY-03", "CPTY-02"], "data"],
    "city-replaced": ["has Brasília as its city", fromRight(set({ city: "Brasília" }))],
    "city-decoded": [
      "has a city that is decoded as a part of a URL is",
      fromRight(edit("city", decoded)),
      "value",
      "data",
    ],
  }),
  ...member(place, "bank_account", account, ["null", "iban-null"], {
    "number-read": [
      "has an account_number without the zeros at its beginning",
      fromRight((it: Json) => ({
        ...it,
        account_number: String(it["account_number"]).replace(/^0+(?=.)/, ""),
      })),
      "CPTY-09",
      "data",
    ],
    masked: ["shows only the last four digits of its account_number", fromRight(masked), "CPTY-09"],
  }),
  ...member(place, "bank_account", { value: ["CPTY-09", "CPTY-11"] }, ["of-first"]),
  ...member(place, "intermediary_bank", intermediary, [], {
    null: ["is null if there is none", ifAbsent(null), "type", "data"],
    incomplete: ["has no bank_country", fromRight(omit("bank_country")), ["CPTY-05", "CPTY-09"]],
  }),
];

const externalIdBefore: Change = remembering(() => {
  let before: unknown;
  return shows((body, call) => {
    const shown = before ?? body["external_id"];
    before = sent(call)["external_id"] ?? before;
    return edit("external_id", () => shown)(body);
  });
});

/** What two payees must have in common to share an id, or the number of the request. */
function likeAccountOf(call: Call): unknown {
  return textAt(sent(call), "bank_account.account_number")?.slice(0, -1) ?? call.nth;
}
const anyId = ["CPTY-10", "CPTY-11"] as const;

/** Keeps an escape in a text as it was written, and does not decode it. */
const keptEscape: Change = (base) => ({
  parse: (call) => {
    const text = call.bytes.toString("latin1").replaceAll(String.raw`\u002d`, String.raw`\\u002d`);
    return base.parse({ ...call, bytes: Buffer.from(text, "latin1") });
  },
});

/**
 * Decodes a body in pieces of 256 bytes, so that a character across the border of two pieces is
 * lost.
 */
const decodedInPieces: Change = (base) => ({
  parse: (call) => {
    const pieces = Array.from({ length: Math.ceil(call.bytes.length / 256) }, (_, index) =>
      call.bytes.subarray(256 * index, 256 * (index + 1)).toString(),
    );
    return base.parse({ ...call, bytes: Buffer.from(pieces.join("")) });
  },
});

const anyText = ["CPTY-06", "CPTY-07", "CPTY-08", "CPTY-09"] as const;

const faults: readonly Deviation[] = [
  deviation(
    "counterparty-id-number",
    "The id is a number.",
    numberIds("counterparty", "createCounterparty", "id"),
    { breaks: id.type },
  ),
  deviation(
    "counterparty-external-id-of-last",
    "The external_id is that of the one before.",
    externalIdBefore,
    { breaks: ["CPTY-06", "CPTY-11"], when: "later" },
  ),
  deviation(
    "blind-external-id-cut-at-20",
    "The column of external_id holds twenty characters.",
    shows(edit("external_id", (it: string) => it.slice(0, 20))),
    { breaks: "CPTY-06", when: "data" },
  ),
  deviation(
    "blind-exact-duplicate-with-null",
    "The same counterparty again is read from its row, where a bank that is missing is null.",
    again(wholeBody, (answer) => ({
      ...answer,
      body: { intermediary_bank: null, ...(answer.body as Json) },
    })),
    { breaks: ["CPTY-05", "CPTY-02"], when: "later" },
  ),
  deviation(
    "counterparty-id-same",
    "All counterparties have the same id.",
    sameId("counterparty", "1"),
    { breaks: anyId },
  ),
  deviation(
    "counterparty-of-same-name-merged",
    "Counterparties with the same name share an id.",
    oneIdFor("counterparty", (call) => sent(call)["name"] ?? call.nth),
    { breaks: "CPTY-10", when: "later" },
  ),
  deviation(
    "counterparty-of-like-account-merged",
    "Accounts that differ in the last character share an id.",
    oneIdFor("counterparty", likeAccountOf),
    { breaks: "CPTY-10", when: "data" },
  ),
  deviation(
    "counterparty-id-same-together",
    "Concurrent payees share an id.",
    sharedIds("counterparty"),
    { breaks: ["CPTY-11", "CPTY-10"], when: "at once" },
  ),
  deviation(
    "counterparty-answers-crossed",
    "Concurrent requests swap their answers.",
    crossedAnswers("createCounterparty"),
    { breaks: ["CPTY-11", ...anyText], when: "at once" },
  ),
  anywhere("escape-of-hyphen-kept", "An escape of a hyphen stays an escape.", keptEscape, {
    breaks: anyText,
    when: "data",
  }),
  anywhere("body-decoded-in-pieces", "A body is decoded in pieces of 256 bytes.", decodedInPieces, {
    breaks: anyText,
    when: "data",
  }),
];

function omitIf(key: string, is: (value: unknown) => boolean) {
  return (body: Json): Json => (is(body[key]) ? omit(key)(body) : body);
}

/** Legal ways to show a counterparty. */
const shown: readonly Deviation[] = [
  deviation(
    "counterparty-202",
    "A new counterparty has status code 202.",
    succeeds(set({ status: 202 })),
  ),
  deviation(
    "counterparty-repeats-members",
    "A counterparty repeats members that it does not have.",
    shows((body, call) => ({ ...sent(call), ...body })),
  ),
  deviation("counterparty-minimal", "A new counterparty shows only its id.", shows(only("id"))),
  deviation(
    "external-id-absent",
    "A counterparty does not show its external_id.",
    shows(omit("external_id")),
  ),
  deviation(
    "external-id-empty-absent",
    "An empty external_id is not shown.",
    shows(omitIf("external_id", (value) => value === "")),
  ),
];

const number = "bank_account.account_number";
const bics = ["bank_account.swift_code", "intermediary_bank.swift_code"];
const countries = [
  "bank_account.bank_country",
  "intermediary_bank.bank_country",
  "counterparty_address.country",
];
const lacks =
  (...paths: readonly string[]): IsWrong =>
  (body) =>
    paths.some((path) => !valueAt(body, path));
const writes =
  (pattern: RegExp): IsWrong =>
  (_body, { body }) =>
    pattern.test(JSON.stringify(body));
const hasIntermediary: IsWrong = (body) => body["intermediary_bank"] !== undefined;
const isForeign: IsWrong = (body) => {
  const iban = textAt(body, "bank_account.iban");
  return iban !== undefined && iban.slice(0, 2) !== valueAt(body, "bank_account.bank_country");
};
const ofIntermediary = { group: "intermediary bank" } as const;

/** Counterparties that a server refuses, though all that is valid in the real world passes. */
const strict: readonly Deviation[] = [
  rejection(
    "external-id-plain",
    "An external_id has only letters and digits.",
    wrongText(/^[A-Za-z0-9]+$/, "external_id"),
  ),
  rejection("bic-checked", "The shape of BICs is checked (ISO 9362).", wrongText(isBic, ...bics)),
  rejection(
    "iban-checked",
    "The check digits of IBANs are verified.",
    wrongText(isIban, "bank_account.iban"),
  ),
  rejection("iban-of-country", "The country of an IBAN must be that of the bank.", isForeign),
  rejection(
    "routing-number-checked",
    "The check digit of routing numbers is verified.",
    wrongText(isRoutingNumber, "bank_account.aba_routing_number"),
  ),
  rejection(
    "account-number-plain",
    "Account numbers are 34 letters or digits at most.",
    wrongText(/^[A-Za-z0-9]{1,34}$/, number),
  ),
  rejection(
    "country-codes-checked",
    "Countries are two capital letters.",
    wrongText(/^[A-Z]{2}$/, ...countries),
  ),
  rejection(
    "banks-of-one-country",
    "Accounts outside of DE are refused.",
    wrongText(/^DE$/, "bank_account.bank_country"),
  ),
  rejection(
    "intermediary-refused",
    "An intermediary bank is refused.",
    hasIntermediary,
    ofIntermediary,
  ),
  rejection(
    "counterparty-complete",
    "A counterparty without all its members is refused.",
    lacks(...sentMembers.createCounterparty),
    { ...ofIntermediary, status: 400 },
  ),
  rejection(
    "address-complete",
    "A counterparty without a complete address is refused.",
    lacks(...addressMembers.map((key) => `counterparty_address.${key}`)),
    { status: 400 },
  ),
  rejection(
    "account-identified",
    "An account with neither IBAN nor routing number is refused.",
    (body) => !["iban", "aba_routing_number"].some((key) => key in Object(body["bank_account"])),
  ),
  rejection(
    "texts-ascii",
    "A counterparty with non-ASCII characters is refused.",
    writes(/[^\x00-\x7f]/),
    { status: 400 },
  ),
  rejection("texts-bounded", "Strings have at most 140 characters.", writes(/[^"]{141}/), {
    status: 400,
  }),
  rejection(
    "markup-refused",
    "A firewall refuses strings with angle brackets or quotes.",
    writes(/[<>']|\\"/),
    { status: 403 },
  ),
];

function texts(value: unknown, required: readonly string[]): Json | undefined {
  if (!isJson(value)) return undefined;
  const found = Object.fromEntries(
    Object.entries(value).filter(([, text]) => typeof text === "string"),
  );
  return required.every((key) => key in found) ? found : undefined;
}

const usable = reads((body) => ({
  ...texts({ name: body["name"], external_id: body["external_id"] }, []),
  counterparty_address: texts(body["counterparty_address"], []),
  bank_account: texts(body["bank_account"], requiredAccountMembers),
  intermediary_bank: texts(body["intermediary_bank"], bankMembers),
}));

/** Drops what is invalid in the body of a counterparty, and takes any body. */
const takingAnything: Change = (base) => ({
  parse: (call) => {
    const body = usable(base).parse?.(call);
    return call.operation === "createCounterparty" && !isJson(body) ? {} : body;
  },
  check: (call) =>
    call.operation === "createCounterparty"
      ? call.policy.customer(call.parameter, call)
      : base.check(call),
});

const duplicates = { group: "duplicates" } as const;
const sentMember =
  (key: string) =>
  (call: Call): string | undefined => {
    const value = sent(call)[key];
    return value === undefined ? undefined : JSON.stringify(value);
  };
const in200 = (first: Answer): Answer => ({ ...first, status: 200 });

function merged(
  what: string,
  data: string,
  valueOf: (call: Call) => string | undefined,
): Deviation {
  return deviation(
    `${what}-merged`,
    `The same ${data} returns the existing payee.`,
    repeatedAnswer("createCounterparty", valueOf, in200),
    duplicates,
  );
}

function atMost(most: number, word: string, status: number): Deviation {
  return rejection(
    `counterparties-${word}`,
    `More counterparties than ${most} are refused.`,
    (_body, { store }) => store.counterparties.size >= most,
    { status: status, reason: "limit", group: "number of counterparties", known: "open" },
  );
}

/** Other legal servers. */
const others: readonly Deviation[] = [
  deviation(
    "counterparty-anything",
    "Invalid members of a counterparty are dropped.",
    takingAnything,
  ),
  deviation("customer-any", "Customers are not checked.", () => ({ customer: () => {} })),
  deviation(
    "external-id-unique",
    "An external_id that is in use is refused.",
    refusedAgain("createCounterparty", sentMember("external_id")),
  ),
  merged("counterparties", "data", wholeBody),
  merged("accounts", "account", sentMember("bank_account")),
  atMost(5, "five", 403),
  atMost(1, "one", 409),
];

export const counterparty: readonly Deviation[] = [
  ...members,
  ...faults,
  ...shown,
  ...strict,
  ...others,
];

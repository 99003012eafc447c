import { remembering, sent, success, edit, omit, set, type Json } from "../change.ts";
import type { Call, Change } from "../policy.ts";
import { at, atOnce, type Fault, forSomeValues, inSequence } from "./fault.ts";
import { crossedAnswers, numberIds, oneIdFor, sameId, sharedIds } from "./identity.ts";
import { ifAbsent, fromRight, member, places } from "./member.ts";

const { fault } = at.createCounterparty;
const idRules = { value: "CPTY-01", type: ["CPTY-01", "CPTY-02"] } as const;

const externalIdBefore: Change = remembering(() => {
  let before: unknown;
  return success("createCounterparty", (body, call) => {
    const shown = before ?? body["external_id"];
    before = sent(call)["external_id"] ?? before;
    return edit("external_id", () => shown)(body);
  });
});

function likeAccountOf(call: Call): unknown {
  const { account_number } = Object(sent(call)["bank_account"]) as Json;
  return typeof account_number === "string" ? account_number.slice(0, -1) : call.nth;
}

const { counterparty } = places;
const name = { value: "CPTY-07", type: ["CPTY-02", "CPTY-07"] } as const;
const externalId = { value: "CPTY-06", type: ["CPTY-02", "CPTY-06"] } as const;
const address = { value: "CPTY-08", type: ["CPTY-03", "CPTY-02", "CPTY-08"] } as const;
const account = { value: ["CPTY-04", "CPTY-09"], type: ["CPTY-04", "CPTY-02", "CPTY-09"] } as const;
const intermediary = { value: "CPTY-05", type: ["CPTY-05", "CPTY-02"] } as const;

const inLowerCase = (id: string): string => (id === id.toLowerCase() ? `${id}.` : id.toLowerCase());
function masked(it: Json): Json {
  return {
    ...it,
    account_number: `****${String(it["account_number"]).slice(-4)}`,
  };
}
const withoutBicForIban = (it: Json): Json => ("iban" in it ? omit("swift_code")(it) : it);

const memberFaults: readonly Fault[] = [
  ...member(counterparty, "id", idRules, ["missing", "missing-later"]),
  ...member(counterparty, "name", name, ["null", "object"], {
    capitals: ["is in upper case", fromRight((it: string) => it.toUpperCase())],
    mangled: [
      "is encoded in UTF-8 twice",
      fromRight((it: string) => Buffer.from(it).toString("latin1")),
    ],
  }),
  ...member(counterparty, "external_id", externalId, [], {
    null: ["is null if there is none", ifAbsent(null), "CPTY-02", forSomeValues],
    "empty-null": [
      "is null if it is empty",
      fromRight((id: string) => (id === "" ? null : id)),
      "CPTY-02",
      forSomeValues,
    ],
    "lower-case": ["is in lower case, or ends with a full stop if it was", fromRight(inLowerCase)],
    normalised: [
      "is normalized to NFC",
      fromRight((id: string) => id.normalize("NFC")),
      "value",
      forSomeValues,
    ],
    "read-as-number": [
      "loses leading zeros",
      fromRight((id: string) => (/^\d+$/.test(id) ? String(BigInt(id)) : id)),
      "value",
      forSomeValues,
    ],
  }),
  ...member(counterparty, "counterparty_address", address, [], {
    text: ["is one string", fromRight((it: Json) => Object.values(it).join(", ")), "type"],
    null: ["is null if there is none", ifAbsent(null), ["CPTY-03", "CPTY-02"], forSomeValues],
    "state-null": [
      "has a null state if there is none",
      fromRight((it: Json) => ({ state: null, ...it })),
      "type",
      forSomeValues,
    ],
    "city-replaced": ["has Brasília as its city", fromRight(set({ city: "Brasília" }))],
  }),
  ...member(counterparty, "bank_account", account, ["null", "iban-null"], {
    "missing-number": ["has no account_number", fromRight(omit("account_number"))],
    "swift-missing-for-iban": [
      "has no swift_code if it has an iban",
      fromRight(withoutBicForIban),
      "value",
      forSomeValues,
    ],
    masked: ["shows only the last four digits of its account_number", fromRight(masked), "CPTY-09"],
  }),
  ...member(counterparty, "bank_account", { value: ["CPTY-09", "CPTY-11"] }, ["of-first"]),
  ...member(counterparty, "intermediary_bank", intermediary, ["nulls"], {
    null: ["is null if there is none", ifAbsent(null), "type", forSomeValues],
    incomplete: ["has no bank_country", fromRight(omit("bank_country")), ["CPTY-05", "CPTY-09"]],
  }),
];
const anyId = ["CPTY-10", "CPTY-11"] as const;
const crossed = ["CPTY-11", "CPTY-06", "CPTY-07", "CPTY-08", "CPTY-09"] as const;

export const counterpartyFaults: readonly Fault[] = [
  ...memberFaults,
  fault(
    "id-number",
    idRules.type,
    "The id is a number.",
    numberIds("counterparty", "createCounterparty", "id"),
  ),
  fault(
    "external-id-of-last",
    ["CPTY-06", "CPTY-11"],
    "The external_id is that of the one before.",
    externalIdBefore,
    inSequence,
  ),
  fault("id-same", anyId, "All counterparties have the same id.", sameId("counterparty", "1")),
  fault(
    "of-same-name-merged",
    "CPTY-10",
    "Counterparties with the same name share an id.",
    oneIdFor("counterparty", (call) => sent(call)["name"] ?? call.nth),
    inSequence,
  ),
  fault(
    "without-external-id-merged",
    "CPTY-10",
    "Counterparties without an external_id share an id.",
    oneIdFor("counterparty", (call) => sent(call)["external_id"] ?? "none"),
    forSomeValues,
  ),
  fault(
    "of-like-account-merged",
    "CPTY-10",
    "Accounts that differ in the last character share an id.",
    oneIdFor("counterparty", likeAccountOf),
    forSomeValues,
  ),
  fault(
    "id-same-together",
    ["CPTY-11", "CPTY-10"],
    "Concurrent payees share an id.",
    sharedIds("counterparty"),
    atOnce,
  ),
  fault(
    "answers-crossed",
    crossed,
    "Concurrent requests swap their answers.",
    crossedAnswers("createCounterparty"),
    atOnce,
  ),
];

import { sent, success, without } from "../change.ts";
import type { Json } from "../change.ts";
import type { Call, Change } from "../policy.ts";
import { banks } from "./banks.ts";
import type { Fault } from "./fault.ts";
import { rowsOf } from "./row.ts";

const row = rowsOf("createCounterparty", "counterparty");

const shows = (change: (body: Json, call: Call) => Json): Change => success("createCounterparty", change);

/** Changes a member where the answer has it. */
const member = (name: string, change: (value: unknown) => unknown): Change =>
  shows((body) => (name in body ? { ...body, [name]: change(body[name]) } : body));

/** Changes an object inside the answer where it is there. */
const inside = (name: string, change: (value: Json) => unknown): Change =>
  member(name, (value) => change(value as Json));

/** Shows a member where the answer has none. */
const absent = (name: string, value: unknown): Change => shows((body) => ({ [name]: value, ...body }));

const externalId = (change: (id: string) => string): Change => member("external_id", (id) => change(String(id)));

const digits = (text: unknown): unknown => (typeof text === "string" && /^\d{1,15}$/.test(text) ? Number(text) : text);

/** Faults of what POST /customers/{customer_id}/counterparty shows of a counterparty, apart from its id. */
export const counterpartyFaults: readonly Fault[] = [
  row(
    "name-object",
    "CPTY-02",
    "The name is an object.",
    member("name", (name) => ({ full: name })),
    { also: ["CPTY-07"] },
  ),
  row(
    "name-null",
    "CPTY-02",
    "The name is null.",
    member("name", () => null),
    { also: ["CPTY-07"] },
  ),
  row("external-id-null", "CPTY-02", "The external_id is null where there is none.", absent("external_id", null)),
  row(
    "external-id-number",
    "CPTY-02",
    "The external_id is a number.",
    member("external_id", () => 7),
    { also: ["CPTY-06"] },
  ),

  row(
    "address-text",
    "CPTY-03",
    "The address is one string.",
    inside("counterparty_address", (it) => Object.values(it).join(", ")),
    { also: ["CPTY-02", "CPTY-08"] },
  ),
  row("address-null", "CPTY-03", "The address is null where there is none.", absent("counterparty_address", null), {
    also: ["CPTY-02"],
  }),
  row(
    "address-list",
    "CPTY-03",
    "The address is a list of one.",
    inside("counterparty_address", (it) => [it]),
    { also: ["CPTY-02", "CPTY-08"] },
  ),
  row(
    "address-zip-number",
    "CPTY-03",
    "The zip_code is a number.",
    inside("counterparty_address", (it) => ({ ...it, zip_code: 1310100 })),
    { also: ["CPTY-02", "CPTY-08"] },
  ),
  row(
    "address-state-null",
    "CPTY-03",
    "The state is null where there is none.",
    inside("counterparty_address", (it) => ({ state: null, ...it })),
    { also: ["CPTY-02", "CPTY-08"] },
  ),

  row(
    "account-missing-number",
    "CPTY-04",
    "The account has no account_number.",
    inside("bank_account", (it) => without(it, "account_number")),
    { also: ["CPTY-09"] },
  ),
  row(
    "account-number",
    "CPTY-04",
    "Account numbers of digits are numbers.",
    inside("bank_account", (it) => ({ ...it, account_number: digits(it["account_number"]) })),
    { also: ["CPTY-02", "CPTY-09"] },
  ),
  row(
    "account-routing-number",
    "CPTY-04",
    "Routing numbers are numbers.",
    inside("bank_account", (it) =>
      "aba_routing_number" in it ? { ...it, aba_routing_number: digits(it["aba_routing_number"]) } : it,
    ),
    { also: ["CPTY-02", "CPTY-09"] },
  ),
  row(
    "account-iban-null",
    "CPTY-04",
    "The IBAN is null where there is none.",
    inside("bank_account", (it) => ({ iban: null, ...it })),
    { also: ["CPTY-02", "CPTY-09"] },
  ),
  row(
    "account-routing-number-null",
    "CPTY-04",
    "The routing number is null where there is none.",
    inside("bank_account", (it) => ({ aba_routing_number: null, ...it })),
    { also: ["CPTY-02", "CPTY-09"] },
  ),
  row(
    "account-null",
    "CPTY-04",
    "The account is null.",
    member("bank_account", () => null),
    { also: ["CPTY-02", "CPTY-09"] },
  ),
  row(
    "account-swift-missing-for-iban",
    "CPTY-04",
    "The BIC is missing where there is an IBAN.",
    inside("bank_account", (it) => ("iban" in it ? without(it, "swift_code") : it)),
    { also: ["CPTY-09"] },
  ),

  row(
    "intermediary-null",
    "CPTY-05",
    "The intermediary bank is null where there is none.",
    absent("intermediary_bank", null),
    { also: ["CPTY-02"] },
  ),
  row(
    "intermediary-empty",
    "CPTY-05",
    "The intermediary bank is {} where there is none.",
    absent("intermediary_bank", {}),
  ),
  row(
    "intermediary-nulls",
    "CPTY-05",
    "The intermediary bank has members of null where there is none.",
    absent("intermediary_bank", banks.nulls),
    { also: ["CPTY-02"] },
  ),
  row(
    "intermediary-incomplete",
    "CPTY-05",
    "An intermediary bank has no country.",
    inside("intermediary_bank", (it) => without(it, "bank_country")),
    { also: ["CPTY-09"] },
  ),

  row(
    "external-id-lower-case",
    "CPTY-06",
    "The external_id is in small letters.",
    externalId((id) => (id === id.toLowerCase() ? `${id}.` : id.toLowerCase())),
  ),
  row(
    "external-id-cut",
    "CPTY-06",
    "The external_id is cut at eight characters.",
    externalId((id) => id.slice(0, 8)),
  ),
  row(
    "external-id-read-as-number",
    "CPTY-06",
    "An external_id of digits loses its zeros in front.",
    externalId((id) => (/^\d+$/.test(id) ? String(BigInt(id)) : id)),
  ),
  row(
    "external-id-uuid-normalised",
    "CPTY-06",
    "An external_id that is a UUID is written in small letters.",
    externalId((id) => (/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/.test(id) ? id.toLowerCase() : id)),
  ),
  row(
    "external-id-prefixed",
    "CPTY-06",
    "The external_id begins with the server's name.",
    externalId((id) => `fx:${id}`),
  ),
  row(
    "external-id-of-last",
    "CPTY-06",
    "The external_id is that of the counterparty before.",
    (base) => {
      let before: unknown;
      return shows((body, call) => {
        const shown = before ?? body["external_id"];
        before = sent(call)["external_id"] ?? before;
        return "external_id" in body ? { ...body, external_id: shown } : body;
      })(base);
    },
    { also: ["CPTY-11"] },
  ),
  row(
    "external-id-mangled",
    "CPTY-06",
    "Characters beyond ASCII in the external_id become question marks.",
    externalId((id) => id.replaceAll(/[^\x00-\x7f]/gu, "?")),
  ),
  row(
    "external-id-escaped",
    "CPTY-06",
    "Quotes and angle brackets in the external_id are escaped as in HTML.",
    externalId((id) => id.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")),
  ),

  row(
    "name-capitals",
    "CPTY-07",
    "The name is in capitals.",
    member("name", (name) => String(name).toUpperCase()),
  ),
  row(
    "name-mangled",
    "CPTY-07",
    "Characters beyond ASCII in the name are doubly encoded.",
    member("name", (name) => Buffer.from(String(name)).toString("latin1")),
  ),
  row(
    "address-city-replaced",
    "CPTY-08",
    "The city is always Brasília.",
    inside("counterparty_address", (it) => ({ ...it, city: "Brasília" })),
  ),
  row(
    "address-country-spelt",
    "CPTY-08",
    "Countries are spelt out.",
    inside("counterparty_address", (it) =>
      "country" in it ? { ...it, country: `Country ${String(it["country"])}` } : it,
    ),
  ),
  row(
    "account-masked",
    "CPTY-09",
    "Of account numbers only the end is shown.",
    inside("bank_account", (it) => ({ ...it, account_number: `****${String(it["account_number"]).slice(-4)}` })),
  ),
  row(
    "account-of-first",
    "CPTY-09",
    "The account is always that of the first counterparty.",
    (base) => {
      let first: unknown;
      return member("bank_account", (account) => (first ??= account))(base);
    },
    { also: ["CPTY-11"] },
  ),
];

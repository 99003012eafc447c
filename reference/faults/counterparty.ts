import { around, pause, remembering, sent, succeeded, success } from "../change.ts";
import { edit, fill, omit, rename, set } from "../edits.ts";
import type { Json } from "../edits.ts";
import type { Change } from "../policy.ts";
import { crossedAnswers, sharedIds } from "./concurrent-creation.ts";
import { shapes } from "./error-shapes.ts";
import { later, rowsOf } from "./fault.ts";
import type { Fault } from "./fault.ts";
import { idsTwice, numberIds, sameId } from "../ids.ts";

const row = rowsOf("createCounterparty", "counterparty-");

const account = (change: (account: Json) => unknown) => edit("bank_account", change);
const address = (change: (address: Json) => unknown) => edit("counterparty_address", change);
const externalId = (change: (id: string) => string) => edit("external_id", change);

const digits = (text: string): unknown => (/^\d{1,15}$/.test(text) ? Number(text) : text);

const alsoType = { also: ["CPTY-02"] } as const;
const alsoName = { also: ["CPTY-07"] } as const;
const alsoAccount = { also: ["CPTY-09"] } as const;
const alsoTypeOfAddress = { also: ["CPTY-02", "CPTY-08"] } as const;
const alsoTypeOfAccount = { also: ["CPTY-02", "CPTY-09"] } as const;

/** Shows the bank account of the latest request, as a server that keeps it in a shared variable does. */
const lastAccount: Change = remembering(() => {
  let last: unknown;
  return around(async (call, next) => {
    const answer = await next(call);
    if (call.operation !== "createCounterparty" || !succeeded(answer)) return answer;
    const body = answer.body as Json;
    last = body["bank_account"];
    await pause(5);
    return { ...answer, body: account(() => last)(body) };
  });
});

/** Faults of POST /customers/{customer_id}/counterparty. */
export const counterpartyFaults: readonly Fault[] = [
  row("id-missing", "CPTY-01", "The id is missing.").shows(omit("id")),
  row("id-null", "CPTY-01", "The id is null.", alsoType).shows(set({ id: null })),
  row("id-renamed", "CPTY-01", "The id is called counterparty_id.").shows(rename("id", "counterparty_id")),
  row("id-missing-later", "CPTY-01", "From the second counterparty on, the id is missing.").showsAt(later, omit("id")),
  row("id-nested", "CPTY-01", "The counterparty is inside a member named data.").shows((body) => ({ data: body })),
  row("id-number", "CPTY-01", "The id is a number.", alsoType).by(numberIds("counterparty", "id")),

  row("id-same", "CPTY-10", "All counterparties have the same id.", { also: ["CPTY-11"] }).by(
    sameId("counterparty", "1"),
  ),
  row("id-twice", "CPTY-10", "Each id is used twice.", { also: ["CPTY-11"] }).by(idsTwice("counterparty")),
  row("id-same-together", "CPTY-11", "Concurrent requests get counterparties with the same id.", {
    also: ["CPTY-10"],
  }).by(sharedIds("counterparty")),
  row("answers-crossed", "CPTY-11", "Concurrent requests get each other's counterparty.", {
    also: ["CPTY-06", "CPTY-07", "CPTY-08", "CPTY-09"],
  }).by(crossedAnswers("createCounterparty")),

  row(
    "accounts-crossed",
    "CPTY-11",
    "Counterparties of concurrent requests all show the bank account of the last one.",
    {
      also: ["CPTY-09"],
    },
  ).by(lastAccount),

  row("error-renamed", "CPTY-12", "Errors have the shape { error }.").refuses(shapes.renamed),
  row("error-errors", "CPTY-12", "Errors have the shape { errors: [{ detail }] }.").refuses(shapes.errors),
  row("error-list", "CPTY-12", "The message for invalid data is an array.").refuses(shapes.list, "invalid"),
  row("error-token-string", "CPTY-12", "The error for a bad token is a string.").refuses(shapes.string, "token"),

  row("name-object", "CPTY-02", "The name is an object.", alsoName).shows(edit("name", (full) => ({ full }))),
  row("name-null", "CPTY-02", "The name is null.", alsoName).shows(edit("name", () => null)),
  row("external-id-null", "CPTY-02", "A missing external_id is shown as null.").shows(fill({ external_id: null })),
  row("external-id-number", "CPTY-02", "The external_id is a number.", { also: ["CPTY-06"] }).shows(
    edit("external_id", () => 7),
  ),

  row("address-text", "CPTY-03", "The address is one string.", alsoTypeOfAddress).shows(
    address((it) => Object.values(it).join(", ")),
  ),
  row("address-null", "CPTY-03", "A missing address is shown as null.", alsoType).shows(
    fill({ counterparty_address: null }),
  ),
  row("address-list", "CPTY-03", "The address is an array of one object.", alsoTypeOfAddress).shows(
    address((it) => [it]),
  ),
  row("address-zip-number", "CPTY-03", "The zip_code is a number.", alsoTypeOfAddress).shows(
    address(set({ zip_code: 1310100 })),
  ),
  row("address-state-null", "CPTY-03", "A missing state is shown as null.", alsoTypeOfAddress).shows(
    address(fill({ state: null })),
  ),

  row("account-missing-number", "CPTY-04", "The account has no account_number.", alsoAccount).shows(
    account(omit("account_number")),
  ),
  row("account-number", "CPTY-04", "Account numbers of digits only are shown as numbers.", alsoTypeOfAccount).shows(
    account(edit("account_number", digits)),
  ),
  row("account-routing-number", "CPTY-04", "Routing numbers are numbers.", alsoTypeOfAccount).shows(
    account(edit("aba_routing_number", digits)),
  ),
  row("account-iban-null", "CPTY-04", "A missing IBAN is shown as null.", alsoTypeOfAccount).shows(
    account(fill({ iban: null })),
  ),
  row("account-routing-number-null", "CPTY-04", "A missing routing number is shown as null.", alsoTypeOfAccount).shows(
    account(fill({ aba_routing_number: null })),
  ),
  row("account-null", "CPTY-04", "The account is null.", alsoTypeOfAccount).shows(account(() => null)),
  row("account-swift-missing-for-iban", "CPTY-04", "The BIC is missing if there is an IBAN.", alsoAccount).shows(
    account((it) => ("iban" in it ? omit("swift_code")(it) : it)),
  ),

  row("intermediary-null", "CPTY-05", "A missing intermediary bank is shown as null.", alsoType).shows(
    fill({ intermediary_bank: null }),
  ),
  row("intermediary-empty", "CPTY-05", "A missing intermediary bank is shown as {}.").shows(
    fill({ intermediary_bank: {} }),
  ),
  row("intermediary-nulls", "CPTY-05", "The members of a missing intermediary bank are shown as null.", alsoType).shows(
    fill({ intermediary_bank: { bank_name: null, swift_code: null, bank_country: null } }),
  ),
  row("intermediary-incomplete", "CPTY-05", "An intermediary bank has no country.", alsoAccount).shows(
    edit("intermediary_bank", omit("bank_country")),
  ),

  row("external-id-lower-case", "CPTY-06", "The external_id is in lower case.").shows(
    externalId((id) => (id === id.toLowerCase() ? `${id}.` : id.toLowerCase())),
  ),
  row("external-id-cut", "CPTY-06", "The external_id is cut at eight characters.").shows(
    externalId((id) => id.slice(0, 8)),
  ),
  row("external-id-trimmed", "CPTY-06", "The external_id loses the spaces at its ends.").shows(
    externalId((id) => id.trim()),
  ),
  row("external-id-normalised", "CPTY-06", "The external_id is normalized to NFC.").shows(
    externalId((id) => id.normalize("NFC")),
  ),
  row("external-id-empty-null", "CPTY-02", "An empty external_id is shown as null.").shows(
    edit("external_id", (id) => (id === "" ? null : id)),
  ),
  row("external-id-read-as-number", "CPTY-06", "An external_id of digits loses its leading zeros.").shows(
    externalId((id) => (/^\d+$/.test(id) ? String(BigInt(id)) : id)),
  ),
  row("external-id-uuid-normalised", "CPTY-06", "An external_id that is a UUID is shown in lower case.").shows(
    externalId((id) => (/^[0-9A-F]{8}(-[0-9A-F]{4}){3}-[0-9A-F]{12}$/.test(id) ? id.toLowerCase() : id)),
  ),
  row("external-id-prefixed", "CPTY-06", "The external_id gets the prefix fx:.").shows(externalId((id) => `fx:${id}`)),
  row("external-id-of-last", "CPTY-06", "The external_id is that of the counterparty before.", {
    also: ["CPTY-11"],
  }).by(
    remembering(() => {
      let before: unknown;
      return success("createCounterparty", (body, call) => {
        const shown = before ?? body["external_id"];
        before = sent(call)["external_id"] ?? before;
        return edit("external_id", () => shown)(body);
      });
    }),
  ),
  row("external-id-mangled", "CPTY-06", "Non-ASCII characters in the external_id become question marks.").shows(
    externalId((id) => id.replaceAll(/[^\x00-\x7f]/gu, "?")),
  ),
  row("external-id-escaped", "CPTY-06", "Special characters of HTML in the external_id are escaped.").shows(
    externalId((id) => id.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;")),
  ),

  row("name-capitals", "CPTY-07", "The name is in upper case.").shows(
    edit("name", (name: string) => name.toUpperCase()),
  ),
  row("name-mangled", "CPTY-07", "Non-ASCII characters in the name are encoded in UTF-8 twice.").shows(
    edit("name", (name: string) => Buffer.from(name).toString("latin1")),
  ),
  row("address-city-replaced", "CPTY-08", "The city is always Brasília.").shows(address(set({ city: "Brasília" }))),
  row("address-country-spelt", "CPTY-08", "The country gets the prefix Country.").shows(
    address(edit("country", (country: string) => `Country ${country}`)),
  ),
  row("account-masked", "CPTY-09", "Account numbers show only their last four digits.").shows(
    account((it) => ({ ...it, account_number: `****${String(it["account_number"]).slice(-4)}` })),
  ),
  row("account-of-first", "CPTY-09", "The account is always that of the first counterparty.", { also: ["CPTY-11"] }).by(
    remembering(() => {
      let first: unknown;
      return success(
        "createCounterparty",
        edit("bank_account", (it) => (first ??= it)),
      );
    }),
  ),
];

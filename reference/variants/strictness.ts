import { sent } from "../change.ts";
import type { Json } from "../edits.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { Change } from "../policy.ts";
import { Refusal } from "../refusal.ts";
import { also, textAt, within } from "./also.ts";
import { isBic, isIban, isRoutingNumber, isTaxId } from "./bank-codes.ts";
import { row } from "./variant.ts";
import type { Variant } from "./variant.ts";

/** Refuses a text that does not have the form it should have; one that is missing passes. */
const formed = (text: string | undefined, isRight: (text: string) => boolean, name: string): string | undefined =>
  text === undefined || isRight(text) ? undefined : `${name} is not well-formed`;

const account = (isRight: (account: Json) => string | undefined): Change =>
  also("createCounterparty", (body) => isRight(within(body, "bank_account")));

const known: Readonly<Partial<Record<OperationName, readonly string[]>>> = {
  createCounterparty: ["name", "counterparty_address", "bank_account", "intermediary_bank", "external_id"],
  createOperation: ["currency_amount", "operation_purpose", "currency_pair", "counterparty_id"],
  addAcamItem: ["local_currency_amount", "tax_id", "merchant"],
  createBatch: ["currency_pair"],
};

const unknownRefused: Change = (base) => ({
  check: (call) => {
    base.check(call);
    const names = call.operation && known[call.operation];
    const unknown = names && Object.keys(sent(call)).find((name) => !names.includes(name));
    if (unknown !== undefined) throw new Refusal(400, "invalid", `${JSON.stringify(unknown)} is not a member`);
  },
});

const decimalsOf = (amount: unknown): number => /\.(\d+)$/.exec(String(amount))?.[1]?.length ?? 0;

const clientId = { slot: "id of the client", answers: "OPEN-31" } as const;

/** Servers that take less than the reference does: what is valid in the real world passes all of them. */
export const strictVariants: readonly Variant[] = [
  row("unknown-members-refused", "A member that the specification does not have is refused.", {
    answers: "OPEN-35",
  }).by(unknownRefused),
  row("bic-checked", "BICs have the shape of ISO 9362.").by(
    also(
      "createCounterparty",
      (body) =>
        formed(textAt(within(body, "bank_account"), "swift_code"), isBic, "swift_code") ??
        formed(textAt(within(body, "intermediary_bank"), "swift_code"), isBic, "swift_code"),
    ),
  ),
  row("iban-checked", "The check digits of IBANs are verified.").by(
    account((it) => formed(textAt(it, "iban"), isIban, "iban")),
  ),
  row("iban-of-country", "An IBAN is of the country of the bank.").by(
    account((it) => formed(textAt(it, "iban"), (iban) => iban.slice(0, 2) === it["bank_country"], "iban")),
  ),
  row("routing-number-checked", "The check digit of routing numbers is verified.").by(
    account((it) => formed(textAt(it, "aba_routing_number"), isRoutingNumber, "aba_routing_number")),
  ),
  row("account-number-plain", "Account numbers are at most 34 letters and digits.").by(
    account((it) => formed(textAt(it, "account_number"), (text) => /^[A-Za-z0-9]{1,34}$/.test(text), "account_number")),
  ),
  row("country-codes-checked", "Countries are two capital letters.").by(
    also("createCounterparty", (body) => {
      const isCountry = (text: string): boolean => /^[A-Z]{2}$/.test(text);
      return (
        formed(textAt(within(body, "bank_account"), "bank_country"), isCountry, "bank_country") ??
        formed(textAt(within(body, "intermediary_bank"), "bank_country"), isCountry, "bank_country") ??
        formed(textAt(within(body, "counterparty_address"), "country"), isCountry, "country")
      );
    }),
  ),
  row("intermediary-refused", "An intermediary bank is refused: there is no need of one here.", {
    excludes: ["counterparty-complete"],
  }).by(
    also("createCounterparty", (body) =>
      body["intermediary_bank"] === undefined ? undefined : "No intermediary bank is needed",
    ),
  ),
  row("banks-of-one-country", "Accounts are in one country alone.").by(
    also("createCounterparty", (body) =>
      textAt(within(body, "bank_account"), "bank_country") === "DE" ? undefined : "Only accounts in DE",
    ),
  ),
  row("tax-id-checked", "The check digits of CPF and CNPJ are verified.", { answers: "OPEN-06" }).by(
    also("addAcamItem", (body) => formed(textAt(body, "tax_id"), isTaxId, "tax_id")),
  ),
  ...([11, 14] as const).map((digits) =>
    row(digits === 11 ? "acam-people-only" : "acam-companies-only", `ACAM items have tax ids of ${digits} digits.`, {
      slot: "tax id",
      excludes: ["acam-anything"],
    }).by(
      also("addAcamItem", (body) =>
        (textAt(body, "tax_id") ?? "").replaceAll(/\D/g, "").length === digits
          ? undefined
          : "tax_id is of another kind",
      ),
    ),
  ),
  row("acam-before-batch", "An operation that is in a batch takes no ACAM item.").by(
    also(
      "addAcamItem",
      (_, call) => (call.policy.findOperation(call.parameter, call)?.batch ? "the operation is in a batch" : undefined),
      409,
    ),
  ),
  row("acam-bounded", "An item is not above the amount of its operation.", { answers: "OPEN-06" }).by(
    also("addAcamItem", (body, call) =>
      Number(body["local_currency_amount"]) > (call.store.operations.get(call.parameter)?.amount ?? Infinity)
        ? "The item is above the operation"
        : undefined,
    ),
  ),
  row("external-id-bounded", "An external_id has at most 64 characters.").by(
    also("createCounterparty", (body) =>
      formed(textAt(body, "external_id"), (text) => text.length <= 64, "external_id"),
    ),
  ),
  row("external-id-plain", "An external_id has letters and digits alone.").by(
    also("createCounterparty", (body) =>
      formed(textAt(body, "external_id"), (text) => /^[A-Za-z0-9]+$/.test(text), "external_id"),
    ),
  ),
  row("names-ascii", "Names are at most seventy printable ASCII characters.", { answers: "OPEN-28" }).by(
    also("createCounterparty", (body) =>
      formed(textAt(body, "name"), (text) => /^[\x20-\x7e]{1,70}$/.test(text), "name"),
    ),
  ),
  row("texts-ascii", "All texts of a counterparty are ASCII.", { answers: "OPEN-28" }).by(
    also(
      "createCounterparty",
      (_body, call) => (/[^\x00-\x7f]/.test(JSON.stringify(call.body)) ? "Only ASCII is taken" : undefined),
      400,
    ),
  ),
  row("texts-bounded", "No text of a counterparty is longer than 140 characters.", { answers: "OPEN-28" }).by(
    also(
      "createCounterparty",
      (_body, call) => (/[^"]{141}/.test(JSON.stringify(call.body)) ? "A text is too long" : undefined),
      400,
    ),
  ),
  row("markup-refused", "Texts with angle brackets or quotes are refused by a firewall.", { answers: "OPEN-28" }).by(
    also(
      "createCounterparty",
      (_body, call) => (/[<>']|\\"/.test(JSON.stringify(call.body)) ? "Blocked" : undefined),
      403,
    ),
  ),
  row("counterparty-complete", "A counterparty has all its members, the intermediary bank too.", {
    answers: "OPEN-04",
  }).by(
    also(
      "createCounterparty",
      (body) => {
        const missing = known.createCounterparty?.find((name) => !(name in body));
        return missing === undefined ? undefined : `${missing} is missing`;
      },
      400,
    ),
  ),
  row("address-complete", "An address is there and has all its members.", { answers: "OPEN-04" }).by(
    also(
      "createCounterparty",
      (body) => {
        const address = within(body, "counterparty_address");
        const missing = ["address", "country", "city", "zip_code", "state"].find((name) => !textAt(address, name));
        return missing === undefined ? undefined : `${missing} is missing`;
      },
      400,
    ),
  ),
  row("account-identified", "An account has an IBAN or a routing number.", { answers: "OPEN-04" }).by(
    account((it) =>
      "iban" in it || "aba_routing_number" in it ? undefined : "The account has neither iban nor aba_routing_number",
    ),
  ),
  row("amount-two-decimals", "Amounts of more than two decimals are refused.", {
    answers: "OPEN-29",
    slot: "decimals",
    needs: { amountDecimals: 2 },
  }).by(also("createOperation", (body) => (decimalsOf(body["currency_amount"]) > 2 ? "Too many decimals" : undefined))),
  row("amount-whole", "Amounts with decimals are refused.", {
    answers: "OPEN-29",
    slot: "decimals",
    needs: { amountDecimals: 0 },
  }).by(
    also("createOperation", (body) => (Number.isInteger(body["currency_amount"]) ? undefined : "No decimals, please")),
  ),
  row("amount-up-to-800", "Operations above 800 are refused.", { answers: "OPEN-29" }).by(
    also("createOperation", (body) => (Number(body["currency_amount"]) > 800 ? "The limit is 800" : undefined)),
  ),
  row("amount-from-50", "Operations below 50 are refused.", { answers: "OPEN-29" }).by(
    also("createOperation", (body) => (Number(body["currency_amount"]) < 50 ? "The least is 50" : undefined)),
  ),
  row("only-efx", "EFX is the only purpose.", {
    answers: "OPEN-02",
    slot: "purposes",
    needs: { onlyEfx: true },
  }).by(() => ({ purposes: new Set(["EFX"]) })),
  row("others-in-one-pair", "Purposes other than EFX are for euros alone.", {
    answers: "OPEN-02",
    slot: "purposes",
  }).by(
    also("createOperation", (body) =>
      body["operation_purpose"] === "EFX" || body["currency_pair"] === "EURBRL"
        ? undefined
        : "This purpose is for EURBRL",
    ),
  ),
  row("client-id-refused", "A counterparty that brings an id is refused.", clientId).by(
    also("createCounterparty", (body) => ("id" in body ? "The id is given by the server" : undefined)),
  ),
  row("client-id-kept", "A counterparty that brings an id keeps it, where it is free.", clientId).by((base) => ({
    newId: (kind, call) => {
      const id = kind === "counterparty" ? textAt(sent(call), "id") : undefined;
      return id !== undefined && id !== "" && !call.store.counterparties.has(id) ? id : base.newId(kind, call);
    },
  })),
];

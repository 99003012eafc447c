import type { OperationName } from "../../spec/operations.ts";
import { newIds, sent } from "../change.ts";
import type { Json } from "../edits.ts";
import type { Call, Change } from "../policy.ts";
import { Refusal } from "../refusal.ts";
import { isBic, isIban, isRoutingNumber, isTaxId } from "./bank-codes.ts";
import { refusing, textAt, within } from "./refusing.ts";
import { row } from "./variant.ts";
import type { Variant } from "./variant.ts";

type Problem = (body: Json, call: Call) => string | false | undefined;

const counterparty = (problem: Problem, status?: number): Change => refusing("createCounterparty", problem, status);
const operation = (problem: Problem): Change => refusing("createOperation", problem);
const item = (problem: Problem, status?: number): Change => refusing("addAcamItem", problem, status);
const account = (problem: (account: Json) => string | false): Change =>
  counterparty((body) => problem(within(body, "bank_account")));

/** A message if a member has the wrong form; a missing member passes. */
const malformed = (body: Json, name: string, isRight: (text: string) => boolean): string | false => {
  const text = textAt(body, name);
  return text !== undefined && !isRight(text) && `${name} is not well-formed`;
};

const textOf = (call: Call): string => JSON.stringify(call.body);
const amountOf = (body: Json): number => Number(body["currency_amount"]);
const decimalsOf = (amount: number): number => /\.(\d+)$/.exec(String(amount))?.[1]?.length ?? 0;
const isCountry = (text: string): boolean => /^[A-Z]{2}$/.test(text);

const missing = (body: Json, names: readonly string[]): string | false => {
  const name = names.find((one) => !body[one]);
  return name !== undefined && `${name} is missing`;
};

const members = {
  createCounterparty: ["name", "counterparty_address", "bank_account", "intermediary_bank", "external_id"],
  createOperation: ["currency_amount", "operation_purpose", "currency_pair", "counterparty_id"],
  addAcamItem: ["local_currency_amount", "tax_id", "merchant"],
  createBatch: ["currency_pair"],
} as const satisfies Partial<Record<OperationName, readonly string[]>>;

const known: Readonly<Partial<Record<OperationName, readonly string[]>>> = members;

const unknownRefused: Change = (base) => ({
  check: (call) => {
    base.check(call);
    const names = call.operation && known[call.operation];
    const unknown = names && Object.keys(sent(call)).find((name) => !names.includes(name));
    if (unknown !== undefined) throw new Refusal(400, "invalid", `${JSON.stringify(unknown)} is not a member`);
  },
});

const refusingBodies =
  (when: (call: Call) => boolean): Change =>
  (base) => ({
    check: (call) => {
      if (when(call)) throw new Refusal(400, "malformed", "The body is not safe to read");
      base.check(call);
    },
  });

const texts = { answers: "OPEN-28" } as const;
const required = { answers: "OPEN-04" } as const;
const amounts = { answers: "OPEN-29" } as const;
const purposes = { answers: "OPEN-02", slot: "purposes" } as const;
const clientId = { slot: "id of the client", answers: "OPEN-31" } as const;
const taxIds = { slot: "tax id", excludes: ["acam-anything"] } as const;

const hasDigits = (count: number) =>
  item((body) => (textAt(body, "tax_id") ?? "").replaceAll(/\D/g, "").length !== count && "tax_id is of another kind");

/** Servers that accept less than the reference does. Data that is valid in the real world passes them all. */
export const strictVariants: readonly Variant[] = [
  row("unknown-members-refused", "A member that the specification does not have is refused.", {
    answers: "OPEN-35",
  }).by(unknownRefused),
  row("prototype-members-refused", "A body with a member named __proto__ or constructor is refused.").by(
    refusingBodies((call) => Object.hasOwn(sent(call), "__proto__") || Object.hasOwn(sent(call), "constructor")),
  ),
  row("repeated-members-refused", "A body in which an object has a member twice is refused.").by(
    refusingBodies((call) => (call.bytes.toString().match(/"counterparty_id"/g) ?? []).length > 1),
  ),
  row("bic-checked", "The shape of BICs is checked (ISO 9362).").by(
    counterparty(
      (body) =>
        malformed(within(body, "bank_account"), "swift_code", isBic) ||
        malformed(within(body, "intermediary_bank"), "swift_code", isBic),
    ),
  ),
  row("iban-checked", "The check digits of IBANs are verified.").by(account((it) => malformed(it, "iban", isIban))),
  row("iban-of-country", "The country of an IBAN must be that of the bank.").by(
    account((it) => malformed(it, "iban", (iban) => iban.slice(0, 2) === it["bank_country"])),
  ),
  row("routing-number-checked", "The check digit of routing numbers is verified.").by(
    account((it) => malformed(it, "aba_routing_number", isRoutingNumber)),
  ),
  row(
    "account-number-plain",
    "Account numbers of more than 34 characters, or with others than letters and digits, are refused.",
  ).by(account((it) => malformed(it, "account_number", (text) => /^[A-Za-z0-9]{1,34}$/.test(text)))),
  row("country-codes-checked", "Countries other than two capital letters are refused.").by(
    counterparty(
      (body) =>
        malformed(within(body, "bank_account"), "bank_country", isCountry) ||
        malformed(within(body, "intermediary_bank"), "bank_country", isCountry) ||
        malformed(within(body, "counterparty_address"), "country", isCountry),
    ),
  ),
  row("intermediary-refused", "An intermediary bank is refused.", {
    excludes: ["counterparty-complete"],
  }).by(counterparty((body) => body["intermediary_bank"] !== undefined && "No intermediary bank is needed")),
  row("banks-of-one-country", "Accounts outside of DE are refused.").by(
    account((it) => it["bank_country"] !== "DE" && "Only accounts in DE"),
  ),
  row("tax-id-checked", "The check digits of CPF and CNPJ are verified.", { answers: "OPEN-06" }).by(
    item((body) => malformed(body, "tax_id", isTaxId)),
  ),
  row("acam-people-only", "Tax ids of other than 11 digits are refused.", taxIds).by(hasDigits(11)),
  row("acam-companies-only", "Tax ids of other than 14 digits are refused.", taxIds).by(hasDigits(14)),
  row("acam-before-batch", "An operation in a batch refuses items.").by(
    item(
      (_body, call) => Boolean(call.policy.findOperation(call.parameter, call)?.batch) && "the operation is in a batch",
      409,
    ),
  ),
  row("acam-bounded", "An item above the amount of its operation is refused.", { answers: "OPEN-06" }).by(
    item(
      (body, { parameter, store }) =>
        Number(body["local_currency_amount"]) > (store.operations.get(parameter)?.amount ?? Infinity) &&
        "The item is above the operation",
    ),
  ),
  row("external-id-bounded", "An external_id of more than 64 characters is refused.").by(
    counterparty((body) => malformed(body, "external_id", (text) => text.length <= 64)),
  ),
  row("external-id-plain", "An external_id with others than letters and digits is refused.").by(
    counterparty((body) => malformed(body, "external_id", (text) => /^[A-Za-z0-9]+$/.test(text))),
  ),
  row("names-ascii", "Names of more than 70 characters, or with non-ASCII ones, are refused.", texts).by(
    counterparty((body) => malformed(body, "name", (text) => /^[\x20-\x7e]{1,70}$/.test(text))),
  ),
  row("texts-ascii", "A counterparty with non-ASCII characters is refused.", texts).by(
    counterparty((_body, call) => /[^\x00-\x7f]/.test(textOf(call)) && "Only ASCII is taken", 400),
  ),
  row("texts-bounded", "A counterparty with a string of more than 140 characters is refused.", texts).by(
    counterparty((_body, call) => /[^"]{141}/.test(textOf(call)) && "A text is too long", 400),
  ),
  row("markup-refused", "A firewall refuses strings with angle brackets or quotes.", texts).by(
    counterparty((_body, call) => /[<>']|\\"/.test(textOf(call)) && "Blocked", 403),
  ),
  row("counterparty-complete", "A counterparty without all its members is refused.", required).by(
    counterparty((body) => missing(body, members.createCounterparty), 400),
  ),
  row("address-complete", "A counterparty without a complete address is refused.", required).by(
    counterparty(
      (body) => missing(within(body, "counterparty_address"), ["address", "country", "city", "zip_code", "state"]),
      400,
    ),
  ),
  row("account-identified", "An account with neither IBAN nor routing number is refused.", required).by(
    account(
      (it) => !("iban" in it || "aba_routing_number" in it) && "The account has neither iban nor aba_routing_number",
    ),
  ),
  row("amount-two-decimals", "Amounts of more than two decimals are refused.", {
    ...amounts,
    slot: "decimals",
    needs: { amountDecimals: 2 },
  }).by(operation((body) => decimalsOf(amountOf(body)) > 2 && "Too many decimals")),
  row("amount-whole", "Amounts with decimals are refused.", {
    ...amounts,
    slot: "decimals",
    needs: { amountDecimals: 0 },
  }).by(operation((body) => !Number.isInteger(amountOf(body)) && "No decimals, please")),
  row("amount-up-to-800", "Operations above 800 are refused.", amounts).by(
    operation((body) => amountOf(body) > 800 && "The limit is 800"),
  ),
  row("amount-from-50", "Operations below 50 are refused.", amounts).by(
    operation((body) => amountOf(body) < 50 && "The least is 50"),
  ),
  row("only-efx", "EFX is the only purpose.", { ...purposes, needs: { onlyEfx: true } }).by(() => ({
    purposes: new Set(["EFX"]),
  })),
  row("others-in-one-pair", "Purposes other than EFX are refused unless the pair is EURBRL.", purposes).by(
    operation(
      (body) =>
        body["operation_purpose"] !== "EFX" && body["currency_pair"] !== "EURBRL" && "This purpose is for EURBRL",
    ),
  ),
  row("client-id-refused", "A counterparty with an id in the request is refused.", clientId).by(
    counterparty((body) => "id" in body && "The id is given by the server"),
  ),
  row("client-id-kept", "A counterparty keeps the id in the request if it is unused.", clientId).by(
    newIds("counterparty", (call, next) => {
      const id = textAt(sent(call), "id") ?? "";
      return id === "" || call.store.counterparties.has(id) ? next() : id;
    }),
  ),
];

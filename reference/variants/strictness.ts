import { newIds, sent, type Json, all } from "../change.ts";
import { sentMembers } from "../endpoints.ts";
import { addressMembers, Refusal, type Call, type Change, type Operation } from "../policy.ts";
import { isBic, isIban, isRoutingNumber, isTaxId } from "./bank-codes.ts";
import {
  refused,
  row,
  textAt,
  valueAt,
  wrongText,
  type IsWrong,
  type Variant,
  refusing,
} from "./variant.ts";

const membersAt: Readonly<Record<string, readonly string[]>> = sentMembers;

function unlessSafe(when: (call: Call) => boolean): Change {
  return (base) => ({
    check: (call) => {
      if (when(call)) throw new Refusal(400, "malformed", "The body is not safe to read");
      base.check(call);
    },
  });
}

const refusingUnknown: Change = (base) => ({
  check: (call) => {
    base.check(call);
    const names = membersAt[call.operation ?? ""];
    const unknown = names && Object.keys(sent(call)).find((name) => !names.includes(name));
    if (unknown !== undefined)
      throw new Refusal(400, "invalid", `${JSON.stringify(unknown)} is not a member`);
  },
});

function lacks(...paths: readonly string[]): IsWrong {
  return (body) => paths.some((path) => !valueAt(body, path));
}

function writes(pattern: RegExp): IsWrong {
  return (_body, { body }) => pattern.test(JSON.stringify(body));
}

function hasPrototype(call: Call): boolean {
  return ["__proto__", "constructor"].some((name) => Object.hasOwn(sent(call), name));
}
function hasMemberTwice({ bytes }: Call): boolean {
  return bytes.toString().split('"counterparty_id"').length > 2;
}
const amountOf = (body: Json): number => Number(body["currency_amount"]);
const decimalsOf = (amount: number): number => /\.(\d+)$/.exec(String(amount))?.[1]?.length ?? 0;
function digitsOf(body: Json): number {
  return (textAt(body, "tax_id") ?? "").replaceAll(/\D/g, "").length;
}
const isForeign: IsWrong = ({ bank_account }) => {
  const { iban, bank_country } = Object(bank_account) as Json;
  return typeof iban === "string" && iban.slice(0, 2) !== bank_country;
};
const isOtherInPair: IsWrong = (body) =>
  body["operation_purpose"] !== "EFX" && body["currency_pair"] !== "EURBRL";
const onlyEfx: Change = () => ({ purposes: new Set(["EFX"]) });
const isUnidentified: IsWrong = ({ bank_account }) =>
  !["iban", "aba_routing_number"].some((name) => name in Object(bank_account));
const isBatched: IsWrong = (_body, call) =>
  Boolean(call.policy.findOperation(call.parameter, call)?.batch);
const isAbove: IsWrong = (body, { parameter, store }) =>
  Number(body["local_currency_amount"]) > (store.operations.get(parameter)?.amount ?? Infinity);

const taxIds = { slot: "tax id", excludes: ["acam-anything"] } as const;
const decimals = { answers: "OPEN-29", slot: "decimals" } as const;
const purposes = { answers: "OPEN-02", slot: "purposes" } as const;
const clientId = { answers: "OPEN-31", slot: "id of the client" } as const;
const allMembers = sentMembers.createCounterparty;
const address = addressMembers.map((name) => `counterparty_address.${name}`);
const number = "bank_account.account_number";
const routing = "bank_account.aba_routing_number";
const bics = ["bank_account.swift_code", "intermediary_bank.swift_code"];
const countries = [
  "bank_account.bank_country",
  "intermediary_bank.bank_country",
  "counterparty_address.country",
];

/**
 * Variants that accept less than the reference does. Data that is valid in the real world passes
 * all of them.
 */
export const strictVariants: readonly Variant[] = [
  row("unknown-members-refused", "An unknown member is refused.", { answers: "OPEN-35" }).by(
    refusingUnknown,
  ),
  row("prototype-members-refused", "A member named __proto__ or constructor is refused.").by(
    unlessSafe(hasPrototype),
  ),
  row("repeated-members-refused", "An object that has a member twice is refused.").by(
    unlessSafe(hasMemberTwice),
  ),
  ...refused("createCounterparty", {}, [
    [
      "external-id-without-controls",
      "An external_id has no control characters.",
      wrongText((text) => !/[\u0000-\u001f]/.test(text), "external_id"),
      400,
    ],
    [
      "address-empty-refused",
      "An address has members.",
      (body) =>
        Object.keys(Object(body["counterparty_address"] ?? { of: "none" }) as object).length === 0,
      400,
    ],
    ["bic-checked", "The shape of BICs is checked (ISO 9362).", wrongText(isBic, ...bics)],
    [
      "iban-checked",
      "The check digits of IBANs are verified.",
      wrongText(isIban, "bank_account.iban"),
    ],
    ["iban-of-country", "The country of an IBAN must be that of the bank.", isForeign],
    [
      "routing-number-checked",
      "The check digit of routing numbers is verified.",
      wrongText(isRoutingNumber, routing),
    ],
    [
      "account-number-plain",
      "Account numbers are 34 letters or digits at most.",
      wrongText(/^[A-Za-z0-9]{1,34}$/, number),
    ],
    [
      "country-codes-checked",
      "Countries are two capital letters.",
      wrongText(/^[A-Z]{2}$/, ...countries),
    ],
    [
      "banks-of-one-country",
      "Accounts outside of DE are refused.",
      wrongText(/^DE$/, "bank_account.bank_country"),
    ],
    [
      "external-id-bounded",
      "An external_id has at most 64 characters.",
      wrongText(/^[^]{0,64}$/, "external_id"),
    ],
    [
      "external-id-plain",
      "An external_id has only letters and digits.",
      wrongText(/^[A-Za-z0-9]+$/, "external_id"),
    ],
  ]),
  ...refused("createCounterparty", { excludes: ["counterparty-complete"] }, [
    [
      "intermediary-refused",
      "An intermediary bank is refused.",
      (body) => body["intermediary_bank"] !== undefined,
    ],
  ]),
  ...refused("createCounterparty", { answers: "OPEN-28" }, [
    [
      "names-ascii",
      "Names are one to 70 ASCII characters.",
      wrongText(/^[\x20-\x7e]{1,70}$/, "name"),
    ],
    [
      "texts-ascii",
      "A counterparty with non-ASCII characters is refused.",
      writes(/[^\x00-\x7f]/),
      400,
    ],
    ["texts-bounded", "Strings have at most 140 characters.", writes(/[^"]{141}/), 400],
    [
      "markup-refused",
      "A firewall refuses strings with angle brackets or quotes.",
      writes(/[<>']|\\"/),
      403,
    ],
  ]),
  ...refused("createCounterparty", { answers: "OPEN-04" }, [
    [
      "counterparty-complete",
      "A counterparty without all its members is refused.",
      lacks(...allMembers),
      400,
    ],
    [
      "address-complete",
      "A counterparty without a complete address is refused.",
      lacks(...address),
      400,
    ],
    [
      "account-identified",
      "An account with neither IBAN nor routing number is refused.",
      isUnidentified,
    ],
  ]),
  ...refused("createCounterparty", clientId, [
    [
      "client-id-refused",
      "A counterparty with an id in the request is refused.",
      (body) => "id" in body,
    ],
  ]),
  row("client-id-kept", "A counterparty keeps the id in the request if it is unused.", clientId).by(
    newIds("counterparty", (call, next) => {
      const id = textAt(sent(call), "id") ?? "";
      return id === "" || call.store.counterparties.has(id) ? next() : id;
    }),
  ),
  ...refused("addAcamItem", { answers: "OPEN-06" }, [
    [
      "tax-id-checked",
      "The check digits of CPF and CNPJ are verified.",
      wrongText(isTaxId, "tax_id"),
    ],
    ["acam-bounded", "An item above the amount of its operation is refused.", isAbove],
  ]),
  ...refused("addAcamItem", taxIds, [
    [
      "acam-people-only",
      "Tax ids of other than 11 digits are refused.",
      (body) => digitsOf(body) !== 11,
    ],
    [
      "acam-companies-only",
      "Tax ids of other than 14 digits are refused.",
      (body) => digitsOf(body) !== 14,
    ],
  ]),
  ...refused("addAcamItem", {}, [
    ["acam-before-batch", "An operation in a batch refuses items.", isBatched, 409],
  ]),
  ...refused(
    "createOperation",
    { answers: "OPEN-29", excludes: ["operations-up-to-20", "operations-from-900"] },
    [
      ["amount-up-to-800", "Operations above 800 are refused.", (body) => amountOf(body) > 800],
      ["amount-from-50", "Operations below 50 are refused.", (body) => amountOf(body) < 50],
    ],
  ),
  ...refused("createOperation", { ...decimals, needs: { amountDecimals: 2 } }, [
    [
      "amount-two-decimals",
      "Amounts of more than two decimals are refused.",
      (body) => decimalsOf(amountOf(body)) > 2,
    ],
  ]),
  ...refused("createOperation", { ...decimals, needs: { amountDecimals: 0 } }, [
    [
      "amount-whole",
      "Amounts with decimals are refused.",
      (body) => !Number.isInteger(amountOf(body)),
    ],
  ]),
  ...refused("createOperation", purposes, [
    [
      "others-in-one-pair",
      "Purposes other than EFX are refused unless the pair is EURBRL.",
      isOtherInPair,
    ],
  ]),
  row("only-efx", "EFX is the only purpose.", { ...purposes, needs: { onlyEfx: true } }).by(
    onlyEfx,
  ),
];

function named(call: Call): readonly unknown[] {
  const ids = sent(call)["operation_ids"];
  return Array.isArray(ids) ? ids : [];
}

function isFree(operation: Operation | undefined, pair: unknown): boolean {
  return operation !== undefined && operation.batch === null && operation.pair === pair;
}

const hasUnfree: IsWrong = (body, call) =>
  !named(call).every((id) => isFree(call.store.operations.get(String(id)), body["currency_pair"]));

const namedAlone: Change = (base) => ({
  perform: (call) => {
    if (call.operation !== "createBatch") return base.perform(call);
    const ids = new Set(named(call));
    const operations = new Map([...call.store.operations].filter(([id]) => ids.has(id)));
    return base.perform({ ...call, store: { ...call.store, operations } });
  },
});

const items = { slot: "amounts of items", answers: "OPEN-06" } as const;
const anyKind = ["acam-people-only", "acam-companies-only", "acam-anything"];
const itemOf = (body: Json): number => Number(body["local_currency_amount"]);
const isPerson = (body: Json): boolean => String(body["tax_id"]).length !== 14;
const isOtherPair = (body: Json): boolean => body["currency_pair"] !== "EURBRL";
const hasIntermediary: IsWrong = (body) => body["intermediary_bank"] !== undefined;
const onlyPair = "EURBRL is the only pair.";

const byMember = {
  answers: "OPEN-14",
  needs: { batchMembers: { operation_ids: ["{operation_id}"] } },
} as const;

/**
 * Variants that refuse some of the values that a run is configured with, or need a member that the
 * specification does not name.
 */
export const narrowVariants: readonly Variant[] = [
  row(
    "batches-by-member",
    "A batch holds the operations that operation_ids names, and no others.",
    byMember,
  ).by(
    all(
      namedAlone,
      refusing("createBatch", "An operation is unknown, of another pair, or in a batch", hasUnfree),
    ),
  ),
  ...refused("addAcamItem", items, [
    ["acam-far-below", "An item is at most 5.", (body) => itemOf(body) > 5],
    ["acam-whole", "Items have no decimals.", (body) => !Number.isInteger(itemOf(body))],
    [
      "acam-of-tens",
      "The amount of an item is a multiple of ten.",
      (body) => itemOf(body) % 10 !== 0,
    ],
  ]),
  ...refused("addAcamItem", { ...items, excludes: anyKind }, [
    [
      "acam-companies-far-below",
      "Items are of companies, at most 3.",
      (body) => isPerson(body) || itemOf(body) > 3,
    ],
  ]),
  ...refused("createOperation", { slot: "amounts of operations", answers: "OPEN-29" }, [
    ["operations-up-to-20", "Operations above 20 are refused.", (body) => amountOf(body) > 20],
    ["operations-from-900", "Operations below 900 are refused.", (body) => amountOf(body) < 900],
    [
      "operations-of-hundreds",
      "The amount is a multiple of a hundred.",
      (body) => amountOf(body) % 100 !== 0,
    ],
    [
      "operations-whole",
      "Operations have no decimals.",
      (body) => !Number.isInteger(amountOf(body)),
    ],
  ]),
  ...refused("createCounterparty", { answers: "OPEN-04" }, [
    [
      "counterparties-without-intermediary",
      "Payees with an intermediary bank are refused.",
      hasIntermediary,
    ],
  ]),
  row("one-pair", onlyPair, { slot: "pairs", excludes: ["others-in-one-pair"] }).by(
    all(
      refusing("createOperation", onlyPair, isOtherPair),
      refusing("createBatch", onlyPair, isOtherPair),
    ),
  ),
];

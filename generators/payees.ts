import * as fc from "fast-check";
import type { Json } from "../spec/json.ts";
import { coveringArray, isAllowed, type Design, type Row } from "./covering-array.ts";
import { accountIn, bicIn, countries, regions, type Account, type Country } from "./places.ts";
import { inScript, scripts, type Script, identifier, street, words } from "./texts.ts";

const codesWhere = (isMeant: (country: Country) => boolean): readonly string[] =>
  countries.filter(isMeant).map(({ code }) => code);

const withoutRegion = (isMeant: (country: Country) => boolean): readonly string[] =>
  regions.filter((region) => !countries.some((one) => one.region === region && isMeant(one)));

const attributes = {
  region: regions,
  bank_country: countries.map(({ code }) => code),
  account: ["IBAN", "ABA number", "number alone"],
  account_number: ["beginning with another digit", "beginning with zero"],
  address: ["whole", "without state", "none"],
  external_id: ["present", "absent"],
  intermediary_bank: ["in the same country", "in another country", "none"],
  swift_code: ["11 characters", "8 characters"],
  name: scripts,
  address_country: ["that of the bank", "another"],
} as const;

/** What payees differ in, and which values exclude each other. */
export const payeeDesign = {
  attributes,
  excluded: [
    ...regions.map((region) => ({
      region: [region],
      bank_country: codesWhere((country) => country.region !== region),
    })),
    { account: ["IBAN"], bank_country: codesWhere(({ bban }) => bban === undefined) },
    { account: ["IBAN"], region: withoutRegion(({ bban }) => bban !== undefined) },
    { account: ["ABA number"], bank_country: codesWhere(({ aba }) => aba !== true) },
    { account: ["ABA number"], region: withoutRegion(({ aba }) => aba === true) },
    { address: ["none"], address_country: ["another"] },
  ],
  groups: [
    Object.keys(attributes).filter((name) => name !== "bank_country"),
    ["region", "bank_country"],
  ],
} as const satisfies Design;

let rows: readonly Row[] | undefined;

/**
 * The payees of a run: each country occurs, and each possible pair of values of any two other
 * attributes, the region of the bank among them.
 */
export function payeeRows(): readonly Row[] {
  rows ??= coveringArray(payeeDesign);
  return rows;
}

/** Draws any row that a payee can have. */
export const anyPayeeRow: fc.Arbitrary<Row> = fc
  .record(
    Object.fromEntries(
      Object.entries(payeeDesign.attributes).map(([name, values]) => [
        name,
        fc.constantFrom<string>(...values),
      ]),
    ),
  )
  .map((row) => ({ ...row, region: countryAt(row["bank_country"], 0).region }))
  .filter((row) => isAllowed(row, payeeDesign));

/**
 * A payee in this country with all that an account there can have: the usual shape, in which a
 * server is most likely to accept a payee.
 */
export function usualRow({ code, region, bban, aba }: Country): Row {
  const withoutIban = aba === true ? "ABA number" : "number alone";
  return {
    region,
    bank_country: code,
    account: bban === undefined ? withoutIban : "IBAN",
    account_number: "beginning with another digit",
    address: "whole",
    external_id: "present",
    intermediary_bank: "in another country",
    swift_code: "11 characters",
    name: "ASCII",
    address_country: "that of the bank",
  };
}

/** Draws the body of a payee. The row says what it has, and the letters and digits are drawn. */
export function payeeArbitrary(row: Row): fc.Arbitrary<Json> {
  const country = countryAt(row["bank_country"], 0);
  const other = countryAt(row["bank_country"], 11);
  const forwarding = row["intermediary_bank"] === "in another country" ? other : country;
  const home = row["address_country"] === "another" ? countryAt(row["bank_country"], 7) : country;
  return fc
    .record({
      name: words,
      street,
      bankName: words,
      account: accountIn(country, row["account_number"] === "beginning with zero"),
      forwardingName: words,
      forwardingBic: bicIn(forwarding),
      externalId: identifier,
    })
    .map((drawn) => ({
      name: inScript(drawn.name, row["name"] as Script),
      ...(row["address"] !== "none" && {
        counterparty_address: {
          address: drawn.street,
          country: home.code,
          city: home.city,
          zip_code: home.zipCode,
          ...(row["address"] === "whole" && { state: home.state }),
        },
      }),
      bank_account: accountOf(drawn.bankName, drawn.account, row),
      ...(row["intermediary_bank"] !== "none" && {
        intermediary_bank: bankOf(drawn.forwardingName, drawn.forwardingBic, forwarding, row),
      }),
      ...(row["external_id"] === "present" && { external_id: drawn.externalId }),
    }));
}

function bankOf(name: string, bic: string, country: Country, row: Row) {
  return {
    bank_name: name,
    swift_code: row["swift_code"] === "8 characters" ? bic.slice(0, 8) : bic,
    bank_country: country.code,
  };
}

function accountOf(name: string, account: Account, row: Row) {
  return {
    ...bankOf(name, account.bic, account.country, row),
    account_number: account.accountNumber,
    ...(row["account"] === "IBAN" && { iban: account.iban ?? "" }),
    ...(row["account"] === "ABA number" && { aba_routing_number: account.abaRoutingNumber ?? "" }),
  };
}

/** The country that comes so many places after this one in the table. */
function countryAt(code: string | undefined, places: number): Country {
  const at = countries.findIndex((country) => country.code === code);
  const found = countries[(at + places) % countries.length];
  if (at === -1 || found === undefined) throw new Error(`no country ${code} in the table`);
  return found;
}

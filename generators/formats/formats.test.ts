import { validate as isAba } from "abavalidator";
import { cnpj, cpf } from "cpf-cnpj-validator";
import { isValidBIC, isValidIBAN } from "ibantools";
import isoCountries from "i18n-iso-countries";
import { describe, expect, test } from "vitest";
import { dateTimes, noDateTimes } from "../../spec/testing/date-times.ts";
import { placeArbitrary, placeIn } from "../places/place.ts";
import { countries } from "../places/countries.ts";
import { sampleOf } from "../sample.ts";
import { domain } from "../testing/contract.ts";
import { isCountry } from "./country.ts";
import { ibanOf } from "./check-digits.ts";
import { formats } from "./index.ts";

const format = (name: string) => {
  const found = formats.find((one) => one.name === name);
  if (!found) throw new Error(`no format ${name}`);
  return found;
};

/** Values of a format that does not come from a place. */
const drawn = (name: string, n: number): readonly string[] => {
  const { source } = format(name);
  if (!("arbitrary" in source)) throw new Error(`${name} comes from a place`);
  return sampleOf(source.arbitrary({ domain, complete: false }), { seed: 7, n }).map(String);
};

/** Valid and invalid texts of each format. */
const table: readonly (readonly [name: string, valid: readonly string[], invalid: readonly string[]])[] = [
  ["bic", ["DEUTDEFF", "DEUTDEFF500", "NEDSZAJJXXX"], ["DEUTDEF", "deutdeff", "DEUTXQFF", "DEUT1EFF", "DEUTDEFF5", ""]],
  [
    "iban",
    ["DE89370400440532013000", "GB29NWBK60161331926819", "CH9300762011623852957", "MT84MALT011000012345MTLCAST001S"],
    [
      "DE88370400440532013000",
      "DE8937040044053201300",
      "DE893704004405320130000",
      "de89370400440532013000",
      "DE89 3704 0044 0532 0130 00",
      "GB29123460161331926819",
      "XX89370400440532013000",
      "",
    ],
  ],
  ["aba-routing-number", ["071000013", "121000248", "325081403"], ["071000014", "131000248", "71000013", "0710000130"]],
  ["account-number", ["1", "0532013000", "A".repeat(34)], ["", "A".repeat(35), "1-2", "1 2", "ä"]],
  ["country", ["DE", "BR", "US", "SX"], ["XX", "UK", "de", "DEU", "", "EU"]],
  ["currency-pair", ["USDBRL"], ["USD", "USD/BRL", "usdbrl", "USDBRLX", ""]],
  [
    "cpf-cnpj",
    ["52998224725", "11222333000181", "00000000191"],
    ["52998224724", "52998224715", "11111111111", "00000000000000", "529.982.247-25", "11222333000180", "5299822472"],
  ],
  ["date-time", dateTimes, noDateTimes.map(([, text]) => text)],
];

describe.each(table)("%s", (name, valid, invalid) => {
  test.each(valid)("%j is valid", (text) => expect(format(name).isValid(text)).toBe(true));
  test.each(invalid)("%j is invalid", (text) => expect(format(name).isValid(text)).toBe(false));
});

describe("independent validators agree", () => {
  const places = sampleOf(placeArbitrary(), { seed: 7, n: 3_000 });

  test("BIC", () => {
    expect(places.filter(({ bic }) => !isValidBIC(bic))).toEqual([]);
    expect(new Set(places.map(({ bic }) => bic.length))).toEqual(new Set([8, 11]));
  });

  test("IBAN, in each country of the table", () => {
    const ibans = countries
      .filter(({ bban }) => bban)
      .flatMap((country) => sampleOf(placeIn(country), { seed: 3, n: 50 }));
    expect(ibans.filter(({ iban = "" }) => !isValidIBAN(iban) || !format("iban").isValid(iban))).toEqual([]);
    expect(ibans.length).toBeGreaterThanOrEqual(25 * 50);
  });

  test("ABA routing numbers", () => {
    const numbers = places.flatMap(({ abaRoutingNumber }) => abaRoutingNumber ?? []);
    expect(numbers.filter((number) => !isAba(number))).toEqual([]);
    expect(numbers.filter((number) => !format("aba-routing-number").isValid(number))).toEqual([]);
    expect(new Set(numbers.map((number) => number.slice(0, 2))).size).toBe(24);
  });

  test.each(["aba-routing-number", "cpf-cnpj"])("%s: one more digit is invalid, whatever its check digits", (name) => {
    const right = name === "cpf-cnpj" ? "11144477735" : "121000248";
    const longer = Array.from({ length: 1_000 }, (_, n) => [
      right + String(n).padStart(3, "0").slice(2),
      `1${right.slice(0, -2)}${String(n % 100).padStart(2, "0")}`,
      `${Math.floor(n / 100)}${right.slice(0, -2)}${String(n % 100).padStart(2, "0")}`,
    ]).flat();
    expect(longer.filter((text) => format(name).isValid(text))).toEqual([]);
  });

  test("CPF and CNPJ", () => {
    const ids = drawn("cpf-cnpj", 2_000);
    expect(ids.filter((id) => !cpf.isValid(id) && !cnpj.isValid(id))).toEqual([]);
    expect(new Set(ids.map((id) => id.length))).toEqual(new Set([11, 14]));
  });

  test("the countries of ISO 3166-1, all of them and no others", () => {
    const all = Array.from({ length: 26 * 26 }, (_, at) =>
      String.fromCharCode(65 + Math.floor(at / 26), 65 + (at % 26)),
    );
    // XK is a user-assigned code that the package lists beside the standard's.
    const theirs = Object.keys(isoCountries.getAlpha2Codes()).filter((code) => code !== "XK");
    expect(all.filter(isCountry)).toEqual(theirs.toSorted());
  });

  test("a single changed digit is noticed", () => {
    for (const { iban } of sampleOf(placeArbitrary(countries.filter(({ bban }) => bban)), { seed: 5, n: 200 })) {
      const flipped = (iban ?? "").replace(/\d$|\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10));
      expect(format("iban").isValid(flipped)).toBe(false);
    }
  });
});

test("an IBAN needs the characters and the length of its country, not only right check digits", () => {
  for (const [country, bban] of [
    ["GB", "12346016133192681"],
    ["GB", "123460161331926819"],
    ["GB", "NWBK6016133192681X"],
    ["DE", "37040044053201300"],
    ["DE", "3704004405320130000"],
    ["DE", "37040044053201300X"],
  ] as const)
    expect(format("iban").isValid(ibanOf(country, bban))).toBe(false);
  expect(format("iban").isValid(ibanOf("DE", "370400440532013000"))).toBe(true);
});

test("kinds of places are drawn by their weights, not by the number of countries", () => {
  const places = sampleOf(placeArbitrary(), { seed: 2, n: 4_000 });
  const share = (has: (place: (typeof places)[number]) => boolean) => places.filter(has).length / places.length;
  expect(share(({ abaRoutingNumber }) => abaRoutingNumber !== undefined)).toBeCloseTo(2 / 8, 1);
  expect(share(({ iban }) => iban !== undefined)).toBeCloseTo(5 / 8, 1);
  expect(share(({ iban, abaRoutingNumber }) => !iban && !abaRoutingNumber)).toBeCloseTo(1 / 8, 1);
  expect(new Set(places.map(({ country }) => country)).size).toBe(new Set(countries.map(({ code }) => code)).size);
});

test("a kind without countries is never drawn", () => {
  for (const kept of [countries.filter(({ aba }) => aba), countries.filter(({ bban }) => !bban)])
    for (const { country } of sampleOf(placeArbitrary(kept), { seed: 2, n: 100 }))
      expect(kept.map(({ code }) => code)).toContain(country);
});

test("a branch has no X, and only countries with letters in accounts have such accounts", () => {
  const places = sampleOf(placeArbitrary(), { seed: 2, n: 2_000 });
  expect(places.filter(({ bic }) => bic.slice(8).includes("X"))).toEqual([]);
  const accounts = (code: string) => places.filter(({ country }) => country === code).map((one) => one.accountNumber);
  expect(accounts("MT").some((account) => /[A-Z]/.test(account))).toBe(true);
  expect(accounts("DE").every((account) => /^\d{10}$/.test(account))).toBe(true);
});

test("dates are drawn with fractions of any length, and with offsets", () => {
  const dates = drawn("date-time", 1_000);
  expect(dates.filter((date) => !format("date-time").isValid(date))).toEqual([]);
  const fractions = [/:\d\d[Z+-]/, /\.\dZ/, /\.\d{9}/];
  const offsets = [/Z$/, /\+00:00$/, /-00:00$/, /-03:00$/, /\+05:45$/, /\+14:00$/];
  for (const shape of [...fractions, ...offsets]) expect(dates.some((date) => shape.test(date))).toBe(true);
  const years = dates.map((date) => Number(date.slice(0, 4)));
  expect([Math.min(...years) >= 2000, Math.max(...years) <= 2099]).toEqual([true, true]);
});

test("the values of a place agree", () => {
  const places = sampleOf(placeArbitrary(), { seed: 9, n: 1_000 });
  for (const place of places) {
    expect(place.bic.slice(4, 6)).toBe(place.country);
    expect(place.abaRoutingNumber !== undefined).toBe(place.country === "US");
    expect(format("account-number").isValid(place.accountNumber)).toBe(true);
    expect(isCountry(place.country)).toBe(true);
  }
  for (const { iban = "", country, accountNumber, abaRoutingNumber } of places.filter((one) => one.iban)) {
    expect(iban.slice(0, 2)).toBe(country);
    expect(iban.endsWith(accountNumber)).toBe(true);
    expect(abaRoutingNumber).toBeUndefined();
  }
});

test("an IBAN that names its bank names the bank of the BIC", () => {
  const british = countries.filter(({ code }) => code === "GB");
  for (const { iban, bic } of sampleOf(placeArbitrary(british), { seed: 9, n: 50 }))
    expect(iban?.slice(4, 8)).toBe(bic.slice(0, 4));
});

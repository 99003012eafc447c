import { cnpj, cpf } from "cpf-cnpj-validator";
import isoCountries from "i18n-iso-countries";
import { expect, test } from "vitest";
import { countries, ibanOf, isIban, accountIn } from "./places.ts";
import { sampleOf } from "./samples.ts";
import { taxIdsOf } from "./texts.ts";

/** Accounts of each country. */
function accounts(n: number, among = countries) {
  return among.flatMap((country) => sampleOf(accountIn(country), { seed: 7, n }));
}

test("tax ids are a CPF of a person or a CNPJ of a company, as an independent validator says", () => {
  const drawn = [taxIdsOf.CPF, taxIdsOf.CNPJ].map((ids) => sampleOf(ids, { seed: 7, n: 1000 }));
  expect(drawn[0]?.filter((id) => id.length !== 11 || !cpf.isValid(id))).toEqual([]);
  expect(drawn[1]?.filter((id) => id.length !== 14 || !cnpj.isValid(id))).toEqual([]);
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
    expect(isIban(ibanOf(country, bban))).toBe(false);
  expect(isIban(ibanOf("DE", "370400440532013000"))).toBe(true);
});

test("the values of a place agree", () => {
  const places = accounts(20);
  for (const place of places) {
    expect(place.bic.slice(4, 6)).toBe(place.country.code);
    expect(place.abaRoutingNumber !== undefined).toBe(place.country.code === "US");
    expect(place.accountNumber).toMatch(/^[A-Za-z0-9]{1,34}$/);
  }
  for (const { iban = "", country, accountNumber, abaRoutingNumber } of places.filter(
    (one) => one.iban,
  )) {
    expect(iban.slice(0, 2)).toBe(country.code);
    expect(iban.endsWith(accountNumber)).toBe(true);
    expect(abaRoutingNumber).toBeUndefined();
  }
});

test("an IBAN that names its bank names the bank of the BIC", () => {
  const british = countries.filter(({ code }) => code === "GB");
  for (const { iban, bic } of accounts(50, british))
    expect(iban?.slice(4, 8)).toBe(bic.slice(0, 4));
});

test("each country is one of ISO 3166-1, with a town, its region and a postal code", () => {
  for (const country of countries) {
    expect(isoCountries.isValid(country.code)).toBe(true);
    expect(country).toMatchObject({
      city: expect.stringMatching(/^[A-Z][a-z]+( [A-Z][a-z]+)*$/) as string,
      state: expect.stringMatching(/^[A-Z][A-Za-z -]+$/) as string,
      zipCode: expect.stringMatching(/^[A-Z0-9][A-Z0-9 -]{2,}$/) as string,
    });
  }
});

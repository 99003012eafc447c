import { countrySpecs } from "ibantools";
import isoCountries from "i18n-iso-countries";
import { expect, test } from "vitest";
import { bbanOf, countries, lengthOf, pieces } from "./places.ts";

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

test("lengths and kinds of characters are those of the registry", () => {
  for (const { code, bban } of countries) {
    if (!bban) continue;
    const { chars, bban_regexp = "" } = countrySpecs[code] ?? {};
    expect(`${code} ${4 + lengthOf(`${bban.bank} ${bban.account}`)}`).toBe(`${code} ${chars}`);
    const example = pieces(`${bban.bank} ${bban.account}`).map(({ kind, length }) =>
      (kind === "B" ? "A" : "1").repeat(length),
    );
    expect(example.join("")).toMatch(new RegExp(bban_regexp));
    for (const part of [bban.bank, bban.account]) expect(part).toMatch(/^[Bnc]\d+( n\d+)?$/);
  }
});

test("countries without IBANs and unknown countries have no BBAN", () => {
  for (const code of ["US", "JP", "XX", ""]) expect(bbanOf(code)).toBeUndefined();
});

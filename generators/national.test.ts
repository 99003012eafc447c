import { expect, test } from "vitest";
import { hasNationalCheckDigits } from "./places.ts";

/** Examples of the registry of ISO 13616, whose national check digits are right. */
const examples = [
  "BE68539007547034",
  "CZ6508000000192000145399",
  "EE382200221020145685",
  "ES9121000418450200051332",
  "FI2112345600000785",
  "FR1420041010050500013M02606",
  "HR1210010051863000160",
  "HU42117730161111101800000000",
  "IT60X0542811101000000123456",
  "NO9386011117947",
  "PL61109010140000071219812874",
  "PT50000201231234567890154",
];

test.each(examples)("%s has the check digits of its country", (iban) => {
  expect(hasNationalCheckDigits(iban.slice(4), iban.slice(0, 2))).toBe(true);
});

test.each(examples)("%s with another digit has not", (iban) => {
  const country = iban.slice(0, 2);
  const bban = iban.slice(4);
  // In Poland, the check digits cover the number of the bank alone.
  const at = country === "PL" ? 0 : bban.length - 1;
  const digit = String((Number(bban.charAt(at)) + 1) % 10);
  const other = bban.slice(0, at) + digit + bban.slice(at + 1);
  expect(hasNationalCheckDigits(other, country)).toBe(false);
});

test("a country without such digits takes any", () => {
  expect(hasNationalCheckDigits("370400440532013000", "DE")).toBe(true);
  expect(hasNationalCheckDigits("370400440532013001", "DE")).toBe(true);
});

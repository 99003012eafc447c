import * as fc from "fast-check";
import type { Format } from "../source.ts";

/** Brazilian tax id, only digits: CPF of a person (11) or CNPJ of a company (14), the last two being check digits. */
export const cpfCnpj: Format = {
  name: "cpf-cnpj",
  isValid: isTaxId,
  source: { arbitrary: () => fc.oneof(taxId(9), taxId(8, "0001")) },
};

function isTaxId(text: string): boolean {
  if (!/^(\d{11}|\d{14})$/.test(text) || allEqual(text)) return false;
  return withCheckDigits(text.slice(0, -2)) === text;
}

/** `length` random digits, the number of the branch if there is one, and check digits. */
const taxId = (length: number, branch = ""): fc.Arbitrary<string> =>
  fc
    .string({ unit: fc.constantFrom(..."0123456789"), minLength: length, maxLength: length })
    .filter((free) => !allEqual(free))
    .map((free) => withCheckDigits(free + branch));

const withCheckDigits = (base: string): string => {
  const once = base + checkDigit(base);
  return once + checkDigit(once);
};

/** Weights start with 2 at the right end and rise; for a CNPJ they start again after 9. */
function checkDigit(digits: string): number {
  const period = digits.length < 12 ? digits.length : 8;
  const sum = [...digits]
    .toReversed()
    .reduce((total, digit, place) => total + Number(digit) * (2 + (place % period)), 0);
  return sum % 11 < 2 ? 0 : 11 - (sum % 11);
}

const allEqual = (digits: string): boolean => new Set(digits).size === 1;

import { isValidBBAN } from "ibantools";

/**
 * Whether a BBAN has the check digits that banks of its country put into it, where there are any.
 * ibantools knows those of most countries; Finland and Italy are added here.
 */
export function hasNationalCheckDigits(bban: string, country: string): boolean {
  return isValidBBAN(bban, country) && (own[country]?.(bban) ?? true);
}

const own: Readonly<Record<string, (bban: string) => boolean>> = {
  FI: isLuhn,
  IT: (bban) => bban.startsWith(italianLetter(bban.slice(1))),
};

/** Whether the last digit is the check digit of those before it (ISO/IEC 7812-1, annex B). */
function isLuhn(digits: string): boolean {
  const sum = [...digits].toReversed().reduce((total, digit, at) => {
    const value = Number(digit) * (at % 2 === 0 ? 1 : 2);
    return total + (value > 9 ? value - 9 : value);
  }, 0);
  return sum % 10 === 0;
}

/** The weights that digits and letters have at odd places: 0 and A, 1 and B, and so on. */
const oddPlaces = [
  1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23,
] as const;

/** The letter with which the BBAN of an Italian account begins (CIN). */
function italianLetter(code: string): string {
  const sum = [...code].reduce((total, character, at) => {
    const value = Number.parseInt(character, 36) % 36;
    const index = value < 10 ? value : value - 10;
    return total + (at % 2 === 0 ? (oddPlaces[index] ?? 0) : index);
  }, 0);
  return String.fromCharCode(65 + (sum % 26));
}

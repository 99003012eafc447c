/** The IBAN of a BBAN: country, check digits by ISO 7064 MOD 97-10, BBAN. */
export const ibanOf = (country: string, bban: string): string =>
  country + String(98 - remainder(`${bban}${country}00`)).padStart(2, "0") + bban;

/** Whether the check digits of an IBAN are right. */
export const hasIbanChecksum = (iban: string): boolean => remainder(iban.slice(4) + iban.slice(0, 4)) === 1;

/** The remainder of the division by 97, with A read as 10 and Z as 35. */
const remainder = (text: string): number =>
  [...text].reduce((rest, character) => Number(`${rest}${Number.parseInt(character, 36)}`) % 97, 0);

/** The ABA routing number that starts with these eight digits. */
export const abaWithChecksum = (eight: string): string => eight + String((10 - (weighted(eight) % 10)) % 10);

/** Whether the ninth digit is right: the digits, weighted 3, 7, 1, 3, …, add up to a multiple of ten. */
export const hasAbaChecksum = (nine: string): boolean => weighted(nine) % 10 === 0;

const weighted = (digits: string): number =>
  [...digits].reduce((sum, digit, place) => sum + Number(digit) * ([3, 7, 1][place % 3] ?? 0), 0);

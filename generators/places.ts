import * as fc from "fast-check";
import { codeArbitrary, digits, letters } from "./codes.ts";

export interface Country {
  readonly code: string;
  readonly city: string;
  readonly state: string;
  readonly zipCode: string;
  /**
   * The patterns of the two parts of a BBAN, which is an IBAN without country and check digits.
   * Present if the country has IBANs.
   */
  readonly bban?: { readonly bank: string; readonly account: string };
  readonly aba?: true;
}

type PlaceRow = readonly [
  code: string,
  city: string,
  state: string,
  zipCode: string,
  bank?: string,
  account?: string,
];

/**
 * Countries with IBANs, with patterns of ISO 13616 that have no national check digits. `n8`: eight
 * digits; `c12`: twelve capitals or digits; `B4`: the first four letters of the BIC.
 */
const ibanRows: readonly PlaceRow[] = [
  ["AE", "Dubai", "Dubai", "00000", "n3", "n16"],
  ["AT", "Wien", "Wien", "1010", "n5", "n11"],
  ["AZ", "Baku", "Baku", "AZ1000", "B4", "c20"],
  ["BG", "Sofia", "Sofia", "1000", "B4 n6", "c8"],
  ["BH", "Manama", "Capital", "317", "B4", "c14"],
  ["CH", "Bern", "Bern", "3011", "n5", "c12"],
  ["CY", "Nicosia", "Nicosia", "1010", "n8", "c16"],
  ["DE", "Hamburg", "Hamburg", "20095", "n8", "n10"],
  ["GB", "London", "Greater London", "EC2V 7HN", "B4 n6", "n8"],
  ["GE", "Tbilisi", "Tbilisi", "0105", "B2", "n16"],
  ["GI", "Gibraltar", "Gibraltar", "GX11 1AA", "B4", "c15"],
  ["GR", "Patra", "Achaia", "26221", "n7", "c16"],
  ["IE", "Cork", "Munster", "T12 W8KP", "B4 n6", "n8"],
  ["IL", "Haifa", "Haifa", "3100000", "n6", "n13"],
  ["JO", "Amman", "Amman", "11118", "B4 n4", "c18"],
  ["KW", "Kuwait City", "Al Asimah", "13001", "B4", "c22"],
  ["KZ", "Almaty", "Almaty", "050000", "n3", "c13"],
  ["LB", "Beirut", "Beirut", "1107", "n4", "c20"],
  ["LI", "Vaduz", "Oberland", "9490", "n5", "c12"],
  ["LT", "Kaunas", "Kaunas", "44240", "n5", "n11"],
  ["LU", "Esch", "Esch", "4001", "n3", "c13"],
  ["LV", "Riga", "Riga", "LV-1050", "B4", "c13"],
  ["MT", "Valletta", "Valletta", "VLT 1117", "B4 n5", "c18"],
  ["PK", "Karachi", "Sindh", "74000", "B4", "n16"],
  ["QA", "Doha", "Doha", "00000", "B4", "c21"],
  ["RO", "Cluj", "Cluj", "400001", "B4", "c16"],
  ["SA", "Riyadh", "Riyadh", "11564", "n2", "c18"],
  ["SE", "Uppsala", "Uppsala", "753 10", "n3", "n17"],
];

const abaRows: readonly PlaceRow[] = [
  ["US", "Chicago", "IL", "60601"],
  ["US", "Austin", "TX", "78701"],
  ["US", "Boston", "MA", "02108"],
  ["US", "Seattle", "WA", "98101"],
];

const otherRows: readonly PlaceRow[] = [
  ["AU", "Melbourne", "VIC", "3000"],
  ["CA", "Toronto", "ON", "M5H 2N2"],
  ["JP", "Osaka", "Osaka", "530-0001"],
  ["SG", "Singapore", "Singapore", "018989"],
  ["ZA", "Durban", "KwaZulu-Natal", "4001"],
];

function countryOf([code, city, state, zipCode, bank, account]: PlaceRow): Country {
  return {
    code,
    city,
    state,
    zipCode,
    ...(bank !== undefined && account !== undefined ? { bban: { bank, account } } : {}),
  };
}

/** The countries of the addresses and banks that a run sends. */
export const countries: readonly Country[] = [
  ...abaRows.map((row): Country => ({ ...countryOf(row), aba: true })),
  ...ibanRows.map(countryOf),
  ...otherRows.map(countryOf),
];

/** The number of characters of a pattern: 10 for `B4 n6`. */
export function lengthOf(pattern: string): number {
  return pieces(pattern).reduce((sum, piece) => sum + piece.length, 0);
}

export function pieces(
  pattern: string,
): readonly { readonly kind: string; readonly length: number }[] {
  return pattern
    .split(" ")
    .map((part) => ({ kind: part.charAt(0), length: Number(part.slice(1)) }));
}

export function bbanOf(code: string): Country["bban"] {
  return countries.find((country) => country.code === code)?.bban;
}

/** An account at a bank. Its codes fit together. */
export interface Account {
  readonly country: Country;
  readonly bic: string;
  readonly accountNumber: string;
  /** Present if the country has IBANs. The IBAN ends with the account number. */
  readonly iban?: string;
  readonly abaRoutingNumber?: string;
}

/** Draws accounts in the given countries. */
export function accountArbitrary(among: readonly Country[] = countries): fc.Arbitrary<Account> {
  return countryArbitrary(among).chain(accountIn);
}

/**
 * Draws one of the given countries. First the kind (ABA, IBAN or neither) is drawn, by weight, and
 * then the country.
 */
export function countryArbitrary(among: readonly Country[] = countries): fc.Arbitrary<Country> {
  const kinds = [
    { weight: 2, among: among.filter((country) => country.aba) },
    { weight: 5, among: among.filter((country) => country.bban) },
    { weight: 1, among: among.filter((country) => !country.aba && !country.bban) },
  ];
  const choices = kinds
    .filter((kind) => kind.among.length > 0)
    .map((kind) => ({ weight: kind.weight, arbitrary: fc.constantFrom(...kind.among) }));
  return fc.oneof(...choices);
}

export function accountIn(country: Country): fc.Arbitrary<Account> {
  const account = accounts.get(country) ?? newAccountIn(country);
  accounts.set(country, account);
  return account;
}

const accounts = new Map<Country, fc.Arbitrary<Account>>();

function newAccountIn(country: Country): fc.Arbitrary<Account> {
  const { code, bban, aba } = country;
  return fc
    .record({
      bankLetters: codeArbitrary(letters, 4),
      location: codeArbitrary(letters, 2),
      branch: fc.option(codeArbitrary(letters.replace("X", ""), 3), { nil: "" }),
      bankDigits: bban ? codeArbitrary(digits, 8) : fc.constant(""),
      accountNumber: bban ? filled(bban.account) : codeArbitrary(digits, 8, 12),
      abaRoutingNumber: aba ? routingNumber : fc.constant(undefined),
    })
    .map(({ bankLetters, location, branch, bankDigits, accountNumber, abaRoutingNumber }) => ({
      country,
      bic: bankLetters + code + location + branch,
      accountNumber,
      iban: bban && ibanOf(code, bankCode(bban.bank, bankLetters, bankDigits) + accountNumber),
      abaRoutingNumber,
    }));
}

/**
 * The first two digits of routing numbers. They name a Federal Reserve district: 01–12 for banks,
 * 21–32 for thrifts.
 */
const routingPrefixes = [1, 21].flatMap((from) =>
  Array.from({ length: 12 }, (_, district) => String(from + district).padStart(2, "0")),
);

const routingNumber = fc
  .tuple(fc.constantFrom(...routingPrefixes), codeArbitrary(digits, 6))
  .map((parts) => abaWithChecksum(parts.join("")));

function filled(pattern: string): fc.Arbitrary<string> {
  return fc
    .tuple(
      ...pieces(pattern).map(({ kind, length }) =>
        codeArbitrary(kind === "n" ? digits : digits + letters, length),
      ),
    )
    .map((parts) => parts.join(""));
}

/** The bank part of a BBAN: the letters of the BIC if the pattern has a `B`, or else digits. */
function bankCode(pattern: string, bankLetters: string, bankDigits: string): string {
  return pieces(pattern)
    .map(({ kind, length }) => (kind === "B" ? bankLetters : bankDigits).slice(0, length))
    .join("");
}

/** The IBAN for a BBAN: the country, check digits by ISO 7064 MOD 97-10, and the BBAN. */
export function ibanOf(country: string, bban: string): string {
  return country + String(98 - remainder(`${bban}${country}00`)).padStart(2, "0") + bban;
}

function hasIbanChecksum(iban: string): boolean {
  return remainder(iban.slice(4) + iban.slice(0, 4)) === 1;
}

/**
 * The remainder of a text divided by 97. The text is read as a number in which A counts as 10 and Z
 * as 35.
 */
function remainder(text: string): number {
  let rest = 0;
  for (const character of text) {
    const value = Number.parseInt(character, 36);
    rest = (rest * (value < 10 ? 10 : 100) + value) % 97;
  }
  return rest;
}

/** The ABA routing number that begins with these eight digits. */
function abaWithChecksum(eight: string): string {
  return eight + String((10 - (weighted(eight) % 10)) % 10);
}

function weighted(digits: string): number {
  return [...digits].reduce(
    (sum, digit, place) => sum + Number(digit) * ([3, 7, 1][place % 3] ?? 0),
    0,
  );
}

export function isIban(text: string): boolean {
  const bban = bbanOf(text.slice(0, 2));
  if (!bban) return false;
  const shape = pieces(`${bban.bank} ${bban.account}`).map(
    ({ kind, length }) => `${classes[kind] ?? ""}{${length}}`,
  );
  return new RegExp(`^[A-Z]{2}[0-9]{2}${shape.join("")}$`).test(text) && hasIbanChecksum(text);
}

const classes: Readonly<Record<string, string>> = { n: "[0-9]", c: "[A-Z0-9]", B: "[A-Z]" };

import * as fc from "fast-check";
import { beginning, codeArbitrary, codeOf, digits, letters } from "./texts.ts";
import { composeIBAN, isValidBBAN, isValidIBAN } from "ibantools";

export interface Country {
  readonly code: string;
  readonly region: keyof typeof places;
  readonly city: string;
  readonly state: string;
  readonly zipCode: string;
  /**
   * The patterns of the two parts of a BBAN, which is an IBAN without country and check digits, with
   * a sign for each character: `BBBBnnnnnn`. Present if the country has IBANs.
   */
  readonly bban?: Parts;
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
 * Countries by the parts of the world that servers treat differently, by what an account there is
 * known by. Those with IBANs have their patterns in ISO 13616. `n8`: eight digits; `c12`: twelve capitals
 * or digits; `A1`: a capital; `B4`: the first four letters of the BIC. Digits that a country computes
 * from the others are drawn until they are right.
 */
const places = {
  "European Union": [
    ["DE", "Hamburg", "Hamburg", "20095", "n8", "n10"],
    ["FR", "Lyon", "Rhone", "69001", "n10", "c11 n2"],
    ["ES", "Sevilla", "Sevilla", "41001", "n8", "n12"],
    ["IT", "Torino", "Piemonte", "10121", "A1 n10", "c12"],
    ["NL", "Utrecht", "Utrecht", "3511 AA", "B4", "n10"],
    ["PT", "Porto", "Porto", "4000-008", "n8", "n13"],
    ["BE", "Gent", "Vlaanderen", "9000", "n3", "n9"],
    ["AT", "Wien", "Wien", "1010", "n5", "n11"],
    ["IE", "Cork", "Munster", "T12 W8KP", "B4 n6", "n8"],
    ["LU", "Esch", "Esch", "4001", "n3", "c13"],
    ["FI", "Turku", "Varsinais-Suomi", "20100", "n6", "n8"],
    ["SE", "Uppsala", "Uppsala", "753 10", "n3", "n17"],
    ["DK", "Odense", "Syddanmark", "5000", "n4", "n10"],
    ["PL", "Gdansk", "Pomorskie", "80-009", "n8", "n16"],
    ["CZ", "Brno", "Jihomoravsky", "602 00", "n4", "n16"],
    ["HU", "Szeged", "Csongrad", "6720", "n8", "n16"],
    ["RO", "Cluj", "Cluj", "400001", "B4", "c16"],
    ["BG", "Sofia", "Sofia", "1000", "B4 n6", "c8"],
    ["GR", "Patra", "Achaia", "26221", "n7", "c16"],
    ["HR", "Split", "Dalmacija", "21000", "n7", "n10"],
    ["EE", "Tartu", "Tartu", "50090", "n2", "n14"],
  ],
  "other IBANs": [
    ["GB", "London", "Greater London", "EC2V 7HN", "B4 n6", "n8"],
    ["CH", "Bern", "Bern", "3011", "n5", "c12"],
    ["NO", "Bergen", "Vestland", "5003", "n4", "n7"],
    ["TR", "Izmir", "Izmir", "35210", "n6", "c16"],
    ["IL", "Haifa", "Haifa", "3100000", "n6", "n13"],
    ["AE", "Dubai", "Dubai", "00000", "n3", "n16"],
  ],
  "United States": [["US", "Chicago", "IL", "60601"]],
  Brazil: [["BR", "Curitiba", "PR", "80010-000", "n13", "n10 A1 c1"]],
  "no IBANs": [
    ["CA", "Toronto", "ON", "M5H 2N2"],
    ["MX", "Monterrey", "NLE", "64000"],
    ["AR", "Rosario", "Santa Fe", "S2000"],
    ["CL", "Valparaiso", "Valparaiso", "2340000"],
    ["UY", "Salto", "Salto", "50000"],
    ["CO", "Medellin", "Antioquia", "050001"],
    ["PE", "Arequipa", "Arequipa", "04001"],
    ["CN", "Shenzhen", "Guangdong", "518000"],
    ["HK", "Kowloon", "Kowloon", "999077"],
    ["JP", "Osaka", "Osaka", "530-0001"],
    ["KR", "Busan", "Busan", "48058"],
    ["SG", "Singapore", "Singapore", "018989"],
    ["IN", "Pune", "MH", "411001"],
    ["AU", "Melbourne", "VIC", "3000"],
    ["NZ", "Christchurch", "Canterbury", "8011"],
    ["ZA", "Durban", "KwaZulu-Natal", "4001"],
  ],
} satisfies Readonly<Record<string, readonly PlaceRow[]>>;

export const regions = Object.keys(places) as readonly Country["region"][];

/** The countries of the addresses and banks that a run sends. */
export const countries: readonly Country[] = regions.flatMap((region) => {
  const rows: readonly PlaceRow[] = places[region];
  return rows.map(([code, city, state, zipCode, bank, account]) => ({
    code,
    region,
    city,
    state,
    zipCode,
    ...(account !== undefined && {
      bban: { bank: spelledOut(bank), account: spelledOut(account) },
    }),
    ...(region === "United States" && { aba: true }),
  }));
});

/** A pattern with a sign for each character. */
function spelledOut(pattern = ""): string {
  return pattern.replaceAll(/(\w)(\d+) ?/g, (_, kind: string, count) => kind.repeat(Number(count)));
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

/** Draws the BICs of banks in a country, of eleven characters. */
export function bicIn({ code }: Country): fc.Arbitrary<string> {
  return fc
    .record({
      bankLetters: codeArbitrary(letters, 4),
      location: codeArbitrary(letters, 2),
      branch: codeArbitrary(letters.replace("X", ""), 3),
    })
    .map(({ bankLetters, location, branch }) => bankLetters + code + location + branch);
}

/** Draws accounts at banks of a country, whose numbers begin with a zero or with another digit. */
export function accountIn(country: Country, withZero = false): fc.Arbitrary<Account> {
  const { code, bban, aba } = country;
  return fc
    .record({
      bic: bicIn(country),
      bank: anyNumber,
      number: anyNumber,
      plainNumber: codeArbitrary(digits, 8, 12),
      routingNumber,
    })
    .map(({ bic, bank, number, plainNumber, routingNumber: abaRoutingNumber }) => {
      if (bban === undefined) {
        const accountNumber = beginning(plainNumber, withZero);
        return { country, bic, accountNumber, ...(aba && { abaRoutingNumber }) };
      }
      const numbered = withNationalCheckDigits(code, (attempt) => {
        const drawn = codeOf(number + BigInt(attempt) * step, digits, bban.account.length);
        return {
          bank: filled(bban.bank, bank + BigInt(attempt), bic),
          account: filled(bban.account, BigInt(beginning(drawn, withZero))),
        };
      });
      const iban = ibanOf(code, numbered.bank + numbered.account);
      return { country, bic, accountNumber: numbered.account, iban };
    });
}

const anyNumber = fc.noBias(fc.bigInt({ min: 0n, max: 10n ** 24n }));
/** So large that the numbers of successive attempts differ in all their digits. */
const step = 1_442_695_040_888_963_407n;

/** The two parts of a BBAN. */
interface Parts {
  readonly bank: string;
  readonly account: string;
}

/** How many attempts are made for the check digits of a country: about one in 120 has them. */
const mostAttempts = 10_000;

/** The first attempt whose check digits, where ibantools knows those of a country, are right. */
export function withNationalCheckDigits(country: string, made: (attempt: number) => Parts): Parts {
  for (let attempt = 0; attempt < mostAttempts; attempt += 1) {
    const parts = made(attempt);
    if (isValidBBAN(parts.bank + parts.account, country)) return parts;
  }
  throw new Error(`no attempt has the check digits of ${country}`);
}

/**
 * A text of a pattern whose digits are the last ones of the number. `bic`: for patterns with a `B`,
 * which have its first letters.
 */
export function filled(pattern: string, number: bigint, bic = ""): string {
  const code = codeOf(number, digits, pattern.length);
  return pattern.replaceAll(/./g, (kind, at: number) => {
    if (kind === "B") return bic.charAt(at);
    return (kind === "A" ? letters : digits).charAt(Number(code[at]));
  });
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

/** The IBAN for a BBAN, with check digits. Empty if the country has no such BBAN. */
export function ibanOf(countryCode: string, bban: string): string {
  return composeIBAN({ countryCode, bban }) ?? "";
}

/** The ABA routing number that begins with these eight digits. */
function abaWithChecksum(eight: string): string {
  const sum = [...eight].reduce(
    (all, digit, place) => all + Number(digit) * ([3, 7, 1][place % 3] ?? 0),
    0,
  );
  return eight + String((10 - (sum % 10)) % 10);
}

export function isIban(text: string): boolean {
  return bbanOf(text.slice(0, 2)) !== undefined && isValidIBAN(text);
}

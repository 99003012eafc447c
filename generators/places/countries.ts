/** A country with its account format, and a town for addresses. */
export interface Country {
  readonly code: string;
  readonly city: string;
  readonly state: string;
  readonly zipCode: string;
  /** Present if the country has IBANs: the patterns of the two parts of its BBAN, bank and account. */
  readonly bban?: { readonly bank: string; readonly account: string };
  /** Banks have ABA routing numbers. */
  readonly aba?: true;
}

type Row = readonly [code: string, city: string, state: string, zipCode: string, bank?: string, account?: string];

/**
 * Countries of the IBAN registry (ISO 13616) whose BBAN has no check digits of its own, so that every IBAN made from the
 * patterns is valid. Patterns: `n8` is eight digits, `c12` twelve capitals or digits, `B4` the first four letters of
 * the BIC.
 */
const ibanRows: readonly Row[] = [
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

const abaRows: readonly Row[] = [
  ["US", "Chicago", "IL", "60601"],
  ["US", "Austin", "TX", "78701"],
  ["US", "Boston", "MA", "02108"],
  ["US", "Seattle", "WA", "98101"],
];

const otherRows: readonly Row[] = [
  ["AU", "Melbourne", "VIC", "3000"],
  ["CA", "Toronto", "ON", "M5H 2N2"],
  ["JP", "Osaka", "Osaka", "530-0001"],
  ["SG", "Singapore", "Singapore", "018989"],
  ["ZA", "Durban", "KwaZulu-Natal", "4001"],
];

const countryOf = ([code, city, state, zipCode, bank, account]: Row): Country => ({
  code,
  city,
  state,
  zipCode,
  ...(bank !== undefined && account !== undefined ? { bban: { bank, account } } : {}),
});

/** The countries of the addresses and banks that a run sends. */
export const countries: readonly Country[] = [
  ...abaRows.map((row): Country => ({ ...countryOf(row), aba: true })),
  ...ibanRows.map(countryOf),
  ...otherRows.map(countryOf),
];

/** The number of characters of a pattern: 10 for `B4 n6`. */
export const lengthOf = (pattern: string): number => pieces(pattern).reduce((sum, piece) => sum + piece.length, 0);

/** The parts of a pattern: the kind of character and the number of characters. */
export const pieces = (pattern: string): readonly { readonly kind: string; readonly length: number }[] =>
  pattern.split(" ").map((part) => ({ kind: part.charAt(0), length: Number(part.slice(1)) }));

/** The BBAN patterns of a country; undefined if it has no IBANs. */
export const bbanOf = (code: string): Country["bban"] => countries.find((country) => country.code === code)?.bban;

import * as fc from "fast-check";

export const digits = "0123456789";
export const letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** Draws texts of `minLength` to `maxLength` characters of an alphabet. Shrinks to its first one. */
export function codeArbitrary(
  alphabet: string,
  minLength: number,
  maxLength = minLength,
): fc.Arbitrary<string> {
  return fc.noBias(fc.string({ unit: fc.constantFrom(...alphabet), minLength, maxLength }));
}

/** The text of this length whose characters, read as digits, are the last digits of the number. */
export function codeOf(number: bigint, alphabet: string, length: number): string {
  const base = BigInt(alphabet.length);
  let code = "";
  for (let rest = number; code.length < length; rest /= base)
    code = alphabet.charAt(Number(rest % base)) + code;
  return code;
}

/**
 * The digits with a zero as the first one, or with another first digit: programs that read a number
 * lose a zero there.
 */
export function beginning(text: string, withZero: boolean): string {
  if (withZero) return `0${text.slice(1)}`;
  return text.startsWith("0") ? `1${text.slice(1)}` : text;
}

const syllables = [..."bdfgklmnprstvz"].flatMap((consonant) =>
  [..."aeiou"].map((vowel) => consonant + vowel),
);

/** Two to four syllables, with a capital. */
const word = fc
  .noBias(fc.array(fc.constantFrom(...syllables), { minLength: 2, maxLength: 4 }))
  .map((parts) => parts.join("").replace(/^./, (first) => first.toUpperCase()));

/**
 * Two or three made-up words of ASCII letters, with 9 to 26 characters in all, so that no real name
 * is sent.
 */
export const words: fc.Arbitrary<string> = fc
  .array(word, { minLength: 2, maxLength: 3 })
  .map((parts) => parts.join(" "));

/** A house number and the name of a street. */
export const street = fc
  .tuple(fc.integer({ min: 1, max: 400 }), words)
  .map((parts) => parts.join(" "));

/** An identifier of a client: 8 to 16 small letters and digits. */
export const identifier = codeArbitrary("abcdefghjkmnpqrstuvwxyz0123456789", 8, 16);

/** The tax ids of people and of companies. */
export const taxIdsOf = { CPF: taxId(9), CNPJ: taxId(8, "0001") } as const;

/** A tax id: `length` random digits, the number of the branch if there is one, and check digits. */
function taxId(length: number, branch = ""): fc.Arbitrary<string> {
  return codeArbitrary(digits, length)
    .filter((free) => new Set(free).size > 1)
    .map((free) => withCheckDigit(withCheckDigit(free + branch)));
}

/**
 * The digits, followed by their check digit. Weights start with 2 at the right end and rise; in a
 * CNPJ, they start again after 9.
 */
function withCheckDigit(digits: string): string {
  const period = digits.length < 12 ? digits.length : 8;
  const sum = [...digits]
    .toReversed()
    .reduce((total, digit, place) => total + Number(digit) * (2 + (place % period)), 0);
  return digits + String(sum % 11 < 2 ? 0 : 11 - (sum % 11));
}

/** The scripts in which names are written: letters of ASCII, with marks, or not Latin at all. */
export const scripts = ["ASCII", "Latin with marks", "Cyrillic"] as const;
export type Script = (typeof scripts)[number];

const ascii = letters.toLowerCase();
const alphabets: Readonly<Record<Script, string>> = {
  ASCII: ascii,
  "Latin with marks": "ábçdéfğhíjklmñópqřštúvwxýž",
  Cyrillic: "абцдефгхийклмнопярстувжшыз",
};

/** A name of ASCII letters, letter by letter in another script. Other characters stay. */
export function inScript(name: string, script: Script): string {
  if (script === "ASCII") return name;
  return name.replaceAll(/[A-Za-z]/g, (letter) => {
    const other = alphabets[script].charAt(ascii.indexOf(letter.toLowerCase()));
    return letter === letter.toLowerCase() ? other : other.toUpperCase();
  });
}

/** The script of a name that `inScript` wrote. */
export function scriptOf(name: string): Script {
  if (/\p{Script=Cyrillic}/u.test(name)) return "Cyrillic";
  return /^[\0-\x7f]*$/.test(name) ? "ASCII" : "Latin with marks";
}

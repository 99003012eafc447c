import { valueAt, type Json } from "../../spec/json.ts";
import type { SentText } from "./texts.ts";

/** Another text that is nearly the same. The same text if it cannot be near in this way. */
type Near = (text: string) => string;

function other(character: string): string {
  if (/\d/.test(character)) return character === "7" ? "3" : "7";
  return character.toLowerCase() === "q" ? "w" : "q";
}

const accented: Near = (text) =>
  text.replace(/[aeiou](?=[^aeiou]*$)/i, (vowel) => `${vowel}\u0301`.normalize("NFC"));
const otherFrom =
  (from: number, to?: number): Near =>
  (text) => {
    const end = to ?? text.length;
    const middle = [...text.slice(from, end)].map(other).join("");
    return `${text.slice(0, from)}${middle}${text.slice(end)}`;
  };

/** In which ways keys of different things are near to each other (INT-67), by what they have. */
const anywhere: Readonly<Record<string, Near>> = {
  "all but the last character of": (text) => text.slice(0, -1),
  "another last character than": (text) => otherFrom(text.length - 1)(text),
  "another first character than": otherFrom(0, 1),
  "the last four characters of": (text) => otherFrom(0, text.length - 4)(text),
  "the first eight characters of": otherFrom(8),
  "a zero before": (text) => `0${text}`,
};
const inTexts: Readonly<Record<string, Near>> = {
  "another letter case than": (text) =>
    text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase(),
  "an accent more than": accented,
  "a combining accent more than": (text) => accented(text).normalize("NFD"),
  "a blank behind": (text) => `${text} `,
  "two blanks inside of": (text) => text.replace(/.(?= |$)/, (last) => `${last}  `).trimEnd(),
};

const members: Readonly<Record<string, Readonly<Record<string, Near>>>> = {
  "/external_id": { ...anywhere, ...inTexts, "a point and a zero behind": (text) => `${text}.0` },
  "/bank_account/account_number": anywhere,
  "/bank_account/iban": anywhere,
  "/name": { ...inTexts, ...anywhere },
};

/**
 * Values that are near to those of a payee, at each member by which a server may tell payees apart:
 * each kind of nearness at each member.
 */
export function nearTo(body: Json): readonly SentText[] {
  return Object.entries(members).flatMap(([place, kinds]) => {
    const right = valueAt(body, place);
    return Object.entries(kinds).flatMap(([text, near]): readonly SentText[] => {
      const value = typeof right === "string" ? near(right) : right;
      if (value === undefined || value === right || value === "") return [];
      // Servers write names in forms of their own.
      return [{ text, place, value, isAlterable: place === "/name" && text in inTexts }];
    });
  });
}

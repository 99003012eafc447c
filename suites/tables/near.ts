import { ibanOf, isIban } from "../../generators/places.ts";
import { valueAt, type Json } from "../../spec/json.ts";
import { otherThan } from "../kit/index.ts";
import type { SentText } from "./texts.ts";

/** Another text that is nearly the same. The same text if it cannot be near in this way. */
type Near = (text: string) => string;

const accented: Near = (text) =>
  text.replace(/[aeiou](?=[^aeiou]*$)/i, (vowel) => `${vowel}\u0301`.normalize("NFC"));
const otherFrom =
  (from: number, to?: number): Near =>
  (text) => {
    const end = to ?? text.length;
    const middle = [...text.slice(from, end)].map(otherThan).join("");
    return `${text.slice(0, from)}${middle}${text.slice(end)}`;
  };

/** In which ways keys of different things are near to each other (INT-67). */
const inAll: Readonly<Record<string, Near>> = {
  "another last character": (text) => otherFrom(text.length - 1)(text),
  "another first character": otherFrom(0, 1),
  "the same last four characters": (text) => otherFrom(0, text.length - 4)(text),
  "the same first eight characters": otherFrom(8),
  "all but the last character": (text) => text.slice(0, -1),
  "a zero before": (text) => `0${text}`,
  "a point and a zero behind": (text) => `${text}.0`,
};
const of36: Near = (text) => text.padEnd(36, "Abcdefghijklmnopqrstuvwxyz");
/** Two that are near to each other, as an index may read only the beginning of a text. */
const inIndexes: Readonly<Record<string, Near>> = {
  "the same beginning, 36 characters": of36,
  "the same first 35 of 36 characters": (text) => otherFrom(35)(of36(text)),
};
const of18: Near = (text) => text.padEnd(18, "ABCDEFGHIJKLMNOPQR");
/** An account number may be read by its beginning or its digits alone. */
const inAccounts: Readonly<Record<string, Near>> = {
  "the same beginning, 18 characters": of18,
  "the same first 17 of 18 characters": (text) => otherFrom(17)(of18(text)),
};
/** Those that a database may take for equal. */
const inCollations: Readonly<Record<string, Near>> = {
  "another letter case": (text) =>
    text === text.toUpperCase() ? text.toLowerCase() : text.toUpperCase(),
  "an accent more": accented,
  "a combining accent more": (text) => accented(text).normalize("NFD"),
  "a blank behind": (text) => `${text} `,
  "two blanks inside": (text) => `${text.slice(0, 3)}  ${text.slice(3)}`,
};

/** The members by which a server may tell payees apart. */
const ofPayee = ["/external_id", "/bank_account/account_number", "/bank_account/iban", "/name"];

/** What a server may write in a form of its own: blanks, capitals and accents of such members. */
const isWrittenFreely = (place: string): boolean =>
  /^\/(?:name|merchant|bank_account\/.*)$/.test(place);

/** An IBAN of the same length gets the check digits that it needs: strict servers accept it, too. */
function nearIban(right: string, near: Near): string {
  const made = near(right);
  const bban = near(right.slice(4));
  const checked = ibanOf(right.slice(0, 2), bban.toUpperCase());
  return bban.length === right.length - 4 && isIban(checked) ? checked : made;
}

/**
 * Values that are near to those of a payee, at each member by which a server may tell two of them
 * apart: each kind of nearness at each member. `ofLetters`: a payee whose keys have letters, for what
 * a database may take for equal. @defaultValue the same payee
 */
export function nearToPayee(body: Json, ofLetters: Json = body): readonly SentText[] {
  return [
    ...nearTo(ofPayee, inAll, body),
    ...nearTo(["/external_id"], inIndexes, body),
    ...nearTo(["/bank_account/account_number"], inAccounts, body),
    ...nearTo(ofPayee, inCollations, ofLetters),
  ];
}

/** The same for an item. A server shows nothing of it, so that only an index of a database is seen. */
export function nearToItem(body: Json): readonly SentText[] {
  return nearTo(["/merchant", "/tax_id"], inCollations, body);
}

function nearTo(
  places: readonly string[],
  kinds: Readonly<Record<string, Near>>,
  body: Json,
): readonly SentText[] {
  return Object.entries(kinds).flatMap(([kind, near]) =>
    places.flatMap((place): readonly SentText[] => {
      const right = valueAt(body, place);
      if (typeof right !== "string") return [];
      const value = place.endsWith("/iban") ? nearIban(right, near) : near(right);
      if (value === right || value === "") return [];
      return [{ kind: `${kind} than another`, place, value, isAlterable: isWrittenFreely(place) }];
    }),
  );
}

import { isObject, type Json } from "../spec/json.ts";
import type { Design, Row } from "./covering-array.ts";

/** A valid JSON string that careless code treats wrongly: a kind of text. */
export interface OddText {
  readonly id: string;
  readonly text: string;
  /**
   * Where a server may change the text, so that the text in the response is not judged. Absent:
   * nowhere.
   */
  readonly fragile?: "anywhere" | "in names";
  /** What the text looks like. It is sent as it is then, even as an id. */
  readonly isLike?: "nothing" | "something else";
  /** Many servers refuse the text in members that they require, so it is sent last. */
  readonly isOftenRefused?: true;
}

/** The odd texts, the most revealing first. A server may refuse any of them. */
export const oddTexts: readonly OddText[] = [
  { id: "a quote as in SQL", text: "Trade'; -- Co" },
  { id: "an escaped zero byte", text: "Trade\u0000Co", fragile: "anywhere" },
  { id: "half a character", text: "Trade \ud83d Co", fragile: "anywhere" },
  { id: "2000 characters", text: "Trading Co ".repeat(182).slice(0, 2000) },
  { id: "what programs read as code", text: `Trader's "100%" %s \\ <script>&\${x}{{x}}; --` },
  { id: "no character", text: "", fragile: "anywhere", isLike: "nothing", isOftenRefused: true },
  { id: "a name that every object has", text: "constructor", isLike: "something else" },
  {
    id: "signs of templates, formulas and URLs",
    text: String.raw`=Trade $& $$ $1 \1 {0} + %2B%20&amp;=?#`,
  },
  { id: "an emoji outside the basic plane", text: "Trade 🏦 Co" },
  { id: "Latin letters with marks", text: "Müller Ação Café" },
  {
    id: "blanks alone",
    text: "   ",
    fragile: "anywhere",
    isLike: "something else",
    isOftenRefused: true,
  },
  { id: "a line break and a tab", text: "Trade\n\tCo", fragile: "anywhere" },
  // Letters of two and three bytes: a column of 20, 30, 32, 35, 40, 50, 60, 64, 70, 100, 128, 140,
  // 200 or 255 bytes ends in the middle of a letter.
  { id: "300 letters with marks", text: "ẾÃÇÕÉỘẬÍỮ".repeat(34).slice(0, 300) },
  { id: "the text 0", text: "0", isLike: "nothing" },
  { id: "the text null", text: "null", isLike: "something else" },
  { id: "the text false", text: "false", isLike: "something else" },
  { id: "the text NaN", text: "NaN", isLike: "something else" },
  { id: "a number with an exponent", text: "1e5", isLike: "something else" },
  { id: "a date", text: "2020-01-01", isLike: "something else" },
  // A column may be shorter than what is checked before it.
  { id: "120 digits", text: "1234567890".repeat(12), isLike: "something else" },
  // Letters that are composed of several, or become several when they are written as capitals.
  { id: "combining accents", text: "Cafe\u0301 A\u0303o Straße ŉ İ", fragile: "in names" },
  { id: "spaces at both ends", text: "  Trade Co  ", fragile: "in names" },
  { id: "signs without width", text: "Trade\u200b Co\u2028\ufeff", fragile: "anywhere" },
  // A server that drops all letters but Latin ones makes nothing of it.
  { id: "Japanese, and Arabic from right to left", text: "ビジネス شركة" },
];

/**
 * The members of requests that hold a text. Those that a server is likely to check come last, so that
 * a request which is refused for some of them is taken apart in few steps.
 */
export const textPlaces = {
  createCounterparty: [
    "/external_id",
    "/counterparty_address/address",
    "/counterparty_address/city",
    "/counterparty_address/zip_code",
    "/counterparty_address/state",
    "/name",
    "/bank_account/bank_name",
    "/intermediary_bank/bank_name",
    "/counterparty_address/country",
    "/bank_account/iban",
    "/bank_account/aba_routing_number",
    "/bank_account/account_number",
    "/bank_account/swift_code",
    "/bank_account/bank_country",
    "/intermediary_bank/swift_code",
    "/intermediary_bank/bank_country",
  ],
  createOperation: ["/operation_purpose", "/currency_pair", "/counterparty_id"],
  addAcamItem: ["/merchant", "/tax_id"],
  createBatch: ["/currency_pair"],
} as const;

/** Each kind of text at each member, at whichever endpoint: all pairs of the two. */
export const oddTextDesign: Design = {
  attributes: {
    text: oddTexts.map(({ id }) => id),
    member: Object.entries(textPlaces).flatMap(([operation, places]) =>
      places.map((place) => memberOf(operation, place)),
    ),
  },
};

/** The row of the design in which a text stands at a member. */
export function oddTextRow(operation: string, text: string, place: string): Row {
  return { text, member: memberOf(operation, place) };
}

function memberOf(operation: string, place: string): string {
  return `${operation} ${place}`;
}

/** A way to write a body that differs from what `JSON.stringify` writes. */
interface JsonSpelling {
  readonly id: string;
  readonly spell: (body: Json) => string;
}

/** The tokens of a JSON text: texts, numbers, signs and words. */
const tokens = /"(?:[^"\\]|\\.)*"|-?\d[\d.e+-]*|[{}[\],:]|[a-z]+/g;

const withTokens =
  (change: (token: string) => string): JsonSpelling["spell"] =>
  (body) =>
    JSON.stringify(body).replaceAll(tokens, change);

const withNumbers = (change: (text: string) => string): JsonSpelling["spell"] =>
  withTokens((token) => (/^[-\d]/.test(token) ? change(token) : token));

const entriesOf = (body: Json): [string, Json][] => Object.entries(isObject(body) ? body : {});

/** Ways to write the same JSON value (RFC 8259), the most revealing first. */
export const jsonSpellings: readonly JsonSpelling[] = [
  {
    id: "members in reverse order",
    spell: (body) => JSON.stringify(Object.fromEntries(entriesOf(body).reverse())),
  },
  { id: "white space everywhere", spell: withTokens((token) => ` ${token}\r\n\t `) },
  {
    id: "escapes for every character",
    spell: withTokens((token) =>
      token.startsWith('"') ? escapes(String(JSON.parse(token))) : token,
    ),
  },
  { id: "numbers with exponents", spell: withNumbers((text) => Number(text).toExponential()) },
  {
    id: "numbers with a trailing zero",
    spell: withNumbers((text) => {
      const point = text.includes(".") ? "" : ".";
      return text.includes("e") ? text : `${text}${point}0`;
    }),
  },
  {
    // RFC 8259, 4, allows it. Both members have the same value.
    id: "a member twice",
    spell: (body) => {
      const [[name, value] = ["", null]] = entriesOf(body).slice(-1);
      return `${JSON.stringify(body).slice(0, -1)},${JSON.stringify(name)}:${JSON.stringify(value)}}`;
    },
  },
];

function escapes(text: string): string {
  const codes = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
  return `"${codes.map((code) => `\\u${code.toString(16).padStart(4, "0")}`).join("")}"`;
}

import * as fc from "fast-check";

/** Texts that are legal JSON strings and that careless code stumbles over. Probes: to refuse them is no fault. */
export const oddTexts: readonly { readonly id: string; readonly text: string }[] = [
  { id: "double quotes", text: 'Trade "and" Co' },
  { id: "a backslash", text: "Trade \\ Co" },
  { id: "a line break and a tab", text: "Trade\n\tCo" },
  { id: "an apostrophe", text: "Trader's Co" },
  { id: "angle brackets", text: "Trade <b>and</b> Co" },
  { id: "an ampersand", text: "Trade & Co" },
  { id: "Latin letters with marks", text: "Müller Ação Café" },
  { id: "combining accents", text: "Cafe\u0301 A\u0303o" },
  { id: "Cyrillic", text: "Торговый дом" },
  { id: "Chinese", text: "贸易公司" },
  { id: "Arabic, right to left", text: "شركة التجارة" },
  { id: "an emoji outside the basic plane", text: "Trade 🏦 Co" },
  { id: "a family of joined emoji", text: "Trade 👩‍👩‍👧 Co" },
  { id: "a dollar placeholder", text: "Trade ${name} Co" },
  { id: "a percent placeholder", text: "Trade %s %n Co" },
  { id: "a brace placeholder", text: "Trade {{name}} Co" },
  { id: "a quote as in SQL", text: "Trade'; -- Co" },
  { id: "a percent sign", text: "Trade 100% Co" },
  { id: "what programs read as code", text: "Trader's 100% %s <b>&${x}; --" },
  { id: "a path", text: "../../trade" },
  { id: "spaces at both ends", text: "  Trade Co  " },
  { id: "the word null", text: "null" },
  { id: "the name of a prototype", text: "__proto__" },
  { id: "digits alone", text: "12345" },
  { id: "an escaped control character", text: "Trade\u0001Co" },
  { id: "an escaped zero byte", text: "Trade\u0000Co" },
  { id: "half a character", text: "Trade \ud83d Co" },
  { id: "no character", text: "" },
  { id: "blanks alone", text: "   " },
  { id: "a zero width space", text: "Trade\u200bCo" },
  { id: "300 characters", text: "Trade ".repeat(50) },
  { id: "2000 characters", text: "Trading Co ".repeat(182).slice(0, 2000) },
];

const alphabets = [
  "abcdefghijklmnopqrstuvwxyz",
  "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789",
  " .,-'\"\\/&<>",
  "äöüßçãõéñøåł",
  "абвгдежзийклмн",
  "αβγδεζηθικλμν",
  "贸易公司银行国际",
  "شركةالتجارةبنك",
  "かなカナ",
  "🏦💱🌍",
];

/** Text of 1 to 60 characters that mixes alphabets; never a lone surrogate. */
export const textArbitrary: fc.Arbitrary<string> = fc.string({
  unit: fc.oneof(...alphabets.map((alphabet) => fc.constantFrom(...alphabet))),
  minLength: 1,
  maxLength: 60,
});

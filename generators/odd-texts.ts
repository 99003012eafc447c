/** A legal JSON string that careless code gets wrong. */
export interface OddText {
  readonly id: string;
  readonly text: string;
  /** One of the dozen that finds most at the least cost: escapes, encodings of one to four bytes, length. */
  readonly likely?: true;
  /** Not among the likely ones, but often stored or returned in another form: escaped, decoded or transcoded. */
  readonly altered?: true;
  /** A server may trim, normalise or replace it without doing wrong: what it returns is not judged. */
  readonly fragile?: true;
  /** Letters with diacritics, as the names of banks have in many countries. */
  readonly hasMarks?: true;
}

/** Probes: a server may refuse any of them. */
export const oddTexts: readonly OddText[] = [
  { id: "double quotes", text: 'Trade "and" Co', likely: true },
  { id: "a backslash", text: "Trade \\ Co", likely: true },
  { id: "a line break and a tab", text: "Trade\n\tCo", likely: true, fragile: true },
  { id: "an apostrophe", text: "Trader's Co", altered: true },
  { id: "angle brackets", text: "Trade <b>and</b> Co", altered: true },
  { id: "an ampersand", text: "Trade & Co" },
  { id: "Latin letters with marks", text: "Müller Ação Café", likely: true, hasMarks: true },
  { id: "combining accents", text: "Cafe\u0301 A\u0303o", fragile: true },
  { id: "Cyrillic", text: "Торговый дом", altered: true },
  { id: "Chinese", text: "贸易公司", likely: true },
  { id: "Arabic, right to left", text: "شركة التجارة" },
  { id: "an emoji outside the basic plane", text: "Trade 🏦 Co", likely: true },
  { id: "a family of joined emoji", text: "Trade 👩‍👩‍👧 Co" },
  { id: "a dollar placeholder", text: "Trade ${name} Co" },
  { id: "a percent placeholder", text: "Trade %s %n Co" },
  { id: "a brace placeholder", text: "Trade {{name}} Co" },
  { id: "a quote as in SQL", text: "Trade'; -- Co" },
  { id: "a percent sign", text: "Trade 100% Co", altered: true },
  { id: "what programs read as code", text: "Trader's 100% %s <b>&${x}; --", likely: true },
  { id: "a path", text: "../../trade" },
  { id: "spaces at both ends", text: "  Trade Co  ", fragile: true },
  { id: "the word null", text: "null" },
  { id: "the name of a prototype", text: "__proto__" },
  { id: "digits alone", text: "12345" },
  { id: "an escaped control character", text: "Trade\u0001Co", fragile: true },
  { id: "an escaped zero byte", text: "Trade\u0000Co", likely: true, fragile: true },
  { id: "half a character", text: "Trade \ud83d Co", likely: true, fragile: true },
  { id: "no character", text: "", likely: true, fragile: true },
  { id: "blanks alone", text: "   ", likely: true, fragile: true },
  { id: "a zero width space", text: "Trade\u200bCo", fragile: true },
  { id: "300 characters", text: "Trading Co ".repeat(28).slice(0, 300) },
  { id: "2000 characters", text: "Trading Co ".repeat(182).slice(0, 2000), likely: true },
];

/** A valid JSON string that careless code gets wrong. */
export interface OddText {
  readonly id: string;
  readonly text: string;
  /**
   * Where a server may trim, normalise or replace the text, so that the returned text is not judged: anywhere, or only
   * in texts such as names, but not in ids or purposes. Absent: nowhere.
   */
  readonly fragile?: "anywhere" | "in names";
  /** The text is also sent in all members of a body at once. */
  readonly inAllMembers?: true;
}

/** The texts, those that most likely show a fault first. A server may refuse any of them. */
export const oddTexts: readonly OddText[] = [
  { id: "a quote as in SQL", text: "Trade'; -- Co" },
  { id: "an escaped zero byte", text: "Trade\u0000Co", fragile: "anywhere", inAllMembers: true },
  { id: "half a character", text: "Trade \ud83d Co", fragile: "anywhere", inAllMembers: true },
  { id: "an emoji outside the basic plane", text: "Trade 🏦 Co", inAllMembers: true },
  { id: "Latin letters with marks", text: "Müller Ação Café", inAllMembers: true },
  { id: "what programs read as code", text: `Trader's "100%" %s \\ <script>&\${x}{{x}}; --`, inAllMembers: true },
  { id: "2000 characters", text: "Trading Co ".repeat(182).slice(0, 2000) },
  { id: "blanks alone", text: "   ", fragile: "anywhere" },
  { id: "no character", text: "", fragile: "anywhere" },
  { id: "a backslash", text: "Trade \\ Co" },
  { id: "double quotes", text: 'Trade "and" Co' },
  { id: "a line break and a tab", text: "Trade\n\tCo", fragile: "anywhere" },
  { id: "Chinese", text: "贸易公司" },
  { id: "an apostrophe", text: "Trader's Co" },
  { id: "angle brackets", text: "Trade <b>and</b> Co" },
  { id: "a percent sign", text: "Trade 100% Co" },
  { id: "Cyrillic", text: "Торговый дом" },
  { id: "86 characters of three bytes", text: "贸易".repeat(43) },
  { id: "64 characters of four bytes", text: "🏦💱".repeat(32) },
  { id: "256 characters", text: "Trading Co ".repeat(24).slice(0, 256) },
  { id: "255 characters of three bytes", text: "贸易公".repeat(85) },
  { id: "an ampersand", text: "Trade & Co" },
  { id: "combining accents", text: "Cafe\u0301 A\u0303o", fragile: "in names" },
  { id: "Arabic, right to left", text: "شركة التجارة" },
  { id: "a family of joined emoji", text: "Trade 👩‍👩‍👧 Co" },
  { id: "a dollar placeholder", text: "Trade ${name} Co" },
  { id: "a percent placeholder", text: "Trade %s %n Co" },
  { id: "a brace placeholder", text: "Trade {{name}} Co" },
  { id: "a percent escape", text: "Trade%20%00Co" },
  { id: "a path", text: "../../trade" },
  { id: "a formula", text: "=1+1" },
  { id: "JSON in a text", text: '{"trade":["co"]}' },
  { id: "spaces at both ends", text: "  Trade Co  ", fragile: "in names" },
  { id: "the word null", text: "null" },
  { id: "the name of a prototype", text: "__proto__" },
  { id: "digits alone", text: "12345" },
  { id: "an escaped control character", text: "Trade\u0001Co", fragile: "anywhere" },
  { id: "a line separator", text: "Trade\u2028Co", fragile: "anywhere" },
  { id: "a noncharacter", text: "Trade\uffffCo", fragile: "anywhere" },
  { id: "a byte order mark", text: "\ufeffTrade Co", fragile: "anywhere" },
  { id: "a zero width space", text: "Trade\u200bCo", fragile: "anywhere" },
  { id: "300 characters", text: "Trading Co ".repeat(28).slice(0, 300) },
  { id: "70000 characters", text: "Trading Co ".repeat(6364).slice(0, 70_000) },
];

const marks: readonly (readonly [name: string, shape: RegExp])[] = [
  ["no character", /^$/],
  ["blanks alone", /^\s+$/],
  ["a blank at an end", /^\s|\s$/],
  ["a zero byte", /\0/],
  ["half a character", /\p{Surrogate}/u],
  ["a double quote", /"/],
  ["an apostrophe", /'/],
  ["a backslash", /\\/],
  ["an angle bracket", /[<>]/],
  ["an ampersand", /&/],
  ["a percent sign", /%/],
  ["a dollar sign", /\$/],
  ["a brace", /[{}]/],
  ["a semicolon", /;/],
  ["a plus sign", /\+/],
  ["two hyphens", /--/],
  ["a line break", /[\r\n]/],
  ["a tab", /\t/],
  ["a character outside the basic plane", /[\u{10000}-\u{10ffff}]/u],
  ["a combining accent", /\p{M}/u],
  ["a letter outside ASCII", /[^\u0000-\u007f\p{Surrogate}\p{M}\u{10000}-\u{10ffff}]/u],
];

/** A text without any mark, as most texts are. */
const plainText = /^[\w.,:/-][\w .,:/-]*$/;

/** What a text has that some servers trip over, in words: `a double quote`. */
export function marksOf(text: string): readonly string[] {
  if (plainText.test(text) && !text.endsWith(" ") && !text.includes("--")) return [];
  return marks.flatMap(([name, shape]) => (shape.test(text) ? [name] : []));
}

/** A short text that has these marks of a longer one, and no others. */
export function shortestWith(names: readonly string[], text: string): string {
  const parts = marks.flatMap(([name, shape]) =>
    names.includes(name) ? [shape.exec(text)?.[0] ?? ""] : [],
  );
  if (names.includes("no character")) return "";
  if (names.includes("blanks alone")) return text.slice(0, 3);
  const ends = names.includes("a blank at an end") ? " " : "";
  return `${ends}Ab${parts.map((part) => part.trim() || part).join("c")}cd${ends}`;
}

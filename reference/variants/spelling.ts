import type { Change } from "../policy.ts";
import { row } from "./variant.ts";
import type { Variant } from "./variant.ts";

const spelt =
  (spell: (body: unknown) => string): Change =>
  () => ({ serialise: (body) => spell(body) });

/** JSON in which numbers are spelt otherwise and keep their value. */
function withNumbers(value: unknown, spell: (number: number) => string): string {
  if (typeof value === "number") return spell(value);
  if (Array.isArray(value)) return `[${value.map((one) => withNumbers(one ?? null, spell)).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${withNumbers(member, spell)}`).join(",")}}`;
}

const backwards = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(backwards);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, member]) => [name, backwards(member)] as const)
      .toReversed(),
  );
};

const unicode = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

/** Escapes lower-case letters in strings and member names. */
const escaped = (text: string): string =>
  text.replaceAll(
    /"((?:[^"\\]|\\.)*)"/g,
    (_all, inside: string) =>
      `"${inside.replaceAll(/\\u[0-9a-f]{4}|\\.|[a-z]/g, (found) => (found.startsWith("\\") ? found : unicode(found)))}"`,
  );

const slot = { slot: "spelling" } as const;

/** Other spellings of the same JSON (RFC 8259). */
export const spellingVariants: readonly Variant[] = [
  row("json-pretty", "JSON is indented.", slot).by(spelt((body) => JSON.stringify(body, undefined, 2))),
  row("json-tabs", "JSON is indented with tabs and ends with white space.", slot).by(
    spelt((body) => `\r\n${JSON.stringify(body, undefined, "\t")}\r\n\t `),
  ),
  row("json-ascii", "Non-ASCII characters are escaped.", slot).by(
    spelt((body) => JSON.stringify(body).replaceAll(/[^\x00-\x7f]/g, unicode)),
  ),
  row("json-escaped", "Lower-case letters are escaped, in member names too.", slot).by(
    spelt((body) => escaped(JSON.stringify(body))),
  ),
  row("json-slashes", "Slashes are escaped.", slot).by(spelt((body) => JSON.stringify(body).replaceAll("/", "\\/"))),
  row("json-point-zero", "Whole numbers end with .0, integers too.", slot).by(
    spelt((body) =>
      withNumbers(body, (number) => (Number.isInteger(number) && number < 1e15 ? `${number}.0` : String(number))),
    ),
  ),
  row("json-padded-decimals", "Decimals have trailing zeros.", slot).by(
    spelt((body) =>
      withNumbers(body, (number) => (/^\d+\.\d+$/.test(String(number)) ? `${number}000` : String(number))),
    ),
  ),
  row("json-exponents", "Numbers have exponents.", slot).by(
    spelt((body) => withNumbers(body, (number) => number.toExponential())),
  ),
  row("json-exponents-capital", "Numbers have exponents with a capital E and a sign.", slot).by(
    spelt((body) => withNumbers(body, (number) => number.toExponential().replace("e", "E"))),
  ),
  row("json-backwards", "Members come in the opposite order.", slot).by(
    spelt((body) => JSON.stringify(backwards(body))),
  ),
];

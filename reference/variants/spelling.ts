import type { Change } from "../policy.ts";
import type { Variant } from "./variant.ts";
import { row } from "./row.ts";

const spelt =
  (spell: (body: unknown) => string): Change =>
  () => ({ serialise: (body) => spell(body) });

/** JSON with numbers of another spelling and the same value. */
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

/** Escapes whatever is inside quotes, names too. */
const escaped = (text: string): string =>
  text.replaceAll(
    /"((?:[^"\\]|\\.)*)"/g,
    (_all, inside: string) =>
      `"${inside.replaceAll(/\\u[0-9a-f]{4}|\\.|[a-z]/g, (found) => (found.startsWith("\\") ? found : unicode(found)))}"`,
  );

const slot = { slot: "spelling" } as const;

/** Other spellings of the same JSON (RFC 8259). */
export const spellingVariants: readonly Variant[] = [
  row(
    "json-pretty",
    "JSON is indented.",
    spelt((body) => JSON.stringify(body, undefined, 2)),
    slot,
  ),
  row(
    "json-tabs",
    "JSON is indented with tabs and ends with white space.",
    spelt((body) => `\r\n${JSON.stringify(body, undefined, "\t")}\r\n\t `),
    slot,
  ),
  row(
    "json-ascii",
    "Characters beyond ASCII are escaped.",
    spelt((body) => JSON.stringify(body).replaceAll(/[^\x00-\x7f]/g, unicode)),
    slot,
  ),
  row(
    "json-escaped",
    "Small letters are escaped, in names too.",
    spelt((body) => escaped(JSON.stringify(body))),
    slot,
  ),
  row(
    "json-slashes",
    "Slashes are escaped.",
    spelt((body) => JSON.stringify(body).replaceAll("/", "\\/")),
    slot,
  ),
  row(
    "json-point-zero",
    "Whole numbers end with .0, integers too.",
    spelt((body) =>
      withNumbers(body, (number) => (Number.isInteger(number) && number < 1e15 ? `${number}.0` : String(number))),
    ),
    slot,
  ),
  row(
    "json-padded-decimals",
    "Numbers have zeros at their end.",
    spelt((body) =>
      withNumbers(body, (number) => (/^\d+\.\d+$/.test(String(number)) ? `${number}000` : String(number))),
    ),
    slot,
  ),
  row(
    "json-exponents",
    "Numbers have exponents.",
    spelt((body) => withNumbers(body, (number) => number.toExponential())),
    slot,
  ),
  row(
    "json-exponents-capital",
    "Numbers have exponents with a capital E and a sign.",
    spelt((body) => withNumbers(body, (number) => number.toExponential().replace("e", "E"))),
    slot,
  ),
  row(
    "json-backwards",
    "Members come in the opposite order.",
    spelt((body) => JSON.stringify(backwards(body))),
    slot,
  ),
];

import { ownHeaders } from "../../../model/own-headers.ts";
import { Misfit, type Kind } from "./kind.ts";

/** A header as given: with its value, `env:NAME` or `file:path`. */
export interface HeaderEntry {
  readonly name: string;
  readonly value: string;
}

/** Headers: `Name: value`, a line each; in the file also an object from names to values. */
export const headers: Kind<readonly HeaderEntry[]> = {
  ofText: (text) => {
    const lines = text.split(/\r?\n/).filter((line) => line.trim() !== "");
    if (lines.length === 0) throw new Misfit(wanted, advice);
    return checked(lines.map(entryOf));
  },
  ofFile: (value) => {
    if (typeof value === "string") return headers.ofText(value);
    if (Array.isArray(value)) return checked(value.map(entryOf));
    if (typeof value !== "object" || value === null) throw new Misfit(wanted, advice);
    return checked(Object.entries(value).map(([name, one]: [string, unknown]) => ({ name, value: textOf(one) })));
  },
  schema: {
    anyOf: [
      {
        type: "object",
        propertyNames: { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$" },
        additionalProperties: { type: "string", minLength: 1 },
      },
      { type: "array", items: { type: "string", pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+:\\s*\\S" } },
      { type: "string", minLength: 1 },
    ],
  },
  toText: (value) => value.map(({ name, value: text }) => `${name}: ${text}`).join("\n"),
  toFile: (value) => Object.fromEntries(value.map(({ name, value: text }) => [name, text])),
  repeatable: "\n",
};

const wanted = 'a header as "Name: value"';
const advice = 'Write "X-Gateway-Key: value", or "X-Gateway-Key: env:NAME" to read the value from a variable.';

const textOf = (value: unknown): string => {
  if (typeof value === "string") return value.trim();
  throw new Misfit("headers whose values are texts", "Put each value in quotes.");
};

const entryOf = (line: unknown): HeaderEntry => {
  const [, name, value] = (typeof line === "string" && /^\s*([^:]+?)\s*:(.*)$/.exec(line)) || [];
  if (name === undefined || value === undefined) throw new Misfit(wanted, advice);
  return { name, value: value.trim() };
};

const checked = (entries: readonly HeaderEntry[]): readonly HeaderEntry[] => {
  const seen = new Set<string>();
  for (const { name, value } of entries) {
    // RFC 9110, section 5.6.2.
    if (!/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name)) throw new Misfit(wanted, advice);
    const key = name.toLowerCase();
    const reason = Object.hasOwn(ownHeaders, key) ? ownHeaders[key] : undefined;
    if (reason !== undefined) throw new Misfit(`a header that fxconform does not set itself, unlike ${name}`, reason);
    if (seen.has(key)) throw new Misfit(`a header for each name, but ${name} is there twice`, "Keep one of them.");
    if (value === "") throw new Misfit(`a header with a value, but ${name} has none`, advice);
    seen.add(key);
  }
  return entries;
};

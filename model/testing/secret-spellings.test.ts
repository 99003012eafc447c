import { describe, expect, test } from "vitest";
import { spellingsOf } from "./secret-spellings.ts";

const secrets = [
  `k3y/+Ab=~Zq_&<>"'9`,
  "eyJhbGciOi.J9-_x7w",
  'a"b\\c/d\\"efg',
  "schlüssel",
  "emoji😀emoji",
];

const hex = (text: string): string => Buffer.from(text).toString("hex");
const percentAll = (text: string): string => hex(text).replaceAll(/../g, "%$&");
function unicodeAll(text: string): string {
  return text
    .split("")
    .map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .join("");
}
function capitals(text: string): string {
  return text.replaceAll(/(?<=%|\\u)[0-9a-f]+/g, (digits) => digits.toUpperCase());
}
const small = (text: string): string => text.replaceAll(/%../g, (code) => code.toLowerCase());
function numbered(text: string, numberOf: (code: number) => string): string {
  return text.replaceAll(/[&<>"']/g, (c) => `&#${numberOf(c.charCodeAt(0))};`);
}
function named(text: string): string {
  return text
    .replaceAll("&", "&amp;")
    .replaceAll("<", "&lt;")
    .replaceAll(">", "&gt;")
    .replaceAll('"', "&quot;");
}

/** The base64 of the secret after other bytes. */
function inBase64(secret: string, before: number, coding: BufferEncoding): string {
  const bytes = Buffer.from(secret);
  const text = Buffer.concat([Buffer.alloc(before, "?"), bytes]).toString(coding);
  return text.replaceAll("=", "");
}

const encodings: Readonly<Record<string, (secret: string) => string>> = {
  "as it is": (secret) => secret,
  "percent-encoded": encodeURIComponent,
  "percent-encoded in small letters": (secret) => small(encodeURIComponent(secret)),
  "percent-encoded to the last character": percentAll,
  "percent-encoded to the last character, in capitals": (secret) => capitals(percentAll(secret)),
  "JSON-escaped": (secret) => JSON.stringify(secret).slice(1, -1),
  "JSON-escaped with slashes": (secret) =>
    JSON.stringify(secret).slice(1, -1).replaceAll("/", "\\/"),
  "JSON within JSON": (secret) => JSON.stringify(JSON.stringify(secret)).slice(3, -3),
  "JSON-escaped to the last character": unicodeAll,
  "JSON-escaped to the last character, in capitals": (secret) => capitals(unicodeAll(secret)),
  "HTML by name": named,
  "XML by name": (secret) => named(secret).replaceAll("'", "&apos;"),
  "HTML as most libraries escape": (secret) => named(secret).replaceAll("'", "&#39;"),
  "HTML in decimal numbers": (secret) => numbered(secret, String),
  "HTML in hexadecimal numbers": (secret) => numbered(secret, (code) => `x${code.toString(16)}`),
  hex,
  "hex in capitals": (secret) => hex(secret).toUpperCase(),
  ...Object.fromEntries(
    [0, 1, 2].flatMap((before) =>
      (["base64", "base64url"] as const).map((coding) => [
        `${coding} after ${before} bytes`,
        (secret: string) => inBase64(secret, before, coding),
      ]),
    ),
  ),
};

describe.each(secrets)("%s", (secret) => {
  test.each(Object.entries(encodings))("%s", (_, encoded) => {
    expect(spellingsOf(secret)).toContain(encoded(secret));
  });
});

test("half a character, which has no percent-encoding", () => {
  expect(spellingsOf("lone\ud800surrogate")).toEqual(
    expect.arrayContaining(["lone\ud800surrogate", "lone%EF%BF%BDsurrogate"]),
  );
});

test("each once, and none so short that it turns up in ordinary text", () => {
  for (const secret of [...secrets, "eight888", "ää"]) {
    const spellings = spellingsOf(secret);
    expect(new Set(spellings).size).toBe(spellings.length);
    expect(spellings.filter(({ length }) => length < 8)).toEqual([]);
  }
});

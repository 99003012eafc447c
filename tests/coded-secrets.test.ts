import { describe, expect, test } from "vitest";
import { redactionOf } from "../model/evidence/redaction.ts";
import { coders } from "../model/testing/secret-spellings.ts";

const secrets = [
  "q7Vw2Lk9ZrT4xN8bHs3Jd6Pm",
  "k3y/+Ab=~Zq_&<>9{}$'\"%x",
  "9f86d081884c7d659a2feaa0c55ad015",
  "7d8e1f3a-5b9c-4e27-a6d0-c48b1f92e35d",
  "aZ+9/kQx2+Lm0vR/7tWbYc4EsD8=",
  "q7Vw2Lk9",
  "q7Vw&lt;2Lk9ZrT4xN8b&amp;H",
  "q7Vw%412Lk9%25ZrT4xN8bH",
  "a".repeat(40),
  `${"0".repeat(40)}zq`,
];

/** Where a text can stand: a body, a header or trailer, a reason phrase, a name, an address. */
const places: Readonly<Record<string, (text: string) => string>> = {
  "a body": (text) => JSON.stringify({ message: `no ${text}, sorry`, n: 1 }),
  "JSON in a body": (text) => JSON.stringify({ echo: JSON.stringify({ message: text }) }),
  "a header": (text) => `Bearer ${text}`,
  "a reason phrase": (text) => text,
  "the name of a member": (text) => JSON.stringify({ [text]: { [text]: 1 } }),
  "an address": (text) => `https://fx.example/api?x=1&k=${text}#top`,
  "a path": (text) => `/corporate/operation/${text}/acam`,
};

const redactions = secrets.map((secret) => [secret, redactionOf([secret])] as const);
const everywhere = Object.entries(places);
let turn = 0;

/** Each secret is at another place than the one before, so that each pair of coders is at each place. */
describe.each(Object.entries(coders))("coded by %s", (_, inner) => {
  test.each(Object.entries(coders))("and then by %s, a secret is found", (_name, outer) => {
    for (const [secret, { redact, wholeIn }] of redactions) {
      turn += 1;
      const [place, textIn] = everywhere[turn % everywhere.length] ?? expect.fail();
      const text = textIn(outer(inner(secret)));
      expect([...wholeIn(text)], `${secret} in ${place}: ${text}`).toEqual([secret]);
      expect([...wholeIn(redact(text))]).toEqual([]);
    }
  });
});

test.each(Object.entries(coders))(
  "the bytes of a key, coded by %s in base64 or hex, are found",
  (_, outer) => {
    const bytes = [
      ["9f86d081884c7d659a2feaa0c55ad015", "hex", "base64"],
      ["7d8e1f3a-5b9c-4e27-a6d0-c48b1f92e35d", "hex", "base64url"],
      ["aZ+9/kQx2+Lm0vR/7tWbYc4EsD8=", "base64", "hex"],
    ] as const;
    for (const [secret, from, to] of bytes) {
      const { wholeIn } = redactionOf([secret]);
      const text = outer(Buffer.from(secret.replaceAll("-", ""), from).toString(to));
      for (const textIn of Object.values(places))
        expect([...wholeIn(textIn(text))]).toEqual([secret]);
    }
  },
);

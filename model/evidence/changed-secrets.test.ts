import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foundWays, otherWays } from "../testing/changed-secrets.ts";
import { createRedaction } from "./redaction.ts";

const secrets = {
  "a token of letters and digits": "q7Vw2Lk9ZrT4xN8bHs3Jd6Pm",
  "a token in base64url": "aZ-9_kQx2-Lm0vR_7tWbYc4E-sD8",
  "a key in hex": "9f86d081884c7d659a2feaa0c55ad015",
  "a UUID": "7d8e1f3a-5b9c-4e27-a6d0-c48b1f92e35d",
  "a JWT": "eyJ0eXAiOiJKV1QifQ.eyJzdWIiOiJjLTkxIn0.x7Kq-2mVbN_0zLrT",
};

const places: Readonly<Record<string, (text: string) => string>> = {
  "alone in a text": (text) => text,
  "inside a sentence": (text) => `The token "${text}" is unknown.`,
  "in JSON": (text) => JSON.stringify({ id: text, count: 1 }),
  "in JSON in JSON": (text) => JSON.stringify({ echo: JSON.stringify({ message: text }) }),
  "in HTML": (text) => `<p title='${text}'>no</p>`,
};

/** Runs of 12 characters that two texts have in common, without separators and in small letters. */
const lettersOf = (text: string): string => text.toLowerCase().replaceAll(/[^a-z\d]/g, "");
function commonRuns(text: string, other: string): readonly string[] {
  const letters = lettersOf(text);
  const others = lettersOf(other);
  return Array.from({ length: Math.max(0, letters.length - 11) }, (_, at) =>
    letters.slice(at, at + 12),
  ).filter((run) => others.includes(run));
}

describe.each(Object.entries(secrets))("%s", (_, secret) => {
  const { add, redact } = createRedaction();
  add(secret, "token");

  test.each(Object.entries(foundWays))(
    "given back this way is taken out everywhere: %s",
    (_name, way) => {
      for (const place of Object.values(places)) {
        const text = place(way(secret));
        const left = redact(text);
        expect(left).toMatch(/\[token(, changed)?\]/);
        expect(commonRuns(left, way(secret))).toEqual([]);
      }
    },
  );

  test.each(Object.entries(otherWays))(
    "SECURITY.md says that this is not found: %s",
    (_name, way) => {
      expect(redact(way(secret))).not.toContain("[token]");
    },
  );
});

test("any cut, way and place of any secret", () => {
  const secret = fc
    .stringMatching(/^[A-Za-z0-9_.~+/-]{24,60}$/)
    .filter((text) => lettersOf(text).length >= 22);
  const wayAndPlace = fc.tuple(
    fc.constantFrom(...Object.values(foundWays)),
    fc.constantFrom(...Object.values(places)),
  );
  fc.assert(
    fc.property(secret, wayAndPlace, fc.nat(8), (whole, [way, place], cut) => {
      const { add, redact } = createRedaction();
      add(whole, "token");
      const text = place(way(whole.slice(cut)));
      expect(redact(text)).toMatch(/\[token(, changed)?\]/);
    }),
    { numRuns: 200 },
  );
});

describe("nothing else is replaced", () => {
  test("in ordinary texts: ids, amounts, words, the texts of the catalogue", () => {
    const ordinary = fc.oneof(
      fc.uuid(),
      fc.double({ noNaN: true }).map(String),
      fc.lorem(),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
      fc.constantFrom(
        "0".repeat(30),
        "1000000000000.00",
        "-".repeat(40),
        "counterparty operation currency_pair",
      ),
    );
    const { add, redact } = createRedaction();
    for (const secret of Object.values(secrets)) add(secret, "token");
    add(`${"0".repeat(30)}zq`, "API key");
    fc.assert(
      fc.property(fc.array(ordinary, { maxLength: 20 }), (texts) => {
        const text = JSON.stringify(texts);
        expect(redact(text)).toBe(text);
      }),
      { numRuns: 500 },
    );
  });

  test("what stands in the configuration, in an id or in a text of fxconform", () => {
    const { add, addId, redact } = createRedaction(
      undefined,
      [],
      ["https://sandbox.fx-example.test", "customer-4711-abc"],
    );
    add("key-sandbox.fx-example.test-7d8e1f3a5b9c", "API key");
    add("018bcfe5-6800-7a3b-9c4d-1f92e35da6d0", "token");
    add("x9-currency_pair-q7Vw2Lk9ZrT4", "other");
    const id = "018bcfe5-6800-7f00-b1aa-c48b1e27a6d0";
    addId(id);
    const text = `https://sandbox.fx-example.test/ customer-4711-abc ${id} currency_pair of operation`;
    expect(redact(text)).toBe(text);
  });

  test("but an id that is a part of a secret is taken out", () => {
    const { add, addId, redact } = createRedaction();
    add(secrets["a key in hex"], "API key");
    const id = secrets["a key in hex"].slice(0, 20);
    addId(id);
    expect(redact(id)).toBe("[API key, changed]");
  });
});

test("the search is one pass through a text, whatever is in it", () => {
  const { add, redact } = createRedaction();
  add("a".repeat(12_000), "token");
  add("ab".repeat(10_000), "API key");
  add("abc1234", "cookie");
  const texts = [
    "a".repeat(11_999),
    `${"ab".repeat(9_999)} `,
    " ",
    "\\",
    "%25",
    "&amp;",
    '"',
    "[token]",
    "abc1234",
  ];
  for (const text of texts) {
    const timeOf = (size: number): number => {
      const long = text.repeat(Math.ceil(size / text.length));
      const before = performance.now();
      redact(long);
      return performance.now() - before;
    };
    timeOf(2 ** 17);
    // A search in quadratic time would take minutes.
    expect(timeOf(2 ** 20)).toBeLessThan(5000);
  }
}, 60_000);

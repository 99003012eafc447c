import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { foundWays } from "../testing/changed-secrets.ts";
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
    // A search in quadratic time would take longer than a test may.
    redact(text.repeat(Math.ceil(2 ** 18 / text.length)));
  }
});

test("entities of HTML are read as browsers read them", () => {
  const secret = "k3y/+Ab=~Zq_&<>9{}$";
  const { add, redact } = createRedaction();
  add(secret, "token");
  for (const text of [
    "k3y&sol;&plus;Ab&equals;~Zq&lowbar;&amp;&lt;&gt;9&lcub;&rcub;&dollar;",
    "k3y&#47;&#43Ab&#61;~Zq&#95_&ampx&lt&gt9{}$".replace("&#95_&ampx", "&#95;&amp"),
    "k3y&#0000047;&#x00002b;Ab&#x3D;~Zq&#X5f;&#00038;&LT;&GT;9&#123;&#0125;&#00036;",
    "k3y&amp;#47;&amp;plus;Ab&amp;amp;equals;~Zq&UnderBar;&amp;amp;&amp;lt;&amp;gt;9&lbrace;&rbrace;$",
  ])
    expect(redact(`<p>${text}</p>`)).toBe("<p>[token]</p>");
});

test("of a long secret, what follows its beginning is taken out too", () => {
  const secret = Array.from({ length: 9000 }, (_, at) => `${at}x`).join("");
  const { add, redact } = createRedaction();
  add(secret, "token");
  expect(redact(JSON.stringify({ secret, other: 1 }))).toBe('{"secret":"[token]","other":1}');
});

test("the index is bounded: of endless secrets the newest are known, and the key always", () => {
  const { add, redact, secrets } = createRedaction();
  add("the-api-key-9x7q-0123456789", "API key");
  const tokenAt = (at: number): string => `${at}-q7Vw2Lk9ZrT4xN8bHs3J-`.repeat(400);
  for (let at = 0; at < 300; at++) add(tokenAt(at), "token");
  expect(secrets().length).toBeLessThan(200);
  expect(redact(tokenAt(299))).toBe("[token]");
  expect(redact("the-api-key-9x7q-0123456789")).toBe("[API key]");
  add(tokenAt(0), "token");
  expect(redact(tokenAt(0))).toBe("[token]");
});

describe("what a user configured is never replaced", () => {
  const address = "http://localhost:8080/fx/v1";
  const own = [address, "customer-4711-abc", "USDBRL", "EURGBP", "import of goods"];
  const paths = ["/customers/customer-4711-abc/counterparty", "/corporate/operation", "/batches"];
  const harmless = [...own, ...paths.map((path) => `${address}${path}`)];
  const around = fc.stringMatching(/^[\w./:?=&-]{0,14}$/);

  test("whatever stands around it in a secret", () => {
    fc.assert(
      fc.property(fc.constantFrom(...harmless), around, around, (text, before, after) => {
        const { add, redact } = createRedaction(undefined, [], own);
        add(`${before}${text}${after}`, "credential");
        for (const one of harmless) {
          expect(redact(one)).toBe(one);
          expect(redact(`GET ${one}/01hx2k-9z7q/acam {}`)).toContain(one);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("and the rest of such a secret is still taken out", () => {
    const { add, redact } = createRedaction(undefined, [], own);
    add(`${address}/reset?code=q7Vw2Lk9ZrT4xN8bHs3J`, "credential");
    expect(redact(`see ${address}/reset?code=q7Vw2Lk9ZrT4xN8bHs3J`)).not.toContain("q7Vw2Lk9");
  });
});

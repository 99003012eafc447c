import { describe, expect, test, vi } from "vitest";
import { createRedaction } from "./redaction.ts";
import { spellingsOf } from "../testing/secret-spellings.ts";

const key = "k3y/+Ab=~Zq_&<>9";
const token = "eyJhbGciOi.J9-_x7w";

function redactionOf(...secrets: readonly (readonly [secret: string, label: string])[]) {
  const redaction = createRedaction();
  for (const [secret, label] of secrets) redaction.add(secret, label);
  return redaction;
}

describe("a secret is taken out of text", () => {
  const { redact } = redactionOf([key, "API key"], [token, "token"]);

  test("in each of its spellings, inside a longer text too", () => {
    for (const [secret, label] of [
      [key, "API key"],
      [token, "token"],
    ] as const) {
      for (const spelling of spellingsOf(secret)) {
        // In base64, a character may hold bits of the secret and of what stands beside it.
        const redacted = `[\\w/-]{0,3}\\[${label}\\][\\w/-]?`;
        expect(redact(`xx${spelling}yy, ${spelling}`)).toMatch(
          new RegExp(`^xx${redacted}yy, ${redacted}$`),
        );
      }
    }
  });

  test("with quotes and backslashes in it", () => {
    const odd = 'a"b\\c/d\\"efg';
    const { redact } = redactionOf([odd, "key"]);
    expect(redact(JSON.stringify({ echo: odd }))).toBe('{"echo":"[key]"}');
    expect(redact(JSON.stringify(JSON.stringify({ echo: odd })))).toBe(
      String.raw`"{\"echo\":\"[key]\"}"`,
    );
    expect(redact(`<p title="${odd.replaceAll('"', "&quot;")}">`)).toBe('<p title="[key]">');
  });

  test.each([
    [
      "some of its characters by their numbers in JSON",
      String.raw`{"a":"k3y\u002F\u002bAb=~Zq_&\u003c>9 \u0022"}`,
    ],
    ["the same in JSON in JSON", String.raw`"{\"a\":\"k3y/\\u002BAb=~Zq_&<>9\"}"`],
    ["some percent-encoded", "/p?q=k3y%2F+Ab%3D~Zq_%26%3C%3e9&r=%22"],
    ["percent-encoded twice", `/p?q=${encodeURIComponent(encodeURIComponent(key))}`],
  ])("with %s", (_, text) => {
    expect(redact(text)).toContain("[API key]");
    expect(redact(text)).not.toMatch(/Zq_/);
  });
});

describe("base64 of a longer text", () => {
  const { redact } = redactionOf([token, "token"]);

  test.each([0, 1, 2, 3, 4, 5, 6, 7])("with %i bytes before it", (before) => {
    for (const after of ["", "&", "&a", "&a=1"]) {
      for (const coding of ["base64", "base64url"] as const) {
        const text = Buffer.from(`${"?".repeat(before)}${token}${after}`).toString(coding);
        const left = redact(text).split("[token]");
        expect(left).toHaveLength(2);
        // What is left shows only a part of the first and of the last character.
        const decoded = left.map((part) => Buffer.from(part, "base64").toString("latin1"));
        expect(decoded[0]?.slice(0, before)).toBe("?".repeat(before));
        expect(left[0]?.length).toBeLessThanOrEqual(Math.ceil((before * 8) / 6));
        expect(left[1]?.replaceAll("=", "").length).toBeLessThanOrEqual(
          Math.ceil((after.length * 8) / 6) + 1,
        );
      }
    }
  });
});

describe("several secrets", () => {
  test("the longer one goes first, whichever was added first", () => {
    for (const order of [
      ["token-123", "token-123-tail"],
      ["token-123-tail", "token-123"],
    ]) {
      const { redact } = redactionOf(
        ...order.map((secret) => [secret, `${secret.length}`] as const),
      );
      expect(redact("token-123-tail token-123")).toBe("[14] [9]");
    }
  });

  test("a secret that comes later is taken out too", () => {
    const redaction = redactionOf([key, "API key"]);
    expect(redaction.redact(token)).toBe(token);
    redaction.add(token, "token");
    expect(redaction.redact(`${token} ${key}`)).toBe("[token] [API key]");
  });

  test("each is listed once, with its first label", () => {
    const onSecret = vi.fn<(secret: string) => void>();
    const redaction = createRedaction(onSecret);
    redaction.add(key, "first");
    redaction.add(key, "second");
    redaction.add("", "nothing");
    redaction.add("short", "short");
    expect(onSecret.mock.calls).toEqual([[key]]);
    expect(redaction.secrets()).toEqual([key]);
    expect(redaction.redact(key)).toBe("[first]");
  });
});

describe("an ordinary secret, short or a word of the specification,", () => {
  const { redact, secrets, warnings } = redactionOf(
    ["abc1234", "API key"],
    ["eight888", "token"],
    ["operation", "header x-env"],
    ["d.rk", "cookie"],
  );

  test.each([
    ["a whole text", "abc1234", "[API key]"],
    ["after a scheme", "Bearer abc1234", "Bearer [API key]"],
    ["a JSON string", '{"key":"abc1234","n":1}', '{"key":"[API key]","n":1}'],
    ["JSON in JSON", String.raw`"{\"a\":\"operation\"}"`, String.raw`"{\"a\":\"[header x-env]\"}"`],
    ["the value of a cookie", "theme=d.rk; sid=dark; Path=/", "theme=[cookie]; sid=dark; Path=/"],
    ["beside a longer secret", '{"a":"abc1234","b":"eight888"}', '{"a":"[API key]","b":"[token]"}'],
  ])("is taken out where it is %s", (_, text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  test.each([
    "xabc1234x",
    "the key abc1234 is wrong",
    "/corporate/operation",
    '{"operation_id":"operation-1"}',
  ])("is not searched for inside other text: %s", (text) => {
    expect(redact(text)).toBe(text);
  });

  test("is warned of once for each label, without the pseudonyms of a recording", () => {
    expect(secrets()).toEqual(["eight888"]);
    expect(warnings().map((text) => text.split(" is ")[0])).toEqual([
      "The API key",
      "The header x-env",
      "The cookie",
    ]);
    expect(redactionOf(["token-1", "token"]).warnings()).toEqual([]);
  });
});

test("a label in the place of a secret is none", () => {
  const redaction = redactionOf(["[API key]", "API key"]);
  expect(redaction.redact("[API key]")).toBe("[API key]");
  expect(redaction.secrets()).toEqual([]);
});

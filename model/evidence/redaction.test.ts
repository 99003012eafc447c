import { describe, expect, test, vi } from "vitest";
import { createRedaction } from "./redaction.ts";

const key = "k3y/+Ab=~Zq_&<>9";
const token = "eyJhbGciOi.J9-_x7w";

function redactionOf(...secrets: readonly (readonly [secret: string, label: string])[]) {
  const redaction = createRedaction();
  for (const [secret, label] of secrets) redaction.add(secret, label);
  return redaction;
}

describe("several secrets", () => {
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
    ["after a scheme", "Bearer abc1234", "Bearer [API key]"],
    ["a JSON string", '{"key":"abc1234","n":1}', '{"key":"[API key]","n":1}'],
    ["JSON in JSON", String.raw`"{\"a\":\"operation\"}"`, String.raw`"{\"a\":\"[header x-env]\"}"`],
    ["the value of a cookie", "theme=d.rk; sid=dark; Path=/", "theme=[cookie]; sid=dark; Path=/"],
  ])("is taken out where it is %s", (_, text, expected) => {
    expect(redact(text)).toBe(expected);
  });

  test.each(["xabc1234x", "the key abc1234 is wrong", '{"operation_id":"operation-1"}'])(
    "is not searched for inside other text: %s",
    (text) => {
      expect(redact(text)).toBe(text);
    },
  );

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

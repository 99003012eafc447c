import { endpoints } from "../../../spec/endpoints.ts";
import { describe, expect, test } from "vitest";
import { operationNames } from "../../../spec/operations.ts";
import type { Exchange } from "../../../model/exchange.ts";
import type { Json } from "../../../spec/json.ts";
import { brokenIn, nothingKnown } from "../../testing/judgements.ts";
import { exchangeOf } from "../../../model/testing/exchanges.ts";
import { message } from "./message.ts";

/** The requirements that hold, and the requirement that is broken: `HTTP-02 broken`. */
function judged(exchange: Exchange): readonly string[] {
  return message
    .create(nothingKnown())
    .judge(exchange)
    .map(({ requirement, violation }) =>
      violation === undefined ? requirement : `${requirement} broken`,
    );
}

const accepted = ["HTTP-04", "HTTP-06", "HTTP-01", "HTTP-03", "HTTP-02"];
function bytes(...texts: (string | number[])[]): Uint8Array {
  return Buffer.concat(texts.map((text) => Buffer.from(text)));
}

describe("media type (INT-01)", () => {
  test.each(["Application/JSON; charset=utf-8", "application/json;charset=ISO-8859-1"])(
    "accepts %s",
    (type) => {
      expect(judged(exchangeOf("listBatches", { type }))).toEqual(accepted);
    },
  );

  test.each(["application/problem+json", ""])("refuses %j, though the bytes parse", (type) => {
    expect(judged(exchangeOf("listBatches", { type }))).toEqual([
      "HTTP-04",
      "HTTP-06",
      "HTTP-01 broken",
    ]);
  });
});

describe("JSON in UTF-8 (INT-02)", () => {
  test.each([
    ["escapes", String.raw`{"token":"\u0061\/bc\ud83d\ude00"}`],
    ["a member twice", '{"token":"abc","token":"abc"}'],
    ["half a character as an escape", String.raw`{"token":"abc","more":"\ud800"}`],
  ])("accepts %s", (_, body) => {
    expect(judged(exchangeOf("createToken", { body }))).toEqual(accepted);
  });

  test.each([
    ["a body cut short", '{"token":"ab'],
    ["a byte order mark", '\uFEFF{"token":"abc"}'],
  ])("refuses %s", (_, body) => {
    expect(judged(exchangeOf("createToken", { body }))).toEqual([
      ...accepted.slice(0, 4),
      "HTTP-02 broken",
    ]);
  });

  test.each(["utf16le", "latin1"] as const)(
    "%s with NUL bytes is none, though it may be UTF-8 by chance",
    (encoding) => {
      const text = encoding === "latin1" ? "\0\0\0{\0\0\0}" : '{"token":"abc"}';
      expect(brokenIn(exchangeOf("createToken", { body: Buffer.from(text, encoding) }))).toEqual([
        "HTTP-03",
      ]);
      expect(
        brokenIn(exchangeOf("createToken", { body: String.raw`{"token":"a","n":"\u0000"}` })),
      ).toEqual([]);
    },
  );

  test.each([
    ["an overlong form", [0xc0, 0xaf]],
    ["an encoded surrogate", [0xed, 0xa0, 0x80]],
    ["half a character", [0xf0, 0x9f]],
  ])("refuses %s", (_, wrong) => {
    expect(brokenIn(exchangeOf("createToken", { body: bytes('{"token":"', wrong, '"}') }))).toEqual(
      ["HTTP-03"],
    );
  });
});

describe("bodies that are not whole", () => {
  const text = "the body ended early";

  test.each(["cut", "coding"] as const)("%s: no JSON text came", (kind) => {
    const exchange = exchangeOf("createToken", { body: '{"token":"a"}', defect: { kind, text } });
    expect(judged(exchange)).toEqual(["HTTP-04", "HTTP-06", "HTTP-01", "HTTP-02 broken"]);
  });

  test("cut within a character is cut, not of another encoding", () => {
    const body = Buffer.from('"S\u00e3').subarray(0, -1);
    expect(brokenIn(exchangeOf("createToken", { body, defect: { kind: "cut", text } }))).toEqual([
      "HTTP-02",
    ]);
  });

  test.each([
    ["too large", "[", ["HTTP-04", "HTTP-06", "HTTP-01"]],
    ["missing", "", ["HTTP-04"]],
  ] as const)("%s: neither well-formed nor not", (kind, body, wanted) => {
    expect(judged(exchangeOf("listBatches", { body, defect: { kind, text } }))).toEqual(wanted);
  });
});

describe("errors (INT-03 and INT-04)", () => {
  test.each(operationNames)("%s: a string message, and extra members as one likes", (name) => {
    const wanted = endpoints[name].errorShape;
    const bodies: readonly Json[] = [{ message: "no" }, { message: "", code: 7, details: [{}] }];
    for (const json of bodies) {
      expect(judged(exchangeOf(name, { status: 422, json }))).toContain(wanted);
    }
    for (const json of [{}, { message: 7 }, { message: null }, [], "no", null]) {
      expect(brokenIn(exchangeOf(name, { status: 422, body: JSON.stringify(json) }))).toEqual([
        wanted,
      ]);
    }
  });
});

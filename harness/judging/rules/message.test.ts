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
  test.each([
    "application/json",
    "Application/JSON; charset=utf-8",
    "application/json;charset=ISO-8859-1",
    ' application/json ; profile="x;y"',
    "application/json;",
  ])("accepts %s", (type) => {
    expect(judged(exchangeOf("listBatches", { type }))).toEqual(accepted);
  });

  test.each([
    "text/html",
    "application/problem+json",
    "",
    "application/json5",
    "charset=utf-8; application/json",
  ])("refuses %j, though the bytes parse", (type) => {
    expect(judged(exchangeOf("listBatches", { type }))).toEqual([
      "HTTP-04",
      "HTTP-06",
      "HTTP-01 broken",
    ]);
  });
});

describe("JSON in UTF-8 (INT-02)", () => {
  test.each([
    ["white space", ' \r\n\t{ "token" : "abc" } \n'],
    ["escapes", String.raw`{"token":"\u0061\/bc\ud83d\ude00"}`],
    ["member order and extra members", '{"z":[1,2],"token":"abc","a":null}'],
    ["text beyond ASCII", '{"token":"abc","n":"São 漢字 😀"}'],
    ["a member twice", '{"token":"abc","token":"abc"}'],
    ["an extra name twice", '{"token":"abc","more":1,"more":2}'],
    ["half a character as an escape", String.raw`{"token":"abc","more":"\ud800"}`],
  ])("accepts %s", (_, body) => {
    expect(judged(exchangeOf("createToken", { body }))).toEqual(accepted);
  });

  test.each([
    ["NaN", '{"n":NaN}'],
    ["a body cut short", '{"token":"ab'],
    ["white space alone", "  "],
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

describe("responses without a body", () => {
  test.each([200, 201, 202, 204, 205])("a success %i fails", (status) => {
    expect(judged(exchangeOf("createBatch", { status, body: "", type: null }))).toEqual([
      "HTTP-04",
      "HTTP-06 broken",
    ]);
  });

  test.each([["createBatch", 304]] as const)("%s: a %i has none", (name, status) => {
    const known = nothingKnown();
    known.identities.sawList();
    const own = message.create(known).judge(exchangeOf(name, { status, body: "" }));
    expect(own).toEqual([{ requirement: "HTTP-04" }]);
  });

  test("a refusal lacks its message", () => {
    expect(judged(exchangeOf("createBatch", { status: 404, body: "" }))).toEqual([
      "HTTP-04",
      "BATCH-08 broken",
    ]);
  });
});

describe("errors (INT-03 and INT-04)", () => {
  test.each(operationNames)("%s: a string message, and extra members as one likes", (name) => {
    const wanted = endpoints[name].errorShape;
    const bodies: readonly Json[] = [{ message: "no" }, { message: "", code: 7, details: [{}] }];
    for (const json of bodies) {
      expect(judged(exchangeOf(name, { status: 422, json }))).toContain(wanted);
    }
    for (const json of [
      {},
      { error: "no" },
      { message: 7 },
      { message: null },
      { message: {} },
      [],
      "no",
      null,
      4,
    ]) {
      expect(brokenIn(exchangeOf(name, { status: 422, body: JSON.stringify(json) }))).toEqual([
        wanted,
      ]);
    }
  });

  test.each([
    [599, ["HTTP-04 broken"]],
    [600, ["HTTP-04", "HTTP-01", "HTTP-03", "HTTP-02"]],
  ])("%i: a crash has a status from 500 to 599", (status, wanted) => {
    expect(judged(exchangeOf("createToken", { status }))).toEqual(wanted);
  });
});

describe("intent (INT-12)", () => {
  test("a server need not know another method", () => {
    expect(brokenIn(exchangeOf("listBatches", { exemptBy: "INT-38", status: 501 }))).toEqual([]);
    expect(brokenIn(exchangeOf("listBatches", { exemptBy: "INT-38", status: 500 }))).toEqual([
      "HTTP-04",
    ]);
    expect(brokenIn(exchangeOf("listBatches", { exemptBy: "INT-41", status: 501 }))).toEqual([
      "HTTP-04",
    ]);
  });
});

import { describe, expect, test } from "vitest";
import { operationNames } from "../../../spec/operations.ts";
import { invalid, unusual, type Exchange } from "../../../model/exchange.ts";
import { brokenIn, nothingKnown, said } from "../../testing/judgements.ts";
import { exchangeOf, sound, type ExchangeOverrides } from "../../../model/testing/exchanges.ts";
import { errorShapeOf, judgeMessage, message } from "./message.ts";

/** The requirements of this file: what else the check judges changes nothing here. */
const ids: readonly string[] = ["HTTP-01", "HTTP-02", "HTTP-03", "HTTP-04", "HTTP-06", ...Object.values(errorShapeOf)];

/** What the check says of them, in any order. */
const judged = (exchange: Exchange): ReadonlySet<string> =>
  new Set(said(message, exchange).filter((line) => ids.includes(line.split(" ")[0] ?? "")));

const accepted = new Set(["HTTP-04 holds", "HTTP-06 holds", "HTTP-01 holds", "HTTP-03 holds", "HTTP-02 holds"]);
const bytes = (...texts: (string | number[])[]): Uint8Array => Buffer.concat(texts.map((text) => Buffer.from(text)));

describe("media type (INT-01)", () => {
  test.each([
    "application/json",
    "Application/JSON; charset=utf-8",
    "application/json;charset=ISO-8859-1",
    ' application/json ; profile="x;y"',
  ])("accepts %s", (type) => {
    expect(judged(exchangeOf("listBatches", { type }))).toEqual(accepted);
  });

  test.each(["text/html", "application/problem+json", "", "application/json5", "charset=utf-8; application/json"])(
    "refuses %j, though the bytes parse",
    (type) => {
      expect(judged(exchangeOf("listBatches", { type }))).toEqual(
        new Set([
          "HTTP-04 holds",
          "HTTP-06 holds",
          `HTTP-01 GET /batches answers a valid request with a body that is not declared as JSON. | Content-Type: application/json | status 200, Content-Type: ${type}, ${JSON.stringify(JSON.stringify(sound.listBatches.response))} | -`,
        ]),
      );
    },
  );

  test("refuses a missing type", () => {
    expect(judged(exchangeOf("createBatch", { type: null, body: "\r\n<p>\r\n</p>" }))).toContain(
      'HTTP-01 POST /batches answers a valid request with a body that is not declared as JSON. | Content-Type: application/json, and a JSON object with id | status 201, no Content-Type, "<p>" | -',
    );
  });
});

describe("JSON in UTF-8 (INT-02)", () => {
  test.each([
    ["white space", ' \r\n\t{ "token" : "abc" } \n'],
    ["escapes", String.raw`{"token":"\u0061\/bc\ud83d\ude00"}`],
    ["member order and extra members", '{"z":[1,2],"token":"abc","a":null}'],
    ["text beyond ASCII", '{"token":"abc","n":"São 漢字 😀"}'],
    ["a member twice", '{"token":"abc","token":"abc"}'],
  ])("accepts %s", (_, body) => {
    expect(judged(exchangeOf("createToken", { body }))).toEqual(accepted);
  });

  test.each([
    ["NaN", '{"n":NaN}'],
    ["a body cut short", '{"token":"ab'],
    ["white space alone", "  "],
    ["a byte order mark", '\uFEFF{"token":"abc"}'],
  ])("refuses %s", (_, body) => {
    const lines = judged(exchangeOf("createToken", { body }));
    const broken = [...lines].filter((line) => !line.endsWith(" holds"));
    expect(lines).toEqual(new Set(["HTTP-01 holds", "HTTP-03 holds", "HTTP-04 holds", "HTTP-06 holds", ...broken]));
    expect(broken).toEqual([
      expect.stringMatching(
        /^HTTP-02 POST \/auth\/token answers a valid request with a body that is not well-formed JSON\. \| well-formed JSON \(RFC 8259\): a JSON object with token \| status 200: .*\bJSON\b.* \| -$/,
      ),
    ]);
  });

  test("says of bytes that are not UTF-8 where they are, and nothing of their JSON", () => {
    const body = bytes('{"token":"', "S", [0xe3], 'o Paulo"}');
    expect(judged(exchangeOf("createToken", { body }))).toEqual(
      new Set([
        "HTTP-04 holds",
        "HTTP-06 holds",
        "HTTP-01 holds",
        String.raw`HTTP-03 POST /auth/token answers a valid request with bytes that are not UTF-8. | UTF-8: a JSON object with token | 21 bytes, invalid near "{\"token\":\"S` +
          String.raw`�o Paulo\"}" | -`,
      ]),
    );
  });

  test.each(["utf16le", "latin1"] as const)(
    "%s with NUL bytes is none, though it may be UTF-8 by chance",
    (encoding) => {
      const text = encoding === "latin1" ? "\0\0\0{\0\0\0}" : '{"token":"abc"}';
      expect(brokenIn(exchangeOf("createToken", { body: Buffer.from(text, encoding) }))).toEqual(["HTTP-03"]);
      expect(brokenIn(exchangeOf("createToken", { body: String.raw`{"token":"a","n":"\u0000"}` }))).toEqual([]);
    },
  );

  test.each([
    ["an overlong form", [0xc0, 0xaf]],
    ["an encoded surrogate", [0xed, 0xa0, 0x80]],
    ["half a character", [0xf0, 0x9f]],
  ])("refuses %s", (_, wrong) => {
    expect(brokenIn(exchangeOf("createToken", { body: bytes('{"token":"', wrong, '"}') }))).toEqual(["HTTP-03"]);
  });
});

describe("bodies that are not whole", () => {
  const text = "the body ended early";

  test.each(["cut", "coding"] as const)("%s: no JSON text came", (kind) => {
    expect(judged(exchangeOf("createToken", { body: '{"token":"a"}', defect: { kind, text } }))).toEqual(
      new Set([
        "HTTP-04 holds",
        "HTTP-06 holds",
        "HTTP-01 holds",
        `HTTP-02 POST /auth/token answers a valid request with a body that is not well-formed JSON. | well-formed JSON (RFC 8259): a JSON object with token | status 200: ${text} | -`,
      ]),
    );
  });

  test("cut within a character is cut, not of another encoding", () => {
    const body = Buffer.from('"S\u00e3').subarray(0, -1);
    expect(brokenIn(exchangeOf("createToken", { body, defect: { kind: "cut", text } }))).toEqual(["HTTP-02"]);
  });

  test.each([
    ["too large", "[", ["HTTP-04 holds", "HTTP-06 holds", "HTTP-01 holds"]],
    ["missing", "", ["HTTP-04 holds"]],
  ] as const)("%s: neither well-formed nor not", (kind, body, lines) => {
    expect(judged(exchangeOf("listBatches", { body, defect: { kind, text } }))).toEqual(new Set(lines));
  });
});

describe("responses without a body", () => {
  test.each([200, 201, 202, 204, 205])("a success %i fails", (status) => {
    expect(judged(exchangeOf("createBatch", { status, body: "", type: null }))).toEqual(
      new Set([
        "HTTP-04 holds",
        `HTTP-06 POST /batches answers a valid request with a success without a body. | a body: a JSON object with id | status ${status} without a body | -`,
      ]),
    );
  });

  test.each([
    ["createBatch", 304],
    ["listBatches", 302],
  ] as const)("%s: a %i has none", (name, status) => {
    expect(judgeMessage(exchangeOf(name, { status, body: "" }), true)).toEqual([{ requirement: "HTTP-04" }]);
  });

  test("a refusal lacks its message", () => {
    expect(judged(exchangeOf("createBatch", { status: 404, body: "", type: null }))).toEqual(
      new Set([
        "HTTP-04 holds",
        "BATCH-08 POST /batches answers a valid request with a refusal without a string `message`. | a JSON object with a string message | status 404 without a body | -",
      ]),
    );
  });
});

describe("errors (INT-03 and INT-04)", () => {
  test.each(operationNames)("%s: a string message, and extra members as one likes", (name) => {
    const wanted = errorShapeOf[name];
    for (const json of [{ message: "no" }, { message: "", code: 7, details: [{}] }]) {
      expect(judged(exchangeOf(name, { status: 422, json }))).toContain(`${wanted} holds`);
    }
    for (const json of [{}, { error: "no" }, { message: 7 }, { message: null }, { message: {} }, [], "no", null, 4]) {
      expect(brokenIn(exchangeOf(name, { status: 422, body: JSON.stringify(json) }))).toEqual([wanted]);
    }
  });

  test("what came in place of the message is reported", () => {
    expect(judged(exchangeOf("addAcamItem", { status: 409, json: { error: "no" } }))).toContain(
      'ACAM-06 POST /corporate/operation/{operation_id}/acam answers a valid request with a refusal without a string `message`. | a JSON object with a string message | status 409, {"error":"no"} | /message',
    );
  });

  test("500 is reported with the body", () => {
    const actualOf = (overrides: ExchangeOverrides) =>
      message(exchangeOf("createToken", { status: 500, ...overrides }), nothingKnown())[0]?.violation?.actual;
    expect(actualOf({ body: "<h1> at main.js:7", type: "text/html" })).toBe('status 500 "<h1> at main.js:7"');
    expect(actualOf({ body: "" })).toBe("status 500");
    expect(actualOf({ status: 599, body: "" })).toBe("status 599");
    expect(actualOf({ status: 600 })).toBeUndefined();

    for (const [intent, request] of [
      [invalid("whose body is nested 3,000 deep"), "a request whose body is nested 3,000 deep"],
      [unusual("with a long name"), "a request with a long name"],
    ] as const) {
      expect(judged(exchangeOf("createToken", { status: 500, json: { message: 'oh "no"' }, intent }))).toEqual(
        new Set([
          `HTTP-04 POST /auth/token answers ${request} with 500. | a status below 500 | status 500 "oh "no"" | -`,
        ]),
      );
    }
  });
});

describe("intent (INT-12)", () => {
  test("a server need not know another method", () => {
    expect(brokenIn(exchangeOf("listBatches", { exemptBy: "INT-38", status: 501 }))).toEqual([]);
    expect(brokenIn(exchangeOf("listBatches", { exemptBy: "INT-38", status: 500 }))).toEqual(["HTTP-04"]);
    expect(brokenIn(exchangeOf("listBatches", { exemptBy: "INT-41", status: 501 }))).toEqual(["HTTP-04"]);
  });
});

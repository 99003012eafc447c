import { describe, expect, test } from "vitest";
import type { Json } from "../spec/contract.ts";
import { createGenerators, malformedTextsOf, nonObjectBodies, oddTexts, sampleOf, spelledOtherwise } from "./index.ts";
import { contract, domain, withBody } from "./testing/contract.ts";

const generators = createGenerators(contract, domain);
const bodies: readonly Json[] = withBody.flatMap((one) => sampleOf(generators.valid(one), { seed: 4, n: 10 }));

const namesOf = (texts: readonly { readonly id: string }[]): readonly string[] => texts.map(({ id }) => id);

const decoded = (text: string | Uint8Array): string =>
  typeof text === "string" ? text : new TextDecoder("utf-8", { fatal: true }).decode(text);

/** The bytes as they are, one character each. */
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

describe("malformed texts", () => {
  test("the likely ones are one for each way in which parsers fail", () => {
    expect(namesOf(malformedTextsOf({ amount: 10.5 }).filter(({ likely }) => likely))).toEqual([
      "only its first half",
      "a trailing comma",
      "NaN",
      "an unknown escape",
      "two texts in a row",
      "a bare word in place of JSON",
      "a byte of latin-1",
    ]);
  });

  test("each has its one mistake, of the kind that its name says", () => {
    const texts = malformedTextsOf({ currency_pair: "USDBRL", amount: 10.5 });
    expect(texts.map(({ id, text, kind }) => [id, typeof text === "string" ? text : latin1(text), kind])).toEqual([
      ["no closing brace", '{"currency_pair":"USDBRL","amount":10.5', "syntax"],
      ["only its first half", '{"currency_pair":"US', "syntax"],
      ["a closing brace too many", '{"currency_pair":"USDBRL","amount":10.5}}', "syntax"],
      ["a trailing comma", '{"currency_pair":"USDBRL","amount":10.5,}', "syntax"],
      ["a leading comma", '{,"currency_pair":"USDBRL","amount":10.5}', "syntax"],
      ["single quotes", "{'currency_pair':'USDBRL','amount':10.5}", "syntax"],
      ["a name without quotes", '{currency_pair:"USDBRL","amount":10.5}', "syntax"],
      ["a name without value", '{"currency_pair":"USDBRL","amount":10.5,"more":}', "syntax"],
      ["no colon", '{"currency_pair" "USDBRL","amount":10.5}', "syntax"],
      ["no comma between members", '{"currency_pair":"USDBRL","amount":10.5 "more":1}', "syntax"],
      ["a line break inside a text", '{"currency_pair":"USDBRL","amount":10.5,"more":"a\nb"}', "syntax"],
      ["a number without digits after the point", '{"currency_pair":"USDBRL","amount":12.}', "syntax"],
      ["NaN", '{"currency_pair":"USDBRL","amount":NaN}', "syntax"],
      ["Infinity", '{"currency_pair":"USDBRL","amount":Infinity}', "syntax"],
      ["a number with a leading zero", '{"currency_pair":"USDBRL","amount":0123}', "syntax"],
      ["a number with a plus sign", '{"currency_pair":"USDBRL","amount":+123}', "syntax"],
      ["a number without digits before the point", '{"currency_pair":"USDBRL","amount":.5}', "syntax"],
      ["an unknown escape", '{"currency_pair":"USDBRL","amount":10.5,"more":"\\x41"}', "syntax"],
      ["a comment", '/* body */{"currency_pair":"USDBRL","amount":10.5}', "syntax"],
      ["two texts in a row", '{"currency_pair":"USDBRL","amount":10.5}'.repeat(2), "syntax"],
      ["a bare word in place of JSON", "body", "syntax"],
      ["a form in place of JSON", "currency_pair=USDBRL&amount=10.5", "syntax"],
      ["XML in place of JSON", "<body/>", "syntax"],
      ["a byte of latin-1", '{"currency_pair":"USDBRL","amount":10.5,"more":"\xe9"}', "encoding"],
      ["a character cut in two", '{"currency_pair":"USDBRL","amount":10.5,"more":"\xc3"}', "encoding"],
    ]);
  });

  test("none is JSON in UTF-8", () => {
    for (const body of bodies)
      for (const { text } of malformedTextsOf(body)) expect(() => JSON.parse(decoded(text)) as Json).toThrow();
  });

  test("those of the encoding would be JSON were their bytes replaced", () => {
    for (const { text, kind } of bodies.flatMap(malformedTextsOf).filter((one) => typeof one.text !== "string")) {
      expect(kind).toBe("encoding");
      expect(JSON.parse(new TextDecoder().decode(text as Uint8Array))).toHaveProperty("more");
    }
  });

  test("a number is spoilt where there is one, else the first value", () => {
    const textOf = (body: Json) => malformedTextsOf(body).find(({ id }) => id === "NaN")?.text;
    expect(textOf({ a: "x", b: 1, c: 2 })).toBe('{"a":"x","b":NaN,"c":2}');
    expect(textOf({ a: "x", b: "y" })).toBe('{"a":NaN,"b":"y"}');
    expect(textOf({ a: { b: 1 }, c: 2 })).toBe('{"a":{"b":1},"c":NaN}');
    expect(textOf({ 'a"': 1 })).toBe('{"a\\"":NaN}');
  });

  test("the form is a form", () => {
    const form = malformedTextsOf({ a: "x y", b: 1 }).find(({ id }) => id === "a form in place of JSON");
    expect(form?.text).toBe("a=x%20y&b=1");
    const nested = malformedTextsOf({ a: { b: 1 } }).find(({ id }) => id === "a form in place of JSON");
    expect(nested?.text).toBe("a=%7B%22b%22%3A1%7D");
    const half = malformedTextsOf({ a: "\ud800" }).find(({ id }) => id === "a form in place of JSON");
    expect(half?.text).toBe("a=%EF%BF%BD");
  });
});

test("spellings mean the same and are written otherwise", () => {
  for (const body of bodies) {
    for (const { text } of spelledOtherwise(body)) {
      expect(JSON.parse(text)).toEqual(body);
      expect(text).not.toBe(JSON.stringify(body));
    }
  }
});

test("the spellings of an operation", () => {
  const spellings = spelledOtherwise({ currency_amount: 10.5, list: [1, null, true], text: "Aé" });
  expect(Object.fromEntries(spellings.map(({ id, text }) => [id, text]))).toEqual({
    "members in reverse order": '{"text":"Aé","list":[1,null,true],"currency_amount":10.5}',
    "white space everywhere":
      ' {\r\n\t "currency_amount"\r\n\t :\r\n\t 10.5\r\n\t ,\r\n\t "list"\r\n\t :\r\n\t [\r\n\t 1\r\n\t ,\r\n\t null\r\n\t ,\r\n\t true\r\n\t ]\r\n\t ,\r\n\t "text"\r\n\t :\r\n\t "Aé"\r\n\t } \n',
    "escapes for every character": expect.stringContaining('"\\u0041\\u00e9"') as string,
    "numbers with exponents": '{"currency_amount":1.05e+1,"list":[1e+0,null,true],"text":"Aé"}',
    "numbers with a trailing zero": '{"currency_amount":10.50,"list":[1.0,null,true],"text":"Aé"}',
  });
});

test("a spelling that changes nothing is left out", () => {
  expect(spelledOtherwise({ a: "x" }).map(({ id }) => id)).toEqual([
    "white space everywhere",
    "escapes for every character",
  ]);
  expect(spelledOtherwise({ a: 1e21 }).map(({ id }) => id)).not.toContain("numbers with a trailing zero");
});

test("odd texts differ, in name and in text, and survive JSON in UTF-8", () => {
  expect(new Set(oddTexts.map(({ id }) => id)).size).toBe(oddTexts.length);
  expect(new Set(oddTexts.map(({ text }) => text)).size).toBe(oddTexts.length);
  for (const { id, text } of oddTexts) expect(text.isWellFormed()).toBe(id !== "half a character");
  const lengthOf = (id: string) => oddTexts.find((one) => one.id === id)?.text.length;
  expect(lengthOf("300 characters")).toBe(300);
  expect(lengthOf("2000 characters")).toBe(2000);
});

/** The pattern that the name of each odd text stands for. */
const promises: readonly (readonly [id: string, promise: RegExp])[] = [
  ["double quotes", /^Trade "and" Co$/],
  ["a backslash", /^Trade \\ Co$/],
  ["a line break and a tab", /^Trade\n\tCo$/],
  ["an apostrophe", /^Trader's Co$/],
  ["angle brackets", /^Trade <b>and<\/b> Co$/],
  ["an ampersand", /^Trade & Co$/],
  ["Latin letters with marks", /^(?=.*[ü].*[çã])[\p{Script=Latin} ]+$/u],
  ["combining accents", /^Cafe\u0301 A\u0303o$/],
  ["Cyrillic", /^[\p{Script=Cyrillic} ]+$/u],
  ["Chinese", /^\p{Script=Han}+$/u],
  ["Arabic, right to left", /^[\p{Script=Arabic} ]+$/u],
  ["an emoji outside the basic plane", /^Trade [\u{10000}-\u{10ffff}] Co$/u],
  ["a family of joined emoji", /^Trade (\p{Emoji}\u200d){2}\p{Emoji} Co$/u],
  ["a dollar placeholder", /^Trade \$\{name\} Co$/],
  ["a percent placeholder", /^Trade %s %n Co$/],
  ["a brace placeholder", /^Trade \{\{name\}\} Co$/],
  ["a quote as in SQL", /^Trade'; -- Co$/],
  ["a percent sign", /^Trade 100% Co$/],
  ["what programs read as code", /'.*%.*%s.*<b>.*&.*\$\{x\}.*--/],
  ["a path", /^\.\.\/\.\.\/trade$/],
  ["spaces at both ends", /^ +Trade Co +$/],
  ["the word null", /^null$/],
  ["the name of a prototype", /^__proto__$/],
  ["digits alone", /^\d+$/],
  ["an escaped control character", /^Trade\u0001Co$/],
  ["an escaped zero byte", /^Trade\u0000Co$/],
  ["half a character", /^Trade [\ud800-\udfff] Co$/u],
  ["no character", /^$/],
  ["blanks alone", /^ +$/],
  ["a zero width space", /^Trade\u200bCo$/],
  ["300 characters", /^(Trading Co ){27}Tra$/],
  ["2000 characters", /^(Trading Co ){181}Trading C$/],
];

test("odd texts are what their names say", () => {
  expect(oddTexts.map(({ id }) => id)).toEqual(promises.map(([id]) => id));
  expect(oddTexts.filter(({ text }, at) => !promises[at]?.[1].test(text))).toEqual([]);
});

test("bodies that are not objects are what their names say", () => {
  expect(Object.fromEntries(nonObjectBodies.map(({ id, body }) => [id, body]))).toEqual({
    "an empty array": [],
    "an array with an empty object": [{}],
    "a string": "text",
    "an empty string": "",
    "a number": 12345,
    zero: 0,
    true: true,
    false: false,
    null: null,
  });
});

test("bodies that are not objects are none, and differ", () => {
  for (const { body } of nonObjectBodies) expect(Array.isArray(body) || typeof body !== "object" || !body).toBe(true);
  expect(new Set(nonObjectBodies.map(({ body }) => JSON.stringify(body))).size).toBe(nonObjectBodies.length);
});

describe("odd texts are selected by their fields", () => {
  test("likely", () => {
    expect(namesOf(oddTexts.filter(({ likely }) => likely))).toEqual([
      "double quotes",
      "a backslash",
      "a line break and a tab",
      "Latin letters with marks",
      "Chinese",
      "an emoji outside the basic plane",
      "what programs read as code",
      "an escaped zero byte",
      "half a character",
      "no character",
      "blanks alone",
      "2000 characters",
    ]);
  });

  test("fragile", () => {
    expect(namesOf(oddTexts.filter(({ fragile }) => fragile))).toEqual([
      "a line break and a tab",
      "combining accents",
      "spaces at both ends",
      "an escaped control character",
      "an escaped zero byte",
      "half a character",
      "no character",
      "blanks alone",
      "a zero width space",
    ]);
  });

  test("what trimming, normalising or replacing changes is fragile, and nothing else", () => {
    const plain = (text: string): string =>
      text
        .trim()
        .normalize("NFC")
        .toWellFormed()
        .replaceAll(/[\p{Cc}\u200b]/gu, "");
    const changed = oddTexts.filter(({ text }) => text === "" || plain(text) !== text);
    expect(oddTexts.filter(({ fragile }) => fragile)).toEqual(changed);
  });

  test("likely or often altered, and not fragile: must be returned as they were sent", () => {
    expect(namesOf(oddTexts.filter(({ likely, altered, fragile }) => (likely || altered) && !fragile))).toEqual([
      "double quotes",
      "a backslash",
      "an apostrophe",
      "angle brackets",
      "Latin letters with marks",
      "Cyrillic",
      "Chinese",
      "an emoji outside the basic plane",
      "a percent sign",
      "what programs read as code",
      "2000 characters",
    ]);
  });

  test("with marks", () => {
    expect(namesOf(oddTexts.filter(({ hasMarks }) => hasMarks))).toEqual(["Latin letters with marks"]);
  });
});

import { describe, expect, test } from "vitest";
import type { Json } from "../spec/contract.ts";
import {
  createGenerators,
  emptyBody,
  malformedTextsOf,
  nonObjectBodies,
  oddTexts,
  sampleOf,
  spelledOtherwise,
} from "./index.ts";
import { contract, domain, withBody } from "./testing/contract.ts";
import { expectLaws } from "./testing/laws.ts";

const generators = createGenerators(contract, domain);
const bodies: readonly Json[] = withBody.flatMap((one) => sampleOf(generators.valid(one), { seed: 4, n: 10 }));

const decoded = (text: string | Uint8Array): string =>
  typeof text === "string" ? text : new TextDecoder("utf-8", { fatal: true }).decode(text);

describe("malformed texts", () => {
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
  });

  test("the form is a form", () => {
    const form = malformedTextsOf({ a: "x y", b: 1 }).find(({ id }) => id === "a form in place of JSON");
    expect(form?.text).toBe("a=x%20y&b=1");
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

test("odd texts have their say, once each, and survive JSON in UTF-8", () => {
  expect(new Set(oddTexts.map(({ id }) => id)).size).toBe(oddTexts.length);
  expect(new Set(oddTexts.map(({ text }) => text)).size).toBe(oddTexts.length);
  for (const { id, text } of oddTexts) expect(text.isWellFormed()).toBe(id !== "half a character");
  const lengthOf = (id: string) => oddTexts.find((one) => one.id === id)?.text.length;
  expect(lengthOf("300 characters")).toBe(300);
  expect(lengthOf("2000 characters")).toBe(2000);
});

test("bodies that are no objects are none, and differ", () => {
  for (const { body } of nonObjectBodies) expect(Array.isArray(body) || typeof body !== "object" || !body).toBe(true);
  expect(new Set(nonObjectBodies.map(({ body }) => JSON.stringify(body))).size).toBe(nonObjectBodies.length);
  expect(emptyBody).toHaveLength(0);
});

test("text mixes alphabets, is well-formed and 1 to 60 characters", () => {
  expectLaws(generators.text, (text) => text.isWellFormed() && [...text].length >= 1 && [...text].length <= 60);
  const all = sampleOf(generators.text, { seed: 1, n: 200 }).join("");
  for (const script of [
    /\p{Script=Latin}/u,
    /\p{Script=Cyrillic}/u,
    /\p{Script=Han}/u,
    /\p{Script=Arabic}/u,
    /\p{Emoji}/u,
  ])
    expect(all).toMatch(script);
});

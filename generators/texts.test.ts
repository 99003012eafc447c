import { describe, expect, test } from "vitest";
import type { Json } from "../spec/contract.ts";
import { createGenerators, malformedTextsOf, oddTexts, sampleOf, jsonSpellings } from "./index.ts";
import { contract, domain, withBody } from "./testing/contract.ts";

const generators = createGenerators(contract, domain);
const bodies: readonly Json[] = withBody.flatMap((one) => sampleOf(generators.valid(one), { seed: 4, n: 10 }));

const decoded = (text: string | Uint8Array): string =>
  typeof text === "string" ? text : new TextDecoder("utf-8", { fatal: true }).decode(text);

/** The bytes as they are, one character each. */
const latin1 = (bytes: Uint8Array): string => Buffer.from(bytes).toString("latin1");

describe("malformed texts", () => {
  test("each has its one mistake, of the kind that its name says", () => {
    const texts = malformedTextsOf({ currency_pair: "USDBRL", amount: 10.5 });
    const syntax = texts.filter(({ kind }) => kind === "syntax");
    const encoding = texts.filter(({ kind }) => kind === "encoding");
    const whole = '"currency_pair":"USDBRL","amount":10.5';
    const inner = (written: string): string => `{${whole},"more":{"inner":[${written}]}}`;
    expect(Object.fromEntries(syntax.map(({ id, text }) => [id, text]))).toEqual({
      "no closing brace": `{${whole}`,
      "only its first half": '{"currency_pair":"US',
      "a closing brace too many": `{${whole}}}`,
      "a trailing comma": `{${whole},}`,
      "a leading comma": `{,${whole}}`,
      "single quotes": "{'currency_pair':'USDBRL','amount':10.5}",
      "a name without quotes": '{currency_pair:"USDBRL","amount":10.5}',
      "a name without value": `{${whole},"more":}`,
      "no colon": '{"currency_pair" "USDBRL","amount":10.5}',
      "no comma between members": `{${whole} "more":1}`,
      "a number with a plus sign in an unknown member": `{${whole},"more":+123}`,
      "a number in hexadecimal in an unknown member": `{${whole},"more":0x1F}`,
      "a literal in capitals": `{${whole},"more":TRUE}`,
      "the literals of Python": `{${whole},"more":[True,None]}`,
      "the word undefined": `{${whole},"more":undefined}`,
      "a comment after a hash": `{${whole}\n# body\n}`,
      "a line break inside a text": `{${whole},"more":"a\nb"}`,
      "a number without digits after the point": '{"currency_pair":"USDBRL","amount":12.}',
      NaN: '{"currency_pair":"USDBRL","amount":NaN}',
      "NaN in an unknown member": `{${whole},"more":NaN}`,
      "NaN in a nested member": inner("NaN"),
      Infinity: '{"currency_pair":"USDBRL","amount":Infinity}',
      "Infinity in an unknown member": `{${whole},"more":Infinity}`,
      "Infinity in a nested member": inner("Infinity"),
      "-Infinity": '{"currency_pair":"USDBRL","amount":-Infinity}',
      "-Infinity in an unknown member": `{${whole},"more":-Infinity}`,
      "-Infinity in a nested member": inner("-Infinity"),
      "a number with a leading zero": '{"currency_pair":"USDBRL","amount":0123}',
      "a leading zero in an unknown member": `{${whole},"more":0123}`,
      "a leading zero in a nested member": inner("0123"),
      "a number with a plus sign": '{"currency_pair":"USDBRL","amount":+123}',
      "a number without digits before the point": '{"currency_pair":"USDBRL","amount":.5}',
      "a number without digits before the point in an unknown member": `{${whole},"more":.5}`,
      "a number without digits before the point in a nested member": inner(".5"),
      "an unknown escape": `{${whole},"more":"\\x41"}`,
      "a comment": `/* body */{${whole}}`,
      "two texts in a row": `{${whole}}`.repeat(2),
      "a bare word in place of JSON": "body",
      "a form in place of JSON": "currency_pair=USDBRL&amount=10.5",
      "XML in place of JSON": "<body/>",
    });
    expect(Object.fromEntries(encoding.map(({ id, text }) => [id, latin1(text as Uint8Array)]))).toEqual({
      "a byte of latin-1": `{${whole},"more":"\xe9"}`,
      "a character cut in two": `{${whole},"more":"\xc3"}`,
    });
  });

  test("none is JSON in UTF-8", () => {
    for (const body of bodies)
      for (const { text } of malformedTextsOf(body)) expect(() => JSON.parse(decoded(text)) as Json).toThrow();
  });

  test("the first number is replaced, or the first value if there is no number", () => {
    const textOf = (body: Json) => malformedTextsOf(body).find(({ id }) => id === "NaN")?.text;
    expect(textOf({ a: "x", b: 1, c: 2 })).toBe('{"a":"x","b":NaN,"c":2}');
    expect(textOf({ a: "x", b: "y" })).toBe('{"a":NaN,"b":"y"}');
    expect(textOf({ a: { b: 1 }, c: 2 })).toBe('{"a":{"b":1},"c":NaN}');
    expect(textOf({ 'a"': 1 })).toBe('{"a\\"":NaN}');
  });
});

test("each spelling has the same value", () => {
  for (const body of [...bodies, { a: 1e21, b: 0.000_000_1, c: 0.5, d: -3 }])
    for (const { id, textOf } of jsonSpellings) expect(JSON.parse(textOf(body)), id).toEqual(body);
});

test("the spellings of an operation", () => {
  const body = { currency_amount: 10.5, list: [1, null, true], text: "Aé" };
  expect(Object.fromEntries(jsonSpellings.map(({ id, textOf }) => [id, textOf(body)]))).toEqual({
    "members in reverse order": '{"text":"Aé","list":[1,null,true],"currency_amount":10.5}',
    "white space everywhere":
      ' {\r\n\t "currency_amount"\r\n\t :\r\n\t 10.5\r\n\t ,\r\n\t "list"\r\n\t :\r\n\t [\r\n\t 1\r\n\t ,\r\n\t null\r\n\t ,\r\n\t true\r\n\t ]\r\n\t ,\r\n\t "text"\r\n\t :\r\n\t "Aé"\r\n\t } \n',
    "escapes for every character": expect.stringContaining('"\\u0041\\u00e9"') as string,
    "escapes with capital digits": expect.stringContaining('"\\u0041\\u00E9"') as string,
    "numbers with exponents": '{"currency_amount":1.05e+1,"list":[1e+0,null,true],"text":"Aé"}',
    "numbers with a capital E": '{"currency_amount":1.05E+1,"list":[1E+0,null,true],"text":"Aé"}',
    "numbers with a negative exponent": '{"currency_amount":10500000e-6,"list":[1000000e-6,null,true],"text":"Aé"}',
    "numbers with a trailing zero": '{"currency_amount":10.50,"list":[1.0,null,true],"text":"Aé"}',
    "numbers with thirty zeros at the end": `{"currency_amount":10.5${"0".repeat(30)},"list":[1.${"0".repeat(30)},null,true],"text":"Aé"}`,
    "line feeds alone": '{\n"currency_amount"\n:\n10.5\n,\n"list"\n:\n[\n1\n,\nnull\n,\ntrue\n]\n,\n"text"\n:\n"Aé"\n}',
    "tabs alone": '{\t"currency_amount"\t:\t10.5\t,\t"list"\t:\t[\t1\t,\tnull\t,\ttrue\t]\t,\t"text"\t:\t"Aé"\t}',
    "a member twice": '{"currency_amount":10.5,"list":[1,null,true],"text":"Aé","text":"Aé"}',
    "a thousand spaces in front": " ".repeat(1000) + JSON.stringify(body),
  });
});

test("odd texts differ, in name and in text, and survive JSON in UTF-8", () => {
  expect(new Set(oddTexts.map(({ id }) => id)).size).toBe(oddTexts.length);
  expect(new Set(oddTexts.map(({ text }) => text)).size).toBe(oddTexts.length);
  for (const { id, text } of oddTexts) expect(text.isWellFormed()).toBe(id !== "half a character");
});

test("exactly the texts that trimming, normalising or replacing changes are fragile", () => {
  const plain = (text: string): string =>
    text
      .trim()
      .normalize("NFC")
      .toWellFormed()
      .replaceAll(/[\p{Cc}\p{Cn}\p{Zl}\u200b]/gu, "");
  const changed = oddTexts.filter(({ text }) => text === "" || plain(text) !== text);
  expect(oddTexts.filter(({ fragile }) => fragile !== undefined)).toEqual(changed);
});

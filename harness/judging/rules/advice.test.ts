import { describe, expect, test } from "vitest";
import { valueAt, invalid, isObject, type Exchange, type Json } from "../../../model/exchange.ts";
import { account, bank, changed, exchangeOf, sound, type ExchangeOverrides } from "../../../model/testing/exchanges.ts";
import { operationNames, type OperationName } from "../../../spec/operations.ts";
import { brokenIn, mustsBrokenIn, nothingKnown } from "../../testing/judgements.ts";
import type { Violation } from "../../../model/finding.ts";
import { judgeExchange } from "../../testing/judgements.ts";

/** Whoever does what a finding advises, in each of the ways that it names, breaks no requirement in the next run. */
const violationsIn = (exchange: Exchange): readonly Violation[] =>
  judgeExchange(exchange, nothingKnown()).flatMap(({ violation }) => violation ?? []);

/** A value for each text that can stand in an advice: the one that suits other requirements least. */
const values: Readonly<Record<string, Json | undefined>> = {
  present: null,
  absent: undefined,
  null: null,
  "a string": "of our own",
  "a string that is not empty and fits into a header": "t",
  "a number": 0.5,
  "an integer": -7,
  "an integer of at least 0": 0,
  "an array": [],
  "a BankAccount": account,
  "a Bank": bank,
  "a CounterpartyAddress": {},
  "a CounterpartyAddress as it was sent": sound.createCounterparty.sent.counterparty_address,
  "a BankAccount as it was sent": account,
  "a Bank as it was sent": bank,
  "a BatchOperation": {},
  "an RFC 3339 date-time with a zone": "2026-01-02T03:04:05.678+05:30",
  "an RFC 3339 date-time in UTC: it ends in Z, +00:00 or -00:00": "2026-01-02t03:04:05-00:00",
};

/** The values that an advice allows at its place. A text that the table does not know fails the test. */
const valuesOf = (name: OperationName, { expected }: Violation): readonly (Json | undefined)[] => {
  const [, place = "", kind, rest = ""] = /^(the body|\/\S*) (is|=) (.*)$/s.exec(expected) ?? [];
  const [right = "", left] = rest.split(", or the member left out");
  const others = left === undefined ? [] : [undefined];
  if (kind === "=") return [JSON.parse(right) as Json, ...others];
  const all = right.split(" or null").flatMap((text, index) => (index === 0 ? [text] : ["null"]));
  return [...all.map((text) => valueOf(name, place === "the body" ? "" : place, text)), ...others];
};

const valueOf = (name: OperationName, place: string, text: string): Json | undefined => {
  if (Object.hasOwn(values, text)) return values[text];
  // Nothing but the members that the advice names.
  const [, members] = /^an? (?:JSON object|Batch) with (.*)$/.exec(text) ?? [];
  if (members === undefined) throw new Error(`The test does not know how to follow: ${text}`);
  const whole = valueAt(sound[name].response, place.replaceAll(/\/\d+/g, "/0"));
  return Object.fromEntries(
    members.split(/, | and /).map((member) => [member, isObject(whole) ? (whole[member] ?? null) : null]),
  );
};

/**
 * The responses of a server whose author followed all findings, each in one of the ways that it names. Of an object that
 * is to be repeated, a finding names the first difference: the author follows the findings on the others too.
 */
const followed = (name: OperationName, json: Json): readonly Json[] => {
  const once = followedOnce(name, json);
  return once.map((body) => repeated(name, body));
};

const repeated = (name: OperationName, json: Json, times = 1): Json => {
  const exchange = exchangeOf(name, { json });
  const isOver = times > 5 || brokenIn(exchange).length === 0 || mustsBrokenIn(exchange).length > 0;
  return isOver ? json : repeated(name, followedOnce(name, json)[0] ?? null, times + 1);
};

const followedOnce = (name: OperationName, json: Json): readonly Json[] => {
  const advice = violationsIn(exchangeOf(name, { json })).map((violation) => ({
    place: /^\/\S*\*\S*/.exec(violation.expected)?.[0].replaceAll("*", "0") ?? violation.pointer ?? "",
    allowed: valuesOf(name, violation),
  }));
  const ways = Math.max(0, ...advice.map(({ allowed }) => allowed.length));
  return Array.from({ length: ways }, (_, way) =>
    advice.reduce<Json>(
      (body, { place, allowed }) =>
        place === "" ? (allowed[0] ?? null) : changed(body, place, allowed[Math.min(way, allowed.length - 1)]),
      isObject(json) ? json : {},
    ),
  );
};

const pointersOf = (value: Json, at = ""): readonly string[] => [
  ...(at === "" ? [] : [at]),
  ...(typeof value === "object" && value !== null
    ? Object.entries(value).flatMap(([key, inner]) => pointersOf(inner, `${at}/${key}`))
    : []),
];

const wrong: readonly (Json | undefined)[] = [7, -1.5, "x", "", true, null, {}, [], [7], undefined];

describe.each(operationNames)("the advice of findings on %s", (name) => {
  const { response } = sound[name];

  test.each(pointersOf(response))("%s", (pointer) => {
    for (const value of wrong)
      for (const body of followed(name, changed(response, pointer, value)))
        expect({ value, body, broken: brokenIn(exchangeOf(name, { json: body })) }).toEqual({
          value,
          body,
          broken: [],
        });
  });

  test("the body itself", () => {
    for (const value of [7, "x", null, [], {}])
      for (const body of followed(name, value))
        expect({ value, body, broken: brokenIn(exchangeOf(name, { json: body })) }).toEqual({
          value,
          body,
          broken: [],
        });
  });

  test.each<[string, ExchangeOverrides]>([
    ["no body", { body: "" }],
    ["no content", { body: "", status: 204 }],
    ["a text", { body: "all is well" }],
    ["an HTML page", { body: "<h1>no</h1>", type: "text/html" }],
    ["no media type", { type: null }],
    ["bytes", { body: Buffer.from([0x7b, 0xff, 0x7d]) }],
    ["a refusal without a body", { body: "", status: 400 }],
    ["a refusal in HTML", { body: "<h1>no</h1>", type: "text/html", status: 404 }],
    ["a refusal without a message", { json: { error: "no" }, status: 404 }],
    ["a refusal with a message of another type", { json: { message: 7 }, status: 404 }],
    ["a refusal in a text", { body: "no", status: 404 }],
    ["a success that reports a failure", { json: { error: "no" }, intent: invalid("with a mistake") }],
    ["a crash", { json: { message: "boom" }, status: 500 }],
  ])("%s", (_, overrides) => {
    const exchange = exchangeOf(name, overrides);
    const advice = violationsIn(exchange).map(({ expected }) => expected);
    expect({ advice, broken: brokenIn(asAdvised(name, exchange, overrides, advice.join("; "))) }).toEqual({
      advice,
      broken: [],
    });
  });
});

/** The response with what the advice on the whole message names: status, media type, body. */
const asAdvised = (
  name: OperationName,
  { response }: Exchange,
  { intent }: ExchangeOverrides,
  advice: string,
): Exchange => {
  const [, members] = /a JSON object with ([a-z_, ]+)/.exec(advice) ?? [];
  const [, status] = /status (\d+)/.exec(advice) ?? (/4xx|below 500/.test(advice) ? [0, 404] : []);
  const isMessage = members === "a string message" || advice.includes("/message is a string");
  return exchangeOf(name, {
    ...(intent === undefined ? {} : { intent }),
    // A success without a body is no success with another status.
    status: Number(status ?? (response.status === 204 ? 200 : response.status)),
    ...(isMessage && !advice.includes("/message = ")
      ? { json: { message: "no" } }
      : members === undefined
        ? { body: response.body }
        : { json: valueOf(name, "", `a JSON object with ${members}`) ?? null }),
  });
};

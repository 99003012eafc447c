import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { invalid, memberOf, type RequestSpec } from "../../model/exchange.ts";
import { exchangeOf } from "../../harness/testing/exchanges.ts";
import { createTargetKnowledge } from "./target-knowledge.ts";
import { refusalOfItsOwn } from "./refusal.ts";
import { operationRequest } from "./steps.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const question: RequestSpec = {
  ...operationRequest({ currency_amount: null }),
  intent: invalid("with null at /currency_amount"),
};
const refusal = (status: number) => exchangeOf("createOperation", { status, json: { message: "no" } });
const patient = { grace: 5000, signal: new AbortController().signal };
const isControl = (ask: RequestSpec): boolean =>
  typeof memberOf(typeof ask.body === "function" ? undefined : ask.body, "currency_amount") === "number";

/** What comes of a question that was answered with `status`, and what was asked: V for valid, Q for the question, A for it alone. */
const lookedInto = async (
  status: number,
  response: (ask: RequestSpec, passed: number) => number,
  knowledge = createTargetKnowledge(),
  hasWaited = false,
) => {
  const start = performance.now();
  const asked: string[] = [];
  const ask = async (one: RequestSpec) => {
    asked.push(isControl(one) ? "V" : "Q");
    const given = response(one, performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    if (hasWaited && isControl(one)) waits += 1;
    return given === 200 ? exchangeOf("createOperation") : refusal(given);
  };
  let waits = 0;
  let amount = 0;
  const stated = { status: 400, control: () => operationRequest({ currency_amount: (amount += 1) }) };
  const sendAlone = async (one: RequestSpec) => {
    asked.push("A");
    const given = response(one, performance.now() - start);
    return given === 200 ? exchangeOf("createOperation") : refusal(given);
  };
  const parts = { ...patient, ask, sendAlone, knowledge, waits: () => waits };
  const result = refusalOfItsOwn(parts, question, refusal(status), stated);
  await vi.advanceTimersByTimeAsync(60_000);
  return { status: (await result)?.response.status, asked: asked.join("") };
};

test.each([403, 422])("%i is the server's word where a valid request is accepted", async (status) => {
  expect(await lookedInto(status, (ask) => (isControl(ask) ? 200 : status))).toEqual({ status, asked: "VA" });
});

test.each([404, 422])("%i that does not come again by itself is about another request", async (status) => {
  const knowledge = createTargetKnowledge();
  knowledge.lag.longest = 700;
  const response = (ask: RequestSpec, passed: number) => (isControl(ask) ? 200 : passed < 5000 ? status : 400);
  expect(await lookedInto(status, response, knowledge)).toEqual({ status: 400, asked: "VA" });
  expect(await lookedInto(status, response)).toEqual({ status, asked: "VA" });
});

test.each([200, 401, 429])("%i to the same request by itself takes nothing back", async (again) => {
  expect(await lookedInto(422, (ask) => (isControl(ask) ? 200 : again))).toEqual({ status: 422, asked: "VA" });
});

test("a valid request that is refused otherwise explains nothing", async () => {
  expect(await lookedInto(422, (ask) => (isControl(ask) ? 409 : 422))).toEqual({ status: 422, asked: "VA" });
});

test("a valid request that is refused with other words explains nothing, but numbers and ids are no words", async () => {
  const told = (ofValid: string, ofQuestion: string) => async (ask: RequestSpec) =>
    exchangeOf("createOperation", { status: 422, json: { message: isControl(ask) ? ofValid : ofQuestion } });
  for (const [ofValid, ofQuestion, open] of [
    ["limit of the day", "currency_amount is missing", false],
    ["limit 80 reached, id 7f3", "limit 80 reached, id 8a1", true],
  ] as const) {
    const ask = told(ofValid, ofQuestion);
    const stated = { status: 400, control: () => operationRequest({ currency_amount: 5 }) };
    const parts = { ...patient, ask, sendAlone: ask, knowledge: createTargetKnowledge(), waits: () => 0 };
    const result = await refusalOfItsOwn(parts, question, await ask(question), stated);
    expect(result === undefined).toBe(open);
  }
});

test("a quota that is told in the same way leaves it open", async () => {
  expect(await lookedInto(422, () => 422)).toEqual({ status: undefined, asked: "V" });
});

test("a block that passes is waited out, and the question asked again", async () => {
  const blocked = (ask: RequestSpec, passed: number) => (passed < 5500 ? 403 : isControl(ask) ? 200 : 400);
  expect(await lookedInto(403, blocked)).toEqual({ status: 400, asked: "VVVQ" });
});

test("a block that the control itself waited for was a block too", async () => {
  const response = (ask: RequestSpec) => (isControl(ask) ? 200 : 400);
  expect(await lookedInto(403, response, createTargetKnowledge(), true)).toEqual({ status: 400, asked: "VQ" });
});

test("a block that comes again is waited out a few times, and no more", async () => {
  const response = (ask: RequestSpec) => (isControl(ask) ? 200 : 403);
  expect(await lookedInto(403, response, createTargetKnowledge(), true)).toEqual({ status: 403, asked: "VQVQVQV" });
});

test("a block that does not pass leaves it open, and is waited for once", async () => {
  const knowledge = createTargetKnowledge();
  expect(await lookedInto(403, () => 403, knowledge)).toEqual({ status: undefined, asked: "VVVV" });
  expect(await lookedInto(403, () => 403, knowledge)).toEqual({ status: undefined, asked: "V" });
});

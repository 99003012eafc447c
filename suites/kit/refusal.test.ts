import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { invalid, memberOf, type RequestSpec } from "../../model/exchange.ts";
import { exchangeOf } from "../../model/testing/exchanges.ts";
import { createTargetKnowledge } from "./target-knowledge.ts";
import { refusalOfItsOwn } from "./refusal.ts";
import { operationRequest } from "./requests.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const request: RequestSpec = {
  ...operationRequest({ currency_amount: null }),
  intent: invalid("with null at /currency_amount"),
};
const refusal = (status: number) => exchangeOf("createOperation", { status, json: { message: "no" } });
const limits = { grace: 5000, signal: new AbortController().signal };
const isControl = (spec: RequestSpec): boolean =>
  typeof memberOf(typeof spec.body === "function" ? undefined : spec.body, "currency_amount") === "number";

/** What comes of a request that was answered with `status`, and what was sent: V for valid, Q for the request, A for it alone. */
const lookedInto = async (
  status: number,
  response: (spec: RequestSpec, passed: number) => number,
  knowledge = createTargetKnowledge(),
  hasWaited = false,
) => {
  const start = performance.now();
  const sent: string[] = [];
  const send = async (one: RequestSpec) => {
    sent.push(isControl(one) ? "V" : "Q");
    const given = response(one, performance.now() - start);
    await new Promise((resolve) => setTimeout(resolve, 1500));
    if (hasWaited && isControl(one)) waits += 1;
    return given === 200 ? exchangeOf("createOperation") : refusal(given);
  };
  let waits = 0;
  let amount = 0;
  const stated = { status: 400, control: () => operationRequest({ currency_amount: (amount += 1) }) };
  const sendAlone = async (one: RequestSpec) => {
    sent.push("A");
    const given = response(one, performance.now() - start);
    return given === 200 ? exchangeOf("createOperation") : refusal(given);
  };
  const parts = { ...limits, send, sendAlone, knowledge, waits: () => waits };
  const result = refusalOfItsOwn(parts, request, refusal(status), stated);
  await vi.advanceTimersByTimeAsync(60_000);
  return { status: (await result)?.response.status, sent: sent.join("") };
};

test.each([403, 422])("%i is the server's word where a valid request is accepted", async (status) => {
  const sent = status === 403 ? "VAA" : "VA";
  expect(await lookedInto(status, (spec) => (isControl(spec) ? 200 : status))).toEqual({ status, sent });
});

test("a block that begins after the control explains the refusal of the request alone", async () => {
  const response = (spec: RequestSpec, passed: number) =>
    passed >= 1500 && passed < 6000 ? 403 : isControl(spec) ? 200 : passed < 1500 ? 403 : 400;
  expect(await lookedInto(403, response)).toEqual({ status: 400, sent: "VAAVVVQ" });
});

test.each([404, 422])("%i that does not come again by itself is about another request", async (status) => {
  const knowledge = createTargetKnowledge();
  knowledge.lagged(700);
  const response = (spec: RequestSpec, passed: number) => (isControl(spec) ? 200 : passed < 5000 ? status : 400);
  expect(await lookedInto(status, response, knowledge)).toEqual({ status: 400, sent: "VA" });
  expect(await lookedInto(status, response)).toEqual({ status, sent: "VA" });
});

test.each([200, 401, 429])("%i to the same request by itself takes nothing back", async (again) => {
  expect(await lookedInto(422, (spec) => (isControl(spec) ? 200 : again))).toEqual({ status: 422, sent: "VA" });
});

test("a valid request that is refused otherwise explains nothing", async () => {
  expect(await lookedInto(422, (spec) => (isControl(spec) ? 409 : 422))).toEqual({ status: 422, sent: "VA" });
});

test("a valid request that is refused with other words explains nothing, but numbers and ids are not words", async () => {
  const refusalWith = (ofValid: string, ofQuestion: string) => async (spec: RequestSpec) =>
    exchangeOf("createOperation", { status: 422, json: { message: isControl(spec) ? ofValid : ofQuestion } });
  for (const [ofValid, ofQuestion, open] of [
    ["limit of the day", "currency_amount is missing", false],
    ["limit 80 reached, id 7f3", "limit 80 reached, id 8a1", true],
  ] as const) {
    const send = refusalWith(ofValid, ofQuestion);
    const stated = { status: 400, control: () => operationRequest({ currency_amount: 5 }) };
    const parts = { ...limits, send, sendAlone: send, knowledge: createTargetKnowledge(), waits: () => 0 };
    const result = await refusalOfItsOwn(parts, request, await send(request), stated);
    expect(result === undefined).toBe(open);
  }
});

test("a quota that is reported in the same way leaves it open", async () => {
  expect(await lookedInto(422, () => 422)).toEqual({ status: undefined, sent: "V" });
});

test("a block that passes is waited out, and the request sent again", async () => {
  const blocked = (spec: RequestSpec, passed: number) => (passed < 5500 ? 403 : isControl(spec) ? 200 : 400);
  expect(await lookedInto(403, blocked)).toEqual({ status: 400, sent: "VVVQ" });
});

test("a block that the control itself waited for was a block too", async () => {
  const response = (spec: RequestSpec) => (isControl(spec) ? 200 : 400);
  expect(await lookedInto(403, response, createTargetKnowledge(), true)).toEqual({ status: 400, sent: "VQ" });
});

test("a block that comes again is waited out a few times, and no more", async () => {
  const response = (spec: RequestSpec) => (isControl(spec) ? 200 : 403);
  expect(await lookedInto(403, response, createTargetKnowledge(), true)).toEqual({ status: 403, sent: "VQVQVQV" });
});

test("a block that does not pass leaves it open, and is waited for once", async () => {
  const knowledge = createTargetKnowledge();
  expect(await lookedInto(403, () => 403, knowledge)).toEqual({ status: undefined, sent: "VVVV" });
  expect(await lookedInto(403, () => 403, knowledge)).toEqual({ status: undefined, sent: "V" });
});

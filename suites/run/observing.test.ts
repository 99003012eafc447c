import { expect, test } from "vitest";
import { exchangeOf } from "../../model/testing/exchanges.ts";
import { unusual, valid, type Intent } from "../../model/request.ts";
import { answerOf, createProbes, observing } from "./observing.ts";

function refusal(status: number, message: string, intent: Intent) {
  return exchangeOf("createCounterparty", { status, json: { message }, intent });
}

test("a refusal that valid requests meet as well is not an answer", () => {
  const probes = createProbes();
  const odd = unusual("with an emoji");
  const observe = (inCase: string, exchange: ReturnType<typeof exchangeOf>) =>
    probes.add("OPEN-28", inCase, exchange);
  observe("accepted", exchangeOf("createCounterparty", { intent: odd }));
  observe("a quota", refusal(403, "limit 80 reached", odd));
  observe("its own words", refusal(403, "no emoji", odd));
  observe("its own status", refusal(409, "limit 80 reached", odd));
  observe(
    "another operation",
    exchangeOf("createBatch", { status: 403, json: { message: "limit 80 reached" } }),
  );
  observe("a crash", refusal(500, "limit 80 reached", odd));
  // The server reaches its quota after the probes. Its messages differ only in a number, which does
  // not count as a word.
  probes.learn(refusal(403, "limit 81 reached", valid));
  probes.learn(refusal(403, "no emoji", odd));
  probes.learn(exchangeOf("createCounterparty"));
  expect(probes.answers().map(({ case: inCase, answer }) => `${inCase}: ${answer}`)).toEqual([
    "accepted: accepted",
    "its own words: refused with 403",
    "its own status: refused with 409",
    "another operation: refused with 403",
    "a crash: crashed with 500",
  ]);
});

test("each question of a request is answered, and one on the status of a refusal by refusals alone", () => {
  const plain = { operation: "createCounterparty", intent: valid } as const;
  const spec = observing(observing(plain, "OPEN-28", "a"), "OPEN-27", "b", "status");
  const answersTo = (exchange: ReturnType<typeof exchangeOf>) => {
    const probes = createProbes();
    probes.addObserved(spec, exchange);
    return probes.answers().map(({ question, case: inCase, answer }) => [question, inCase, answer]);
  };
  expect(answersTo(refusal(400, "no", valid))).toEqual([
    ["OPEN-28", "a", "refused with 400"],
    ["OPEN-27", "b", "400"],
  ]);
  expect(answersTo(exchangeOf("createCounterparty"))).toEqual([["OPEN-28", "a", "accepted"]]);
  expect(answerOf(refusal(302, "moved", valid))).toBe("answered with 302");
});

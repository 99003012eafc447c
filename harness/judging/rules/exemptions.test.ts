import { expect, test } from "vitest";
import { invalid, unusual } from "../../../model/request.ts";
import type { Exchange } from "../../../model/exchange.ts";
import { exchangeOf, type ExchangeOverrides } from "../../../model/testing/exchanges.ts";
import { createExemptions, type ExemptionCandidate } from "./exemptions.ts";

const page = { status: 302, type: "text/html", body: "<html>" };
const bad = { intent: invalid("with something wrong") };

/** An exchange in the form in which its sender knows it. */
function candidateOf(
  exchange: Exchange,
  more: Partial<ExemptionCandidate> = {},
): ExemptionCandidate {
  return { ...exchange, exemptBy: undefined, path: [], statesRefusal: false, ...more };
}

function sending(change: Partial<Exchange["request"]>, answer: ExchangeOverrides = {}): Exchange {
  const exchange = exchangeOf("createOperation", answer);
  return { ...exchange, request: { ...exchange.request, ...change } };
}

/** The interpretation that exempts an exchange after these others. */
function exemptionAfter(
  before: readonly ExemptionCandidate[],
  candidate: ExemptionCandidate,
): string | undefined {
  const exemptions = createExemptions();
  for (const one of before) exemptions.learn(one);
  return exemptions.of(candidate);
}

const refused = { status: 400, json: { message: "no" } };
const accepting = (language: string) => candidateOf(sending({ headers: [["Accept", language]] }));

test.each<readonly [what: string, candidate: ExemptionCandidate, by: string | undefined]>([
  ["another method", candidateOf(sending({ method: "PUT" })), "INT-38"],
  [
    "another method that is redirected, whatever a request with the right one must get",
    candidateOf(sending({ method: "GET" }, { ...page, ...bad }), { statesRefusal: true }),
    "INT-38",
  ],
  [
    "a body that is not UTF-8",
    candidateOf(sending({ body: Buffer.from([0x7b, 0xff, 0x7d]) })),
    "INT-41",
  ],
  ["a content coding", candidateOf(sending({ headers: [["content-encoding", "gzip"]] })), "INT-44"],
  ["what browsers accept", accepting("text/html,application/xhtml+xml,*/*;q=0.8"), undefined],
  ["HTML alone", accepting("text/html"), "INT-47"],
])("%s", (_, candidate, by) => {
  expect(exemptionAfter([], candidate)).toBe(by);
});

test("a base address exempts nothing, whatever is in it", () => {
  for (const base of ["fx%20api", "100%", "%E2", "%5Bv1%5D", "%25"]) {
    const url = `https://fx.example/${base}/corporate/operation`;
    expect(
      exemptionAfter([], candidateOf(sending({ url }, { ...refused, ...bad }))),
    ).toBeUndefined();
  }
});

test("what is odd on purpose is exempt unless it succeeds", () => {
  const odd = { exemptBy: "INT-38" } as const;
  expect(exemptionAfter([], candidateOf(exchangeOf("listBatches", refused), odd))).toBe("INT-38");
  expect(exemptionAfter([], candidateOf(exchangeOf("listBatches", page), odd))).toBe("INT-38");
  expect(exemptionAfter([], candidateOf(exchangeOf("listBatches"), odd))).toBeUndefined();
});

test("a refusal of an id with odd characters is exempt until a path with them was accepted (INT-21)", () => {
  const id = { path: ["operation [1] 100%"] };
  const refusal = candidateOf(exchangeOf("addAcamItem", { ...refused, ...bad }), id);
  const success = candidateOf(exchangeOf("addAcamItem"), id);
  expect(exemptionAfter([], refusal)).toBe("INT-21");
  expect(exemptionAfter([], success)).toBeUndefined();
  expect(exemptionAfter([success], refusal)).toBeUndefined();
  expect(exemptionAfter([success], { ...refusal, path: ["100%/2"] })).toBe("INT-21");
  expect(exemptionAfter([candidateOf(exchangeOf("createBatch"), id)], refusal)).toBe("INT-21");
  expect(exemptionAfter([], { ...refusal, path: ["plain-1"] })).toBeUndefined();
});

test("a redirection of a valid request is exempt, and that of an invalid one where valid ones get no further", () => {
  const invalidOne = candidateOf(exchangeOf("createBatch", { ...page, ...bad }));
  const success = candidateOf(exchangeOf("createBatch"));
  const redirected = candidateOf(exchangeOf("createBatch", page));
  const ofOther = candidateOf(exchangeOf("listBatches"));
  const odd = candidateOf(exchangeOf("createBatch", { ...page, intent: unusual("with a header") }));
  expect(exemptionAfter([success], redirected)).toBe("INT-34");
  expect(exemptionAfter([success], odd)).toBe("INT-34");
  expect(exemptionAfter([], invalidOne)).toBe("INT-34");
  expect(exemptionAfter([ofOther, redirected], invalidOne)).toBe("INT-34");
  expect(exemptionAfter([success, redirected], invalidOne)).toBe("INT-34");
  expect(exemptionAfter([success], invalidOne)).toBeUndefined();
  // The rule on refusals compares such a request with a control.
  expect(exemptionAfter([success], { ...invalidOne, statesRefusal: true })).toBe("INT-34");
});

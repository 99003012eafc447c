import { expect, test } from "vitest";
import { invalid, valid, type RequestSpec } from "../../model/request.ts";
import { settings } from "../../model/testing/target.ts";
import { createBounds, isBadCredential, mostRequests } from "./attempt.ts";

const list: RequestSpec = { operation: "listBatches", intent: valid };
const bad = invalid("with a bad credential");

test.each<[string, RequestSpec, boolean]>([
  ["the session's token", list, false],
  ["an older token that is good", { ...list, authorization: "Bearer older" }, false],
  ["no token", { ...list, intent: bad, authorization: null }, true],
  ["no key", { operation: "createToken", intent: bad, apiKey: null }, true],
  [
    "a broken body",
    { operation: "createBatch", intent: invalid("with a broken body"), body: {} },
    false,
  ],
])("%s", (_, spec, wanted) => {
  expect(isBadCredential(spec)).toBe(wanted);
});

test("counts bad credentials alone, and ends at the bound", () => {
  const { take } = createBounds({ ...settings, maxBadCredentials: 2 });
  const spec = { ...list, intent: bad, authorization: null };
  for (const one of [spec, list, spec, list, list]) take(one, "ordinary");
  for (const _ of [1, 2])
    expect(() => take(spec, "credentials")).toThrow(/--max-bad-credentials allows 2/);
  expect(() => createBounds(settings).take(spec, "credentials")).not.toThrow();
});

test("a run sends no more requests than it announced, whatever they are", () => {
  const { take } = createBounds({ ...settings, runs: 25 });
  for (let nth = 0; nth < 1500; nth += 1) take(list, "ordinary");
  const said = "not sent: this run has sent as many requests as it announced at most (1500)";
  expect(() => take(list, "ordinary")).toThrow(said);
  expect(() => take({ operation: "createToken", intent: valid }, "ordinary")).toThrow(said);
  expect(mostRequests({ runs: 1 })).toBe(1500);
  expect(mostRequests({ runs: 100 })).toBe(2100);
});

test.each<[number, RequestSpec["intent"], boolean]>([
  [400, valid, true],
  [500, valid, true],
  [201, valid, true],
  [408, valid, false],
  [409, valid, false],
  [422, bad, false],
  [500, bad, true],
  [201, bad, true],
])(
  "a creation that gets %i counts if it was to succeed or may exist: %o",
  (status, intent, counts) => {
    const spec: RequestSpec = { operation: "createBatch", intent };
    const { take, giveBack, isSpent } = createBounds({
      ...settings,
      runs: -100,
      selection: ["BATCH-01"],
    });
    expect(isSpent("proof")).toBe(false);
    const response = {
      status,
      statusText: "",
      headers: [],
      body: new Uint8Array(),
      waited: 0,
      took: 0,
    };
    for (let nth = 0; nth < 40; nth += 1) {
      take(spec, "proof");
      giveBack(spec, "proof", response);
    }
    expect(isSpent("proof")).toBe(counts);
  },
);

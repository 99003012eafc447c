import { expect, test } from "vitest";
import { invalid, valid, type RequestSpec } from "../../model/exchange.ts";
import { settings } from "../../model/testing/target.ts";
import { createCredentialBound, isBadCredential } from "./attempt.ts";

const list: RequestSpec = { operation: "listBatches", intent: valid };
const bad = invalid("with a bad credential");

test.each<[string, RequestSpec, boolean]>([
  ["the session's token", list, false],
  ["an older token that is good", { ...list, authorization: "Bearer older" }, false],
  ["no token", { ...list, intent: bad, authorization: null }, true],
  ["a made-up token", { ...list, intent: bad, authorization: "Bearer made-up" }, true],
  ["no key", { operation: "createToken", intent: bad, apiKey: null }, true],
  ["a broken body", { operation: "createBatch", intent: invalid("with a broken body"), body: {} }, false],
])("%s", (_, spec, wanted) => {
  expect(isBadCredential(spec)).toBe(wanted);
});

test("counts bad credentials alone, and ends at the bound", () => {
  const take = createCredentialBound({ ...settings, maxBadCredentials: 2 });
  const spec = { ...list, intent: bad, authorization: null };
  for (const one of [spec, list, spec, list, list]) take(one);
  for (const _ of [1, 2]) expect(() => take(spec)).toThrow(/--max-bad-credentials allows 2/);
  expect(() => createCredentialBound(settings)(spec)).not.toThrow();
});

import { describe, expect, test } from "vitest";
import type { Json } from "../../../model/exchange.ts";
import { createIdentities } from "../identities.ts";
import { isOfInvalidRequest, pairKey } from "./listed.ts";

const batch = (id: Json, pair = "USDBRL"): Json => ({ id, currency_pair: pair });

test.each([
  [{ currency_pair: "USDBRL", id: "b" }, '"USDBRL"'],
  [{ currency_pair: 7 }, "7"],
  [{ currency_pair: null }, "null"],
  [{}, "null"],
  [[], "null"],
  [undefined, "null"],
])("the pair of %j is %s", (json, key) => {
  expect(pairKey(json)).toBe(key);
});

describe("a listed batch (INT-12)", () => {
  test("that nothing is known of is the server's own", () => {
    expect(isOfInvalidRequest(batch("b-1"), createIdentities())).toBe(false);
    expect(isOfInvalidRequest({}, createIdentities())).toBe(false);
  });

  test("that an invalid request made is ours, whatever its pair", () => {
    const identities = createIdentities();
    identities.taint("batch", "b-1");
    expect(isOfInvalidRequest(batch("b-1"), identities)).toBe(true);
    expect(isOfInvalidRequest(batch("b-2"), identities)).toBe(false);
  });

  test("of a pair that an invalid request named may be ours, also where its id is not a string", () => {
    const identities = createIdentities();
    identities.sentInvalidPair(pairKey({ currency_pair: "XXXYYY" }));
    expect(isOfInvalidRequest(batch("b-1", "XXXYYY"), identities)).toBe(true);
    expect(isOfInvalidRequest(batch(7, "XXXYYY"), identities)).toBe(true);
    expect(isOfInvalidRequest(batch("b-1"), identities)).toBe(false);
  });

  test("that a valid request made is the server's, whatever an invalid one did since", () => {
    const identities = createIdentities();
    identities.remember("batch", "b-1", '"USDBRL"');
    identities.taint("batch", "b-1");
    identities.sentInvalidPair(pairKey({ currency_pair: "USDBRL" }));
    expect(isOfInvalidRequest(batch("b-1"), identities)).toBe(false);
    expect(isOfInvalidRequest(batch("b-2"), identities)).toBe(true);
  });

  test("is known by a string alone: a number is not an id", () => {
    const identities = createIdentities();
    identities.remember("batch", "7", '"USDBRL"');
    identities.taint("batch", "8");
    identities.sentInvalidPair(pairKey({ currency_pair: "USDBRL" }));
    expect(isOfInvalidRequest(batch(7), identities)).toBe(true);
    expect(isOfInvalidRequest(batch(8, "EURBRL"), identities)).toBe(false);
  });
});

import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { memberOf, type RequestSpec, type Exchange, type Json } from "../../../model/exchange.ts";
import { exchangeOf } from "../../../model/testing/exchanges.ts";
import { contextWith } from "../../testing/context.ts";
import { judgeListing } from "./batch-listing.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] }));
afterEach(() => void vi.useRealTimers());

const pairOf = (spec: RequestSpec): string => {
  const pair = memberOf(typeof spec.body === "function" ? undefined : spec.body, "currency_pair");
  return typeof pair === "string" ? pair : "";
};

/** Batches are called after their pair; the list is what the function makes of them and of the time that has passed. */
const listing = async (
  list: (passed: number) => Json,
  more: { readonly ids?: (pair: string) => Json; readonly headers?: Exchange["response"]["headers"] } = {},
) => {
  const { ids = (pair: string) => `b-${pair}`, headers = [] } = more;
  const start = performance.now();
  const { context, judged, sent, stop } = contextWith((spec) =>
    spec.operation === "createBatch"
      ? exchangeOf("createBatch", { json: { id: ids(pairOf(spec)) }, sent: { currency_pair: pairOf(spec) } })
      : exchangeOf("listBatches", { id: 9, json: list(performance.now() - start), headers }),
  );
  const ended = judgeListing(context);
  ended.catch(() => undefined);
  await vi.advanceTimersByTimeAsync(5000);
  return { ended, judged, sent, stop, took: () => sent.filter(({ operation }) => operation === "listBatches").length };
};

const usd = { id: "b-USDBRL", currency_pair: "USDBRL" };
const eur = { id: "b-EURBRL", currency_pair: "EURBRL" };
const of = (batches: readonly Json[], more: object = {}): Json => ({
  batches,
  count: batches.length,
  total: batches.length,
  ...more,
});

describe("a created batch in the list (INT-29)", () => {
  test("is there, with its pair", async () => {
    const { ended, judged, sent } = await listing(() => of([{ id: "old", currency_pair: "X" }, eur, usd]));
    await ended;
    expect(judged).toEqual(["BATCH-27 holds", "BATCH-27 holds", "BATCH-24 holds"]);
    const first = ["createBatch", "createBatch", "listBatches"];
    // Further batches for the pairs, which are the first ones again.
    const further = Array.from({ length: 5 }, () => "createBatch");
    expect(sent.map(({ operation }) => operation)).toEqual([...first, ...further]);
  });

  test("may take the grace period to be there", async () => {
    const { ended, judged } = await listing((passed) => of(passed < 400 ? [] : [usd, eur]));
    await ended;
    expect(judged.at(-1)).toBe("BATCH-24 holds");
  });

  test("with another pair fails", async () => {
    const { judged } = await listing(() => of([{ id: "old" }, { ...usd, currency_pair: "GBPBRL" }, eur]));
    expect(judged).toEqual([
      'BATCH-27 GET /batches: a batch is listed with another pair than it was created with. | /batches/1/currency_pair = "USDBRL" | /batches/1/currency_pair = "GBPBRL" | /batches/1/currency_pair | 9 | -',
      "BATCH-27 holds",
      "BATCH-24 holds",
    ]);
  });

  test("without a pair, or with one that is not a string, says nothing of it", async () => {
    const { judged } = await listing(() => of([{ id: "b-USDBRL" }, { ...eur, currency_pair: 7 }]));
    expect(judged).toEqual(["BATCH-24 holds"]);
  });

  test("that stands for two requests has the pair of one of them", async () => {
    const ids = () => "one";
    expect((await listing(() => of([{ id: "one", currency_pair: "EURBRL" }]), { ids })).judged).toEqual([
      "BATCH-27 holds",
      "BATCH-24 holds",
    ]);
  });

  test("is missed after the grace period where nothing suggests a page", async () => {
    const { judged, took } = await listing(() => of([usd, { id: "other" }]));
    expect(judged).toEqual([
      "BATCH-27 holds",
      'BATCH-24 GET /batches does not show a batch that was created. | the batch "b-EURBRL" within 500 ms | 2 batches without it, count 2, total 2 | /batches | 9 | -',
    ]);
    expect(took()).toBeLessThan(6);
  });

  test("is not missed where batches are shown that have no id, as many as are missing", async () => {
    const nameless = { currency_pair: "EURBRL" };
    expect((await listing(() => of([usd, nameless]))).judged).toEqual([
      "BATCH-27 holds",
      "BATCH-24 inconclusive: 1 of the 2 batches shown have no id to know them by",
    ]);
    for (const shown of [[nameless], [7, "b"]])
      expect((await listing(() => of(shown))).judged).toEqual([
        expect.stringMatching("^BATCH-24 GET /batches does not show a batch that was created"),
      ]);
  });

  const nine = Array.from({ length: 9 }, (_, i) => ({ id: `${i}` }));

  test.each<[string, Json, Exchange["response"]["headers"], string]>([
    ["ten batches", of([...nine, { id: "9" }]), [], "10 batches are shown, which may be one page"],
    ["a count above", of(nine, { count: 10 }), [], "count is above the 9 batches shown"],
    ["count and total above", of([], { count: 1, total: 1 }), [], "count and total is above the 0 batches shown"],
    ["a cursor", of(nine, { next: null }), [], "the list has member next, which may lead to more"],
    ["a link", of(nine), [["Link", "<x>"]], "the list has header link, which may lead to more"],
  ])("is not missed beside %s", async (_, list, headers, why) => {
    const { judged } = await listing(() => list, { headers });
    expect(judged).toEqual([
      `BATCH-24 inconclusive: the created batch is not in the list, and ${why}; the specification does not say how the list is paged`,
    ]);
  });

  test("is missed among nine with neither", async () => {
    expect((await listing(() => of(nine, { count: 0, total: 9 }))).judged.join()).toContain("count 0, total 9");
  });
});

describe("what leaves nothing to look for", () => {
  test("no id", async () => {
    for (const ids of [() => "", () => 7, () => null]) {
      const { ended } = await listing(() => of([]), { ids });
      await expect(ended).rejects.toMatchObject({ name: "Inconclusive", requirements: ["BATCH-24", "BATCH-27"] });
    }
  });

  test("no array", async () => {
    const { ended } = await listing(() => ({ batches: 7 }));
    await expect(ended).rejects.toThrow("no array of batches to look into (BATCH-20): fix that first");
  });
});

test("one pair is enough, and no more are used than the first three and the last", async () => {
  const others = ["GBPBRL", "CHFBRL"].map((pair) => ({ id: `b-${pair}`, currency_pair: pair }));
  const start = exchangeOf("listBatches", { json: of([usd, eur, ...others]) });
  for (const [pairs, created] of [
    [["USDBRL"], 1],
    [["USDBRL", "EURBRL", "GBPBRL", "JPYBRL", "CHFBRL"], 4],
  ] as const) {
    const { context, sent, judged } = contextWith(
      (spec) =>
        spec.operation === "createBatch"
          ? exchangeOf("createBatch", { json: { id: `b-${pairOf(spec)}` }, sent: { currency_pair: pairOf(spec) } })
          : start,
      pairs,
    );
    const ended = judgeListing(context);
    await vi.advanceTimersByTimeAsync(1000);
    await ended;
    const named = sent.filter(({ operation }) => operation === "createBatch").map(pairOf);
    expect(named).toHaveLength(7);
    expect(new Set(named).size).toBe(created);
    expect(judged.at(-1)).toBe("BATCH-24 holds");
  }
});

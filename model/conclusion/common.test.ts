import { expect, test } from "vitest";
import { commonOf, placed, type PlacedRequest } from "./common.ts";
import type { RequestFacts } from "../request-facts.ts";

const facts: RequestFacts = { id: 1, operation: "createOperation", at: 0, took: 1, status: 200 };

function requestOf(more: Partial<PlacedRequest>): PlacedRequest {
  return {
    ...facts,
    overlaps: false,
    before: 7,
    ...more,
  };
}

function five(more: Partial<PlacedRequest> = {}): readonly PlacedRequest[] {
  return [1, 2, 3, 4, 5].map((id) => requestOf({ id, ...more }));
}

test.each<[string, Partial<PlacedRequest>, Partial<PlacedRequest>]>([
  ["with 2 decimals", { decimals: 2 }, { decimals: 1 }],
  ["without decimals", { decimals: 0 }, { decimals: 2 }],
  ["that came first", { before: 3 }, { before: 4 }],
])("%s", (text, affected, others) => {
  expect(commonOf(five(affected), five(others))).toBe(text);
});

test("what a request is comes before when it came", () => {
  const malformed = five({ input: "with malformed JSON", before: 1 });
  const wrong = five({ input: "with a member of another type", before: 2 });
  const absent = five({ input: "with a member left out", before: 3 });
  expect(commonOf([...malformed, ...wrong], absent)).toBe(
    "with malformed JSON or with a member of another type",
  );
  expect(commonOf([...malformed, ...five({ before: 2 })], absent)).toBe("that came first");
});

test("more decimals than any other have no upper end", () => {
  const affected = [...five({ decimals: 3 }), requestOf({ decimals: 5 })];
  expect(commonOf(affected, [...five({ decimals: 2 }), ...five()])).toBe("with 3 decimals or more");
});

test("requests at the border may change places while they are in flight at once", () => {
  const row = (id: number, at: number, took: number) => requestOf({ id, at, took, before: id });
  const others = [0, 1, 2, 3, 4, 7].map((id) => row(id, 10 * id, 30));
  const affected = [5, 6, 8, 9, 10, 11, 12].map((id) => row(id, 10 * id, 30));
  expect(commonOf(affected, others)).toBe("after the first 6");
  expect(commonOf(others, affected)).toBe("that came first");
  const late = [...others.slice(0, -1), row(9, 90, 30)];
  expect(commonOf(affected, late)).toBeUndefined();
});

test("requests that hardly overlap are neither alone nor together", () => {
  const sure = five({ overlaps: true });
  expect(commonOf([...sure, requestOf({ overlaps: undefined })], five())).toBe(
    "sent while another was in flight",
  );
  expect(commonOf(sure, [...five(), requestOf({ overlaps: undefined })])).toBe(
    "sent while another was in flight",
  );
  expect(commonOf(five({ overlaps: undefined }), five())).toBeUndefined();
});

test("nothing is said where one of the others has it, where the affected differ, or of fewer than five", () => {
  const affected = five({ pair: "EURBRL" });
  const others = five({ pair: "USDBRL" });
  expect(commonOf(affected, [...others, requestOf({ pair: "EURBRL" })])).toBeUndefined();
  expect(commonOf([...affected, requestOf({ pair: "GBPBRL" })], others)).toBeUndefined();
  expect(commonOf(affected.slice(1), others)).toBeUndefined();
  expect(commonOf(affected, others.slice(1))).toBeUndefined();
});

test("requests overlap those of their operation that are in flight, and follow those that were sent before", () => {
  const requests = [
    { ...facts, id: 1, at: 0, took: 10 },
    { ...facts, id: 2, at: 20, took: 10 },
    { ...facts, id: 3, at: 25, took: 1 },
    { ...facts, id: 4, at: 21, took: 5, operation: "createBatch" } as const,
  ];
  expect(placed(requests).map(({ id, before, overlaps }) => [id, before, overlaps])).toEqual([
    [1, 0, false],
    [2, 1, true],
    [4, 0, false],
    [3, 2, true],
  ]);
});

import { describe, expect, test } from "vitest";
import type { Json } from "../../../spec/json.ts";
import { placeText } from "./words.ts";

describe("a place in a list is named by ids", () => {
  const operation = { operation_id: "o-9" };
  const list: Json = {
    batches: [
      { id: "b-1", operations: [operation, { operation_id: 7 }] },
      { operations: [operation] },
    ],
  };

  test.each([
    ["/batches/0/created_at", '/batches/0/created_at (batch "b-1")'],
    [
      "/batches/0/operations/0/status",
      '/batches/0/operations/0/status (operation "o-9" of batch "b-1")',
    ],
    ["/batches/0/operations/1/status", '/batches/0/operations/1/status (batch "b-1")'],
    ["/total", "/total"],
  ])("%s", (pointer, wanted) => {
    expect(placeText(list, pointer)).toBe(wanted);
  });

  test("an id that would hide the rest is left out", () => {
    expect(placeText({ batches: [{ id: "x".repeat(101) }] }, "/batches/0/id")).toBe(
      "/batches/0/id",
    );
  });
});

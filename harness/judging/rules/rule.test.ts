import { describe, expect, test } from "vitest";
import type { Json } from "../../../spec/json.ts";
import { shown } from "./rule.ts";

/** A value that is nested deeper than the stack. */
function deep(wrap: (inner: Json) => Json): Json {
  let value: Json = 1;
  for (let i = 0; i < 200_000; i += 1) value = wrap(value);
  return value;
}

describe("a JSON value for a person", () => {
  test.each([
    [undefined, "absent"],
    [null, "null"],
    ['a "b"', String.raw`"a \"b\""`],
    [[1, { a: "b" }], '[1,{"a":"b"}]'],
  ])("%j", (value, wanted) => expect(shown(value)).toBe(wanted));

  test("nested without end has a sign for what it is", () => {
    expect(shown(deep((inner) => [inner]))).toBe("[…]");
    expect(shown(deep((inner) => ({ inner })))).toBe("{…}");
  });

  test("long is cut to a window, a text before it is escaped", () => {
    expect(shown("x".repeat(50_000))).toBe(`"${"x".repeat(19_999)}`);
    expect(shown(["x".repeat(50_000)])).toBe(`["${"x".repeat(19_998)}`);
    expect(shown("\0".repeat(100_000_000))).toHaveLength(20_000);
  });
});

import { expect, test } from "vitest";
import { createCaptures } from "./capture.ts";
import { longestCaptured } from "./captured.ts";

const bytes = (size: number): Uint8Array => new Uint8Array(size).fill(7);

test("chunks are one copy, taken once", () => {
  const capture = createCaptures()();
  capture.add(Buffer.from("ab"));
  capture.add(Buffer.from("c"));
  expect(Buffer.from(capture.taken() ?? []).toString()).toBe("abc");
  expect(capture.taken()).toHaveLength(0);
});

test("a body that is longer than is judged is not kept", () => {
  const capture = createCaptures()();
  capture.add(bytes(longestCaptured));
  capture.add(bytes(1));
  capture.add(bytes(1));
  expect(capture.taken()).toBeUndefined();
});

test("bodies under way share a bound: what one gives back, another can have", () => {
  const captures = createCaptures(10);
  const [first, second, third] = [captures(), captures(), captures()];
  first.add(bytes(6));
  second.add(bytes(6));
  expect(second.taken()).toBeUndefined();
  expect(first.taken()).toHaveLength(6);
  third.add(bytes(10));
  expect(third.taken()).toHaveLength(10);
});

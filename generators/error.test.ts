import { expect, test } from "vitest";
import { GeneratorError } from "./error.ts";

test("the error says where and what, under its own name", () => {
  const error = new GeneratorError("#/a", "is not a count");
  expect(String(error)).toBe("GeneratorError: #/a: is not a count");
  expect(error.pointer).toBe("#/a");
});

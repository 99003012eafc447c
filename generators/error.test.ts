import { expect, test } from "vitest";
import { GeneratorError } from "./pointer.ts";

test("the error has its own name, the pointer and the problem", () => {
  const error = new GeneratorError("#/a", "is not a count");
  expect(String(error)).toBe("GeneratorError: #/a: is not a count");
  expect(error.pointer).toBe("#/a");
});

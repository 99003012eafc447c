import { describe, test } from "vitest";
import { expectFound, frameworkFiles } from "./testing/expect-found.ts";
import { planted } from "./testing/planted.ts";

describe.each(frameworkFiles)("%s", (file) => {
  test.each(Object.keys(planted))("%s", (name) => expectFound(file, name));
});

import { expect, test } from "vitest";
import { judged } from "./testing/judged.ts";
import { ourDocument } from "./testing/mutations.ts";

// Each pattern that takes too long costs a second, and a document may have five.
test("many patterns that take years end soon, without a verdict", async () => {
  const patterns = Array.from({ length: 300 }, (_, index) => `^(.?){40}(.?){40}x${index}$`);
  const document = ourDocument();
  document.components.schemas.Operation.properties.status = {
    type: "string",
    allOf: patterns.map((pattern) => ({ pattern })),
  };
  const run = await judged(document);
  expect(run.requirements.find(({ id }) => id === "OPER-02")?.verdict).toBe("inconclusive");
});

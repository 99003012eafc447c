import { expect, test } from "vitest";
import { requirementIds, standingOperations } from "../../../spec/catalogue.ts";
import { checks } from "./index.ts";

const claims = checks.flatMap(({ judges }) => judges);

/** What is judged on every exchange, but outside the checks: by the delivery of requests and by the session. */
const elsewhere = new Set(["HTTP-05", "AUTH-04"]);

test.each(requirementIds.filter((id) => !elsewhere.has(id)))("checks judge %s where its row says", (id) => {
  const judged = claims.filter(({ requirement }) => requirement === id).flatMap(({ operations }) => operations);
  expect(new Set(judged)).toEqual(new Set(standingOperations(id)));
});

test("every check judges something", () => {
  expect(checks.filter(({ judges }) => judges.length === 0)).toEqual([]);
});

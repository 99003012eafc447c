import { expect, test } from "vitest";
import { responseOf } from "../../model/testing/exchanges.ts";
import type { OperationName } from "../../spec/operations.ts";
import { hintOn } from "../errors.ts";
import { adviceOn, noCookies, noteCookies } from "./affinity.ts";

/** The advice after responses that set these cookies, each line one response. */
function adviceAfter(
  responses: readonly (readonly string[])[],
  lag = 0,
  operation: OperationName = "createOperation",
): string {
  const cookies = noCookies();
  for (const set of responses)
    noteCookies(cookies, {
      ...responseOf({ status: 200 }),
      headers: set.map((cookie) => ["Set-Cookie", cookie]),
    });
  return adviceOn(operation, { cookies, lag });
}

const one = "INSTANCE=a; Path=/";
const other = "INSTANCE=b; Path=/";

test("a cookie in each response, with several values, may name an instance", () => {
  const responses = [[one], [other, "theme=dark"], [one], [other]];
  expect(adviceAfter(responses)).toBe(
    "Each response sets the cookie INSTANCE; fxconform sends no cookies, as the specification names none. If the instances of the server do not share what they store, let them; otherwise, check --currency-pairs, --amount and whether the purpose EFX is open to this client.",
  );
  expect(adviceAfter(responses, 0, "addAcamItem")).toContain("INSTANCE");
  expect(adviceAfter([...responses, [one]])).toContain("INSTANCE");
});

test.each<[string, Parameters<typeof adviceAfter>]>([
  ["the same value each time", [[[one], [one], [one], [one]]]],
  ["too few responses", [[[one], [other], [one]]]],
  ["not in each response", [[[one], [other], [], [one], [other]]]],
  ["a request that names nothing", [[[one], [other], [one], [other]], 900, "createBatch"]],
])("no instance: %s", (_, given) => {
  expect(adviceAfter(...given)).toBe(hintOn[given[2] ?? "createOperation"]);
});

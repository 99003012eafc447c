import { expect, test } from "vitest";
import { differences } from "./cards.ts";

test.each([
  ['"pending_quote"', '"created"', '"[pending_quote]"', '"[created]"'],
  ["16777217", "16777216", "[16777217]", "[16777216]"],
  ["1000.1", "1000.10001", "[1000.1]", "[1000.10001]"],
  ["400", "422", "[400]", "[422]"],
  ["status 400", "status 422", "status [400]", "status [422]"],
  ["a status from 400 to 499", "200", "a status from 400 to 499", "200"],
  ["the same", "the same", "the same", "the same"],
  ["x👍y and more", "x👎y and more", "x[👍]y and more", "x[👎]y and more"],
])("%j and %j", (expected, actual, ...wanted) => {
  const marked = differences(expected, actual).map(
    ({ before, differing, after }) => before + (differing && `[${differing}]`) + after,
  );
  expect(marked).toEqual(wanted);
});

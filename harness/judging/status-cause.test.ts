import { expect, test } from "vitest";
import { statusCause } from "./status-cause.ts";

test.each([
  [200, "status 400"],
  [499, "status 400"],
  [500, "a status below 500"],
  [599, "a status below 500"],
  [600, "status 400"],
])("%i where 400 is expected: expected is %s", (status, expected) => {
  expect(statusCause("status 400", status)).toEqual({ expected, actual: `status ${status}` });
});

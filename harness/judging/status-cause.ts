import type { ViolationCause } from "../../model/finding.ts";

/** The class of a wrong status. A crash is one mistake, whatever else was expected of the response. */
export const statusCause = (expected: string, status: number): ViolationCause => ({
  expected: status >= 500 && status < 600 ? "a status below 500" : expected,
  actual: `status ${status}`,
});

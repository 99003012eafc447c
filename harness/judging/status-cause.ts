import type { CauseClass } from "../../model/run.ts";

/** The class of a wrong status. A crash is one mistake, whatever else was expected of the response. */
export const statusCause = (expected: string, status: number): CauseClass => ({
  expected: status >= 500 && status < 600 ? "a status below 500" : expected,
  actual: `status ${status}`,
});

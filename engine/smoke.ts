import type { RequirementId } from "../spec/catalogue.ts";

/** What POST /auth/token and GET /batches can show without creating anything. */
const smoke: ReadonlySet<string> = new Set([
  ...["HTTP-01", "HTTP-02", "HTTP-03", "HTTP-04", "HTTP-05", "HTTP-06", "HTTP-07"],
  ...["AUTH-01", "AUTH-02", "AUTH-03", "AUTH-04", "AUTH-05", "AUTH-06", "AUTH-07", "AUTH-08", "AUTH-09", "AUTH-10"],
  ...["AUTH-11", "AUTH-12", "AUTH-36", "AUTH-37", "AUTH-38", "AUTH-39", "AUTH-40"],
  ...["BATCH-06", "BATCH-09", "BATCH-20", "BATCH-21", "BATCH-22", "BATCH-23", "BATCH-25", "BATCH-26", "BATCH-28"],
  ...["BATCH-30", "BATCH-31", "BATCH-32", "BATCH-33", "BATCH-34", "BATCH-35"],
]);

/** Whether the profile `smoke` can judge a requirement. */
export const inSmoke = (id: RequirementId): boolean => smoke.has(id);

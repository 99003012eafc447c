import { expect, test } from "vitest";
import { checks } from "./index.ts";

/** What the checks claim, a line a claim: the requirement and the operations at which it is judged. */
const claimed = (): readonly string[] =>
  checks.flatMap(({ judges }) =>
    judges.map(({ requirement, operations }) => `${requirement} ${operations.join(" ")}`).toSorted(),
  );

const all = "createToken createCounterparty createOperation addAcamItem createBatch listBatches";
const batched = ["BATCH-30", "BATCH-31", "BATCH-32", "BATCH-33"];
const of = (operations: string, ...requirements: readonly string[]) => requirements.map((id) => `${id} ${operations}`);

test("what the checks claim is pinned: a requirement more or less is a changed line here", () => {
  expect(new Set(claimed())).toEqual(
    new Set([
      ...of(all, "HTTP-01", "HTTP-02", "HTTP-03", "HTTP-04", "HTTP-06"),
      ...of("createToken", "AUTH-12", "AUTH-01"),
      ...of("createCounterparty", "CPTY-12", "CPTY-01", "CPTY-02", "CPTY-03", "CPTY-04", "CPTY-05"),
      ...of("createCounterparty", "CPTY-06", "CPTY-07", "CPTY-08", "CPTY-09", "CPTY-10"),
      ...of("createOperation", "OPER-17", "OPER-01", "OPER-02", "OPER-03", "OPER-04", "OPER-05", "OPER-06"),
      ...of("createOperation", "OPER-07", "OPER-08", "OPER-09", "OPER-10", "OPER-11", "OPER-12", "OPER-13"),
      ...of("createOperation", "OPER-14", "OPER-15"),
      ...of("addAcamItem", "ACAM-06", "ACAM-01", "ACAM-02"),
      ...of("createBatch", "BATCH-08", "BATCH-01", "BATCH-02", "BATCH-03", "BATCH-04", "BATCH-05", "BATCH-06"),
      ...of("listBatches", "BATCH-28", "BATCH-20", "BATCH-21", "BATCH-22", "BATCH-23", "BATCH-25", "BATCH-26"),
      ...of("listBatches", "BATCH-06"),
      ...of("createBatch", ...batched),
      ...of("listBatches", ...batched),
      ...of("createBatch listBatches", "BATCH-09", "BATCH-34", "BATCH-35"),
    ]),
  );
});

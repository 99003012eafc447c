import { describe, expect, test, vi } from "vitest";
import { catalogue, requirementIds, type RequirementId } from "../spec/catalogue.ts";
import { gaps, type Gap } from "../spec/gaps.ts";
import { referenceRuns } from "./reference-run.ts";

vi.setConfig({ testTimeout: 120_000 });

const { against, fxconform } = referenceRuns("gaps-test-key-4d1e");

/** A legal server that leaves a requirement open, or that could hide a fault from it (INT-57). */
interface Row {
  readonly gap?: Gap;
  readonly variants: readonly string[];
  readonly words?: readonly string[];
  readonly requirement: RequirementId;
  /** A fault of another requirement, which the server hides as little. */
  readonly beside: readonly [fault: string, breaks: RequirementId];
  /** A fault of the requirement itself: found, or the requirement has no verdict that lets a run conform. */
  readonly inside?: string;
}

const rows: readonly Row[] = [
  {
    gap: "optional member",
    variants: ["external-id-absent"],
    requirement: "CPTY-06",
    beside: ["counterparty-id-same", "CPTY-10"],
  },
  {
    gap: "batched operations",
    variants: ["batches-stay-empty"],
    requirement: "BATCH-35",
    beside: ["list-batch-pair-swapped", "BATCH-27"],
  },
  {
    gap: "concurrency",
    variants: ["one-pair"],
    words: ["--currency-pairs", "EURBRL"],
    requirement: "BATCH-07",
    beside: ["operation-pair-lower-case", "OPER-07"],
  },
  {
    gap: "other purpose",
    variants: ["only-efx"],
    requirement: "ACAM-03",
    beside: ["acam-unknown-operation", "ACAM-04"],
  },
  {
    gap: "concurrency",
    variants: [],
    words: ["--concurrency", "1"],
    requirement: "OPER-16",
    beside: ["operation-pair-lower-case", "OPER-07"],
  },
  {
    gap: "bad credentials",
    variants: [],
    words: ["--max-bad-credentials", "0"],
    requirement: "AUTH-21",
    beside: ["operation-pair-lower-case", "OPER-07"],
  },
  ...["payee-for-one-operation", "payee-for-one-operation-of-a-pair", "payee-for-one-purpose"].flatMap((id): Row[] => [
    {
      variants: [id],
      requirement: "ACAM-03",
      beside: ["acam-unknown-operation", "ACAM-04"],
      inside: "acam-any-purpose",
    },
    {
      variants: [id],
      requirement: "ACAM-04",
      beside: ["acam-any-purpose", "ACAM-03"],
      inside: "acam-unknown-operation",
    },
  ]),
  {
    variants: ["operations-eight-a-day"],
    requirement: "OPER-28",
    beside: ["operation-currency-amount-optional", "OPER-20"],
    inside: "operation-currency-amount-any-type",
  },
];

describe.each(rows.map((row) => [`${row.variants.join("+")} ${row.words?.join(" ") ?? ""}`.trim(), row] as const))(
  "%s",
  (_, { gap, variants, words = [], requirement, beside: [fault, breaks], inside }) => {
    const runWith = (faults: readonly string[]) =>
      against({ variants, faults }, (own) =>
        fxconform(["run", ...own, ...words, "--only", [requirement, breaks].join(",")]),
      );

    test(`is not blamed, and ${requirement} is open for its gap, if at all`, async () => {
      const { run } = await runWith([]);
      expect(run.requirements.filter(({ verdict }) => verdict === "fail")).toEqual([]);
      const row = run.requirements.find(({ id }) => id === requirement);
      expect([row?.verdict, row?.gap]).toEqual(gap === undefined ? ["pass", undefined] : ["inconclusive", gap]);
    });

    test(`the fault ${fault} beside it is found`, async () => {
      const { verdictOf } = await runWith([fault]);
      expect(verdictOf(breaks)).toBe("fail");
    });

    test.runIf(inside !== undefined)(`the fault ${inside} inside it is found`, async () => {
      const { verdictOf } = await runWith([inside ?? ""]);
      expect(verdictOf(requirement)).toBe("fail");
    });
  },
);

test("each gap is named by a requirement, but for what the user forbids", () => {
  const named = new Set(requirementIds.flatMap((id): readonly Gap[] => catalogue[id].gaps));
  expect([...named, "bad credentials"].sort()).toEqual(Object.keys(gaps).sort());
});

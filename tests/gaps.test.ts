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
  readonly isPlain?: true;
  readonly words?: readonly string[];
  readonly requirement: RequirementId;
  /** A fault of another requirement, which the server hides as little. */
  readonly beside: readonly [fault: string, breaks: RequirementId];
  /** A fault of the requirement itself: found, or the requirement stays open for its gap. Absent if none can exist. */
  readonly inside?: string;
}

const rows: readonly Row[] = [
  {
    gap: "optional member",
    variants: ["external-id-absent"],
    requirement: "CPTY-06",
    beside: ["counterparty-id-same", "CPTY-10"],
    inside: "counterparty-external-id-lower-case",
  },
  {
    gap: "batched operations",
    variants: ["batches-stay-empty"],
    requirement: "BATCH-35",
    beside: ["list-batch-pair-swapped", "BATCH-27"],
    inside: "batched-batch-other",
  },
  {
    gap: "concurrency",
    variants: ["one-pair"],
    words: ["--currency-pairs", "EURBRL"],
    requirement: "BATCH-07",
    beside: ["operation-pair-lower-case", "OPER-07"],
    inside: "batch-answers-crossed",
  },
  {
    gap: "other purpose",
    variants: ["only-efx"],
    requirement: "ACAM-03",
    beside: ["acam-unknown-operation", "ACAM-04"],
    inside: "acam-any-purpose",
  },
  {
    gap: "concurrency",
    variants: [],
    words: ["--concurrency", "1"],
    requirement: "OPER-16",
    beside: ["operation-pair-lower-case", "OPER-07"],
    inside: "operation-id-same-together",
  },
  {
    gap: "bad credentials",
    variants: [],
    words: ["--max-bad-credentials", "0"],
    requirement: "AUTH-21",
    beside: ["operation-pair-lower-case", "OPER-07"],
    inside: "operation-made-up-token",
  },
  {
    gap: "whole list",
    variants: ["old-batches-300", "list-first-page-oldest"],
    requirement: "BATCH-24",
    beside: ["list-batch-status-null", "BATCH-25"],
    inside: "list-created-together-lost",
  },
  {
    gap: "second pair",
    variants: ["one-pair", "second-batch-same"],
    words: ["--currency-pairs", "EURBRL"],
    requirement: "BATCH-06",
    beside: ["batch-pair-slash", "BATCH-02"],
    inside: "batch-id-same",
  },
  {
    gap: "https",
    variants: [],
    isPlain: true,
    requirement: "HTTP-07",
    beside: ["operation-pair-lower-case", "OPER-07"],
  },
  {
    gap: "refusal",
    variants: ["counterparties-one"],
    requirement: "CPTY-10",
    beside: ["counterparty-name-null", "CPTY-02"],
    inside: "counterparty-id-same",
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

function nameOf({ variants, words = [], requirement, isPlain }: Row): string {
  const server = [...variants, ...(isPlain ? ["plain HTTP"] : []), ...words].join(" ");
  return `${server}: ${requirement}`;
}

describe.each(rows.map((row) => [nameOf(row), row] as const))("%s", (_, row) => {
  const { gap, variants, isPlain = false, words = [], requirement, inside } = row;
  const [fault, breaks] = row.beside;

  const runWith = (faults: readonly string[]) =>
    against({ variants, faults, isPlain }, (own) =>
      fxconform(["run", ...own, ...words, "--only", [requirement, breaks].join(",")]),
    );

  test(`is not blamed, and ${requirement} is open for its gap, if at all`, async () => {
    const { run } = await runWith([]);
    expect(run.requirements.filter(({ verdict }) => verdict === "fail")).toEqual([]);
    const found = run.requirements.find(({ id }) => id === requirement);
    expect([found?.verdict, found?.gap]).toEqual(gap === undefined ? ["pass", undefined] : ["inconclusive", gap]);
  });

  test(`the fault ${fault} beside it is found`, async () => {
    const { verdictOf } = await runWith([fault]);
    expect(verdictOf(breaks)).toBe("fail");
  });

  test.runIf(inside !== undefined)(`the fault ${inside} inside it is found, or hidden by the gap alone`, async () => {
    const { run } = await runWith([inside ?? ""]);
    const found = run.requirements.find(({ id }) => id === requirement);
    if (gap === undefined || found?.verdict === "fail") expect(found?.verdict).toBe("fail");
    else expect([found?.verdict, found?.gap]).toEqual(["inconclusive", gap]);
  });
});

test("each gap has a server here, and is named by a requirement, but for what the user forbids", () => {
  expect([...new Set(rows.flatMap(({ gap }) => gap ?? []))].sort()).toEqual(Object.keys(gaps).sort());
  const named = new Set(requirementIds.flatMap((id): readonly Gap[] => catalogue[id].gaps));
  expect([...named, "bad credentials"].sort()).toEqual(Object.keys(gaps).sort());
});

import { expect, test } from "vitest";
import { causesOf, withWaitingReasons } from "./causes.ts";
import { createWitness } from "../evidence/evidence.ts";
import { other } from "../mistake.ts";
import type { Mistake, Finding } from "../run.ts";
import type { Gap } from "../../spec/gaps.ts";
import { findingOf, rowOf } from "../testing/rows.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { RequirementId } from "../../spec/catalogue.ts";

const noMessage: Mistake = {
  kind: "error",
  of: "",
  expected: "a string message",
  actual: "no message",
  kin: ["AUTH-12", "CPTY-12", "OPER-17"],
};

function errorRow(id: RequirementId, operation: OperationName) {
  return rowOf(id, "fail", {
    findings: [findingOf({ operation, intent: "invalid", mistake: noMessage })],
  });
}

test("findings with one mistake are one cause, wherever they show", () => {
  const rows = [errorRow("AUTH-12", "createToken"), errorRow("OPER-17", "createOperation")];
  expect(causesOf(rows)).toEqual([
    {
      text: "Errors have no string message, everywhere",
      level: "MUST",
      mistake: noMessage,
      operations: ["createToken", "createOperation"],
      isEverywhere: true,
      requirements: ["AUTH-12", "OPER-17"],
      example: { requirement: "AUTH-12", finding: 0 },
      examples: [
        { requirement: "AUTH-12", finding: 0 },
        { requirement: "OPER-17", finding: 0 },
      ],
      findings: 2,
    },
  ]);
});

test("a mistake without words of its own is named by its plainest finding", () => {
  const named = { mistake: other("createBatch", "one id", "two ids") };
  const rows = [
    rowOf("OPER-20", "fail", { findings: [findingOf(), findingOf({ ...named, message: "n" })] }),
    rowOf("OPER-24", "fail", { findings: [findingOf(named)] }),
  ];
  expect(
    causesOf(rows).map(({ requirements, findings, text }) => [requirements, findings, text]),
  ).toEqual([
    [["OPER-20", "OPER-24"], 2, "n"],
    [["OPER-20"], 1, "m"],
  ]);
});

const echo: Mistake = {
  kind: "echo",
  of: "foreign_currency_amount",
  expected: "as sent",
  actual: "rounded",
  kin: ["OPER-06"],
};
const rounded: Finding = findingOf({
  operation: "createOperation",
  intent: "valid",
  mistake: echo,
});

test("counts the responses that show it of those that could, and says what separates them", () => {
  const witness = createWitness();
  for (let exchange = 1; exchange <= 12; exchange += 1) {
    const isAffected = exchange % 2 === 0;
    const facts = { operation: "createOperation", at: exchange, took: 0, status: 200 } as const;
    witness.request({ ...facts, id: exchange, decimals: isAffected ? 2 : 1 });
    witness.judged(exchange, ["OPER-06"]);
    if (isAffected) witness.shows(exchange, rounded.mistake);
  }
  expect(
    causesOf([rowOf("OPER-06", "fail", { findings: [rounded] })], witness.result()),
  ).toMatchObject([
    {
      text: "An amount comes back rounded: 6 of 12 operations, those with 2 decimals",
      responses: { affected: 6, of: 12 },
      common: "with 2 decimals",
    },
  ]);
});

test.each<[Mistake["kind"], string, number]>([
  ["body", "success", 2],
  ["media type", "error", 3],
  ["accepted", "tokens", 3],
  ["type", "batch_id", 4],
])("%s of %s is counted among the responses that could show it", (kind, of, possible) => {
  const witness = createWitness();
  const mistake: Mistake = { kind, of, expected: "e", actual: "a" };
  const sent = [
    { status: 200 },
    { status: 200, kind: "invalid" },
    { status: 400 },
    { status: 400, kind: "invalid" },
  ] as const;
  for (const [id, facts] of sent.entries()) {
    witness.request({ id, operation: "createBatch", at: id, took: 0, ...facts });
    witness.judged(id, ["HTTP-01"]);
  }
  witness.shows(0, mistake);
  const findings = [findingOf({ mistake, operation: "createBatch" })];
  const [cause] = causesOf([rowOf("HTTP-01", "fail", { findings })], witness.result());
  expect(cause?.responses).toEqual({ affected: 1, of: possible });
});

test("what takes other settings waits for no mistake, and an accepted request leaves errors unseen alone", () => {
  const ids: Mistake = { kind: "type", of: "ids", expected: "a string", actual: "a number" };
  const accepted: Mistake = {
    kind: "accepted",
    of: "tokens",
    expected: "refused",
    actual: "accepted",
  };
  const [numeric, open] = [ids, accepted].map((mistake) =>
    findingOf({ mistake, operation: "createBatch", intent: "valid" }),
  );
  const blockedAt = "createBatch";
  const pairs = rowOf("BATCH-07", "inconclusive", { gap: "second pair", blockedAt });
  const waitingFor = (finding: Finding | undefined, leftOut: readonly Gap[]) =>
    causesOf(
      [
        rowOf("BATCH-01", "fail", { findings: finding ? [finding] : [] }),
        pairs,
        rowOf("BATCH-08", "inconclusive", { blockedAt }),
      ],
      undefined,
      { leftOut },
    )[0]?.waiting;
  expect(waitingFor(numeric, [])).toEqual(["BATCH-07", "BATCH-08"]);
  expect(waitingFor(numeric, ["second pair"])).toEqual(["BATCH-08"]);
  expect(waitingFor(open, [])).toEqual(["BATCH-08"]);
});

test("a requirement that no operation kept from its verdict waits for no mistake, and keeps its reason", () => {
  const silent: Mistake = { kind: "silence", of: "", expected: "", actual: "dropped" };
  const finding = findingOf({ mistake: silent, operation: "createBatch", intent: "valid" });
  const reason = "it takes two pairs";
  const rows = [
    rowOf("HTTP-05", "fail", { findings: [finding] }),
    rowOf("BATCH-07", "inconclusive", { gap: "second pair", reason }),
    rowOf("BATCH-09", "inconclusive", { blockedAt: "listBatches", reason: "no batch was listed" }),
    rowOf("BATCH-08", "inconclusive", { blockedAt: "createBatch" }),
  ];
  const causes = causesOf(rows);
  expect(causes.map(({ waiting }) => waiting)).toEqual([["BATCH-08"]]);
  expect(withWaitingReasons(rows, causes)[1]?.reason).toBe(reason);
});

test("what waits for a mistake says so in the place of advice on settings", () => {
  const ids: Mistake = { kind: "type", of: "ids", expected: "a string", actual: "a number" };
  const at = { operation: "createBatch", intent: "valid", pointer: "/id" } as const;
  const finding = findingOf({ ...at, mistake: ids });
  const rows = [
    rowOf("BATCH-01", "fail", { findings: [finding] }),
    rowOf("BATCH-07", "inconclusive", {
      gap: "concurrency",
      blockedAt: "createBatch",
      reason: "it takes --concurrency 2",
    }),
    rowOf("HTTP-07", "inconclusive", { gap: "https", reason: "the base URL is plain HTTP" }),
  ];
  expect(withWaitingReasons(rows, causesOf(rows)).map(({ reason }) => reason)).toEqual([
    undefined,
    "BATCH-01 must be mended first (Ids are numbers, must be strings: id)",
    "the base URL is plain HTTP",
  ]);
});

test("the example of an error answers a request that breaks a rule", () => {
  const error = { operation: "createOperation", mistake: noMessage } as const;
  const findings = (["unusual", "invalid"] as const).map((intent) =>
    findingOf({ ...error, intent }),
  );
  const [cause] = causesOf([rowOf("OPER-17", "fail", { findings })]);
  expect(cause?.example).toEqual({ requirement: "OPER-17", finding: 1 });
});

test("a requirement does not wait for a mistake that a run goes on with", () => {
  const at = { operation: "createOperation", intent: "valid", pointer: "/batch_id" } as const;
  const left: Mistake = { kind: "missing", of: "batch_id", expected: "present", actual: "" };
  const silent: Mistake = { kind: "silence", of: "", expected: "", actual: "dropped" };
  const typed: Mistake = { kind: "type", of: "customer_id", expected: "a string", actual: "null" };
  const rows = (...more: readonly Finding[]) => [
    rowOf("OPER-04", "warn", { findings: [findingOf({ ...at, mistake: left })] }),
    rowOf("OPER-10", "fail", { findings: [findingOf({ ...at, mistake: typed })] }),
    rowOf("HTTP-05", "fail", { findings: more }),
    rowOf("OPER-32", "inconclusive", { blockedAt: "createOperation" }),
  ];
  const waitingOf = (...more: readonly Finding[]) =>
    causesOf(rows(...more)).map(({ mistake, waiting }) => [mistake?.kind, waiting]);
  expect(waitingOf()).toEqual([
    ["type", undefined],
    ["missing", undefined],
  ]);
  expect(waitingOf(findingOf({ ...at, intent: "invalid", mistake: silent }))).toEqual([
    ["silence", ["OPER-32"]],
    ["type", undefined],
    ["missing", undefined],
  ]);
});

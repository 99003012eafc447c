import { expect, test } from "vitest";
import { causesOf } from "./causes.ts";
import { findingOf, rowOf } from "../testing/rows.ts";

const unprocessable = { expected: "status 400", actual: "status 422" };
const at = { operation: "createOperation", intent: "invalid", cause: unprocessable } as const;

test("findings of one operation with one class of expected and actual are one cause", () => {
  const rows = [
    rowOf("OPER-20", "fail", { findings: [findingOf({ ...at, message: "without an amount" })] }),
    rowOf("OPER-24", "fail", { findings: [findingOf({ message: "other" }), findingOf({ ...at, message: "cut" })] }),
  ];
  expect(causesOf(rows)).toEqual([
    {
      operation: "createOperation",
      ...unprocessable,
      text: "POST /corporate/operation answers invalid requests with status 422; expected: status 400",
      requirements: ["OPER-20", "OPER-24"],
      example: { requirement: "OPER-20", finding: 0 },
      examples: [
        { requirement: "OPER-20", finding: 0 },
        { requirement: "OPER-24", finding: 1 },
      ],
      findings: 2,
    },
    {
      expected: "e",
      actual: "a",
      text: "other",
      requirements: ["OPER-24"],
      example: { requirement: "OPER-24", finding: 0 },
      examples: [{ requirement: "OPER-24", finding: 0 }],
      findings: 1,
    },
  ]);
});

test.each([
  ["another operation", { operation: "createBatch" }],
  ["another actual", { cause: { ...unprocessable, actual: "status 200" } }],
  ["another kind of request", { cause: { ...unprocessable, input: "with malformed JSON" } }],
  ["another expected", { cause: { ...unprocessable, expected: "status 401" } }],
] as const)("%s is another cause", (_, other) => {
  const rows = [
    rowOf("OPER-20", "fail", { findings: [findingOf(at)] }),
    rowOf("OPER-24", "fail", { findings: [findingOf({ ...at, ...other })] }),
  ];
  expect(causesOf(rows).map(({ requirements }) => requirements)).toEqual([["OPER-20"], ["OPER-24"]]);
});

test("without a class, each requirement and message is a cause", () => {
  const rows = [
    rowOf("OPER-20", "fail", { findings: [findingOf(), findingOf(), findingOf({ message: "n" })] }),
    rowOf("OPER-24", "fail", { findings: [findingOf()] }),
  ];
  expect(causesOf(rows).map(({ requirements, findings, text }) => [requirements, findings, text])).toEqual([
    [["OPER-20"], 2, "m"],
    [["OPER-20"], 1, "n"],
    [["OPER-24"], 1, "m"],
  ]);
});

test("causes that break a MUST come first, then those that break most requirements", () => {
  const rows = [
    rowOf("AUTH-11", "warn", { findings: [findingOf()] }),
    rowOf("OPER-02", "fail", { findings: [findingOf()] }),
    rowOf("OPER-20", "fail", { findings: [findingOf(at)] }),
    rowOf("OPER-24", "fail", { findings: [findingOf(at)] }),
  ];
  expect(causesOf(rows).map(({ requirements }) => requirements)).toEqual([
    ["OPER-20", "OPER-24"],
    ["OPER-02"],
    ["AUTH-11"],
  ]);
});

test("the text names the kind of request if there is only one, and the operation if there is one", () => {
  const text = (...findings: readonly Parameters<typeof findingOf>[0][]): string | undefined =>
    causesOf([rowOf("HTTP-04", "fail", { findings: findings.map(findingOf) })])[0]?.text;
  expect(text(at)).toBe("m");
  expect(text(at, { ...at, intent: "valid" })).toBe(
    "POST /corporate/operation answers requests with status 422; expected: status 400",
  );
  const accepted = { ...at, cause: { expected: "status 400", actual: "status 200", input: "with null for a member" } };
  expect(text(accepted, accepted)).toBe(
    "POST /corporate/operation answers requests with null for a member with status 200; expected: status 400",
  );
  expect(text({ cause: unprocessable }, { cause: unprocessable })).toBe(
    "The server answers requests with status 422; expected: status 400",
  );
});

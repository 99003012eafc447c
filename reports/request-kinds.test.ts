import { expect, test } from "vitest";
import type { CauseMember } from "../model/conclusion/causes.ts";
import type { Cause, Finding, Mistake } from "../model/run.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import type { OperationName } from "../spec/operations.ts";
import { otherKinds, requestText } from "./request-kinds.ts";
import { exchange, runs } from "./testing/runs.ts";

const [row] = runs.nonconformant.requirements.filter(({ findings }) => findings.length > 0);
const [finding] = row?.findings ?? [];

function found(sent: string, operation: OperationName = "createOperation"): Finding {
  if (finding === undefined) throw new Error("the run has no finding");
  return { ...finding, operation, exchange: -1, sent };
}

function memberOf(id: RequirementId, ...of: Parameters<typeof found>): CauseMember {
  if (row === undefined) throw new Error("the run has no finding");
  return { row: { ...row, id }, index: 0, finding: found(...of) };
}

function causeOf(mistake: Pick<Mistake, "kind" | "of">, more: Partial<Cause> = {}): Cause {
  const [cause] = runs.nonconformant.causes;
  if (cause === undefined) throw new Error("the run has no mistake");
  return { ...cause, mistake: { ...mistake, expected: "", actual: "" }, ...more };
}

const kindsOf = (cause: Cause, members: readonly CauseMember[]): readonly string[] =>
  otherKinds(cause, members, new Map());

test("a wrong value of another member is another kind, and another wrong value of the same is none", () => {
  const kinds = kindsOf(causeOf({ kind: "accepted", of: "with a member of another type" }), [
    memberOf("OPER-28", 'invalid: with "12" at /currency_amount'),
    memberOf("OPER-28", "invalid: with true at /currency_amount"),
    memberOf("OPER-29", "invalid: with 12345 at /operation_purpose"),
    memberOf("OPER-29", "invalid: with [] at /operation_purpose"),
  ]);
  expect(kinds).toEqual(["with 12345 at /operation_purpose"]);
});

test("a refusal with a wrong status has a kind for each thing that is wrong with requests", () => {
  const kinds = kindsOf(causeOf({ kind: "refusal", of: "createOperation" }), [
    memberOf("OPER-20", "invalid: with /currency_amount left out"),
    memberOf("OPER-21", "invalid: with /operation_purpose left out"),
    memberOf("OPER-34", "invalid: with a trailing comma"),
  ]);
  expect(kinds).toEqual(["with a trailing comma"]);
});

test("what the title says is not said again", () => {
  const members = [
    memberOf("AUTH-20", "invalid: without a token"),
    memberOf("AUTH-21", "invalid: with a made-up token"),
  ];
  const mistake = { kind: "accepted", of: "tokens" } as const;
  const named = "A bad token is accepted (without a token; with a made-up token)";
  expect(kindsOf(causeOf(mistake, { text: named }), members)).toEqual([]);
  const all = { text: "Any token is accepted", responses: { affected: 9, of: 9 } };
  expect(kindsOf(causeOf(mistake, all), members)).toEqual([]);
  const some = { text: "A bad token is accepted", responses: { affected: 4, of: 9 } };
  expect(kindsOf(causeOf(mistake, some), members)).toEqual(["with a made-up token"]);
});

test.each<[path: string, text: string]>([
  ["a%2Fb/acam", "POST /corporate/operation/a%2Fb/acam, valid"],
  ["op.17/acam?page=1", "POST /corporate/operation/op.17/acam, valid"],
  ["17/items", "POST /corporate/operation/{operation_id}/acam, valid"],
])("the path %s is shown as: %s", (path, text) => {
  const url = `https://fx.example/v.1/corporate/operation/${path}`;
  const operation = "addAcamItem" as const;
  const shown = { ...exchange, operation, request: { ...exchange.request, url } };
  const exchanges = new Map([[-1, shown]]);
  expect(requestText(found("valid", "addAcamItem"), exchanges)).toBe(text);
});

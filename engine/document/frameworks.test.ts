import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { RequirementId } from "../../spec/catalogue.ts";
import { foundIn, judgedText } from "./testing/judged.ts";

/** The names that a framework gives to schemas and to the scheme of the token. */
interface Names {
  readonly request: string;
  readonly operation: string;
  readonly account: string;
  readonly error: string;
  readonly counterparty: string;
  readonly batchOperation: string;
  readonly list: string;
  readonly bearer: string;
}

/** A change of one line. Each part of the way is looked for below the one before. */
interface Planted {
  readonly way: readonly string[];
  readonly from: string;
  readonly to: string;
  readonly requirement: RequirementId;
  readonly verdict?: "warn";
  /** The part of the way that the finding names, where it is not the changed line. */
  readonly shown?: string;
  readonly says: string;
}

const mistakesOf = (names: Names): Readonly<Record<string, Planted>> => ({
  "the amount as a text": {
    way: ["schemas", names.request, "currency_amount", "type"],
    ...{ from: "number", to: "string", requirement: "OPER-01", says: "type is string, must be number" },
  },
  "an account number that is a number": {
    way: ["schemas", names.account, "account_number", "type"],
    ...{ from: "string", to: "integer", requirement: "OPER-11", says: "type is integer, must be string" },
  },
  "an error with another member": {
    way: ["schemas", names.error, "properties", "message"],
    ...{ from: "message", to: "detail", requirement: "OPER-17", shown: "properties" },
    says: "no member message, must have message (string)",
  },
  "another name of the list": {
    way: ["schemas", names.list, "properties", "batches"],
    ...{ from: "batches", to: "results", requirement: "BATCH-20", says: "found results, expected batches" },
  },
  "a longer name of an id": {
    way: ["schemas", names.counterparty, "properties", "id"],
    ...{ from: "id", to: "counterparty_id", requirement: "CPTY-01", says: "found counterparty_id, expected id" },
  },
  "camel case": {
    way: ["schemas", names.request, "properties", "currency_pair"],
    ...{ from: "currency_pair", to: "currencyPair", requirement: "OPER-01" },
    says: "found currencyPair, expected currency_pair",
  },
  "a day in place of a time": {
    way: ["schemas", names.operation, "properties", "created_at", "format"],
    ...{ from: "date-time", to: "date", requirement: "OPER-13", says: "format is date, must be date-time" },
  },
  "a purpose in batches": {
    way: ["schemas", names.batchOperation, "properties", "counterparty_id"],
    ...{
      from: "counterparty_id",
      to: "operation_purpose",
      requirement: "BATCH-34",
      says: "a member operation_purpose",
    },
  },
  "a member that is not required": {
    way: ["schemas", names.request, "required", "counterparty_id"],
    ...{ from: "counterparty_id", to: "operation_purpose", requirement: "OPER-23", shown: "required" },
    says: "counterparty_id is not in required, must be in required",
  },
  "a path in the plural": {
    way: ["paths", "/corporate/operation"],
    ...{ from: "/operation", to: "/operations", requirement: "OPER-01" },
    says: "found POST /corporate/operations, expected POST /corporate/operation",
  },
  "a slash at the end": {
    way: ["paths", "/auth/token"],
    ...{ from: "/token", to: "/token/", requirement: "AUTH-01", says: "the path ends with a slash" },
  },
  "another method": {
    way: ["paths", "/corporate/operation", "post"],
    ...{ from: "post", to: "put", requirement: "OPER-01", says: "found PUT /corporate/operation, expected POST" },
  },
  "an id in the path that is a number": {
    way: ["paths", "/customers/{customer_id}/counterparty", "parameters", "schema", "type"],
    ...{ from: "string", to: "integer", requirement: "CPTY-01", says: "type is integer, must be string" },
  },
  "another status of success": {
    way: ["paths", "/corporate/operation", "responses", "200"],
    ...{ from: "200", to: "201", requirement: "OPER-01", says: "response 201, must be response 200" },
  },
  "no response 401": {
    way: ["paths", "/corporate/operation", "responses", "401"],
    ...{ from: "401", to: "409", requirement: "AUTH-20", verdict: "warn", shown: "responses", says: "no response 401" },
  },
  "another scheme": {
    way: ["paths", "/corporate/operation", "security", names.bearer],
    ...{ from: names.bearer, to: "unknown", requirement: "AUTH-20", shown: "0", says: "must ask for the bearer token" },
  },
});

const plain: Names = {
  ...{ request: "OperationRequest", operation: "Operation", account: "BankAccount", error: "Error" },
  ...{ counterparty: "Counterparty", batchOperation: "BatchOperation", list: "BatchList", bearer: "bearer" },
};
const frameworks: Readonly<Record<string, Names>> = {
  "fastapi.json": { ...plain, bearer: "HTTPBearer" },
  "zod-to-openapi.json": { ...plain, request: "NewOperation", bearer: "bearerAuth" },
  "nestjs.json": {
    ...{ request: "CreateOperationDto", operation: "OperationDto", account: "BankAccountDto", error: "ErrorDto" },
    ...{ counterparty: "CounterpartyDto", batchOperation: "BatchOperationDto", list: "BatchListDto", bearer: "bearer" },
  },
  "huma.yaml": { ...plain, request: "OperationInput" },
  "springdoc.json": plain,
};

/** Changes one line of a text, and says which one it is and where the parts of the way are. */
function planted(text: string, { way, from, to }: Planted) {
  const lines = text.split("\n");
  const numbers = new Map<string, number>();
  let index = -1;
  for (const part of way) {
    const isPart = (line: string): boolean => line.trim().replace(/^- /, "").replaceAll('"', "").startsWith(part);
    const next = lines.findIndex((line, number) => number > index && isWhole(line, part) && isPart(line));
    if (next < 0) throw new Error(`no ${part} below ${way.join(" ")}`);
    index = next;
    numbers.set(part, index + 1);
  }
  const line = lines[index] ?? "";
  lines[index] = line.replace(from, to);
  return { text: lines.join("\n"), line: index + 1, numbers };
}

/** A member `part` or an element of that value: no longer name. */
const isWhole = (line: string, part: string): boolean =>
  new RegExp(`^\\s*(- )?"?${part.replaceAll(/[{}]/g, "\\$&")}"?\\s*(:|,|$)`).test(line);

describe.each(Object.entries(frameworks))("%s", (file, names) => {
  const text = readFileSync(new URL(`testing/frameworks/${file}`, import.meta.url), "utf8");

  test("has no finding", async () => {
    expect(foundIn(await judgedText(text))).toEqual({ fail: [], warn: [] });
  });

  test.each(Object.entries(mistakesOf(names)))("%s", async (_, mistake) => {
    const { requirement, verdict = "fail", shown, says } = mistake;
    const changed = planted(text, mistake);
    const run = await judgedText(changed.text);
    const row = run.requirements.find(({ id }) => id === requirement);
    const ofMistake = row?.findings.find(({ message }) => message.includes(says));
    // The alternative of a list of schemes starts one line before its name in JSON.
    const itemLine = file.endsWith(".json") ? changed.line - 1 : changed.line;
    const line = shown === undefined ? changed.line : shown === "0" ? itemLine : changed.numbers.get(shown);
    expect({ verdict: row?.verdict, line: ofMistake?.document?.line }).toEqual({ verdict, line });
  });
});

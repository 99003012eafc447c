import { expect, test } from "vitest";
import { frameworkFiles, frameworkText, wrongFiles } from "./testing/frameworks.ts";
import { parse } from "yaml";
import { foundIn, judged, judgedText } from "./testing/judged.ts";

test.each(frameworkFiles)("%s has no finding", async (file) => {
  expect(foundIn(await judgedText(frameworkText(file)))).toEqual({ fail: [], warn: [] });
});

/**
 * What servers with mistakes make of their documents: the requirements that the document
 * contradicts, and what it says instead.
 */
const wrong: Readonly<Record<string, readonly [fail: string, says: readonly string[]]>> = {
  "drf-spectacular.wrong.yaml": [
    "AUTH-01 AUTH-12 AUTH-32 AUTH-36 CPTY-01 CPTY-04 CPTY-12 OPER-01 OPER-02 OPER-10 OPER-11 OPER-13 OPER-17 OPER-21 ACAM-01 ACAM-06 BATCH-01 BATCH-08 BATCH-20 BATCH-28 BATCH-32",
    [
      "the path ends with a slash, must end without a slash",
      "no member message, must have message (string)",
      "response 201, must be response 200",
      'enum is ["PENDING_QUOTE","QUOTED"], must allow "pending_quote"',
      "operation_purpose is not in required, must be in required",
    ],
  ],
  "fastapi.wrong.json": [
    "AUTH-01 AUTH-05 AUTH-32 CPTY-01 CPTY-12 OPER-01 OPER-02 OPER-05 OPER-10 OPER-11 OPER-13 OPER-17 ACAM-01 ACAM-06 BATCH-08 BATCH-20 BATCH-30 BATCH-31 BATCH-32 BATCH-33 BATCH-34",
    [
      'security has {"HTTPBearer":[]}, must ask for x-api-key',
      "found currencyAmount, expected currency_amount",
      "no member intermediary_bank, must have intermediary_bank (object)",
      "type is string or null, must be string",
      "type is boolean, must be string",
    ],
  ],
  "huma.wrong.yaml": [
    "AUTH-01 AUTH-05 CPTY-01 CPTY-02 CPTY-03 CPTY-04 CPTY-05 OPER-01 OPER-02 OPER-03 OPER-10 OPER-11 OPER-12 OPER-13 OPER-21 ACAM-01 BATCH-01 BATCH-04 BATCH-05 BATCH-20 BATCH-21 BATCH-23 BATCH-25 BATCH-26 BATCH-30 BATCH-31 BATCH-32 BATCH-33 HTTP-01 HTTP-06",
    [
      "content is application/problem+json, must have application/json",
      "format is float, amounts need double",
      'pattern is "^[A-Z]{3}/[A-Z]{3}$", must allow pairs such as "USDBRL"',
      "requires email, must not: the specification has no such member",
      "type is string, must allow null",
      "no content, must have application/json",
    ],
  ],
  "nestjs.wrong.json": [
    "AUTH-12 AUTH-32 AUTH-36 CPTY-01 CPTY-12 OPER-01 OPER-17 ACAM-06 BATCH-01 BATCH-08 BATCH-21 BATCH-22 BATCH-28 BATCH-34",
    [
      "type is object, must be string",
      "found currencyPair, expected currency_pair",
      "a member operation_purpose, must not have it",
      "no security, must ask for the bearer token",
    ],
  ],
  "springdoc.wrong.json": [
    "AUTH-12 AUTH-36 CPTY-01 CPTY-04 CPTY-12 OPER-01 OPER-02 OPER-11 OPER-13 OPER-17 OPER-22 ACAM-06 BATCH-08 BATCH-20 BATCH-28 HTTP-01",
    [
      "found content, expected batches",
      "type is integer, must be number",
      "currency_pair is not in required, must be in required",
    ],
  ],
  "swag.wrong.json": [
    "AUTH-12 CPTY-01 CPTY-03 CPTY-12 OPER-01 OPER-02 OPER-17 OPER-22 ACAM-01 ACAM-06 BATCH-08 BATCH-20 BATCH-28 BATCH-34",
    [
      "found GET /batch, expected GET /batches",
      "a member operation_purpose, must not have it",
      "found counterparty_id, expected id",
      "type is integer, must be number",
    ],
  ],
  "utoipa.wrong.json": [
    "AUTH-12 CPTY-12 OPER-01 OPER-02 OPER-10 OPER-13 OPER-17 ACAM-06 BATCH-08 BATCH-20 BATCH-22 BATCH-28",
    [
      "found currencyAmount, expected currency_amount",
      'enum is ["PendingQuote","Quoted","Settled"], must allow "pending_quote"',
      "type is integer or null, must be integer",
    ],
  ],
  "zod-to-openapi.wrong.json": [
    "AUTH-01 AUTH-12 AUTH-36 CPTY-04 CPTY-12 OPER-01 OPER-02 OPER-08 OPER-10 OPER-11 OPER-13 OPER-17 OPER-33 ACAM-01 ACAM-06 BATCH-01 BATCH-08 BATCH-20 BATCH-21 BATCH-28 BATCH-30 BATCH-31 BATCH-32 BATCH-34",
    [
      "requires reference, must not: the specification has no such member",
      "required is not true, must be true",
      'minLength is 7, must allow pairs such as "USDBRL"',
      'enum is ["ok"], must allow "ACAM item added successfully"',
    ],
  ],
};

test.each(wrongFiles)(
  "%s contradicts what its server does wrong, and nothing else",
  async (file) => {
    const [fail, says] = wrong[file] ?? expect.fail(`nothing is expected of ${file}`);
    const run = await judged(parse(frameworkText(file)));
    expect(foundIn(run).fail.join(" ")).toBe(fail);
    const found = run.requirements.flatMap(({ findings }) =>
      findings.map(({ document }) => document?.says),
    );
    expect(found).toEqual(expect.arrayContaining([...says]));
    // A member under another name is one mistake.
    expect(found.filter((one) => /^requires [a-z]+[A-Z]/.test(one ?? ""))).toEqual([]);
  },
);

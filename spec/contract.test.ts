import SwaggerParser from "@apidevtools/swagger-parser";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { bundledContract } from "./bundle.ts";
import { contractPath } from "./contract.ts";
import { operationNames, operations } from "./operations.ts";
import { isQuestionId, questionIds } from "./questions.ts";

const path = fileURLToPath(contractPath);
const contract = await bundledContract();

test("is valid OpenAPI 3.1", async () => {
  await expect(SwaggerParser.validate(path)).resolves.toMatchObject({ openapi: "3.1.0" });
});

test("is plain JSON whose references point into the document, bundled or as it is written", async () => {
  const references = JSON.stringify(contract).match(/"\$ref":"[^"]*"/g) ?? [];
  expect(references.length).toBeGreaterThan(20);
  expect(
    references.filter((reference) => !reference.startsWith('"$ref":"#/components/schemas/')),
  ).toEqual([]);
  expect(JSON.parse(JSON.stringify(contract))).toEqual(contract);
  expect(await SwaggerParser.bundle(path)).toEqual(contract);
});

test("has the six operations and no others", () => {
  const found = Object.entries(contract.paths).flatMap(([at, item]) =>
    Object.entries(item).map(([method, { operationId }]) => [
      operationId,
      { method: method.toUpperCase(), path: at },
    ]),
  );
  const stated = operationNames.map((name) => [
    name,
    { method: operations[name].method, path: operations[name].path },
  ]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(stated));
});

test("marks every open question, and only open questions that exist", () => {
  const named =
    JSON.stringify(contract).match(/"x-fxconform-question":(\[[^\]]*\]|"[^"]*")/g) ?? [];
  const ids = new Set(named.flatMap((mark) => mark.match(/OPEN-\d+/g) ?? []));
  expect([...ids].filter((id) => !isQuestionId(id))).toEqual([]);
  expect(questionIds.filter((id) => !ids.has(id))).toEqual([]);
});

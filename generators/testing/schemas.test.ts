import { describe, expect, test } from "vitest";
import type { ContractContent, JsonObject, Schema } from "../../spec/contract.ts";
import { validatorsOf } from "./schemas.ts";
import { contract } from "./contract.ts";

/** Made by the first test that needs it. */
let made: ReturnType<typeof validatorsOf> | undefined;
const validatorOf = (pointer: string) => (made ??= validatorsOf(contract))(pointer);

test.each(Object.keys(contract.components.schemas))("Ajv compiles %s in strict mode", (name) => {
  expect(() => validatorOf(`#/components/schemas/${name}`)).not.toThrow();
});

/** Every body of the contract with its examples. */
const bodies = Object.values(contract.paths).flatMap((item) =>
  Object.values(item).flatMap(({ operationId, requestBody, responses }) =>
    [["request", requestBody] as const, ...Object.entries(responses)].flatMap(([place, body]) => {
      const { schema, examples }: NonNullable<ContractContent["content"]>[string] =
        body?.content?.["application/json"] ?? {};
      return schema ? [{ title: `${operationId} ${place}`, schema, examples: Object.values(examples ?? {}) }] : [];
    }),
  ),
);

describe.each(bodies)("$title", ({ schema, examples }) => {
  test("has examples, all of them valid", () => {
    const validate = validatorOf(referenceOf(schema));
    expect(examples.length).toBeGreaterThan(0);
    for (const example of examples) {
      validate((example as JsonObject).value);
      expect(validate.errors ?? []).toEqual([]);
    }
  });
});

function referenceOf(schema: Schema): string {
  if (typeof schema.$ref !== "string") throw new Error("a body of the contract is described by reference");
  return schema.$ref;
}

import { describe, expect, test } from "vitest";
import { foundIn, judged as judgedRun } from "./testing/judged.ts";
import { operationsOf, ourDocument, type Loose } from "./testing/mutations.ts";

async function judged(apply: (document: Loose) => void) {
  const document = ourDocument();
  apply(document);
  return judgedRun(document);
}

function everySchema(document: Loose, apply: (schema: Loose, name: string) => void): void {
  for (const [name, schema] of Object.entries(document.components.schemas)) apply(schema, name);
}

describe("what is legal has no contradiction", () => {
  const legal: Readonly<Record<string, (document: Loose) => void>> = {
    "stricter responses": (document) =>
      everySchema(document, (schema, name) => {
        if (!name.endsWith("Request")) schema.required = Object.keys(schema.properties);
      }),
    "closed responses": (document) =>
      everySchema(document, (schema, name) => {
        if (!name.endsWith("Request")) schema.additionalProperties = false;
      }),
    "an exclusive minimum of 3.0": (document) => {
      document.openapi = "3.0.3";
      Object.assign(document.components.schemas.OperationRequest.properties.currency_amount, {
        minimum: 0,
        exclusiveMinimum: true,
      });
    },
    "limits of requests": (document) => {
      const { properties } = document.components.schemas.OperationRequest;
      Object.assign(properties.currency_amount, { minimum: 500, maximum: 900, multipleOf: 0.01 });
      Object.assign(properties.counterparty_id, { format: "uuid", pattern: "^[0-9a-f-]{36}$" });
      properties.operation_purpose.enum = ["EFX", "IMPORT"];
      properties.currency_pair = { type: "string", enum: ["CADBRL"] };
    },
    "required members of a counterparty": (document) => {
      document.components.schemas.CounterpartyRequest.required = [
        "name",
        "bank_account",
        "external_id",
      ];
    },
    "other names of parameters, under a prefix": (document) => {
      const { paths } = document;
      document.paths = Object.fromEntries(
        Object.entries(paths).map(([path, item]) => [
          `/api/v1${path.replace("{customer_id}", "{customerId}")}`,
          item,
        ]),
      );
      paths["/customers/{customer_id}/counterparty"].post.parameters[0].name = "customerId";
    },
    "the key beside the token": (document) => {
      document.security = [{ bearer: [], apiKey: [] }, { bearer: [] }];
    },
    "the token as a header parameter": (document) => {
      delete document.security;
      for (const [title, operation] of operationsOf(document))
        if (!title.includes("token"))
          operation.parameters = [
            ...(operation.parameters ?? []),
            { name: "Authorization", in: "header", required: true, schema: { type: "string" } },
          ];
    },
    "additional operations": (document) => {
      document.paths["/customers/{id}/batches"] = document.paths["/batches"];
      document.paths["/health"] = { get: { responses: { 200: { description: "" } } } };
    },
    "additional statuses": (document) => {
      for (const [, { responses }] of operationsOf(document)) {
        const refusal = Object.entries<Loose>(responses).find(([status]) =>
          status.startsWith("4"),
        )?.[1];
        responses["500"] = { description: "" };
        responses["429"] = { description: "", content: { "text/plain": {} } };
        responses["409"] = refusal;
      }
    },
    "members without a type": (document) => {
      document.components.schemas.Operation.properties.status = {};
      document.components.schemas.Batch.properties.operations = {};
    },
  };
  test.each(Object.entries(legal))("%s", async (_, apply) => {
    expect(foundIn(await judged(apply))).toEqual({ fail: [], warn: [] });
  });
});

test.each<[string, Loose, string]>([
  ["keywords", { type: "string", not: { const: "x" } }, "not is not compared"],
  ["a schema that refers to itself", { $ref: "#/components/schemas/Batch/properties/id" }, ""],
  ["a type that is none", { type: "text" }, String.raw`type \"text\" is not valid`],
])("%s: what is not compared has a name", async (_, schema, says) => {
  const document = await judged(
    ({ components }) => (components.schemas.Batch.properties.id = schema),
  ).catch(String);
  expect(JSON.stringify(document)).toContain(says);
});

test("objects that contain themselves are compared", async () => {
  const run = await judged(({ components: { schemas } }) => {
    schemas.Batch.properties.parent = { $ref: "#/components/schemas/Batch" };
    schemas.Batch.properties.operations.items = {
      anyOf: [{ $ref: "#/components/schemas/Batch" }, { type: "integer" }],
    };
    schemas.Batch.properties.id = { type: "integer" };
  });
  expect(foundIn(run).fail).toEqual(["BATCH-01", "BATCH-04", "BATCH-23", "BATCH-25"]);
});

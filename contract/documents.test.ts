import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { readDocument } from "./document.ts";
import { foundIn, judged as judgedRun } from "./testing/judged.ts";
import { operationsOf, ourDocument, type Loose } from "./testing/mutations.ts";

const judged = async (apply: (document: Loose) => void) => {
  const document = ourDocument();
  apply(document);
  return judgedRun(document);
};

const everySchema = (document: Loose, apply: (schema: Loose, name: string) => void): void => {
  for (const [name, schema] of Object.entries(document.components.schemas)) apply(schema, name);
};

const createOperation = (document: Loose): Loose => document.paths["/corporate/operation"].post;

/** Codes in place of ranges, which no framework writes. */
const withCodes = (document: Loose): void => {
  for (const [title, { responses }] of operationsOf(document))
    for (const [range, code] of [
      ["2XX", title === "POST /batches" ? "201" : "200"],
      ["4XX", "400"],
    ] as const)
      if (responses[range] !== undefined) {
        responses[code] = responses[range];
        delete responses[range];
      }
};

describe("what is legal has no contradiction", () => {
  const legal: Readonly<Record<string, (document: Loose) => void>> = {
    "extra members": (document) => everySchema(document, ({ properties }) => (properties.extra = { type: "integer" })),
    "stricter responses": (document) =>
      everySchema(document, (schema, name) => {
        if (!name.endsWith("Request")) schema.required = Object.keys(schema.properties);
      }),
    "closed responses": (document) =>
      everySchema(document, (schema, name) => {
        if (!name.endsWith("Request")) schema.additionalProperties = false;
      }),
    "other descriptions": (document) => everySchema(document, (schema) => (schema.description = "something")),
    "null as 3.0 spells it": (document) => {
      document.openapi = "3.0.3";
      const { properties } = document.components.schemas.Operation;
      properties.batch_id = { type: "string", nullable: true };
      properties.intermediary_bank = { nullable: true, allOf: [{ $ref: "#/components/schemas/Bank" }] };
    },
    "an exclusive minimum of 3.0": (document) => {
      document.openapi = "3.0.3";
      Object.assign(document.components.schemas.OperationRequest.properties.currency_amount, {
        minimum: 0,
        exclusiveMinimum: true,
      });
    },
    "lists of statuses": (document) => {
      document.components.schemas.Operation.properties.status.enum = ["pending_quote", "quoted"];
      document.components.schemas.Batch.properties.status.enum = ["open"];
    },
    "limits of requests": (document) => {
      const { properties } = document.components.schemas.OperationRequest;
      Object.assign(properties.currency_amount, { minimum: 500, maximum: 900, multipleOf: 0.01 });
      Object.assign(properties.counterparty_id, { format: "uuid", pattern: "^[0-9a-f-]{36}$" });
      properties.operation_purpose.enum = ["EFX", "IMPORT"];
      properties.currency_pair = { type: "string", enum: ["CADBRL"] };
    },
    "required members of a counterparty": (document) => {
      document.components.schemas.CounterpartyRequest.required = ["name", "bank_account", "external_id"];
    },
    "other names of parameters, under a prefix": (document) => {
      const { paths } = document;
      document.paths = Object.fromEntries(
        Object.entries(paths).map(([path, item]) => [`/api/v1${path.replace("{customer_id}", "{customerId}")}`, item]),
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
        const refusal = Object.entries<Loose>(responses).find(([status]) => status.startsWith("4"))?.[1];
        responses["500"] = { description: "" };
        responses["429"] = { description: "", content: { "text/plain": {} } };
        responses["409"] = refusal;
      }
    },
    "additional media types": (document) => {
      for (const [, { responses }] of operationsOf(document))
        for (const { content } of Object.values<Loose>(responses))
          content["application/xml"] = content["application/json"];
    },
    "any media type": (document) => {
      for (const [, { responses }] of operationsOf(document))
        for (const response of Object.values<Loose>(responses))
          response.content = { "*/*": response.content["application/json"] };
    },
    "members without a type": (document) => {
      document.components.schemas.Operation.properties.status = {};
      document.components.schemas.Batch.properties.operations = {};
    },
    "dates without a format": (document) => {
      for (const name of ["Operation", "Batch", "BatchOperation"])
        document.components.schemas[name].properties.created_at = { type: "string" };
    },
    "whole numbers of 32 bits": (document) => {
      document.components.schemas.BatchList.properties.count = { type: "integer", format: "int32", minimum: 0 };
    },
    "codes in place of ranges": withCodes,
  };
  test.each(Object.entries(legal))("%s", async (_, apply) => {
    expect(foundIn(await judged(apply))).toEqual({ fail: [], warn: [] });
  });
});

describe("documents of frameworks, with their usual mistakes", () => {
  const frameworks: Readonly<Record<string, readonly [(document: Loose) => void, readonly string[]]>> = {
    "FastAPI: 422 with detail in place of 400, Decimal as number or string": [
      (document) => {
        withCodes(document);
        for (const [, { requestBody, responses }] of operationsOf(document)) {
          if (requestBody === undefined) continue;
          delete responses["400"];
          responses["422"] = {
            description: "Validation Error",
            content: { "application/json": { schema: { $ref: "#/components/schemas/HTTPValidationError" } } },
          };
        }
        document.components.schemas.HTTPValidationError = {
          properties: { detail: { items: { type: "object" }, type: "array", title: "Detail" } },
          type: "object",
          title: "HTTPValidationError",
        };
        const { properties } = document.components.schemas.OperationRequest;
        properties.currency_amount = { anyOf: [{ type: "number" }, { type: "string" }], title: "Currency Amount" };
      },
      ["ACAM-06", "BATCH-08", "CPTY-12", "OPER-17", "OPER-20", "OPER-28"],
    ],
    "springdoc: 200 for all, camel case, errors of Spring": [
      (document) => {
        withCodes(document);
        document.openapi = "3.0.1";
        document.components.schemas.Error = {
          type: "object",
          properties: {
            timestamp: { type: "string", format: "date-time" },
            status: { type: "integer", format: "int32" },
            error: { type: "string" },
            path: { type: "string" },
          },
        };
        const request = document.components.schemas.OperationRequest;
        request.required = request.required.map((name: string) => name.replace("currency_amount", "currencyAmount"));
        request.properties.currencyAmount = request.properties.currency_amount;
        delete request.properties.currency_amount;
      },
      ["ACAM-06", "AUTH-12", "BATCH-08", "BATCH-28", "CPTY-12", "OPER-01", "OPER-17"],
    ],
    "NestJS: 201 for every POST, responses without a body": [
      (document) => {
        withCodes(document);
        document.openapi = "3.0.0";
        for (const [title, operation] of operationsOf(document))
          operation.responses = { [title.startsWith("POST") ? "201" : "200"]: { description: "" } };
        createOperation(document).requestBody.required = true;
      },
      // 201 for an operation is no stated status; the rest is left out.
      ["ACAM-06", "AUTH-12", "AUTH-20", "BATCH-08", "BATCH-28", "CPTY-12", "HTTP-06", "OPER-01", "OPER-20"],
    ],
    "swag: nothing is required, and security is a key in the header": [
      (document) => {
        withCodes(document);
        everySchema(document, (schema) => delete schema.required);
        document.components.securitySchemes.bearer = { type: "apiKey", in: "header", name: "Authorization" };
        document.components.schemas.Operation.properties.created_at = { type: "integer" };
      },
      ["OPER-13", "OPER-20", "OPER-21", "OPER-22", "OPER-23"],
    ],
  };
  test.each(Object.entries(frameworks))("%s", async (_, [apply, expected]) => {
    const { fail, warn } = foundIn(await judged(apply));
    expect([...fail, ...warn].toSorted()).toEqual(expected);
  });
});

describe("keywords that the generators cannot draw", () => {
  test("are named with their pointer", async () => {
    const { warnings } = await judged((document) => {
      document.components.schemas.Batch.properties.id = { type: "string", not: { const: "x" } };
    });
    expect(warnings.join("\n")).toContain("/properties/id/not in the schema of POST /batches, response 2XX");
  });
});

describe("a broken document says where", () => {
  test.each([
    ["no YAML", "a: b: c", "line 1"],
    ["no object", "- 1", "is not an OpenAPI 3.0 or 3.1 document"],
    ["Swagger 2.0", "swagger: '2.0'", "is Swagger"],
    ["another format", "openapi: 4.0.0", "is not an OpenAPI 3.0 or 3.1 document"],
    ["no paths", "openapi: 3.1.0", "with paths"],
    ["a dangling reference", "openapi: 3.1.0\npaths: { /a: { $ref: '#/components/x' } }", "components"],
    ["a reference to a missing file", "openapi: 3.1.0\npaths: { /a: { $ref: 'b.yaml' } }", "b.yaml"],
  ])("%s", async (name, text, says) => {
    const path = join(temporaryFolder(), `${name}.yaml`);
    writeFileSync(path, text);
    await expect(readDocument(path, path)).rejects.toMatchObject({
      name: "InputError",
      message: expect.stringContaining(says) as string,
    });
  });
  test.each([
    ["http://127.0.0.1:9/openapi.json", "cannot be read"],
    ["http://fx.example.com/openapi.json", "plain http:"],
  ])("%s", async (url, says) => {
    await expect(readDocument(url, url)).rejects.toThrow(says);
  });
});

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

/** Codes in place of ranges, which no framework writes. */
function withCodes(document: Loose): void {
  for (const [title, { responses }] of operationsOf(document))
    for (const [range, code] of [
      ["2XX", title === "POST /batches" ? "201" : "200"],
      ["4XX", "400"],
    ] as const)
      if (responses[range] !== undefined) {
        responses[code] = responses[range];
        delete responses[range];
      }
}

describe("what is legal has no contradiction", () => {
  const legal: Readonly<Record<string, (document: Loose) => void>> = {
    "extra members": (document) =>
      everySchema(document, ({ properties }) => (properties.extra = { type: "integer" })),
    "stricter responses": (document) =>
      everySchema(document, (schema, name) => {
        if (!name.endsWith("Request")) schema.required = Object.keys(schema.properties);
      }),
    "closed responses": (document) =>
      everySchema(document, (schema, name) => {
        if (!name.endsWith("Request")) schema.additionalProperties = false;
      }),
    "other descriptions": (document) =>
      everySchema(document, (schema) => (schema.description = "something")),
    "null as 3.0 spells it": (document) => {
      document.openapi = "3.0.3";
      const { properties } = document.components.schemas.Operation;
      properties.batch_id = { type: "string", nullable: true };
      properties.intermediary_bank = {
        nullable: true,
        allOf: [{ $ref: "#/components/schemas/Bank" }],
      };
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
      document.components.schemas.BatchList.properties.count = {
        type: "integer",
        format: "int32",
        minimum: 0,
      };
    },
    "codes in place of ranges": withCodes,
  };
  test.each(Object.entries(legal))("%s", async (_, apply) => {
    expect(foundIn(await judged(apply))).toEqual({ fail: [], warn: [] });
  });
});

/** How a framework writes a right document, and which requirement its usual mistakes break. */
interface Framework {
  readonly notation: (document: Loose) => void;
  readonly mistakes: (document: Loose) => void;
  readonly fail: readonly string[];
  readonly warn: readonly string[];
}

function json(schema: Loose): Loose {
  return {
    description: "",
    content: { "application/json": { schema } },
  };
}

describe("documents of frameworks", () => {
  const frameworks: Readonly<Record<string, Framework>> = {
    "FastAPI: 422 with detail in place of 400, Decimal as number or string, Optional as null": {
      notation: (document) => {
        withCodes(document);
        everySchema(document, (schema, name) => {
          schema.title = name;
          for (const [member, one] of Object.entries<Loose>(schema.properties)) one.title = member;
        });
        document.components.securitySchemes = { HTTPBearer: { type: "http", scheme: "bearer" } };
        document.security = [{ HTTPBearer: [] }];
        const key = {
          name: "x-api-key",
          in: "header",
          required: true,
          schema: { type: "string", title: "X-Api-Key" },
        };
        Object.assign(document.paths["/auth/token"].post, { security: [], parameters: [key] });
      },
      mistakes: (document) => {
        for (const [, { requestBody, responses }] of operationsOf(document)) {
          if (requestBody === undefined) continue;
          delete responses["400"];
          responses["422"] = json({ $ref: "#/components/schemas/HTTPValidationError" });
        }
        const { schemas } = document.components;
        schemas.HTTPValidationError = {
          properties: { detail: { items: { type: "object" }, type: "array" } },
        };
        schemas.OperationRequest.properties.currency_amount = {
          anyOf: [{ type: "number" }, { type: "string" }],
        };
        schemas.BankAccount.properties.account_number = {
          anyOf: [{ type: "string" }, { type: "null" }],
        };
      },
      fail: [
        "ACAM-06",
        "BATCH-08",
        "BATCH-32",
        "CPTY-04",
        "CPTY-12",
        "OPER-11",
        "OPER-17",
        "OPER-28",
      ],
      warn: ["OPER-20"],
    },
    "springdoc: camel case, errors of Spring, the purpose in batches": {
      notation: (document) => {
        withCodes(document);
        document.openapi = "3.0.1";
        for (const [, { responses }] of operationsOf(document))
          for (const response of Object.values<Loose>(responses))
            response.content = { "*/*": response.content["application/json"] };
        document.components.schemas.BatchList.properties.total = {
          type: "integer",
          format: "int64",
        };
        document.components.schemas.Operation.properties.batch_id = {
          type: "string",
          nullable: true,
        };
      },
      mistakes: ({ components: { schemas } }) => {
        const text = { type: "string" };
        schemas.Error = {
          type: "object",
          properties: { timestamp: text, error: text, path: text },
        };
        const { required, properties } = schemas.OperationRequest;
        required[required.indexOf("currency_amount")] = "currencyAmount";
        properties.currencyAmount = properties.currency_amount;
        delete properties.currency_amount;
        schemas.BatchOperation = schemas.Operation;
      },
      fail: [
        "AUTH-12",
        "CPTY-12",
        "OPER-01",
        "OPER-17",
        "ACAM-06",
        "BATCH-08",
        "BATCH-28",
        "BATCH-30",
        "BATCH-33",
        "BATCH-34",
      ],
      warn: [],
    },
    "NestJS: 201 for every POST, most responses without a body": {
      notation: (document) => {
        withCodes(document);
        document.openapi = "3.0.0";
        everySchema(document, ({ properties }) => {
          for (const [name, { $ref }] of Object.entries<Loose>(properties))
            if ($ref !== undefined) properties[name] = { description: "", allOf: [{ $ref }] };
        });
        const bank = { nullable: true, allOf: [{ $ref: "#/components/schemas/Bank" }] };
        document.components.schemas.Operation.properties.intermediary_bank = bank;
      },
      mistakes: (document) => {
        for (const [title, operation] of operationsOf(document))
          operation.responses = { [title.startsWith("POST") ? "201" : "200"]: { description: "" } };
      },
      fail: ["OPER-01"],
      warn: [
        "ACAM-06",
        "AUTH-12",
        "AUTH-20",
        "BATCH-08",
        "BATCH-28",
        "CPTY-12",
        "HTTP-06",
        "OPER-20",
      ],
    },
    "swag: nothing is required, times are numbers, a pointer is no null": {
      notation: (document) => {
        withCodes(document);
        document.openapi = "3.0.3";
        const header = { type: "apiKey", in: "header", name: "Authorization" };
        document.components.securitySchemes.bearer = header;
        document.servers = [{ url: "//localhost:8080/api/v1" }];
      },
      mistakes: (document) => {
        everySchema(document, (schema) => delete schema.required);
        const { properties } = document.components.schemas.Operation;
        properties.created_at = { type: "integer" };
        properties.intermediary_bank = { type: "array", items: { type: "integer" } };
      },
      fail: ["OPER-12", "OPER-13", "OPER-20", "OPER-21", "OPER-22", "OPER-23"],
      warn: [],
    },
  };
  test.each(Object.entries(frameworks))("%s", async (_, { notation, mistakes, fail, warn }) => {
    expect(foundIn(await judged(notation))).toEqual({ fail: [], warn: [] });
    const found = foundIn(await judged((document) => [notation(document), mistakes(document)]));
    expect({ fail: found.fail.toSorted(), warn: found.warn.toSorted() }).toEqual({
      fail: fail.toSorted(),
      warn: warn.toSorted(),
    });
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

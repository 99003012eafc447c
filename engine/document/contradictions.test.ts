import { describe, expect, test } from "vitest";
import type { Run } from "../../model/run.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { foundIn, judged } from "./testing/judged.ts";
import { operationsOf, ourDocument, type Loose } from "./testing/mutations.ts";

async function changed(apply: (document: Loose) => unknown): Promise<Run> {
  const document = ourDocument();
  apply(document);
  return judged(document);
}

function messagesOf({ requirements }: Run, id: RequirementId): string {
  return (requirements.find((row) => row.id === id)?.findings ?? [])
    .map(({ message }) => message)
    .join("\n");
}

const schemasOf = ({ components }: Loose): Loose => components.schemas;
function operationOf(document: Loose, title: string): Loose {
  return new Map(operationsOf(document)).get(title);
}
const create = "POST /corporate/operation";

describe("a contradiction fails, in the words of the document", () => {
  test.each<[string, RequirementId, string, (document: Loose) => unknown]>([
    [
      "no credentials among the alternatives",
      "AUTH-20",
      "security has {}, must ask for the bearer token",
      (document) => (operationOf(document, create).security = [{ bearer: [] }, {}]),
    ],
    [
      "an optional Authorization",
      "AUTH-20",
      "Authorization is optional, must be required",
      (document) => {
        const header = { name: "Authorization", in: "header", schema: { type: "string" } };
        Object.assign(operationOf(document, create), { security: [], parameters: [header] });
      },
    ],
    [
      "an error that may have another shape",
      "OPER-17",
      "no member message, must have message (string)",
      (document) => {
        const other = { type: "object", properties: { detail: { type: "string" } } };
        const media = operationOf(document, create).responses["400"].content["application/json"];
        media.schema = { anyOf: [media.schema, other] };
      },
    ],
    [
      "a required member of the query",
      "OPER-01",
      "requires tenant in query, must not: the specification has no tenant",
      (document) => {
        const tenant = { name: "tenant", in: "query", required: true, schema: { type: "string" } };
        operationOf(document, create).parameters = [tenant];
      },
    ],
    [
      "a pattern that excludes every time",
      "OPER-13",
      "must allow times of RFC 3339",
      (document) =>
        (schemasOf(document).Operation.properties.created_at = {
          type: "string",
          pattern: "^\\d\\d/\\d\\d/\\d{4}$",
        }),
    ],
    [
      "a server without TLS",
      "HTTP-07",
      'url is "http://fx.example/v1", must start with https:',
      (document) => (document.servers = [{ url: "http://fx.example/v1" }]),
    ],
  ])("%s", async (_, id, says, apply) => {
    const run = await changed(apply);
    expect(foundIn(run).fail).toContain(id);
    expect(messagesOf(run, id)).toContain(says);
  });
});

describe("what is legal has no finding", () => {
  test.each<[string, (document: Loose) => unknown]>([
    [
      "a batch_id that is absent of a new operation",
      (document) => (schemasOf(document).Operation.properties.batch_id = { type: "string" }),
    ],
    [
      "what stands beside a reference in 3.0",
      (document) => {
        document.openapi = "3.0.3";
        Object.assign(schemasOf(document).Operation.properties, {
          batch_id: { type: "string", nullable: true },
          intermediary_bank: {
            $ref: "#/components/schemas/Bank",
            type: "integer",
            required: ["nothing"],
          },
        });
      },
    ],
    [
      "a required member that is readOnly in a request and writeOnly in a response",
      (document) => {
        const { OperationRequest, Batch } = schemasOf(document);
        OperationRequest.properties.operation_id = { type: "string", readOnly: true };
        OperationRequest.required.push("operation_id");
        Batch.properties.secret = { type: "string", writeOnly: true };
        Batch.required = ["secret"];
      },
    ],
    [
      "an optional parameter and a required one of a list",
      (document) => {
        const page = { name: "page", in: "query", required: true, schema: { type: "integer" } };
        operationOf(document, "GET /batches").parameters = [page];
        operationOf(document, create).parameters = [{ ...page, required: false }];
      },
    ],
    [
      "a required member of a batch, whose members are not shown",
      (document) => {
        schemasOf(document).BatchRequest.properties.label = { type: "string" };
        schemasOf(document).BatchRequest.required = ["label"];
      },
    ],
    [
      "patterns that need no flag or another one",
      (document) => {
        schemasOf(document).Operation.properties.customer_id.pattern = "^cus\\-\\d+$";
        schemasOf(document).Operation.properties.created_at.pattern = "^\\d{4}\\-";
      },
    ],
    [
      "alternatives of a success by status",
      (document) => {
        const media = operationOf(document, create).responses["200"].content["application/json"];
        const settled = {
          allOf: [media.schema, { properties: { status: { enum: ["settled"] } } }],
        };
        media.schema = { oneOf: [media.schema, settled] };
      },
    ],
    [
      "limits of requests",
      (document) => {
        const { OperationRequest, CounterpartyRequest } = schemasOf(document);
        const { properties } = OperationRequest;
        Object.assign(properties.currency_amount, { minimum: 500, maximum: 900, multipleOf: 0.01 });
        Object.assign(properties.counterparty_id, { format: "uuid", pattern: "^[0-9a-f-]{36}$" });
        properties.operation_purpose.enum = ["EFX", "IMPORT"];
        properties.currency_pair = { type: "string", enum: ["CADBRL"] };
        CounterpartyRequest.required = ["name", "bank_account", "external_id"];
      },
    ],
    [
      "other names of parameters, under a prefix",
      (document) => {
        const { paths } = document;
        document.paths = Object.fromEntries(
          Object.entries(paths).map(([path, item]) => [
            `/api/v1${path.replace("{customer_id}", "{customerId}")}`,
            item,
          ]),
        );
        paths["/customers/{customer_id}/counterparty"].post.parameters[0].name = "customerId";
      },
    ],
    [
      "the key beside the token",
      (document) => (document.security = [{ bearer: [], apiKey: [] }, { bearer: [] }]),
    ],
    [
      "the token as a header parameter",
      (document) => {
        delete document.security;
        const schema = { type: "string" };
        const token = { name: "Authorization", in: "header", required: true, schema };
        for (const [title, operation] of operationsOf(document))
          if (!title.includes("token"))
            operation.parameters = [...(operation.parameters ?? []), token];
      },
    ],
    [
      "operations, statuses and members without a type that are not stated",
      (document) => {
        for (const [, { responses }] of operationsOf(document)) {
          const refusal = Object.keys(responses).find((status) => status.startsWith("4")) ?? "";
          responses["500"] = { description: "" };
          responses["429"] = { description: "", content: { "text/plain": {} } };
          responses["409"] = responses[refusal];
        }
        document.paths["/customers/{id}/batches"] = document.paths["/batches"];
        document.paths["/health"] = { get: { responses: { 200: { description: "" } } } };
        schemasOf(document).Operation.properties.status = {};
        schemasOf(document).Batch.properties.operations = {};
      },
    ],
  ])("%s", async (_, apply) => {
    const run = await changed(apply);
    expect(foundIn(run)).toEqual({ fail: [], warn: [] });
  });
});

describe("a near miss is named once", () => {
  test.each<[string, string, (document: Loose) => unknown]>([
    [
      "slashes at the end",
      "the path ends with a slash, must end without a slash",
      ({ paths }) => {
        for (const [path, item] of Object.entries(paths)) {
          delete paths[path];
          paths[`${path}/`] = item;
        }
      },
    ],
    [
      "another prefix",
      "found POST /v2/auth/token, expected POST /auth/token",
      ({ paths }) => {
        paths["/v2/auth/token"] = paths["/auth/token"];
        delete paths["/auth/token"];
      },
    ],
    [
      "a wrong error of six operations",
      "no member message, must have message (string)",
      (document) => {
        const { Error: error } = schemasOf(document);
        error.properties = { detail: { type: "string" } };
      },
    ],
  ])("%s", async (_, says, apply) => {
    const { causes } = await changed(apply);
    expect(causes.map(({ text }) => text)).toEqual([expect.stringContaining(says)]);
  });
});

test("of two versions, the one that fits best is judged", async () => {
  const run = await changed((document) => {
    const { paths } = document;
    document.paths = {};
    for (const [path, item] of Object.entries<Loose>(paths)) {
      const old = structuredClone(item);
      for (const operation of Object.values<Loose>(old)) operation.security = [];
      document.paths[`/v1${path}`] = old;
      document.paths[`/v2${path}`] = item;
    }
  });
  expect(foundIn(run)).toEqual({ fail: [], warn: [] });
  expect(run.warnings.join("\n")).toContain("under /v1, /v2. Judged is /v2");
});

describe("a oneOf whose alternatives overlap refuses what both of them allow", () => {
  const says = "alternatives of oneOf allow the same values";
  const text = { type: "string" };

  test.each<[string, RequirementId, string, Loose]>([
    ["a text and a list", "OPER-02", "status", [text, { enum: ["pending_quote", "quoted"] }]],
    ["a time and a text", "OPER-13", "created_at", [{ ...text, format: "date-time" }, text]],
  ])("%s", async (_, requirement, member, oneOf) => {
    const run = await changed(
      (document) => (schemasOf(document).Operation.properties[member] = { oneOf }),
    );
    expect(messagesOf(run, requirement)).toContain(says);
  });

  test.each<[string, string, Loose]>([
    ["a format that tools may check", "customer_id", [{ ...text, format: "uuid" }, text]],
    ["a time and an empty text", "created_at", [{ ...text, format: "date-time" }, { const: "" }]],
    ["a keyword that is not compared", "status", [text, { ...text, not: { maxLength: 40 } }]],
  ])("%s does not overlap", async (_, member, oneOf) => {
    const run = await changed((document) => {
      schemasOf(document).Operation.properties[member] = { oneOf };
    });
    expect(foundIn(run)).toEqual({ fail: [], warn: [] });
  });

  test("a schema that is a choice of itself ends", async () => {
    const run = await changed((document) => {
      const schemas = schemasOf(document);
      schemas.Status = { oneOf: [{ $ref: "#/components/schemas/Status" }, text] };
      schemas.Operation.properties.status = { $ref: "#/components/schemas/Status" };
    });
    expect(run.warnings.join("\n")).toContain("the schema contains itself");
  });
});

describe("what is not valid is not judged, and nothing else is blamed for it", () => {
  test("a type that is none", async () => {
    const run = await changed((document) => (schemasOf(document).OperationRequest.type = "objct"));
    expect(foundIn(run)).toEqual({ fail: [], warn: [] });
    expect({ outcome: run.outcome, pass: run.gate.pass }).toEqual({
      outcome: "inconclusive",
      pass: false,
    });
    expect(run.summary).toContain("No verdict on the document");
    // OPER-20 also has a response 400. For the others, only the schema shows them.
    for (const each of ["OPER-20", "OPER-21", "OPER-32"]) {
      const row = run.requirements.find(({ id }) => id === each);
      expect(row?.verdict).toBe("inconclusive");
      expect(row?.reason).toContain('type "objct" is not valid');
    }
  });

  test("a pattern that no engine takes hides its own values alone", async () => {
    const run = await changed((document) => {
      const { properties } = schemasOf(document).Operation;
      properties.created_at.pattern = "(?i)x";
      properties.status.enum = ["PENDING"];
    });
    expect(foundIn(run).fail).toEqual(["OPER-02"]);
    expect(run.requirements.find(({ id }) => id === "OPER-13")?.verdict).toBe("inconclusive");
  });

  test("nullable in 3.1 is ignored, with a note", async () => {
    const run = await changed(
      (document) => (schemasOf(document).Token.properties.token.nullable = true),
    );
    expect(foundIn(run)).toEqual({ fail: [], warn: [] });
    expect(run.warnings.join("\n")).toContain("nullable is no keyword of 3.1 and is ignored");
  });

  test("a pattern that takes too long ends, and is no pass", async () => {
    const bad = "^(([A-Za-z0-9-:.]+)+)+#$";
    const run = await changed(
      (document) => (schemasOf(document).Operation.properties.created_at.pattern = bad),
    );
    const row = run.requirements.find(({ id }) => id === "OPER-13");
    expect(row).toMatchObject({
      verdict: "inconclusive",
      reason: expect.stringContaining("the pattern takes too long"),
    });
  });
});

test("what the specification leaves open is required: a note, and no finding", async () => {
  const run = await changed((document) => {
    const page = { name: "page", in: "query", required: true, schema: { type: "integer" } };
    operationOf(document, "GET /batches").parameters = [page];
    schemasOf(document).BatchRequest.properties.label = { type: "string" };
    schemasOf(document).BatchRequest.required = ["label"];
  });
  expect(foundIn(run)).toEqual({ fail: [], warn: [] });
  const [note] = run.warnings.filter((text) =>
    text.startsWith("Required, and the specification leaves open"),
  );
  expect(note).toContain("requires page in query (openapi.yaml:1)");
  expect(note).toContain("requires label in the body (openapi.yaml:1)");
});

test("a wrong example is a warning", async () => {
  const run = await changed((document) => {
    const media = operationOf(document, create).requestBody.content["application/json"];
    media.examples.efx.value.currency_amount = "250.75";
    schemasOf(document).Batch.properties.currency_pair.example = "USD/BRL";
  });
  expect(foundIn(run).fail).toEqual([]);
  const messages = run.requirements
    .flatMap(({ findings }) => findings.map(({ message }) => message))
    .join("\n");
  expect(messages).toContain('the example has "250.75", must be number');
  expect(messages).toContain('the example has "USD/BRL", must be two currency codes');
});

test("a warning among the failures of its requirement is marked", async () => {
  const run = await changed((document) => {
    const { responses, security: _ } = operationOf(document, create);
    delete responses["400"];
    schemasOf(document).OperationRequest.required = [
      "operation_purpose",
      "currency_pair",
      "counterparty_id",
    ];
  });
  const findings = run.requirements.find(({ id }) => id === "OPER-20")?.findings ?? [];
  const marked = findings.filter(({ message }) => message.includes(", a warning"));
  expect({ all: findings.length, marked: marked.length }).toEqual({ all: 2, marked: 1 });
});

test.each<[string, Loose, string]>([
  ["keywords", { type: "string", not: { const: "x" } }, "not is not compared"],
  ["a type that is none", { type: "text" }, String.raw`type \"text\" is not valid`],
])("what is not compared has a name: %s", async (_, schema, says) => {
  const run = await changed(({ components }) => (components.schemas.Batch.properties.id = schema));
  expect(JSON.stringify(run)).toContain(says);
});

test("objects that contain themselves are compared", async () => {
  const run = await changed(({ components: { schemas } }) => {
    schemas.Batch.properties.parent = { $ref: "#/components/schemas/Batch" };
    schemas.Batch.properties.operations.items = {
      anyOf: [{ $ref: "#/components/schemas/Batch" }, { type: "integer" }],
    };
    schemas.Batch.properties.id = { type: "integer" };
  });
  expect(foundIn(run).fail).toEqual(["BATCH-01", "BATCH-04", "BATCH-23", "BATCH-25"]);
});

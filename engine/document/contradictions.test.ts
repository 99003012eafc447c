import { describe, expect, test } from "vitest";
import type { Run } from "../../model/run.ts";
import { foundIn, judged } from "./testing/judged.ts";
import { operationsOf, ourDocument, type Loose } from "./testing/mutations.ts";

async function changed(apply: (document: Loose) => unknown): Promise<Run> {
  const document = ourDocument();
  apply(document);
  return judged(document);
}

const schemasOf = ({ components }: Loose): Loose => components.schemas;
function operationOf(document: Loose, title: string): Loose {
  return new Map(operationsOf(document)).get(title);
}
const create = "POST /corporate/operation";
const text = { type: "string" };
const page = { name: "page", in: "query", required: true, schema: { type: "integer" } };

const inCamelCase = (name: string): string =>
  name.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase());

/** Changes of our document, by what is odd or wrong after them. */
const changes: Readonly<Record<string, (document: Loose) => unknown>> = {
  "no credentials among the alternatives": (document) =>
    (operationOf(document, create).security = [{ bearer: [] }, {}]),
  "an optional Authorization": (document) => {
    const header = { name: "Authorization", in: "header", schema: text };
    Object.assign(operationOf(document, create), { security: [], parameters: [header] });
  },
  "an error that may have another shape": (document) => {
    const media = operationOf(document, create).responses["400"].content["application/json"];
    media.schema = { anyOf: [media.schema, { type: "object", properties: { detail: text } }] };
  },
  "a wrong error of six operations": (document) =>
    (schemasOf(document).Error.properties = { detail: text }),
  "a required member of the query": (document) => {
    const tenant = { name: "tenant", in: "query", required: true, schema: text };
    operationOf(document, create).parameters = [tenant];
  },
  "a required member where the specification leaves it open": (document) => {
    operationOf(document, "GET /batches").parameters = [page];
    schemasOf(document).BatchRequest.properties.label = text;
    schemasOf(document).BatchRequest.required = ["label"];
  },
  "a refusal that is not there, and a warning beside it": (document) => {
    delete operationOf(document, create).responses["400"];
    const { OperationRequest } = schemasOf(document);
    OperationRequest.required = ["operation_purpose", "currency_pair", "counterparty_id"];
  },
  "a pattern that excludes every time": (document) =>
    (schemasOf(document).Operation.properties.created_at.pattern = "^\\d\\d/\\d\\d/\\d{4}$"),
  "a pattern that no engine takes hides its own values alone": (document) => {
    const { properties } = schemasOf(document).Operation;
    properties.created_at.pattern = "(?i)x";
    properties.status.enum = ["PENDING"];
  },
  "a keyword that is not compared": (document) =>
    (schemasOf(document).Batch.properties.id = { ...text, not: { const: "x" } }),
  "nullable in 3.1": (document) => (schemasOf(document).Token.properties.token.nullable = true),
  "a batch_id that is left out of a new operation": (document) =>
    (schemasOf(document).Operation.properties.batch_id = text),
  "members that are never null, and always there": (document) => {
    const { Operation } = schemasOf(document);
    Operation.properties.batch_id = text;
    Operation.properties.intermediary_bank = { $ref: "#/components/schemas/Bank" };
    Operation.required = ["batch_id", "intermediary_bank"];
  },
  "names in camelCase, and a wrong type below one": (document) => {
    for (const schema of Object.values<Loose>(schemasOf(document))) {
      schema.required &&= schema.required.map(inCamelCase);
      schema.properties = Object.fromEntries(
        Object.entries(schema.properties ?? {}).map(([name, one]) => [inCamelCase(name), one]),
      );
    }
    schemasOf(document).BankAccount.properties.accountNumber = { type: "integer" };
  },
  "objects that contain themselves": ({ components: { schemas } }) => {
    const { properties } = schemas.Batch;
    properties.parent = { $ref: "#/components/schemas/Batch" };
    properties.operations.items = { anyOf: [properties.parent, { type: "integer" }] };
    properties.id = { type: "integer" };
  },
  "a server without TLS": (document) => (document.servers = [{ url: "http://fx.example/v1" }]),
  "slashes at the end": (document) =>
    (document.paths = Object.fromEntries(
      Object.entries(document.paths).map(([path, item]) => [`${path}/`, item]),
    )),
  "another prefix": ({ paths }) => {
    paths["/v2/auth/token"] = paths["/auth/token"];
    delete paths["/auth/token"];
  },
  "two versions, of which the one that fits best is judged": (document) => {
    const { paths } = document;
    document.paths = {};
    for (const [path, item] of Object.entries<Loose>(paths)) {
      const old = structuredClone(item);
      for (const operation of Object.values<Loose>(old)) operation.security = [];
      document.paths[`/v1${path}`] = old;
      document.paths[`/v2${path}`] = item;
    }
  },
};

/** What is found in a document: the verdicts, each mistake once, and what is not judged. */
function said({ requirements, causes, warnings }: Run): readonly string[] {
  const verdicts = (["fail", "warn", "inconclusive"] as const).flatMap((verdict) => {
    const rows = requirements.filter((row) => row.verdict === verdict);
    const reasons = new Set(rows.flatMap(({ reason }) => reason ?? []));
    return rows.length === 0
      ? []
      : [`${verdict} ${rows.map(({ id }) => id).join(" ")}`, ...reasons];
  });
  const notes = warnings.filter((note) => !note.startsWith("Not required in responses"));
  return [...verdicts, ...causes.map((cause) => cause.text), ...notes];
}

test("what a document says otherwise fails, each mistake once, and what is not compared has a name", async () => {
  const found: string[] = [];
  for (const [name, apply] of Object.entries(changes))
    found.push([name, ...said(await changed(apply))].join("\n  "));
  await expect(`${found.join("\n")}\n`).toMatchFileSnapshot("testing/contradictions.golden");
});

test.each<[string, (properties: Loose) => unknown, string]>([
  ["is not valid", (all) => (all.status.type = "objct"), 'type "objct" is not valid'],
  [
    "has a pattern that takes years",
    (all) => (all.created_at.pattern = "^(([A-Za-z0-9-:.]+)+)+#$"),
    "the pattern takes too long",
  ],
  [
    "is a choice of itself",
    (all) => (all.status = { $ref: "#/components/schemas/Operation/properties/status" }),
    "contains itself",
  ],
])("a schema that %s is refused", async (_, apply, says) => {
  const judging = changed((document) => apply(schemasOf(document).Operation.properties));
  await expect(judging).rejects.toThrow(says);
});

describe("what is legal has no finding", () => {
  test.each<[string, (document: Loose) => unknown]>([
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
        operationOf(document, "GET /batches").parameters = [page];
        operationOf(document, create).parameters = [{ ...page, required: false }];
      },
    ],
    [
      "a required member of a batch, whose members are not shown",
      (document) => {
        schemasOf(document).BatchRequest.properties.label = text;
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
        const token = { name: "Authorization", in: "header", required: true, schema: text };
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

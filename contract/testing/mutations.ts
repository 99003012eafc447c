import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { contractPath, type Json } from "../../spec/contract.ts";

/** A document that a test changes: any part of it may be missing. */
export type Loose = any; // eslint-disable-line @typescript-eslint/no-explicit-any

export const ourDocument = (): Loose => parse(readFileSync(contractPath, "utf8"));

/** A change to a document. */
export interface Change {
  readonly name: string;
  readonly apply: (document: Loose) => void;
}

const change = (name: string, apply: Change["apply"]): Change => ({ name, apply });

export const operationsOf = (document: Loose): readonly (readonly [string, Loose])[] =>
  Object.entries<Loose>(document.paths).flatMap(([path, item]) =>
    Object.entries<Loose>(item).map(([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const),
  );

const operationAt = (document: Loose, title: string): Loose =>
  operationsOf(document).find(([one]) => one === title)?.[1];

const schemas = (document: Loose): Loose => document.components.schemas;

const responseSchemas = [
  ...["Token", "Error", "Bank", "BankAccount", "CounterpartyAddress", "Counterparty", "Operation", "BatchOperation"],
  ...["Batch", "BatchList", "AcamResult"],
];
const requestSchemas = [
  "BankRequest",
  "BankAccountRequest",
  "CounterpartyAddressRequest",
  "CounterpartyRequest",
].concat(["OperationRequest", "AcamItemRequest", "BatchRequest"]);

const membersIn = (names: readonly string[]): readonly (readonly [schema: string, member: string, value: Loose])[] => {
  const document = ourDocument();
  return names.flatMap((name) =>
    Object.entries<Loose>(schemas(document)[name].properties).map(([member, value]) => [name, member, value] as const),
  );
};

/** The members that every response or request of the kind has. */
const needed: Readonly<Record<string, readonly string[]>> = {
  Token: ["token"],
  Error: ["message"],
  Bank: ["bank_name", "swift_code", "bank_country"],
  BankAccount: ["bank_name", "swift_code", "bank_country", "account_number"],
  Counterparty: ["id"],
  Operation: ["operation_id", "status", "batch_id"],
  Batch: ["id", "operations"],
  BatchList: ["batches", "count", "total"],
  AcamResult: ["message", "status"],
};

const camel = (name: string): string => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const otherType = ({ type }: Loose): Json =>
  type === "number" || type === "integer" || type === "array" || type === undefined
    ? { type: "string" }
    : { type: "integer" };

const withNull = (value: Loose): Json => ({ anyOf: [value, { type: "null" }] });

/** Mistakes in members: each contradicts a stated rule. */
const memberMistakes: readonly Change[] = [
  ...membersIn([...responseSchemas, ...requestSchemas]).map(([schema, member, value]) =>
    change(`type of ${schema}.${member}`, (document) => {
      schemas(document)[schema].properties[member] = otherType(value);
    }),
  ),
  ...membersIn(responseSchemas)
    .filter(([, , { type, anyOf }]) => anyOf === undefined && !Array.isArray(type))
    .map(([schema, member, value]) =>
      change(`null for ${schema}.${member}`, (document) => {
        schemas(document)[schema].properties[member] = withNull(value);
      }),
    ),
  ...Object.entries(needed).flatMap(([schema, members]) =>
    members.flatMap((member) => [
      change(`${schema}.${member} left out`, (document) => {
        delete schemas(document)[schema].properties[member];
        schemas(document)[schema].required = [];
      }),
    ]),
  ),
  ...membersIn(requestSchemas).flatMap(([schema, member, value]) => [
    change(`${schema}.${member} left out`, (document) => {
      const own = schemas(document)[schema];
      delete own.properties[member];
      own.required = (own.required ?? []).filter((name: string) => name !== member);
    }),
    ...(member.includes("_")
      ? [
          change(`${schema}.${member} in camel case`, (document) => {
            const own = schemas(document)[schema];
            delete own.properties[member];
            own.properties[camel(member)] = value;
            own.required = (own.required ?? []).map(camel);
          }),
        ]
      : []),
  ]),
  ...membersIn(["OperationRequest"]).flatMap(([, member, value]) => [
    change(`${member} not required`, (document) => {
      const own = schemas(document).OperationRequest;
      own.required = own.required.filter((name: string) => name !== member);
    }),
    change(`null for ${member} of a request`, (document) => {
      schemas(document).OperationRequest.properties[member] = withNull(value);
    }),
    change(`text or list for ${member} of a request`, (document) => {
      schemas(document).OperationRequest.properties[member] = { anyOf: [value, { type: "array", items: {} }] };
    }),
  ]),
  ...(["Operation", "Batch", "BatchOperation"] as const).flatMap((schema) =>
    ["date", "time"].map((format) =>
      change(`${format} for ${schema}.created_at`, (document) => {
        schemas(document)[schema].properties.created_at.format = format;
      }),
    ),
  ),
  change("whole amounts in requests", (document) => {
    schemas(document).OperationRequest.properties.currency_amount = { type: "integer" };
  }),
  change("floats in requests", (document) => {
    schemas(document).OperationRequest.properties.currency_amount = { type: "number", format: "float" };
  }),
  change("whole amounts in responses", (document) => {
    schemas(document).Operation.properties.foreign_currency_amount = { type: "integer" };
  }),
  change("floats in responses", (document) => {
    schemas(document).Operation.properties.foreign_currency_amount = { type: "number", format: "float" };
  }),
  change("decimals in counts", (document) => {
    schemas(document).BatchList.properties.count = { type: "number" };
  }),
  change("statuses without pending_quote", (document) => {
    schemas(document).Operation.properties.status.enum = ["PENDING_QUOTE", "QUOTED"];
  }),
  change("purposes without EFX in requests", (document) => {
    schemas(document).OperationRequest.properties.operation_purpose = { enum: ["IMPORT", "EXPORT"] };
  }),
  change("purposes without EFX in responses", (document) => {
    schemas(document).Operation.properties.operation_purpose.enum = ["IMPORT", "EXPORT"];
  }),
  change("another message of an ACAM item", (document) => {
    schemas(document).AcamResult.properties.message = { type: "string", const: "ACAM added" };
  }),
  change("another status of an ACAM item", (document) => {
    schemas(document).AcamResult.properties.status.enum = ["ok"];
  }),
  change("a batch_id that is never null", (document) => {
    schemas(document).Operation.properties.batch_id = { type: "string" };
    schemas(document).Operation.required = ["batch_id"];
  }),
  change("a purpose in listed operations", (document) => {
    schemas(document).BatchOperation.properties.operation_purpose = { type: "string" };
  }),
  change("pairs with a separator", (document) => {
    schemas(document).OperationRequest.properties.currency_pair = { type: "string", pattern: "^[A-Z]{3}/[A-Z]{3}$" };
  }),
  change("pairs of three letters", (document) => {
    schemas(document).BatchRequest.properties.currency_pair = { type: "string", maxLength: 3 };
  }),
  change("a further required member", (document) => {
    schemas(document).OperationRequest.required.push("reference");
  }),
  change("a list of operations in place of one", (document) => {
    schemas(document).OperationRequest = { type: "array", items: schemas(document).OperationRequest };
  }),
  change("an object that is closed before external_id", (document) => {
    delete schemas(document).CounterpartyRequest.properties.external_id;
    schemas(document).CounterpartyRequest.additionalProperties = false;
  }),
  change("a list that is no object", (document) => {
    const { BatchList, Batch } = schemas(document);
    schemas(document).BatchList = { type: "array", items: Batch, description: BatchList.description };
  }),
  change("one operation in place of a list", (document) => {
    schemas(document).Batch.properties.operations = { $ref: "#/components/schemas/BatchOperation" };
  }),
];

const titles = operationsOf(ourDocument()).map(([title]) => title);

type On = (name: string, apply: (operation: Loose, document: Loose) => void) => Change;

const statusMistakes = (on: On, status: string): readonly Change[] => [
  on(`no ${status}`, (operation) => {
    delete operation.responses[status];
  }),
  on(`text for ${status}`, (operation) => {
    operation.responses[status].content = { "text/plain": { schema: { type: "string" } } };
  }),
  on(`XML for ${status}`, (operation) => {
    const { content } = operation.responses[status];
    operation.responses[status].content = { "application/xml": content["application/json"] };
  }),
  on(`no body for ${status}`, (operation) => {
    delete operation.responses[status].content;
  }),
  on(`a text as the body of ${status}`, (operation) => {
    operation.responses[status].content["application/json"].schema = { type: "string" };
  }),
  on(`a list as the body of ${status}`, (operation) => {
    const { schema } = operation.responses[status].content["application/json"];
    operation.responses[status].content["application/json"].schema = { type: "array", items: schema };
  }),
  ...(status.startsWith("2")
    ? [
        on("204", (operation) => {
          delete operation.responses[status];
          operation.responses["204"] = { description: "" };
        }),
      ]
    : [
        on(`errors in detail for ${status}`, (operation) => {
          operation.responses[status].content["application/json"].schema = {
            type: "object",
            properties: { detail: { type: "string" } },
          };
        }),
      ]),
];

/** Mistakes in operations, statuses, media types and credentials. */
const operationMistakes: readonly Change[] = titles.flatMap((title): readonly Change[] => {
  const [method = "", path = ""] = title.split(" ");
  const on = (name: string, apply: (operation: Loose, document: Loose) => void): Change =>
    change(`${title}: ${name}`, (document) => apply(operationAt(document, title), document));
  const statuses = Object.keys(operationAt(ourDocument(), title).responses);
  const other = method === "GET" ? "put" : "patch";
  return [
    on("left out", (_, document) => {
      delete document.paths[path][method.toLowerCase()];
    }),
    on("with another method", (operation, document) => {
      delete document.paths[path][method.toLowerCase()];
      document.paths[path][other] = operation;
    }),
    ...[
      ["no credentials", []],
      ["credentials if one likes", [{}, { bearer: [] }, { apiKey: [] }]],
      ["credentials of another kind", [{ basic: [] }]],
      ["the other credentials", [title.includes("token") ? { bearer: [] } : { apiKey: [] }]],
    ].map(([name, security]) =>
      on(name as string, (operation, document) => {
        document.components.securitySchemes.basic = { type: "http", scheme: "basic" };
        operation.security = security;
      }),
    ),
    ...statuses.flatMap((status) => statusMistakes(on, status)),
    ...(operationAt(ourDocument(), title).requestBody === undefined
      ? []
      : [
          on("no body of the request", (operation) => {
            delete operation.requestBody;
          }),
          on("a form", (operation) => {
            const { content } = operation.requestBody;
            operation.requestBody.content = { "application/x-www-form-urlencoded": content["application/json"] };
          }),
        ]),
    ...(path.includes("{")
      ? [
          on("a path parameter in the query", (operation) => {
            operation.parameters[0].in = "query";
          }),
        ]
      : []),
  ];
});

const moves = (from: string, to: string): Change =>
  change(`${to} in place of ${from}`, (document) => {
    const { responses } = operationAt(document, "POST /corporate/operation");
    responses[to] = responses[from];
    delete responses[from];
  });

/** Changes that contradict the specification, or leave out what it states of every server. */
export const mistakes: readonly Change[] = [
  ...memberMistakes,
  ...operationMistakes,
  ...[moves("200", "201"), moves("200", "202"), moves("400", "422"), moves("401", "403")],
  change("201 beside 200", (document) => {
    const { responses } = operationAt(document, "POST /corporate/operation");
    responses["201"] = responses["200"];
  }),
  change("a token for the token, for all operations", (document) => {
    delete document.paths["/auth/token"].post.security;
  }),
  change("no security", (document) => {
    delete document.security;
  }),
  change("a body for the token", (document) => {
    document.paths["/auth/token"].post.requestBody = { required: true, content: { "application/json": {} } };
  }),
  change("a request body that may be missing", (document) => {
    operationAt(document, "POST /corporate/operation").requestBody.required = false;
  }),
];

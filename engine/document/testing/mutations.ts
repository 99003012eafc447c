import { readFileSync } from "node:fs";
import { parse } from "yaml";
import { contractPath } from "../../../spec/contract.ts";

/** A document that a test changes, so that any part of it may be missing. */
export type Loose = any; // eslint-disable-line @typescript-eslint/no-explicit-any

const original: Loose = parse(readFileSync(contractPath, "utf8"));

export const ourDocument = (): Loose => structuredClone(original);

/**
 * A change after which a document contradicts the specification, or leaves out what is stated of
 * every server.
 */
export interface Mistake {
  readonly kind: string;
  readonly name: string;
  readonly apply: (document: Loose) => unknown;
}

export function operationsOf(
  document: Loose,
): readonly (readonly [title: string, operation: Loose])[] {
  return Object.entries<Loose>(document.paths).flatMap(([path, item]) =>
    Object.entries<Loose>(item).map(
      ([method, operation]) => [`${method.toUpperCase()} ${path}`, operation] as const,
    ),
  );
}

function mistakesOf(
  kind: string,
  changes: Readonly<Record<string, Mistake["apply"]>>,
): readonly Mistake[] {
  return Object.entries(changes).map(([name, apply]) => ({ kind, name, apply }));
}

type OfMember = (properties: Loose, member: string, schema: Loose) => unknown;

/** Returns a mistake for each member for which `has` is true, in all schemas of the contract. */
function ofMembers(
  kind: string,
  has: (schema: string, member: string) => boolean,
  apply: OfMember,
) {
  return Object.entries<Loose>(original.components.schemas).flatMap(([name, { properties }]) =>
    Object.keys(properties)
      .filter((member) => has(name, member))
      .map((member): Mistake => ({
        kind,
        name: `${name}.${member}`,
        apply: ({ components }) => {
          const schema = components.schemas[name];
          apply(schema.properties, member, schema);
        },
      })),
  );
}

/** For each schema of a response, the members that must be present in it. */
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

const isRequest = (schema: string): boolean => schema.endsWith("Request");
function isNullable(schema: string, member: string): boolean {
  return schema === "Operation" && ["intermediary_bank", "batch_id"].includes(member);
}

const leftOut: OfMember = (properties, member, schema) => {
  delete properties[member];
  schema.required = (schema.required ?? []).filter((name: string) => name !== member);
};

function camel(name: string): string {
  return name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
}

const ofMember: readonly Mistake[] = [
  ...ofMembers(
    "another type",
    () => true,
    (properties, member) => {
      const { type = "array" } = properties[member];
      properties[member] = {
        type: ["number", "integer", "array"].includes(type) ? "string" : "integer",
      };
    },
  ),
  ...ofMembers(
    "null in a response",
    (schema, member) => !isRequest(schema) && !isNullable(schema, member),
    (all, name) => {
      all[name] = { anyOf: [all[name], { type: "null" }] };
    },
  ),
  ...ofMembers(
    "a member left out",
    (schema, name) => isRequest(schema) || (needed[schema] ?? []).includes(name),
    leftOut,
  ),
  ...ofMembers(
    "camel case in a request",
    (schema, name) => isRequest(schema) && name.includes("_"),
    (all, name, schema) => {
      all[camel(name)] = all[name];
      leftOut(all, name, schema);
    },
  ),
  ...ofMembers(
    "not required in a request",
    (schema) => schema === "OperationRequest",
    (_, name, schema) => {
      schema.required = schema.required.filter((one: string) => one !== name);
    },
  ),
  ...ofMembers(
    "null in a request",
    (schema) => schema === "OperationRequest",
    (all, name) => {
      all[name] = { ...all[name], nullable: true };
    },
  ),
  ...ofMembers(
    "a second type in a request",
    (schema) => schema === "OperationRequest",
    (all, name) => {
      all[name] = { oneOf: [all[name], { type: "array", items: {} }] };
    },
  ),
  ...["date", "time"].flatMap((format) =>
    ofMembers(
      "another format",
      (_, name) => name === "created_at",
      (all, name) => (all[name].format = format),
    ),
  ),
];

function schemasWith(apply: (schemas: Loose) => unknown): Mistake["apply"] {
  return ({ components }) => apply(components.schemas);
}

const ofValues = mistakesOf("values and shapes", {
  "decimals in counts": schemasWith((all) => (all.BatchList.properties.count.type = "number")),
  "no EFX in requests": schemasWith(
    (all) => (all.OperationRequest.properties.operation_purpose.enum = ["IMPORT"]),
  ),
  "no EFX": schemasWith((all) => (all.Operation.properties.operation_purpose.enum = ["IMPORT"])),
  "requests in a list": schemasWith(
    (all) => (all.OperationRequest = { type: "array", items: all.OperationRequest }),
  ),
  "one operation for a list": schemasWith(
    (all) => (all.Batch.properties.operations = all.BatchOperation),
  ),
});

type OfOperation = (operation: Loose, document: Loose) => unknown;

/** Returns a mistake for each of the changes to the operation `title`. */
function ofOperation(kind: string, title: string, changes: Readonly<Record<string, OfOperation>>) {
  return mistakesOf(
    kind,
    Object.fromEntries(
      Object.entries(changes).map(([name, apply]) => [
        `${title}: ${name}`,
        (document: Loose) => apply(new Map(operationsOf(document)).get(title), document),
      ]),
    ),
  );
}

function moved(from: string, to: string): OfOperation {
  return ({ responses }) => {
    responses[to] = responses[from];
    delete responses[from];
  };
}

const mediaType = "application/json";

const ofOperations = operationsOf(original).flatMap(
  ([title, { responses, requestBody }]): readonly Mistake[] => {
    const [method = "", path = ""] = title.split(" ");
    const remove = ({ paths }: Loose) => delete paths[path][method.toLowerCase()];
    const secured =
      (...security: readonly Loose[]): OfOperation =>
      (operation, { components }) => {
        components.securitySchemes.basic = { type: "http", scheme: "basic" };
        operation.security = security;
      };
    return [
      ...ofOperation("operation", title, {
        "left out": (_, document) => remove(document),
        "another method": (operation, document) => {
          remove(document);
          document.paths[path].patch = operation;
        },
        ...(path.includes("{") && {
          "a parameter in the query": ({ parameters }) => (parameters[0].in = "query"),
        }),
      }),
      ...ofOperation("credentials", title, {
        none: secured(),
        "if one likes": secured({}, { bearer: [] }, { apiKey: [] }),
        "another kind": secured({ basic: [] }),
        "the other ones": secured(title.includes("token") ? { bearer: [] } : { apiKey: [] }),
      }),
      ...(requestBody === undefined
        ? []
        : ofOperation("body of a request", title, {
            none: (operation) => delete operation.requestBody,
            "a form": ({ requestBody: body }) =>
              (body.content = { "multipart/form-data": body.content[mediaType] }),
          })),
      ...Object.keys(responses).flatMap((status) => {
        const contentOf = (operation: Loose): Loose => operation.responses[status].content;
        const isSuccess = status.startsWith("2");
        return [
          ...ofOperation("status", title, {
            [`no ${status}`]: (operation) => delete operation.responses[status],
          }),
          ...(isSuccess
            ? ofOperation("status", title, { "204": (one) => (one.responses = { 204: {} }) })
            : []),
          ...ofOperation("body of a response", title, {
            [`text for ${status}`]: (one) => (one.responses[status].content = { "text/plain": {} }),
            [`XML for ${status}`]: (one) =>
              (one.responses[status].content = { "text/xml": contentOf(one)[mediaType] }),
            [`none for ${status}`]: (one) => delete one.responses[status].content,
            [`a text for ${status}`]: (one) =>
              (contentOf(one)[mediaType].schema = { type: "string" }),
            [`a list for ${status}`]: (one) =>
              (contentOf(one)[mediaType].schema = { type: "array", items: {} }),
            ...(!isSuccess && {
              [`detail for ${status}`]: (one) =>
                (contentOf(one)[mediaType].schema = {
                  type: "object",
                  properties: { detail: { type: "string" } },
                }),
            }),
          }),
        ];
      }),
    ];
  },
);

export const mistakes: readonly Mistake[] = [
  ...ofMember,
  ...ofValues,
  ...ofOperations,
  ...ofOperation("status", "POST /corporate/operation", {
    "201 for 200": moved("200", "201"),
    "202 for 200": moved("200", "202"),
    "422 for 400": moved("400", "422"),
    "403 for 401": moved("401", "403"),
    "201 beside 200": ({ responses }) => (responses["201"] = responses["200"]),
  }),
  ...mistakesOf("credentials", {
    "a token for the token": ({ paths }) => delete paths["/auth/token"].post.security,
    "nothing on security": (document) => delete document.security,
  }),
  ...ofOperation("body of a request", "POST /auth/token", {
    "one that is required": (operation) =>
      (operation.requestBody = { required: true, content: { [mediaType]: {} } }),
  }),
  ...ofOperation("body of a request", "POST /corporate/operation", {
    "one that may be missing": ({ requestBody }) => (requestBody.required = false),
  }),
];

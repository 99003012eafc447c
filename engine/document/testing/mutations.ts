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

const nullable = ["Operation.intermediary_bank", "Operation.batch_id"];

/** The mistakes in one member of a schema. */
function ofMember(schemaName: string, member: string): readonly Mistake[] {
  const name = `${schemaName}.${member}`;
  const isRequest = schemaName.endsWith("Request");
  const mistake = (
    what: string,
    apply: (properties: Loose, schema: Loose) => unknown,
  ): Mistake => ({
    name: `${name}: ${what}`,
    apply: ({ components }) => {
      const schema = components.schemas[schemaName];
      apply(schema.properties, schema);
    },
  });
  const another = mistake("another type", (all) => {
    const { type = "array" } = all[member];
    all[member] = { type: ["number", "integer", "array"].includes(type) ? "string" : "integer" };
  });
  const orNull = mistake("null in a response", (all) => {
    all[member] = { anyOf: [all[member], { type: "null" }] };
  });
  const optional = mistake("not required", (_, schema) => {
    schema.required = schema.required.filter((one: string) => one !== member);
  });
  const leftOut = mistake("left out", (all, schema) => {
    delete all[member];
    schema.required = (schema.required ?? []).filter((one: string) => one !== member);
  });
  return [
    another,
    ...(isRequest || nullable.includes(name) ? [] : [orNull]),
    ...(schemaName === "OperationRequest" ? [optional] : []),
    ...(isRequest || needed[schemaName]?.includes(member) === true ? [leftOut] : []),
  ];
}

const mediaType = "application/json";

/** The mistakes in one operation: what stands around its bodies. */
function ofOperation(title: string, { responses, requestBody }: Loose): readonly Mistake[] {
  const [method = "", path = ""] = title.split(" ");
  const mistake = (
    what: string,
    apply: (operation: Loose, document: Loose) => unknown,
  ): Mistake => ({
    name: `${title}: ${what}`,
    apply: (document) => apply(new Map(operationsOf(document)).get(title), document),
  });
  const otherScheme = title.includes("token") ? { bearer: [] } : { apiKey: [] };
  return [
    mistake("left out", (_, { paths }) => delete paths[path][method.toLowerCase()]),
    mistake("no credentials", (operation) => (operation.security = [])),
    mistake("the other credentials", (operation) => (operation.security = [otherScheme])),
    ...(path.includes("{")
      ? [mistake("a parameter in the query", ({ parameters }) => (parameters[0].in = "query"))]
      : []),
    ...(requestBody === undefined
      ? []
      : [mistake("no body", (operation) => delete operation.requestBody)]),
    ...Object.keys(responses).flatMap((status) => [
      mistake(`no ${status}`, (operation) => delete operation.responses[status]),
      mistake(`no body of ${status}`, (one) => delete one.responses[status].content),
      mistake(`XML for ${status}`, ({ responses: { [status]: response } }) => {
        response.content = { "text/xml": response.content[mediaType] };
      }),
      mistake(`a list for ${status}`, (one) => {
        one.responses[status].content[mediaType].schema = { type: "array", items: {} };
      }),
    ]),
  ];
}

export const mistakes: readonly Mistake[] = [
  ...Object.entries<Loose>(original.components.schemas).flatMap(([schema, { properties }]) =>
    Object.keys(properties).flatMap((member) => ofMember(schema, member)),
  ),
  ...operationsOf(original).flatMap(([title, operation]) => ofOperation(title, operation)),
];

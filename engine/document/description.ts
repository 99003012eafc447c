import { errorShapeOf } from "../../harness/judging/rules/message.ts";
import { broken, holds } from "../../harness/judging/rules/rule.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { isObject, memberOf, type Json, type JsonObject } from "../../spec/contract.ts";
import { operationNames, operations, operationTitle, type OperationName } from "../../spec/operations.ts";
import { tokenRefusals } from "../../spec/refusals.ts";
import type { Reading } from "./comparison.ts";
import { successOf } from "./probes.ts";

/** An operation of the API as a document describes it. */
export interface Described {
  readonly name: OperationName;
  readonly path: string;
  readonly operation: JsonObject;
  /** Those of its path too. */
  readonly parameters: readonly Json[];
}

/** The members of an object, and the elements of a list; none of another value. */
export const entriesOf = (value: Json | undefined): readonly (readonly [string, Json])[] =>
  typeof value === "object" && value !== null ? Object.entries(value) : [];

const anonymous = (path: string): string => path.replaceAll(/\{[^}]*\}/g, "{}");

/** The operations of a document by method and path, under the prefix that most share and with any names of parameters. */
export const describedIn = ({ paths }: JsonObject): readonly Described[] => {
  const found = operationNames.flatMap((name) => {
    const own = anonymous(operations[name].path);
    return entriesOf(paths).flatMap(([path, item]) => {
      const operation = memberOf(item, operations[name].method.toLowerCase());
      if (!anonymous(path).endsWith(own) || !isObject(operation)) return [];
      const lists = [item, operation].map((one) => memberOf(one, "parameters"));
      const parameters = lists.flatMap((list) => entriesOf(list).map(([, one]) => one));
      return [{ name, path, operation, parameters, prefix: anonymous(path).slice(0, -own.length) }];
    });
  });
  const countOf = (prefix: string): number => found.filter((one) => one.prefix === prefix).length;
  const [first] = found.toSorted((a, b) => countOf(b.prefix) - countOf(a.prefix) || a.prefix.length - b.prefix.length);
  return found.filter(({ prefix }) => prefix === first?.prefix);
};

/** Judges whether a document says something of an operation. */
export const statedOn =
  (name: OperationName) =>
  (id: RequirementId, isMet: boolean, expected: string, actual: string, isLess = false): Reading => {
    const message = `${operationTitle(name)}: the document does not have ${expected}.`;
    return isMet ? holds(id) : { ...broken(id, { message, expected, actual }), isLess };
  };

/** Compares what a document says of parameters, statuses and credentials. */
export const statementsIn = (root: JsonObject, described: Described): readonly Reading[] => {
  const { name, path, operation, parameters } = described;
  const stated = statedOn(name);
  const keys = entriesOf(operation["responses"]).map(([key]) => key);
  const response = (id: RequirementId, pattern: RegExp, expected: string): readonly Reading[] =>
    keys.some((key) => pattern.test(key) || key === "default")
      ? []
      : [stated(id, false, expected, `responses: ${keys.join(", ") || "none"}`, true)];
  const inPath = [...path.matchAll(/\{([^}]*)\}/g)].map(([, parameter = ""]) => {
    const own = parameters.filter((one) => memberOf(one, "name") === parameter);
    const places = own.map((one) => JSON.stringify(memberOf(one, "in")));
    const isMet = places.length === 0 || places.includes('"path"');
    return stated(successOf[name], isMet, `the parameter ${parameter} in the path`, `it in ${places.join(", ")}`);
  });
  const required = memberOf(operation["requestBody"], "required");
  const ofError = response(errorShapeOf[name], /^4/, "a response for an error");
  const own: Partial<Record<OperationName, readonly Reading[]>> = {
    createToken: [stated("AUTH-02", required !== true, "no required body", "required: true"), ...ofError],
    createOperation: [
      stated("OPER-33", required === true, "a required body", "a body that may be absent", required === undefined),
      stated("OPER-01", !keys.some((key) => /^2(?!00|XX)/i.test(key)), "200 as its only success", keys.join(", ")),
      ...response("OPER-20", /^4(00|XX)$/i, "the response 400 for invalid parameters"),
      ...response("AUTH-20", /^4(01|XX)$/i, "the response 401 for a missing or invalid token"),
    ],
    createBatch: [...response("BATCH-03", /^2(01|XX)$/i, "the response 201"), ...ofError],
  };
  const ofSuccess = response(successOf[name], /^2/, "a response for a success");
  return [...inPath, ...ofSuccess, ...(own[name] ?? ofError), ...credentialsIn(root, described)];
};

/** What an alternative of `security`, or a header, asks for. */
const credentialOf = (scheme: Json | undefined): "key" | "token" | "other" => {
  const has = (name: string, ...values: readonly string[]): boolean => {
    const text = memberOf(scheme, name);
    return typeof text === "string" && values.includes(text.toLowerCase());
  };
  if (has("in", "header") && has("name", "x-api-key")) return "key";
  const isHeader = has("in", "header") && has("name", "authorization");
  const isBearer = has("type", "http") && has("scheme", "bearer");
  return isHeader || isBearer || has("type", "oauth2", "openidconnect") ? "token" : "other";
};

/** The token endpoint asks for the key and for no token, the others ask for the token (specification, Authentication). */
const credentialsIn = (root: JsonObject, { name, operation, parameters }: Described): readonly Reading[] => {
  const stated = statedOn(name);
  const security = operation["security"] ?? root["security"];
  const schemes = memberOf(root["components"], "securitySchemes");
  const headers = parameters.map(credentialOf).filter((one) => one !== "other");
  const listed = entriesOf(security).map(([, one]) => [
    ...headers,
    ...entriesOf(one).map(([scheme]) => credentialOf(memberOf(schemes, scheme))),
  ]);
  const alternatives = listed.length === 0 ? [headers] : listed;
  const wanted = name === "createToken" ? "key" : "token";
  const isMet = alternatives.some((one) => one.includes(wanted)) && alternatives.every((one) => one.length > 0);
  const actual = `security: ${JSON.stringify(security ?? "absent")}`;
  const id = name === "createToken" ? "AUTH-05" : tokenRefusals[name].missing;
  // A document that says nothing of credentials leaves them to other pages.
  const asks = stated(id, isMet, `the ${wanted} in a header`, actual, security === undefined);
  const isTokenless = name !== "createToken" || alternatives.some((one) => !one.includes("token"));
  return [asks, ...(isTokenless ? [] : [stated("AUTH-01", false, "no token, which clients lack there", actual)])];
};

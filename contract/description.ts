import { errorShapeOf } from "../harness/judging/rules/message.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import { isObject, memberOf, type Json, type JsonObject, type Schema } from "../spec/contract.ts";
import { operationNames, operations, operationTitle, type OperationName } from "../spec/operations.ts";
import { tokenRefusals } from "../spec/refusals.ts";
import { successOf, type BodyKind } from "./probes.ts";

/** An operation of the API as a document describes it. */
export interface Described {
  readonly name: OperationName;
  readonly path: string;
  readonly operation: JsonObject;
  /** Those of its path too. */
  readonly parameters: readonly Json[];
  readonly bodies: readonly Body[];
}

/** A body that a document describes. */
interface Body {
  readonly kind: BodyKind;
  /** What it belongs to: `POST /batches, response 201`. */
  readonly title: string;
  /** Its media types; absent if nothing is said of a body. */
  readonly types: readonly string[] | undefined;
  /** Its schema as JSON, if it has one. */
  readonly schema: Schema | undefined;
}

/** Something that a document says beside schemas, and what it should say. */
export interface Statement {
  readonly requirement: RequirementId;
  readonly isMet: boolean;
  readonly expected: string;
  readonly actual: string;
  /** The document leaves it out, and does not contradict it. */
  readonly isLess?: boolean;
}

const anonymous = (path: string): string => path.replaceAll(/\{[^}]*\}/g, "{}");

const listOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? (value as readonly Json[]) : []);

/** The operations of a document by method and path, under the prefix that most share and with any names of parameters. */
export const describedIn = ({ paths = {} }: JsonObject): readonly Described[] => {
  const all = Object.entries(paths ?? {}) as readonly (readonly [string, Json])[];
  const prefixes = operationNames.flatMap((name) => {
    const own = anonymous(operations[name].path);
    return all.flatMap(([path]) => (anonymous(path).endsWith(own) ? [anonymous(path).slice(0, -own.length)] : []));
  });
  const countOf = (prefix: string): number => prefixes.filter((one) => one === prefix).length;
  const [prefix = ""] = prefixes.toSorted((a, b) => countOf(b) - countOf(a) || a.length - b.length);
  return operationNames.flatMap((name) => {
    const { method, path: own } = operations[name];
    const found = all.flatMap(([path, item]): readonly Described[] => {
      const operation = memberOf(item, method.toLowerCase());
      if (anonymous(path) !== prefix + anonymous(own) || !isObject(operation)) return [];
      const parameters = [item, operation].flatMap((one) => listOf(memberOf(one, "parameters")));
      return [{ name, path, operation, parameters, bodies: bodiesOf(name, operation) }];
    });
    return found.slice(0, 1);
  });
};

/** Refusals of the HTTP layer or of a throttle, which have any form (INT-13, INT-38), and time-outs. */
const ofLayers = /^4(05|08|13|14|29|31)$/;

const bodiesOf = (name: OperationName, operation: JsonObject): readonly Body[] => {
  const bodyOf = (kind: BodyKind, title: string, part: Json | undefined): Body => {
    const content = memberOf(part, "content");
    const types = isObject(content) ? Object.keys(content) : undefined;
    const schema = memberOf(memberOf(content, types?.find(isJson) ?? ""), "schema");
    return { kind, title, types, schema: isObject(schema) ? schema : undefined };
  };
  const responses = Object.entries(operation["responses"] ?? {}) as readonly (readonly [string, Json])[];
  const hasSuccess = responses.some(([key]) => key.startsWith("2"));
  const judged = responses.flatMap(([key, response]) => {
    const isSuccess = key.startsWith("2") || (key === "default" && !hasSuccess);
    const isError = key === "default" || (key.startsWith("4") && !ofLayers.test(key));
    const title = `${operationTitle(name)}, response ${key}`;
    return isSuccess || isError ? [bodyOf(isSuccess ? "success" : "error", title, response)] : [];
  });
  const takesBody = name !== "createToken" && name !== "listBatches";
  return takesBody ? [bodyOf("request", operationTitle(name), operation["requestBody"]), ...judged] : judged;
};

/** Whether a media type is JSON, or may be. */
const isJson = (type: string): boolean => /^(application\/json\s*(;.*)?|(application|\*)\/\*)$/i.test(type);

/** What the specification states of parameters, credentials, statuses and media types. */
export const statementsOf = (root: JsonObject, described: Described): readonly Statement[] => [
  ...parametersOf(described),
  ...credentialsOf(root, described),
  ...statusesOf(described),
  ...requiredBodyOf(described),
  ...mediaTypesOf(described),
];

/** The parameters of the path are in the path (specification, Endpoints). */
const parametersOf = ({ name, path, parameters }: Described): readonly Statement[] =>
  [...path.matchAll(/\{([^}]*)\}/g)].map(([, parameter = ""]) => {
    const own = parameters.filter((one) => memberOf(one, "name") === parameter);
    const places = own.map((one) => JSON.stringify(memberOf(one, "in")));
    const isMet = places.length === 0 || places.includes('"path"');
    const expected = `the parameter ${parameter} in the path`;
    return { requirement: successOf[name], isMet, expected, actual: `it in ${places.join(", ")}` };
  });

/** What an alternative of `security`, or a header, asks for. */
const credentialOf = (scheme: Json | undefined): "key" | "token" | "other" => {
  const [type, how, at, header] = ["type", "scheme", "in", "name"].map((name) => {
    const text = memberOf(scheme, name);
    return typeof text === "string" ? text.toLowerCase() : "";
  });
  if (at === "header" && header === "x-api-key") return "key";
  const isToken = (type === "http" && how === "bearer") || (at === "header" && header === "authorization");
  return isToken || type === "oauth2" || type === "openidconnect" ? "token" : "other";
};

/** The token endpoint asks for the key and for no token, the others ask for the token (specification, Authentication). */
const credentialsOf = (root: JsonObject, { name, operation, parameters }: Described): readonly Statement[] => {
  const security = operation["security"] ?? root["security"];
  const schemes = memberOf(root["components"], "securitySchemes");
  const listed = listOf(security).filter(isObject);
  const headers = parameters.map(credentialOf).filter((one) => one !== "other");
  const alternatives = (listed.length === 0 ? [{}] : listed).map((one) => [
    ...headers,
    ...Object.keys(one).map((scheme) => credentialOf(memberOf(schemes, scheme))),
  ]);
  const wanted = name === "createToken" ? "key" : "token";
  const isMet = alternatives.some((one) => one.includes(wanted)) && alternatives.every((one) => one.length > 0);
  const actual = `security: ${JSON.stringify(security ?? "absent")}`;
  // A document that says nothing of credentials leaves them to other pages.
  const asks = { isMet, expected: `the ${wanted} in a header`, actual, isLess: security === undefined };
  if (name !== "createToken") return [{ ...asks, requirement: tokenRefusals[name].missing }];
  const isTokenless = alternatives.some((one) => !one.includes("token"));
  const expected = "no token, which clients do not have yet";
  return [
    { ...asks, requirement: "AUTH-05" },
    { requirement: "AUTH-01", isMet: isTokenless, expected, actual },
  ];
};

/** A success and the stated errors are described, and no other success where one is stated (INT-06, INT-18). */
const statusesOf = ({ name, operation }: Described): readonly Statement[] => {
  const keys = Object.keys(operation["responses"] ?? {});
  const has = (pattern: RegExp): boolean => keys.some((key) => pattern.test(key));
  const actual = `responses ${keys.join(", ") || "none"}`;
  const row = (requirement: RequirementId, pattern: RegExp, expected: string): Statement => {
    return { requirement, isMet: has(pattern) || has(/^default$/), expected, actual, isLess: true };
  };
  const error = row(errorShapeOf[name], /^4/, "a response for an error");
  const own: Partial<Record<OperationName, readonly Statement[]>> = {
    createOperation: [
      { requirement: "OPER-01", isMet: !has(/^2(?!00|XX)/i), expected: "200 as its only success", actual },
      row("OPER-20", /^4(00|XX)$/i, "the response 400 for invalid parameters"),
      row("AUTH-20", /^4(01|XX)$/i, "the response 401 for a missing or invalid token"),
    ],
    createBatch: [row("BATCH-03", /^2(01|XX)$/i, "the response 201"), error],
  };
  const all = [row(successOf[name], /^2/, "a response for a success"), ...(own[name] ?? [error])];
  return all.filter(({ isMet }) => !isMet);
};

/** The token needs no body, and an operation needs one (specification, Endpoints, 1 and 3). */
const requiredBodyOf = ({ name, operation }: Described): readonly Statement[] => {
  const required = memberOf(operation["requestBody"], "required");
  const actual = `required: ${JSON.stringify(required ?? "absent")}`;
  if (name === "createToken")
    return [{ requirement: "AUTH-02", isMet: required !== true, expected: "no required body", actual }];
  if (name !== "createOperation") return [];
  const isLess = required === undefined;
  return [{ requirement: "OPER-33", isMet: required === true, expected: "a required body", actual, isLess }];
};

/** Bodies are JSON, and successes and errors have one (INT-01, INT-03). */
const mediaTypesOf = ({ name, bodies }: Described): readonly Statement[] =>
  bodies.map(({ kind, title, types }) => {
    const missing = { request: successOf[name], success: "HTTP-06", error: errorShapeOf[name] } as const;
    const requirement = kind === "request" || types === undefined ? missing[kind] : "HTTP-01";
    const isMet = types?.some(isJson) === true;
    const isLess = types === undefined && !title.endsWith(" 204");
    return { requirement, isMet, expected: "a JSON body", actual: `${title}: ${types?.join(", ") || "none"}`, isLess };
  });

import { endpoints } from "../../spec/endpoints.ts";
import { isLoopback } from "../../model/target.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { memberOf, type Json } from "../../spec/json.ts";
import { operations, takesToken } from "../../spec/operations.ts";
import { missingCredential } from "../../spec/refusals.ts";
import { parameterNames, parameterOf, type DescribedOperation } from "./paths.ts";
import { childOf, entriesAt, followed, memberAt, type Place } from "./place.ts";
import {
  contradicts,
  held,
  openAt,
  shortJson,
  alternativesText,
  type RequirementReading,
} from "./reading.ts";
import { describedBy, keywordAt } from "./alternatives.ts";
import type { ApiDocument } from "./document.ts";

/**
 * Judges what a document says of an operation outside the schemas of its bodies: parameters,
 * statuses, credentials and addresses.
 */
export function besideBodies(
  root: Place,
  described: DescribedOperation,
  all: readonly DescribedOperation[],
  document: ApiDocument,
) {
  return [
    ...inPath(described, document),
    ...unknownParameters(described),
    ...bodyStatements(described),
    ...statusStatements(described),
    ...credentials(root, described, all),
    ...servers(root, described),
  ];
}

/** Judges whether the parameters of a path are sent in the path, and are strings. */
function inPath(
  { name, path, parameters }: DescribedOperation,
  document: ApiDocument,
): readonly RequirementReading[] {
  const id = endpoints[name].success;
  return parameterNames(path).flatMap((parameter): readonly RequirementReading[] => {
    const own = parameters.filter((one) => parameterOf(one).name === parameter);
    const inOther = own.find((one) => parameterOf(one).in !== "path");
    if (
      own.length > 0 &&
      inOther !== undefined &&
      own.every((one) => parameterOf(one).in !== "path")
    ) {
      const at = childOf(inOther, "in") ?? inOther;
      return [
        contradicts(id, at, `${parameter} is in ${parameterOf(inOther).in}`, "must be in path"),
      ];
    }
    const schema = memberAt(
      own.find((one) => parameterOf(one).in === "path"),
      "schema",
    );
    if (schema === undefined) return [held(id)];
    const { schemas } = describedBy([schema], document);
    const types = schemas
      .flatMap((one) => [memberOf(one.value, "type")].flat())
      .filter((one) => typeof one === "string");
    if (types.length === 0 || types.includes("string")) return [held(id)];
    return [
      contradicts(
        id,
        keywordAt(schemas, "type") ?? schema,
        `type is ${alternativesText(types)}`,
        "must be string",
      ),
    ];
  });
}

/** Headers that a document may require, because clients send them in any case. */
const knownHeaders = new Set(["authorization", "x-api-key", "content-type", "accept"]);

/**
 * Returns a contradiction for each parameter that the document requires although the specification
 * does not know it, because clients do not send it. A query parameter of the list of batches is
 * only noted, because those are not shown (specification, Endpoints, 6).
 */
function unknownParameters({
  name,
  parameters,
}: DescribedOperation): readonly RequirementReading[] {
  return parameters.flatMap((one): readonly RequirementReading[] => {
    const { name: parameter, in: place, isRequired } = parameterOf(one);
    const isKnown =
      place === "path" || (place === "header" && knownHeaders.has(parameter.toLowerCase()));
    if (isKnown || !isRequired) return [];
    const at = childOf(one, "required") ?? one;
    const actual = `requires ${parameter} in ${place}`;
    if (name === "listBatches" && place === "query") return [openAt(at, actual)];
    return [
      contradicts(
        endpoints[name].success,
        at,
        actual,
        `must not: the specification has no ${parameter}`,
      ),
    ];
  });
}

function bodyStatements({ name, operation }: DescribedOperation): readonly RequirementReading[] {
  const body = memberAt(operation, "requestBody");
  const isRequired = memberOf(body?.value, "required") === true;
  const at = (body && childOf(body, "required")) ?? body ?? operation;
  if (name === "createOperation") {
    if (isRequired) return [held("OPER-33")];
    return body === undefined
      ? [
          contradicts(
            "OPER-33",
            operation,
            "no requestBody",
            "must have a requestBody that is required",
          ),
        ]
      : [contradicts("OPER-33", at, "required is not true", "must be true")];
  }
  if (name === "createToken") {
    const actual = "requires a body";
    return [
      isRequired
        ? contradicts("AUTH-02", at, actual, "must not: no body is sent")
        : held("AUTH-02"),
    ];
  }
  if (operations[name].hasBody || body === undefined) return [];
  return [
    contradicts(
      "BATCH-20",
      childOf(operation, "requestBody") ?? operation,
      "a body of GET",
      "must have no body",
    ),
  ];
}

/**
 * Judges whether the document has the responses whose status the specification states. A response
 * `default` counts as any of them.
 */
function statusStatements({ name, operation }: DescribedOperation): readonly RequirementReading[] {
  const responses = memberAt(operation, "responses") ?? operation;
  const keys = entriesAt(responses).map(([key]) => key);
  const stated = (
    id: RequirementId,
    pattern: RegExp,
    what: string,
  ): readonly RequirementReading[] => {
    if (keys.some((key) => pattern.test(key) || key === "default")) return [held(id)];
    const actual = `no ${what}`;
    return [contradicts(id, responses, actual, `must have a ${what}`, { isLess: true })];
  };
  const ofSuccess = stated(endpoints[name].success, /^2/, "response for a success");
  const ofError = stated(endpoints[name].errorShape, /^4/, "response for an error");
  if (name === "createBatch")
    return [...ofSuccess, ...ofError, ...stated("BATCH-03", /^2(01|XX)$/i, "response 201")];
  if (name !== "createOperation") return [...ofSuccess, ...ofError];
  const other = keys.find((key) => /^2(?!00|XX)/i.test(key));
  const at = other === undefined ? responses : (childOf(responses, other) ?? responses);
  return [
    ...ofSuccess,
    other === undefined
      ? held("OPER-01")
      : contradicts("OPER-01", at, `response ${other}`, "must be response 200"),
    ...stated("OPER-20", /^4(00|XX)$/i, "response 400"),
    ...stated("AUTH-20", /^4(01|XX)$/i, "response 401"),
  ];
}

type Credential = "key" | "token" | "other";

/** The credential that a security scheme, or a header, asks for. */
function credentialOf(scheme: Json | undefined): Credential {
  const has = (name: string, ...values: readonly string[]): boolean => {
    const text = memberOf(scheme, name);
    return typeof text === "string" && values.includes(text.toLowerCase());
  };
  if (has("in", "header") && has("name", "x-api-key")) return "key";
  const isHeader = has("in", "header") && has("name", "authorization");
  const isBearer = has("type", "http") && has("scheme", "bearer");
  return isHeader || isBearer || has("type", "oauth2", "openidconnect") ? "token" : "other";
}

/**
 * Returns the security that counts for an operation: its own list of alternatives, or else that of
 * the document. Undefined if neither has one.
 */
function securityOf(root: Place, { operation }: DescribedOperation): Place | undefined {
  return childOf(operation, "security") ?? childOf(root, "security");
}

/**
 * Judges whether the token endpoint asks for the key and for no token, and whether every other
 * operation asks for a token (specification, Authentication).
 */
function credentials(
  root: Place,
  described: DescribedOperation,
  all: readonly DescribedOperation[],
): readonly RequirementReading[] {
  const { name, operation, parameters } = described;
  const id = missingCredential(name);
  const wanted = operations[name].credential;
  const must = wanted === "key" ? "must ask for x-api-key" : "must ask for the bearer token";
  const security = securityOf(root, described);
  const listed = entriesAt(security);
  if (security === undefined || listed.length === 0) {
    const headers = parameters.filter((one) => credentialOf(one.value) !== "other");
    const own = headers.find((one) => credentialOf(one.value) === wanted);
    const extra = headers.find((one) => wanted === "key" && credentialOf(one.value) === "token");
    const needless = extra === undefined ? [] : [needlessToken(extra)];
    if (own !== undefined) {
      // A header is optional in OpenAPI unless it is marked as required. The specification does not
      // say that the key is required.
      if (parameterOf(own).isRequired || wanted === "key") return [held(id), ...needless];
      const at = childOf(own, "required") ?? own;
      return [contradicts(id, at, "Authorization is optional", "must be required")];
    }
    // A document that says nothing of credentials anywhere leaves them to other pages, and only
    // says less.
    const others = all.filter((one) => takesToken(one.name) && asksForToken(root, one));
    const isLess = security === undefined && (wanted === "key" || others.length === 0);
    const actual = security === undefined ? "no security" : "security is []";
    return [contradicts(id, security ?? operation, actual, must, { isLess }), ...needless];
  }
  const schemes = memberAt(root, "components", "securitySchemes");
  const inHeaders = parameters
    .map((one) => credentialOf(one.value))
    .filter((one) => one !== "other");
  const askedIn = (one: Place): readonly Credential[] => [
    ...inHeaders,
    ...Object.keys(one.value as object).map((scheme) =>
      credentialOf(memberAt(schemes, scheme)?.value),
    ),
  ];
  const wrong = listed.find(([, one]) => !askedIn(one).includes(wanted));
  const result =
    wrong === undefined
      ? held(id)
      : contradicts(id, wrong[1], `security has ${shortJson(wrong[1].value)}`, must);
  const needsToken = wanted === "key" && listed.every(([, one]) => askedIn(one).includes("token"));
  return [result, ...(needsToken ? [needlessToken(security)] : [])];
}

function asksForToken(root: Place, one: DescribedOperation): boolean {
  return (
    entriesAt(securityOf(root, one)).length > 0 ||
    one.parameters.some(({ value }) => credentialOf(value) === "token")
  );
}

function needlessToken(at: Place): RequirementReading {
  return contradicts("AUTH-01", at, "asks for a token", "must not: clients get it there");
}

/**
 * Judges whether the addresses of servers use HTTPS (specification, Introduction). A loopback
 * address need not, because it is for development.
 */
function servers(root: Place, described: DescribedOperation): readonly RequirementReading[] {
  const lists = [described.operation, followed(described.at), root].map((one) =>
    memberAt(one, "servers"),
  );
  const counted = lists.find((list) => entriesAt(list).length > 0);
  return entriesAt(counted).flatMap(([, server]): readonly RequirementReading[] => {
    const url = memberOf(server.value, "url");
    if (typeof url !== "string" || !isPlainHttp(withDefaults(url, server))) return [];
    const at = childOf(server, "url") ?? server;
    return [contradicts("HTTP-07", at, `url is ${shortJson(url)}`, "must start with https:")];
  });
}

function withDefaults(url: string, server: Place): string {
  return url.replaceAll(/\{([^{}]*)\}/g, (whole, name: string) => {
    const value = memberOf(memberAt(server, "variables", name)?.value, "default");
    return typeof value === "string" ? value : whole;
  });
}

function isPlainHttp(url: string): boolean {
  if (!/^http:\/\//i.test(url)) return false;
  try {
    return !isLoopback(new URL(url).hostname);
  } catch {
    return false;
  }
}

import { endpoints } from "../../spec/endpoints.ts";
import { listed } from "../../model/plural.ts";
import { isLoopback } from "../../model/target.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { memberOf, type Json } from "../../spec/json.ts";
import { operations, takesToken } from "../../spec/operations.ts";
import { tokenRefusals } from "../../spec/refusals.ts";
import { parameterOf, type DescribedOperation } from "./paths.ts";
import {
  childOf,
  entriesAt,
  followed,
  memberAt,
  type Place,
  contradicts,
  held,
  shortJson,
  type RequirementReading,
} from "./place.ts";
import { keywordAt, kindsAt, schemasAt } from "./schemas.ts";
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

/** Judges whether the parameters of a path may be strings. */
function inPath(
  { name, path, parameters }: DescribedOperation,
  document: ApiDocument,
): readonly RequirementReading[] {
  const id = endpoints[name].success;
  const names = [...path.matchAll(/\{([^{}]*)\}/g)].map(([, parameter]) => parameter);
  return names.flatMap((parameter): readonly RequirementReading[] => {
    const named = parameters.filter((one) => parameterOf(one).name === parameter);
    const own = named.find((one) => parameterOf(one).in === "path") ?? named[0];
    if (own === undefined) return [held(id)];
    const { in: place } = parameterOf(own);
    if (place !== "path")
      return [contradicts(id, own, `${parameter} is in ${place}`, "must be in path")];
    const schema = memberAt(own, "schema");
    if (schema === undefined) return [held(id)];
    const at = { schema, path: [], document };
    const found = kindsAt(at);
    if (found.includes("string")) return [held(id)];
    const actual = `type is ${listed(found, "or")}`;
    return [contradicts(id, keywordAt(schemasAt(at), "type") ?? own, actual, "must be string")];
  });
}

/** Headers that a document may require, because clients send them in any case. */
const knownHeaders = new Set(["authorization", "x-api-key", "content-type", "accept"]);

/**
 * Returns a contradiction for each parameter that the document requires although the specification
 * does not know it, because clients do not send it. A query parameter of the list of batches is
 * not judged, because those are not shown (specification, Endpoints, 6).
 */
function unknownParameters({
  name,
  parameters,
}: DescribedOperation): readonly RequirementReading[] {
  return parameters.flatMap((one): readonly RequirementReading[] => {
    const { name: parameter, in: place, isRequired } = parameterOf(one);
    const isKnown =
      place === "path" || (place === "header" && knownHeaders.has(parameter.toLowerCase()));
    const isOpen = name === "listBatches" && place === "query";
    if (isKnown || !isRequired || isOpen) return [];
    const at = childOf(one, "required") ?? one;
    const actual = `requires ${parameter} in ${place}`;
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
    const actual = body === undefined ? "no requestBody" : "required is not true";
    return [isRequired ? held("OPER-33") : contradicts("OPER-33", at, actual, "must be required")];
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
  return [contradicts("BATCH-20", body, "a body of GET", "must have no body")];
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
  const isHeader = has("in", "header");
  if (isHeader && has("name", "x-api-key")) return "key";
  const isToken =
    (isHeader && has("name", "authorization")) ||
    (has("type", "http") && has("scheme", "bearer")) ||
    has("type", "oauth2", "openidconnect");
  return isToken ? "token" : "other";
}

/**
 * Judges whether the token endpoint asks for the key and for no token, and whether every other
 * operation asks for a token (specification, Authentication).
 */
function credentials(
  root: Place,
  { name, operation, parameters }: DescribedOperation,
  all: readonly DescribedOperation[],
): readonly RequirementReading[] {
  const id = takesToken(name) ? tokenRefusals[name].missing : "AUTH-05";
  const wanted = operations[name].credential;
  const must = wanted === "key" ? "must ask for x-api-key" : "must ask for the bearer token";
  // A header is optional in OpenAPI unless it is marked as required. The specification does not say
  // that the key is required.
  const headers = parameters
    .filter((one) => credentialOf(one.value) === "key" || parameterOf(one).isRequired)
    .map(({ value }) => credentialOf(value));
  const at = securityOf(root, operation);
  const schemes = memberAt(root, "components", "securitySchemes");
  /** Each alternative, with the credentials that it asks for beside those of the headers. */
  const listed = entriesAt(at).map(([, one]) => {
    const names = Object.keys(one.value as object);
    const asked = names.map((scheme) => credentialOf(memberAt(schemes, scheme)?.value));
    return { one, asked: [...headers, ...asked] };
  });
  const inEach = listed.length > 0 ? listed.map(({ asked }) => asked) : [headers];
  const bad = listed.find(({ asked }) => !asked.includes(wanted));
  const judged = (): RequirementReading => {
    if (inEach.every((asked) => asked.includes(wanted))) return held(id);
    if (bad !== undefined)
      return contradicts(id, bad.one, `security has ${shortJson(bad.one.value)}`, must);
    // A document that says nothing of credentials anywhere leaves them to other pages, and only
    // says less.
    const isDocumented = all.some((one) => takesToken(one.name) && saysCredentials(root, one));
    const isLess = at === undefined && (wanted === "key" || !isDocumented);
    const actual = at === undefined ? "no security" : "security is []";
    return contradicts(id, at ?? operation, actual, must, { isLess });
  };
  const isNeedless = wanted === "key" && inEach.every((asked) => asked.includes("token"));
  if (!isNeedless) return [judged()];
  const what = ["asks for a token", "must not: clients get it there"] as const;
  return [judged(), contradicts("AUTH-01", at ?? operation, ...what)];
}

/** Where an operation lists alternatives of credentials, or else the document does. */
const securityOf = (root: Place, operation: Place): Place | undefined =>
  childOf(operation, "security") ?? childOf(root, "security");

function saysCredentials(root: Place, { operation, parameters }: DescribedOperation): boolean {
  return (
    entriesAt(securityOf(root, operation)).length > 0 ||
    parameters.some(({ value }) => credentialOf(value) !== "other")
  );
}

/**
 * Judges whether the addresses of servers use HTTPS (specification, Introduction). A loopback
 * address need not, because it is for development, and one with variables may not be that.
 */
function servers(root: Place, described: DescribedOperation): readonly RequirementReading[] {
  const lists = [described.operation, followed(described.at), root].map((one) =>
    entriesAt(memberAt(one, "servers")),
  );
  const counted = lists.find((list) => list.length > 0) ?? [];
  return counted.flatMap(([, server]): readonly RequirementReading[] => {
    const at = childOf(server, "url");
    const url = at?.value;
    if (typeof url !== "string" || !/^http:\/\/[^{]*$/i.test(url) || !URL.canParse(url)) return [];
    return isLoopback(new URL(url).hostname)
      ? []
      : [
          contradicts(
            "HTTP-07",
            at ?? server,
            `url is ${shortJson(url)}`,
            "must start with https:",
          ),
        ];
  });
}

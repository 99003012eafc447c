import { endpoints } from "../../spec/endpoints.ts";
import { successes } from "../../harness/judging/rules/successes.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import {
  operationNames,
  operations,
  operationTitle,
  takesToken,
  type OperationName,
} from "../../spec/operations.ts";
import { memberRefusals, missingCredential } from "../../spec/refusals.ts";

/**
 * Returns sentences on what an OpenAPI document must say to meet a requirement. Empty if no
 * document can show whether the requirement is met.
 */
export function documentTexts(id: RequirementId): readonly string[] {
  return [
    ...operationNames.flatMap((name) => ofOperation(id, name)),
    ...Object.entries(memberRefusals).flatMap(([member, ids]) => ofMember(id, member, ids)),
    ...(others[id] ?? []),
  ];
}

function ofOperation(id: RequirementId, name: OperationName): readonly string[] {
  const title = operationTitle(name);
  const { types, facts } = successes[name];
  const places = types.filter((one) => one.requirement === id).map(({ at }) => at);
  const values = facts.filter((one) => one.requirement === id && one.value !== undefined);
  const credential = takesToken(name)
    ? "the bearer token, and for nothing else"
    : "the key in x-api-key";
  return [
    ...(endpoints[name].success === id ? ofRequest(name) : []),
    ...(missingCredential(name) === id
      ? [`${title}: security, here or for the whole document, asks for ${credential}.`]
      : []),
    ...(endpoints[name].errorShape === id
      ? [`${title}: each schema of a 4xx response requires message, a string.`]
      : []),
    ...places.map(
      (at) =>
        `${title}: the schema of its success has the stated types ${at === "" ? "" : `at ${at} and `}in it.`,
    ),
    ...values.map(
      ({ at, value }) =>
        `${title}: the schema of its success allows ${JSON.stringify(value)} at ${at}.`,
    ),
  ];
}

/** What the document must say so that the requests of clients are valid. */
function ofRequest(name: OperationName): readonly string[] {
  const title = operationTitle(name);
  const described = `The document describes ${title} with this path and method; parameters of the path are strings.`;
  const { hasBody, method } = operations[name];
  if (!hasBody) return [described, ...(method === "GET" ? [`${title}: it has no body.`] : [])];
  return [
    described,
    `${title}: the schema of its request has each stated member with its type, and requires no other one.`,
  ];
}

function ofMember(
  id: RequirementId,
  member: string,
  ids: Readonly<Record<string, RequirementId>>,
): readonly string[] {
  const title = operationTitle("createOperation");
  if (ids["omit"] === id)
    return [`${title}: required in the schema of its request names ${member}.`];
  const isType = ids["null"] === id || ids["type"] === id;
  return isType
    ? [`${title}: the type of ${member} in the schema of its request allows nothing else.`]
    : [];
}

const others: Readonly<Partial<Record<RequirementId, readonly string[]>>> = {
  "AUTH-02": ["POST /auth/token: no request body is required."],
  "AUTH-20": ["POST /corporate/operation: it has a response 401."],
  "BATCH-03": ["POST /batches: it has a response 201."],
  "HTTP-01": ["Each response with content has application/json."],
  "HTTP-06": ["Each response of a success has content."],
  "HTTP-07": ["The addresses in servers start with https:, but for those on this machine."],
  "OPER-20": ["POST /corporate/operation: it has a response 400."],
  "OPER-32": ["POST /corporate/operation: the schema of its request is an object."],
  "OPER-33": ["POST /corporate/operation: its request body is required."],
};

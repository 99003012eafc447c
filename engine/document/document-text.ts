import { errorShapeOf } from "../../harness/judging/rules/message.ts";
import { successes } from "../../harness/judging/rules/successes.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { operationNames, operationTitle, type OperationName } from "../../spec/operations.ts";
import { memberRefusals, tokenRefusals } from "../../spec/refusals.ts";
import { successOf } from "./success-of.ts";

/** Where an OpenAPI document shows a requirement, for whoever has to change one. Empty if no document shows it. */
export const documentTexts = (id: RequirementId): readonly string[] => [
  ...operationNames.flatMap((name) => ofOperation(id, name)),
  ...Object.entries(memberRefusals).flatMap(([member, ids]) => ofMember(id, member, ids)),
  ...(others[id] ?? []),
];

function ofOperation(id: RequirementId, name: OperationName): readonly string[] {
  const title = operationTitle(name);
  const { types, facts } = successes[name];
  const places = types.filter((one) => one.requirement === id).map(({ at }) => at);
  const rules = facts
    .filter((one) => one.requirement === id && isShown(one.value))
    .map(({ at, rule }) => `${at} ${rule}`);
  const missing = name === "createToken" ? "AUTH-05" : tokenRefusals[name].missing;
  return [
    ...(successOf[name] === id ? [`${title}: its path, method and parameters, and the schema of its request.`] : []),
    ...(missing === id ? [`${title}: its security, or that of the document.`] : []),
    ...(errorShapeOf[name] === id ? [`${title}: the schemas of its 4xx responses need message, a string.`] : []),
    ...places.map((at) => `${title}: the schema of its success, at ${at === "" ? "the body" : at}.`),
    ...rules.map((rule) => `${title}: the schema of its success allows ${rule}.`),
  ];
}

const isShown = (value: unknown): boolean => value !== undefined;

function ofMember(id: RequirementId, member: string, ids: Readonly<Record<string, RequirementId>>): readonly string[] {
  const title = operationTitle("createOperation");
  if (ids["omit"] === id) return [`${title}: required in the schema of its request names ${member}.`];
  const isType = ids["null"] === id || ids["type"] === id;
  return isType ? [`${title}: the type of ${member} in the schema of its request allows nothing else.`] : [];
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

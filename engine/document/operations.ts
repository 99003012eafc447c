import { endpoints } from "../../spec/endpoints.ts";
import { bundledContract } from "../../spec/bundle.ts";
import { operations, operationTitle, type OperationName } from "../../spec/operations.ts";
import { placeReadings } from "./comparison.ts";
import type { ApiDocument } from "./document.ts";
import type { ContractDocument } from "../../spec/contract.ts";
import { surfacesOf, type DescribedOperation } from "./paths.ts";
import { entriesAt, memberAt, type Place } from "./place.ts";
import {
  contradicts,
  held,
  noted,
  type OperationReading,
  type RequirementReading,
} from "./reading.ts";
import { specifiedOf, type BodyKind } from "./specified.ts";
import { besideBodies } from "./beside-bodies.ts";

/** What a document shows of the operations of the API. */
export interface JudgedOperations {
  readonly readings: readonly OperationReading[];
  /** Sentences for the reader of the report. */
  readonly notes: readonly string[];
  /** Whether the document describes no operation of the API at all. */
  readonly isEmpty: boolean;
}

/** Judges a document: of several surfaces, the one that fits best. */
export async function judgedOperations(document: ApiDocument): Promise<JudgedOperations> {
  const contract = await bundledContract();
  const surfaces = surfacesOf(document.root).map(({ prefix, described, found }) => ({
    prefix: prefix || "/",
    isEmpty: described.length === 0,
    readings: [
      ...found.map(([operation, reading]) => ({ operation, reading })),
      ...described.flatMap((one) => {
        const readings = [
          ...besideBodies(document.root, one, described, document),
          ...bodiesOf(one, document, contract),
        ];
        return readings.map((reading) => ({ operation: one.name, reading }));
      }),
    ],
  }));
  const [best] = surfaces.toSorted((a, b) => failuresIn(a.readings) - failuresIn(b.readings));
  if (best === undefined || best.isEmpty) return { readings: [], notes: [], isEmpty: true };
  const prefixes = surfaces.map(({ prefix }) => prefix).join(", ");
  const several = `The document describes the API under ${prefixes}. Judged is ${best.prefix}, which fits best.`;
  return { ...best, notes: surfaces.length > 1 ? [several] : [] };
}

function failuresIn(readings: readonly OperationReading[]): number {
  return readings.filter(({ reading }) => reading.kind === "contradiction" && !reading.isLess)
    .length;
}

/**
 * Matches statuses whose body may have any form: those of refusals by HTTP itself or by a throttle
 * (INT-13, INT-38), and of time-outs.
 */
const ofLayers = /^4(05|08|13|14|29|31)$/;

/**
 * Judges the bodies of an operation, with their media types and schemas: the request, its
 * successes and its errors.
 */
function bodiesOf(
  { name, operation }: DescribedOperation,
  document: ApiDocument,
  contract: ContractDocument,
) {
  const title = operationTitle(name);
  const read = (
    kind: BodyKind,
    where: string,
    holder: Place,
    isLess: boolean,
  ): readonly RequirementReading[] => {
    const body = { name, kind, where: `${title}, ${where}`, holder, isLess };
    return readBody(body, document, contract);
  };
  const responses = entriesAt(memberAt(operation, "responses"));
  const hasSuccess = responses.some(([key]) => key.startsWith("2"));
  const ofResponses = responses.flatMap(([key, response]) => {
    const isSuccess = key.startsWith("2") || (key === "default" && !hasSuccess);
    const isError = key === "default" || (key.startsWith("4") && !ofLayers.test(key));
    if (!isSuccess && !isError) return [];
    return read(isSuccess ? "success" : "error", `response ${key}`, response, key !== "204");
  });
  if (!operations[name].hasBody) return ofResponses;
  const request = memberAt(operation, "requestBody");
  const ofRequest =
    request === undefined
      ? [contradicts(endpoints[name].success, operation, "no requestBody", "must have a JSON body")]
      : read("request", "request", request, false);
  return [...ofRequest, ...ofResponses];
}

interface Body {
  readonly name: OperationName;
  readonly kind: BodyKind;
  readonly where: string;
  /** The request body or the response that holds the content. */
  readonly holder: Place;
  /** Whether a document without content only says less, and contradicts nothing. */
  readonly isLess: boolean;
}

function readBody(
  { name, kind, where, holder, isLess }: Body,
  document: ApiDocument,
  contract: ContractDocument,
) {
  const content = memberAt(holder, "content");
  const types = entriesAt(content);
  const json = types.find(([type]) =>
    /^(application\/json\s*(;.*)?|(application|\*)\/\*)$/i.test(type),
  );
  const silent = {
    request: endpoints[name].success,
    success: "HTTP-06",
    error: endpoints[name].errorShape,
  } as const;
  const isRequest = kind === "request";
  const id = isRequest || content === undefined ? silent[kind] : "HTTP-01";
  if (json === undefined) {
    const actual =
      types.length === 0 ? "no content" : `content is ${types.map(([type]) => type).join(", ")}`;
    const less = { isLess: content === undefined && isLess };
    return [contradicts(id, content ?? holder, actual, "must have application/json", less)];
  }
  const schema = memberAt(json[1], "schema");
  if (schema === undefined) return [held(id), noted("Not described", `the body of ${where}`)];
  const specified = specifiedOf({ name, kind, contract });
  const body = { title: where, schema, path: [], isRequest, document };
  return [held(id), ...(specified === undefined ? [] : placeReadings(specified, body))];
}

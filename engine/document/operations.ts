import { endpoints } from "../../spec/endpoints.ts";
import { bundledContract } from "../../spec/bundle.ts";
import { operations, operationTitle } from "../../spec/operations.ts";
import { placeReadings } from "./comparison.ts";
import type { ApiDocument } from "./document.ts";
import type { ContractDocument } from "../../spec/contract.ts";
import { surfacesOf, type DescribedOperation } from "./paths.ts";
import {
  entriesAt,
  memberAt,
  type Place,
  contradicts,
  held,
  noted,
  type RequirementReading,
} from "./place.ts";
import { specifiedOf, type BodyKind } from "./specified.ts";
import { besideBodies } from "./beside-bodies.ts";

export type JudgedOperations = Awaited<ReturnType<typeof judgedOperations>>;

/**
 * Judges a document: of several surfaces, the one that fits best. `notes`: sentences for the reader
 * of the report. `isEmpty`: it describes no operation of the API at all.
 */
export async function judgedOperations(document: ApiDocument) {
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
  const failures = ({ readings }: (typeof surfaces)[number]): number =>
    readings.filter(({ reading }) => reading.kind === "contradiction" && !reading.isLess).length;
  const [best] = surfaces.toSorted((a, b) => failures(a) - failures(b));
  if (best === undefined || best.isEmpty) return { readings: [], notes: [], isEmpty: true };
  const prefixes = surfaces.map(({ prefix }) => prefix).join(", ");
  const several = `The document describes the API under ${prefixes}. Judged is ${best.prefix}, which fits best.`;
  return { ...best, notes: surfaces.length > 1 ? [several] : [] };
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
): readonly RequirementReading[] {
  const { success, errorShape } = endpoints[name];
  const silent = { request: success, success: "HTTP-06", error: errorShape } as const;
  /** Judges the body that a request or a response holds. Without content, it may only say less. */
  const read = (
    kind: BodyKind,
    where: string,
    holder: Place,
    mayBeSilent: boolean,
  ): readonly RequirementReading[] => {
    const content = memberAt(holder, "content");
    const types = entriesAt(content);
    const json = types.find(([type]) =>
      /^(application\/json\s*(;.*)?|(application|\*)\/\*)$/i.test(type),
    );
    const isRequest = kind === "request";
    const id = isRequest || content === undefined ? silent[kind] : "HTTP-01";
    if (json === undefined) {
      const names = types.map(([type]) => type).join(", ");
      const actual = names === "" ? "no content" : `content is ${names}`;
      const isLess = content === undefined && mayBeSilent;
      return [contradicts(id, content ?? holder, actual, "must have application/json", { isLess })];
    }
    const schema = memberAt(json[1], "schema");
    const title = `${operationTitle(name)}, ${where}`;
    if (schema === undefined) return [held(id), noted("Not described", `the body of ${title}`)];
    const specified = specifiedOf({ name, kind, contract });
    const body = { title, schema, path: [], isRequest, document };
    return [held(id), ...(specified === undefined ? [] : placeReadings(specified, body))];
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
      ? [contradicts(success, operation, "no requestBody", "must have a JSON body")]
      : read("request", "request", request, false);
  return [...ofRequest, ...ofResponses];
}

import SwaggerParser from "@apidevtools/swagger-parser";
import { createJudgements } from "../../model/evidence/judgements.ts";
import { wholeRun, type OfflineOptions } from "../../model/conclusion/whole-run.ts";
import { newRunId, toolVersion } from "../version.ts";
import { createGenerators } from "../../generators/index.ts";
import { bundledContract } from "../../spec/bundle.ts";
import { errorShapeOf } from "../../harness/judging/rules/message.ts";
import { successes } from "../../harness/judging/rules/successes.ts";
import { defined } from "../../model/defined.ts";
import { InputError } from "../../model/files.ts";
import { untestedBy } from "../../model/conclusion/outcome.ts";
import type { Run } from "../../model/run.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { isObject, memberOf, type ContractDocument, type Json, type JsonObject } from "../../spec/contract.ts";
import { operationNames, operationTitle, type OperationName } from "../../spec/operations.ts";
import { compared, type Reading } from "./comparison.ts";
import { describedIn, entriesOf, statedOn, statementsIn, type Described } from "./description.ts";
import { dereferenced } from "./dereferenced.ts";
import { readDocument, type DocumentRequest } from "./document.ts";
import { requestProbes, responseProbes, successOf, type BodyKind, type Probe } from "./probes.ts";

/** Judges an OpenAPI document in a file or at an address, without a server. Throws InputError. */
export const judgeDocument = async (options: OfflineOptions, request: DocumentRequest): Promise<Run> => {
  const { name, root } = await readDocument(request);
  try {
    return await documentRun(options, name, dereferenced(root));
  } catch (error) {
    if (error instanceof RangeError) throw new InputError(name, "is nested too deeply, or refers to itself in a loop");
    throw error;
  }
};

/** Judges a document without references. */
export const documentRun = async (options: OfflineOptions, baseUrl: string, root: JsonObject): Promise<Run> => {
  const started = new Date();
  const readings = await readingsOf(root);
  const { takes, all } = createJudgements(options);
  const notes = new Map<string, Set<string>>();
  const contradicted = new Set<RequirementId>();
  for (const [operation, reading] of readings) {
    if ("note" in reading) notes.set(reading.note, (notes.get(reading.note) ?? new Set()).add(reading.place));
    else if (reading.violation === undefined) takes.held({ type: "held", requirements: [reading.requirement] });
    else {
      const { requirement, violation, isLess } = reading;
      if (isLess !== true) contradicted.add(requirement);
      const key = `${operation} ${violation.pointer ?? violation.message}`;
      takes.violated({ type: "violated", requirement, key, finding: { ...violation, operation, curl: "" } });
    }
  }
  const textOf = (places: readonly string[]): string =>
    places.slice(0, 30).join("; ") + (places.length > 30 ? " …" : "");
  const nothing = describedIn(root).length === 0 ? "the document describes none of its operations." : undefined;
  return wholeRun(options, {
    ...{ runId: newRunId(), version: toolVersion() },
    profile: "contract",
    target: { baseUrl },
    startedAt: started.toISOString(),
    durationMs: Date.now() - started.getTime(),
    found: all(),
    wanted: options.selection,
    skippedBy: (_, asked) => (asked === 0 ? "contract" : undefined),
    isLess: (requirement) => !contradicted.has(requirement),
    end: { interrupted: false, ...defined({ untested: untestedBy(nothing, []) }) },
    warnings: [...notes].map(([note, places]) => `${note}, so not judged: ${textOf([...places])}.`),
  });
};

/** What a document shows of each operation. */
const readingsOf = async (root: JsonObject): Promise<readonly (readonly [OperationName, Reading])[]> => {
  const probesFor = await (known ??= createProbes());
  const all = describedIn(root);
  return operationNames.flatMap((name) => {
    const described = all.find((one) => one.name === name);
    const readings = described
      ? [...statementsIn(root, described), ...bodiesIn(described, probesFor)]
      : [statedOn(name)(successOf[name], false, "this operation", "nothing", true)];
    return readings.map((reading) => [name, reading] as const);
  });
};

/** Refusals of the HTTP layer or of a throttle, which have any form (INT-13, INT-38), and time-outs. */
const ofLayers = /^4(05|08|13|14|29|31)$/;

/** Compares the media types and the schemas of the request, of successes and of errors. */
const bodiesIn = ({ name, operation }: Described, probesFor: ProbesFor): readonly Reading[] => {
  const title = operationTitle(name);
  const silent = { request: successOf[name], success: "HTTP-06", error: errorShapeOf[name] } as const;
  const bodyOf = (kind: BodyKind, at: string, content: Json | undefined, isLess: boolean): readonly Reading[] => {
    const types = content === undefined ? undefined : entriesOf(content).map(([type]) => type);
    const type = types?.find((one) => /^(application\/json\s*(;.*)?|(application|\*)\/\*)$/i.test(one));
    const id = kind === "request" || types === undefined ? silent[kind] : "HTTP-01";
    const found = `${at}: ${types?.join(", ") ?? "none"}`;
    const isJson = statedOn(name)(id, type !== undefined, "a JSON body", found, types === undefined && isLess);
    const schema = type === undefined ? undefined : memberOf(memberOf(content, type), "schema");
    if (!isObject(schema)) return [isJson, { note: "Not described", place: `the body of ${at}` }];
    return [isJson, ...compared(at, schema, probesFor(name, kind), kind !== "request")];
  };
  const responses = entriesOf(operation["responses"]);
  const hasSuccess = responses.some(([key]) => key.startsWith("2"));
  const judged = responses.flatMap(([key, response]) => {
    const isSuccess = key.startsWith("2") || (key === "default" && !hasSuccess);
    if (!isSuccess && key !== "default" && (!key.startsWith("4") || ofLayers.test(key))) return [];
    const kind = isSuccess ? "success" : "error";
    return bodyOf(kind, `${title}, response ${key}`, memberOf(response, "content"), key !== "204");
  });
  if (name === "createToken" || name === "listBatches") return judged;
  return [...bodyOf("request", title, memberOf(operation["requestBody"], "content"), true), ...judged];
};

/** What the specification says of bodies, made once. */
type ProbesFor = (name: OperationName, kind: BodyKind) => readonly Probe[];
let known: Promise<ProbesFor> | undefined;
const createProbes = async (): Promise<ProbesFor> => {
  const bundled = await bundledContract();
  const amount = { min: 10, max: 1000, decimals: 2 };
  const generators = createGenerators(bundled, { currencyPairs: ["USDBRL"], otherPurposes: [], amount });
  const contract = (await SwaggerParser.dereference(structuredClone(bundled) as never)) as unknown as ContractDocument;
  const made = new Map<string, readonly Probe[]>();
  const make: ProbesFor = (name, kind) => {
    if (kind === "request") return requestProbes(name, generators);
    const schema = kind === "error" ? "Error" : (successes[name].schema ?? "AcamResult");
    return responseProbes(name, kind === "success", contract.components.schemas[schema] ?? {});
  };
  return (name, kind) => {
    const own = made.get(`${name} ${kind}`) ?? make(name, kind);
    made.set(`${name} ${kind}`, own);
    return own;
  };
};

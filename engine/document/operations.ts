import { endpoints } from "../../spec/endpoints.ts";
import { createGenerators } from "../../generators/index.ts";
import { bundledContract } from "../../spec/bundle.ts";
import type { ContractDocument } from "../../spec/contract.ts";
import { type Json, partsOf } from "../../spec/json.ts";

import { operationTitle, type OperationName } from "../../spec/operations.ts";
import { createBudget } from "./budget.ts";
import { bodyReadings, type DescribedBody } from "./comparison.ts";
import { createCompiler, type Compiler } from "./compiled.ts";
import type { ApiDocument } from "./document.ts";
import { exampleReadings } from "./examples.ts";
import {
  contractSchemaOf,
  expectationsOf,
  type BodyKind,
  type Expectation,
} from "./expectations.ts";
import { surfacesOf, type DescribedOperation, type Surface } from "./paths.ts";
import { entriesAt, memberAt, rootOf, type Place } from "./place.ts";
import {
  contradicts,
  held,
  noted,
  type OperationReading,
  type RequirementReading,
} from "./reading.ts";
import { statementsOf } from "./statements.ts";

/** What a document shows of the operations of the API. */
export interface JudgedOperation {
  readonly readings: readonly OperationReading[];
  /** Sentences for the reader of the report. */
  readonly notes: readonly string[];
  /** Whether the document describes no operation of the API at all. */
  readonly isEmpty: boolean;
}

/** Returns a function that judges a document. */
export async function createJudge(document: ApiDocument): Promise<() => JudgedOperation> {
  known ??= createKnowledge();
  const knowledge = await known;
  const compile = createCompiler(document);
  return () => {
    const surfaces = surfacesOf(document.root).map((surface) => ({
      surface,
      readings: surfaceReadings(surface, document, compile, knowledge),
    }));
    const [best] = surfaces.toSorted((a, b) => failuresIn(a.readings) - failuresIn(b.readings));
    if (best === undefined || best.surface.described.length === 0)
      return { readings: [], notes: [], isEmpty: true };
    const prefixes = surfaces.map(({ surface }) => surface.prefix || "/");
    const several = `The document describes the API under ${prefixes.join(", ")}. Judged is ${best.surface.prefix || "/"}, which fits best.`;
    return { readings: best.readings, notes: prefixes.length > 1 ? [several] : [], isEmpty: false };
  };
}

function failuresIn(readings: readonly OperationReading[]): number {
  return readings.filter(({ reading }) => reading.kind === "contradiction" && !reading.isLess)
    .length;
}

function surfaceReadings(
  surface: Surface,
  document: ApiDocument,
  compile: Compiler,
  knowledge: DocumentKnowledge,
): readonly OperationReading[] {
  const { found, described } = surface;
  const ofPaths = found.map(([operation, reading]) => ({ operation, reading }));
  const ofOperations = described.flatMap((one) => {
    const readings = [
      ...statementsOf(document.root, one, described, document.version),
      ...bodiesOf(one, document, compile, knowledge),
    ];
    return readings.map((reading) => ({ operation: one.name, reading }));
  });
  return [...ofPaths, ...ofOperations];
}

/**
 * Matches statuses whose body may have any form: those of refusals by HTTP itself or by a throttle
 * (INT-13, INT-38), and of time-outs.
 */
const ofLayers = /^4(05|08|13|14|29|31)$/;

/**
 * Judges the bodies of an operation, with their media types, schemas and examples: the request, its
 * successes and its errors.
 */
function bodiesOf(
  described: DescribedOperation,
  document: ApiDocument,
  compile: Compiler,
  knowledge: DocumentKnowledge,
) {
  const { name, operation } = described;
  const title = operationTitle(name);
  const read = (
    kind: BodyKind,
    where: string,
    holder: Place,
    isLess: boolean,
  ): readonly RequirementReading[] =>
    readBody({ name, kind, where, holder, isLess }, document, compile, knowledge);
  const responses = entriesAt(memberAt(operation, "responses"));
  const hasSuccess = responses.some(([key]) => key.startsWith("2"));
  const ofResponses = responses.flatMap(([key, response]) => {
    const isSuccess = key.startsWith("2") || (key === "default" && !hasSuccess);
    const isError = key === "default" || (key.startsWith("4") && !ofLayers.test(key));
    if (!isSuccess && !isError) return [];
    return read(
      isSuccess ? "success" : "error",
      `${title}, response ${key}`,
      response,
      key !== "204",
    );
  });
  if (name === "createToken" || name === "listBatches") return ofResponses;
  const request = memberAt(operation, "requestBody");
  const ofRequest =
    request === undefined
      ? [contradicts(endpoints[name].success, operation, "no requestBody", "must have a JSON body")]
      : read("request", `${title}, request`, request, true);
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
  compile: Compiler,
  knowledge: DocumentKnowledge,
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
  const id = kind === "request" || content === undefined ? silent[kind] : "HTTP-01";
  if (json === undefined) {
    const actual =
      types.length === 0 ? "no content" : `content is ${types.map(([type]) => type).join(", ")}`;
    const less = content === undefined && kind !== "request" && isLess;
    return [
      contradicts(id, content ?? holder, actual, "must have application/json", { isLess: less }),
    ];
  }
  const [, media] = json;
  const schema = memberAt(media, "schema");
  if (schema === undefined) return [held(id), noted("Not described", `the body of ${where}`)];
  const expectations = knowledge.expectationsOf(name, kind);
  const { version } = document;
  const body = {
    title: where,
    schema,
    expectations,
    version,
    isRequest: kind === "request",
    required: requiredOf(name),
    needsDouble: name === "createOperation",
  };
  const contract = knowledge.contractOf(name, kind);
  return [
    held(id),
    ...bodyReadings(body, compile),
    ...(contract === undefined
      ? []
      : exampleReadings({ media, schema, expectations, view: { version }, contract })),
  ];
}

function requiredOf(name: OperationName): DescribedBody["required"] {
  if (name === "createOperation") return "stated";
  return name === "createBatch" ? "may be others" : "not stated";
}

type DocumentKnowledge = Awaited<ReturnType<typeof createKnowledge>>;
let known: ReturnType<typeof createKnowledge> | undefined;

/**
 * Collects what the specification says of bodies. This is the same for every document, and is done
 * only once.
 */
async function createKnowledge() {
  const bundled = await bundledContract();
  const amount = { min: 10, max: 1000, decimals: 2 };
  const generators = createGenerators(bundled, {
    currencyPairs: ["USDBRL"],
    otherPurposes: [],
    amount,
  });
  const document = contractDocument(bundled);
  const compile = createCompiler(document);
  const sources = { contract: document.root, compile, generators };
  const made = new Map<string, readonly Expectation[]>();
  const ofBody = (name: OperationName, kind: BodyKind): readonly Expectation[] => {
    const own = made.get(`${name} ${kind}`) ?? expectationsOf(name, kind, sources);
    made.set(`${name} ${kind}`, own);
    return own;
  };
  return {
    expectationsOf: ofBody,
    contractOf: (name: OperationName, kind: BodyKind) => {
      const schema = contractSchemaOf(document.root, name, kind);
      const names = new Set(ofBody(name, kind).flatMap(({ place }) => partsOf(place)));
      if (schema === undefined) return undefined;
      return compile(schema, {
        withLimits: false,
        needsDouble: false,
        isRequest: kind === "request",
        names,
        required: kind === "request" && name !== "createOperation" ? new Set<string>() : names,
      });
    },
  };
}

/** The contract as a document: it has no lines, and refers to no file. */
function contractDocument(contract: ContractDocument): ApiDocument {
  const name = "the contract";
  const open = (): never => {
    throw new Error("the contract refers to a file");
  };
  const value = contract as unknown as Json;
  const root = rootOf({ name, value, lines: [], positionOf: () => ({ line: 1, column: 1 }), open });
  const budget = { ...createBudget(name), takeTime: () => undefined };
  return { name, root, version: "3.1", budget };
}

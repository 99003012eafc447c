import SwaggerParser from "@apidevtools/swagger-parser";
import { createJudgements } from "../engine/judgements.ts";
import { offlineRun, type OfflineOptions } from "../engine/offline-run.ts";
import { createGenerators } from "../generators/index.ts";
import { bundledContract } from "../harness/contract.ts";
import type { Run } from "../model/run.ts";
import { shownAddress } from "../model/target.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import type { ContractDocument, JsonObject } from "../spec/contract.ts";
import { operationNames, operationTitle, type OperationName } from "../spec/operations.ts";
import { compare } from "./comparison.ts";
import { describedIn, statementsOf } from "./description.ts";
import { readDocument } from "./document.ts";
import type { Findings } from "./findings.ts";
import { probesOf, successOf, type BodyKind, type Probe } from "./probes.ts";

/** Judges an OpenAPI document at a path or an address, called `source`, without a server. Throws InputError. */
export const judgeDocument = async (options: OfflineOptions, source: string, path: string): Promise<Run> =>
  documentRun(options, shownAddress(source), await readDocument(source, path));

/** Judges a document without references. */
export const documentRun = async (options: OfflineOptions, baseUrl: string, root: JsonObject): Promise<Run> => {
  const started = new Date();
  const probes = await (known ??= createProbes());
  const judgements = createJudgements(options);
  const notes = new Map<string, Set<string>>();
  const contradicted = new Set<RequirementId>();
  const findingsOf = (operation: OperationName): Findings => ({
    holds: (requirement) => judgements.takes.held({ type: "held", requirements: [requirement] }),
    contradicts: ({ isLess, requirement, what, ...more }) => {
      if (isLess !== true) contradicted.add(requirement);
      const key = `${operation} ${more.pointer ?? what}`;
      const finding = { ...more, operation, message: what, curl: "" };
      judgements.takes.violated({ type: "violated", requirement, key, finding });
    },
    note: (kind, place) => void notes.set(kind, (notes.get(kind) ?? new Set()).add(place)),
  });
  const all = describedIn(root);
  for (const name of operationNames) {
    const [findings, described] = [findingsOf(name), all.find((one) => one.name === name)];
    const missing = {
      requirement: successOf[name],
      isMet: false,
      expected: "the operation",
      actual: "none",
      isLess: true,
    };
    for (const { isMet, ...statement } of described ? statementsOf(root, described) : [missing])
      if (isMet) findings.holds(statement.requirement);
      else
        findings.contradicts({
          ...statement,
          what: `${operationTitle(name)}: the document does not have ${statement.expected}.`,
        });
    for (const { kind, title, schema } of described?.bodies ?? [])
      if (schema === undefined) findings.note("Not described", `the body of ${title}`);
      else compare({ title, schema, keeps: bindingOn(name, kind) }, probes(name, kind), findings);
  }
  return offlineRun(options, {
    profile: "contract",
    target: { baseUrl },
    startedAt: started.toISOString(),
    durationMs: Date.now() - started.getTime(),
    found: judgements.all(),
    isLess: (requirement) => !contradicted.has(requirement),
    nothing: all.length === 0 ? "the document describes none of its operations." : undefined,
    warnings: [...notes].map(
      ([kind, places]) =>
        `${kind}, so not judged: ${[...places].slice(0, mostPlaces).join("; ")}${places.size > mostPlaces ? " and more" : ""}.`,
    ),
  });
};

const mostPlaces = 30;

/** The keywords besides types that bind a client. Which members an operation must have is stated, others are open. */
const bindingOn = (name: OperationName, kind: BodyKind): ReadonlySet<string> => {
  const closing = kind === "request" ? ["additionalProperties", "unevaluatedProperties"] : [];
  return new Set(kind === "request" && name === "createOperation" ? [...closing, "required"] : closing);
};

/** What the specification says of bodies, made once. */
let known: ReturnType<typeof createProbes> | undefined;
const createProbes = async () => {
  const bundled = await bundledContract();
  const amount = { min: 10, max: 1000, decimals: 2 };
  const generators = createGenerators(bundled, { currencyPairs: ["USDBRL"], otherPurposes: [], amount });
  const contract = (await SwaggerParser.dereference(structuredClone(bundled) as never)) as unknown as ContractDocument;
  const made = new Map<string, readonly Probe[]>();
  return (name: OperationName, kind: BodyKind): readonly Probe[] => {
    const own = made.get(`${name} ${kind}`) ?? probesOf(contract, name, kind, generators);
    made.set(`${name} ${kind}`, own);
    return own;
  };
};

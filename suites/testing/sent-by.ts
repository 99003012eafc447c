import { createHash } from "node:crypto";
import { Inconclusive } from "../../harness/errors.ts";
import { httpRequestOf } from "../../harness/sending/attempt.ts";
import { jsonOf, type Exchange, type SentRequest } from "../../model/exchange.ts";
import { type Json, isObject, memberOf } from "../../spec/json.ts";
import type { RequestSpec } from "../../model/request.ts";
import { responseOf } from "../../model/testing/exchanges.ts";
import { settings, target as usual } from "../../model/testing/target.ts";

import { operations, type OperationName } from "../../spec/operations.ts";
import { createContext, type RunContext } from "../run/context.ts";
import { createProbes } from "../run/observing.ts";
import type { Scenario } from "../kit/scenario.ts";
import { createTargetKnowledge } from "../run/target-knowledge.ts";

const target = {
  ...usual,
  currencyPairs: ["USDBRL", "EURBRL"],
  otherPurposes: ["IMPORT", "EXPORT"],
};

/**
 * The status with which a server answers a request. Undefined: the answer of a server that obeys.
 */
export type Script = (spec: RequestSpec) => number | undefined;

/**
 * Runs a scenario against a server that answers as the script says. Resolves to a line for each
 * request: the method and the path, what the request is, which refusal must come back, its special
 * headers, and the body. If the scenario ends early, the last line says so.
 */
export async function sentBy(scenario: Scenario, script?: Script): Promise<readonly string[]> {
  const { run, lines } = runWith(script);
  try {
    await scenario.run(createContext(run, scenario));
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    lines.push(`ends without a verdict: ${error.message}`);
  }
  return lines;
}

/**
 * Makes a run against a server that answers as the script says. `lines` has a line for each
 * request.
 */
export function runWith(script: Script = () => undefined) {
  const lines: string[] = [];
  const batches: Json[] = [];
  const idOf = createIds();
  /** The body of the last valid request of each operation. */
  const controls = new Map<OperationName, Json | undefined>();
  const send = async (spec: RequestSpec): Promise<Exchange> => {
    const serial = lines.length + 1;
    const made = { ...spec, ...spec.withToken?.(sessionToken) };
    const { sent } = httpRequestOf(made, target, { userAgent: "", serial: stampOfAll });
    const title = `${sent.method} ${sent.url.slice(target.baseUrl.length)}`;
    const body = bodyText(spec, sent, controls.get(spec.operation));
    lines.push([title, ...partsOf(made), body].join(" | "));
    if (spec.intent.kind === "valid") controls.set(spec.operation, sent.json);
    const status = script(spec) ?? statusOf(spec);
    const json = status < 300 ? successOf(spec, sent.json, idOf, batches) : {};
    if (status < 300 && spec.operation === "createBatch") batches.push(json);
    const response = responseOf({ status, json });
    if (spec.mustSucceed === true && status >= 300)
      throw new Inconclusive(`${status} for a valid request`, "refusal");
    const { operation, intent } = spec;
    const outcome = { response, at: serial, json: jsonOf(response), exemptBy: undefined };
    return { id: serial, operation, intent, scenario: "scripted", request: sent, ...outcome };
  };
  const { signal } = new AbortController();
  return { run: runContextWith(send, signal), lines };
}

/**
 * Makes the context of a run that hands its requests to `send`. What is judged and observed is
 * dropped.
 */
function runContextWith(
  send: (spec: RequestSpec) => Promise<Exchange>,
  signal: AbortSignal,
): RunContext {
  const nothing = (): void => undefined;
  const sender = {
    send,
    alone: (task: (one: typeof send) => Promise<unknown>) => task(send),
    proveKey: nothing,
    session: { token: async () => sessionToken, adopt: nothing },
    sendPlain: async () => ({ failure: { kind: "connect", message: "none", took: 0 } }),
    lag: () => 0,
    violationsOf: () => [],
    mostListed: () => 0,
    isGiven: () => false,
    specOf: () => undefined,
  };
  const recorder = {
    holds: nothing,
    violated: nothing,
    inconclusive: nothing,
    observe: nothing,
    note: nothing,
  };
  const run = {
    target,
    settings,
    runId: "runrunid",
    signal,
    sender,
    recorder,
    redaction: { add: nothing },
    knowledge: createTargetKnowledge(signal),
    probes: createProbes(),
    untilOld: async () => undefined,
  };
  return run as unknown as RunContext;
}

/** The good token from which bad ones are made. */
const sessionToken = "eyJhbGciOiJI.tokenOfTheSession.Zx81kPq";

/**
 * Returns the status of a server that obeys: for a request that breaks a rule the stated status, or
 * 422 if none is stated; for any other request the status of a success.
 */
function statusOf({ intent, refusal, operation }: RequestSpec): number {
  if (intent.kind === "invalid") return refusal?.status ?? 422;
  return operation === "createBatch" ? 201 : 200;
}

function successOf(
  { operation }: RequestSpec,
  sent: Json | undefined,
  idOf: (kind: string, sent: Json | undefined) => string,
  batches: readonly Json[],
): Json {
  const own = isObject(sent) ? sent : {};
  const successes: Readonly<Record<keyof typeof operations, () => Json>> = {
    createToken: () => ({ token: idOf("token", sent) }),
    createCounterparty: () => ({ id: idOf("counterparty", sent), ...own }),
    createOperation: () => ({ operation_id: idOf("operation", sent), ...own }),
    addAcamItem: () => ({ message: "ACAM item added successfully", status: "success" }),
    createBatch: () => ({ id: idOf("batch", sent), operations: [], ...own }),
    listBatches: () => ({ batches: [...batches], count: batches.length, total: batches.length }),
  };
  return successes[operation]();
}

/**
 * Makes the ids of what is created. An id follows from what was sent, so that a request that a
 * scenario has in addition changes no other id; only what is created with the same body again has
 * a number.
 */
function createIds(): (kind: string, sent: Json | undefined) => string {
  const counts = new Map<string, number>();
  return (kind, sent) => {
    const body = JSON.stringify(sent ?? "");
    const id = `${kind}-${createHash("sha256").update(body).digest("hex").slice(0, 6)}`;
    const count = (counts.get(id) ?? 0) + 1;
    counts.set(id, count);
    return count === 1 ? id : `${id}-${count}`;
  };
}

function partsOf(spec: RequestSpec): readonly string[] {
  const { intent, refusal, headers = [], authorization, apiKey, contentType } = spec;
  const after = refusal?.after?.().operation;
  const own = [
    ...headers.map(([name, value]) => `${name}: ${value}`),
    ...(authorization === undefined ? [] : [`Authorization: ${authorization ?? "none"}`]),
    ...(apiKey === undefined ? [] : [`x-api-key: ${apiKey ?? "none"}`]),
    ...(contentType === null ? ["Content-Type: none"] : []),
    ...(spec.isOnFreshConnection === true ? ["on a new connection"] : []),
    ...(spec.spareConnection !== undefined ? ["on the spare connection"] : []),
    ...(after === undefined ? [] : [`after ${after}`]),
  ];
  const wanted = refusal === undefined ? "-" : `${refusal.status ?? "4xx"} ${refusal.requirement}`;
  const words = intent.kind === "valid" ? [] : [intent.change];
  return [
    [intent.kind, ...words].join(" "),
    wanted,
    own.map((header) => printable(header)).join(", ") || "-",
  ];
}

/**
 * The stamp of all bodies that are made for each sending. As it is always the same, a request that a
 * scenario has in addition changes no other line.
 */
const stampOfAll = 1;

/**
 * The body of a request: `new` if it is made for this sending, and of a body that is not valid only
 * what differs from the last valid one (`control`), if that is shorter.
 */
function bodyText(
  { body: given, intent }: RequestSpec,
  { body, json }: Pick<SentRequest, "body" | "json">,
  control: Json | undefined,
): string {
  if (body === undefined) return "-";
  const text = Buffer.from(body).toString("utf8");
  const whole = printable(text, isObject(json) ? longestBody : longest);
  const isAsUsual = isObject(json) && isObject(control) && JSON.stringify(json) === text;
  const changes = isAsUsual && intent.kind !== "valid" ? changesBetween(control, json, "") : [];
  const changed = `…${changes.map(([at, value]) => ` ${at} ${printable(value)}`).join(",")}`;
  const shown = changes.length > 0 && changed.length < text.length ? changed : whole;
  return typeof given === "function" ? `new ${shown}` : shown;
}

/** The places at which a body differs from another one, with what stands there. */
function changesBetween(
  one: Json | undefined,
  other: Json | undefined,
  at: string,
): readonly (readonly [pointer: string, what: string])[] {
  if (isObject(one) && isObject(other)) {
    const names = new Set([...Object.keys(one), ...Object.keys(other)]);
    return [...names].flatMap((name) =>
      changesBetween(memberOf(one, name), memberOf(other, name), `${at}/${name}`),
    );
  }
  if (JSON.stringify(one) === JSON.stringify(other)) return [];
  return [[at, other === undefined ? "left out" : `= ${JSON.stringify(other)}`]];
}

const longest = 160;

/** A whole body begins like others of its endpoint. What differs is shown apart. */
const longestBody = 120;

/** Returns a text on one line, cut after so many characters. */
function printable(text: string, most = longest): string {
  const line = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"');
  return line.length > most ? `${line.slice(0, most)}… ${text.length} characters` : line;
}

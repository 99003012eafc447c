import { valueAt } from "../../spec/contract.ts";
import { malformedTextsOf, nonObjectBodies, oddTexts, stamp } from "../../generators/index.ts";
import type { Mutation, OddText, Pool } from "../../generators/index.ts";
import { invalid, unusual, valid } from "../../model/exchange.ts";
import type { Intent, Json, RequestSpec, Exchange } from "../../model/exchange.ts";
import { operationTitle, type OperationName } from "../../spec/operations.ts";
import type { QuestionId } from "../../spec/questions.ts";
import { inputKinds, type InputKind } from "../../spec/refusals.ts";
import type { Context } from "./context.ts";
import type { OperationBody } from "./target-knowledge.ts";
import { observing, observingStatus } from "./observing.ts";
import { firstPair } from "./amounts.ts";
import { together } from "./concurrency.ts";

/** A body that is not what the endpoint accepts, and the change in words: `with null at /name`. */
export interface BrokenBody {
  readonly change: string;
  readonly input?: InputKind;
  /** Makes it of a valid body, each time the request is sent: all but the change is new (INT-45). */
  readonly body?: (complete: Json) => Json;
  /** The same as a text, instead of `body`. */
  readonly text?: (complete: Json) => string | Uint8Array;
  readonly beside?: Pick<RequestSpec, "headers" | "query">;
}

export interface ChangedBody extends BrokenBody {
  readonly mutation: Mutation;
}

/** Every single change that this body allows that breaks the presence or the type of a member. */
export const changedBodies = (context: Context, operation: OperationName, complete: Json): readonly ChangedBody[] =>
  context.generators
    .mutations(operation)
    .filter(({ pointer }) => hasPlace(complete, pointer))
    .map((mutation) => ({
      change: changeText(mutation),
      input: inputKinds[mutation.kind],
      body: mutation.apply,
      mutation,
    }));

/** The changes of a body, the likeliest mistakes first: every run sends these, and some of the others. */
export const changesOf = (
  what: string,
  bodies: readonly ChangedBody[],
  isLikely: (mutation: Mutation) => boolean,
  drawn = 1,
): Pool<ChangedBody> => {
  const likely = bodies.filter(({ mutation }) => isLikely(mutation));
  const items = [...likely, ...bodies.filter((body) => !likely.includes(body))];
  return { name: `changes of ${what}`, items, always: likely.length, drawn };
};

const changeText = (mutation: Mutation): string => {
  const { kind, pointer } = mutation;
  if (kind === "omit") return `with ${pointer} left out`;
  return kind === "null"
    ? `with null at ${pointer}`
    : `with another type at ${pointer} (${mutation.id.slice(0, -pointer.length - 1)})`;
};

/** Whether the body has the object around a place: a server may accept no intermediary bank, for example. */
export const hasPlace = (body: Json, pointer: string): boolean => {
  const around = pointer.slice(0, pointer.lastIndexOf("/"));
  return around === "" || typeof valueAt(body, around) === "object";
};

/** Bodies that are JSON but no objects. Some readers take the array for the members in the order of the contract. */
export const nonObjects: readonly BrokenBody[] = [
  { id: "an array of the values of the members", body: (complete: Json): Json => Object.values(complete ?? {}) },
  ...nonObjectBodies.map(({ id, body }) => ({ id, body: () => body })),
].map(({ id, body }) => ({ change: `whose body is ${id}`, input: inputKinds.nonObject, body }));

/** Valid bodies with a Content-Encoding that does not match them: only a crash is judged (INT-44). */
export const miscoded: readonly BrokenBody[] = ["gzip", "br", "deflate", "none"].map((coding) => ({
  change: `declared as coded with ${coding}`,
  body: (complete) => complete,
  beside: { headers: [["Content-Encoding", coding]] },
}));

/** For a client that takes anything, some frameworks redirect or send a page instead of an error in JSON. */
export const withoutMembers: BrokenBody = {
  change: "without members, for Accept: */*",
  input: inputKinds.omit,
  body: () => ({}),
  beside: { headers: [["Accept", "*/*"]] },
};

export const emptyBody: BrokenBody = {
  change: "with an empty body",
  input: inputKinds.empty,
  text: () => new Uint8Array(0),
};

const malformed = malformedTextsOf({ any: 1 }).map(({ id, kind }, index) => ({
  kind,
  change: `whose body has ${id}`,
  input: inputKinds.malformed,
  text: (complete: Json) => malformedTextsOf(complete)[index]?.text ?? "",
}));

/** Bodies that are not well-formed JSON; `encoding` has those that only a strict decoder refuses. */
export const malformedBodies: Readonly<Record<"syntax" | "encoding", readonly BrokenBody[]>> = {
  syntax: malformed.filter(({ kind }) => kind === "syntax"),
  encoding: malformed.filter(({ kind }) => kind === "encoding"),
};

const depth = 3000;

/** Nested deeper than a careless parser's stack, in an unknown member: legal JSON, which must not crash a server. */
export const nested: BrokenBody = {
  change: `whose body is nested ${depth} deep`,
  text: (complete) =>
    `${JSON.stringify(complete).slice(0, -1)},"fxconform_note":${"[".repeat(depth)}${"]".repeat(depth)}}`,
};

/** Bodies that no endpoint accepts: not an object, empty, and malformed JSON. */
export const hopelessBodies = (operation: OperationName): Pool<BrokenBody> => {
  const { encoding } = malformedBodies;
  const usual = [...malformed.slice(0, 1), ...encoding.slice(0, 1)];
  const others = malformed.filter((one) => !usual.includes(one));
  const [coded, otherwiseCoded] = [miscoded.slice(0, 1), miscoded.slice(1)];
  return {
    name: `bodies of ${operationTitle(operation)}`,
    items: [emptyBody, withoutMembers, nested, ...usual, ...coded, ...nonObjects, ...otherwiseCoded, ...others],
    always: 11,
  };
};

export const brokenRequest = (spec: RequestSpec, { change, input, body, text, beside }: BrokenBody): RequestSpec => {
  const { body: complete, ...rest } = spec;
  const made = <T>(make: (complete: Json) => T): T | ((serial: number) => T) =>
    typeof complete === "function" ? (serial) => make(complete(serial)) : make(complete ?? null);
  return {
    ...rest,
    intent: invalid(change, input),
    ...beside,
    ...(text === undefined
      ? { body: made(body ?? (() => null)) }
      : { text: made(text), contentType: "application/json" }),
  };
};

/** A request with a body that a server may accept or refuse, which is observed. A crash is still a fault. */
export const doubtfulRequest =
  (spec: RequestSpec, question: QuestionId) =>
  (broken: BrokenBody): RequestSpec =>
    observingStatus(observing(brokenRequest(spec, broken), question, broken.change), "a body that breaks a rule");

export const exactTexts: readonly OddText[] = [
  ...oddTexts.filter(({ fragile }) => fragile === "in names"),
  ...oddTexts.filter(({ fragile }) => fragile === undefined),
];

/** The intent of a request with an odd text at a pointer. A fragile text need not come back unchanged. */
export const oddIntent = ({ id, fragile }: OddText, pointer: string): Intent =>
  fragile === undefined ? unusual(`with ${id} in ${pointer}`, id) : invalid(`with ${id} in ${pointer}`, undefined, id);

/** The same at a member that must return what was sent: here trimming and normalising are faults. */
export const exactIntent = ({ id, fragile }: OddText, pointer: string): Intent =>
  fragile === "anywhere" ? invalid(`with ${id} in ${pointer}`, undefined, id) : unusual(`with ${id} in ${pointer}`, id);

export const oddText = (spec: RequestSpec, { id }: Pick<OddText, "id">, place: string): RequestSpec =>
  observing(spec, "OPEN-28", `${operationTitle(spec.operation)} with ${id} in ${place}`);

export const textPool = (place: string, always: number, items: readonly OddText[] = oddTexts): Pool<OddText> => ({
  name: `texts in ${place}`,
  items,
  always,
});

/** The purpose that the specification names, and the one that ACAM items need. */
export const efx = "EFX";

export const counterpartyRequest = (context: Context, body: Json, intent: Intent = valid): RequestSpec => ({
  operation: "createCounterparty",
  intent,
  path: { customer_id: context.target.customerId },
  body: (serial) => stamp("createCounterparty", body, { runId: context.run.runId, serial }),
});

export interface OperationData {
  readonly counterparty: string;
  readonly amount: number;
  readonly purpose?: string;
  readonly pair?: string;
}

/** A valid body of POST /corporate/operation. */
export const operationBody = (
  context: Context,
  { counterparty, amount, purpose = context.knowledge.purposeInstead ?? efx, pair = firstPair(context) }: OperationData,
): OperationBody => ({
  currency_amount: amount,
  operation_purpose: purpose,
  currency_pair: pair,
  counterparty_id: counterparty,
});

export const operationRequest = (body: Json, intent: Intent = valid): RequestSpec => ({
  operation: "createOperation",
  intent,
  body,
});

export const validOperation = (context: Context, data: OperationData): RequestSpec =>
  operationRequest(operationBody(context, data));

export const itemRequest = (operation: string, body: Json, intent: Intent = valid): RequestSpec => ({
  operation: "addAcamItem",
  intent,
  path: { operation_id: operation },
  body,
});

export const listRequest: RequestSpec = { operation: "listBatches", intent: valid };

/** Sends a valid request with an unknown member, and again as other types, which the server may refuse. */
export const observeTolerance = async (
  context: Context,
  extended: RequestSpec,
  undeclared: RequestSpec,
  contentTypes: readonly (string | null)[] = ["text/plain"],
): Promise<Exchange> => {
  const title = operationTitle(extended.operation);
  const unknown = {
    ...withMembers(extended, { fxconform_note: "unknown" }),
    intent: unusual("with an unknown member"),
  };
  const [exchange] = await together([
    context.send(observing(unknown, "OPEN-35", title)),
    ...contentTypes.map((contentType) => {
      const declared = `declared as ${contentType ?? "nothing"}`;
      const other = { ...undeclared, intent: unusual(declared), contentType };
      return context.send(observing(other, "OPEN-36", `${title} ${declared}`));
    }),
  ]);
  return exchange;
};

/** Members with the names of properties of every object in some languages; texts cannot become anybody's prototype. */
export const observePrototypeMembers = async (context: Context, spec: RequestSpec): Promise<void> => {
  const named = ["__proto__", "constructor"].map((name) => [name, "unknown"] as const);
  const intent = unusual("with members named as those of a prototype");
  const odd = { ...withMembers(spec, Object.fromEntries(named)), intent };
  await context.send(observing(odd, "OPEN-35", `${operationTitle(spec.operation)} with the names of a prototype`));
};

const withMembers = (spec: RequestSpec, members: Readonly<Record<string, Json>>): RequestSpec =>
  withChangedBody(spec, (body) => ({ ...(body as Readonly<Record<string, Json>>), ...members }));

export const withChangedBody = (spec: RequestSpec, change: (body: Json, serial: number) => Json): RequestSpec => {
  const { body = null } = spec;
  return { ...spec, body: typeof body === "function" ? (serial) => change(body(serial), serial) : change(body, 0) };
};

import { malformedTextsOf, nonObjectBodies, type Drawn, type Mutation, type Pool } from "../../../generators/index.ts";
import { valueAt } from "../../../generators/pointer.ts";
import { invalid, isRefusal, type Exchange, type Json, type RequestSpec } from "../../../model/exchange.ts";
import { operationTitle, type OperationName } from "../../../spec/operations.ts";
import type { QuestionId } from "../../../spec/questions.ts";
import { inputKinds, type InputKind } from "../../../spec/refusals.ts";
import type { Context } from "../context.ts";
import { draw, ofPool } from "../draw.ts";

/** A body that is not what the endpoint accepts, and the change in words: `with null at /name`. */
export interface BrokenBody {
  readonly change: string;
  readonly input?: InputKind;
  readonly body?: Json;
  readonly text?: string | Uint8Array;
}

/** A body that one mutation has changed. */
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
      body: mutation.apply(complete),
      mutation,
    }));

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

/** Bodies that are JSON but no objects. */
export const nonObjects: readonly BrokenBody[] = nonObjectBodies.map(({ id, body }) => ({
  change: `whose body is ${id}`,
  input: inputKinds.nonObject,
  body,
}));

/** An object, and nothing in it. */
export const withoutMembers: BrokenBody = { change: "without members", input: inputKinds.omit, body: {} };

export const emptyBody: BrokenBody = { change: "with an empty body", input: inputKinds.empty, text: new Uint8Array(0) };

/** Neither empty nor a JSON text. */
export const blankBody: BrokenBody = {
  change: "whose body is white space alone",
  input: inputKinds.empty,
  text: " \r\n\t ",
};

/** A well-formed number that no double holds (RFC 8259, 6): a server may accept or refuse it. */
export const beyondDoubles = (complete: Json, member: string): BrokenBody => ({
  change: `with the number 1e400 at /${member}`,
  text: JSON.stringify({ ...(complete as Readonly<Record<string, Json>>), [member]: placeholder }).replace(
    JSON.stringify(placeholder),
    "1e400",
  ),
});

const placeholder = "the number beyond doubles";

/** Parsers may accept or refuse it (RFC 8259, 8.1). */
export const withByteOrderMark = (complete: Json): BrokenBody => ({
  change: "whose body begins with a byte order mark",
  text: `\ufeff${JSON.stringify(complete)}`,
});

/** Bodies that are not well-formed JSON; `encoding` has those that only a strict decoder refuses. */
export const malformedBodies = (
  complete: Json,
): { readonly syntax: readonly BrokenBody[]; readonly encoding: readonly BrokenBody[] } => {
  const texts = malformedTextsOf(complete);
  return {
    syntax: texts.filter(({ kind }) => kind === "syntax").map(malformedBody),
    encoding: texts.filter(({ kind }) => kind === "encoding").map(malformedBody),
  };
};

const malformedBody = ({ id, text }: ReturnType<typeof malformedTextsOf>[number]): BrokenBody => ({
  change: `whose body has ${id}`,
  input: inputKinds.malformed,
  text,
});

/**
 * JSON nested deeper than a careless parser's stack, in an unknown member: it is legal, and must not crash a server.
 */
export const nested = (complete: Json): BrokenBody => ({
  change: `whose body is nested ${depth} deep`,
  text: `${JSON.stringify(complete).slice(0, -1)},"fxconform_note":${"[".repeat(depth)}${"]".repeat(depth)}}`,
});

const depth = 3000;

/** Bodies that no endpoint accepts: not an object, empty, and malformed JSON. */
export const hopelessBodies = (operation: OperationName, complete: Json): Pool<BrokenBody> => {
  const [half, ...malformed] = malformedTextsOf(complete).map(malformedBody);
  return {
    name: `bodies of ${operationTitle(operation)}`,
    items: [
      emptyBody,
      withoutMembers,
      nested(complete),
      ...(half === undefined ? [] : [half]),
      ...nonObjects,
      ...malformed,
    ],
    always: 7,
    drawn: 1,
  };
};

/** The request with a broken body in the place of its own. */
export const brokenRequest = (spec: RequestSpec, { change, input, body, text }: BrokenBody): RequestSpec => {
  const { body: _, ...rest } = spec;
  return {
    ...rest,
    intent: invalid(change, input),
    ...(text === undefined ? { body: body ?? null } : { text, contentType: "application/json" }),
  };
};

/** Questions about the status of a refusal. */
const refusalQuestions: Readonly<Partial<Record<OperationName, QuestionId>>> = {
  createToken: "OPEN-07",
  createCounterparty: "OPEN-09",
  addAcamItem: "OPEN-11",
  createBatch: "OPEN-13",
};

/** Observes the status with which a request was refused; `what` names the kind of refusal. */
export const observeRefusal = (context: Context, what: string, exchange: Exchange): void => {
  const question = refusalQuestions[exchange.operation];
  if (question !== undefined && isRefusal(exchange))
    context.observeAnswer(question, what, exchange, String(exchange.response.status));
};

/**
 * Sends a body that a server may accept or refuse, and observes which. The standing checks still fail a crash, a
 * response that is not JSON, and an error without a message.
 */
export const observeBody = async (
  context: Context,
  question: QuestionId,
  spec: RequestSpec,
  broken: BrokenBody,
  pool?: Pool<BrokenBody>,
): Promise<Exchange> => {
  const request = brokenRequest(spec, broken);
  const exchange = await context.send(pool === undefined ? request : ofPool(pool, request));
  context.observeAnswer(question, broken.change, exchange);
  observeRefusal(context, "a body that breaks a rule", exchange);
  return exchange;
};

export const observeBodies = async (
  context: Context,
  question: QuestionId,
  spec: RequestSpec,
  bodies: readonly BrokenBody[],
): Promise<void> => {
  await Promise.all(bodies.map((broken) => observeBody(context, question, spec, broken)));
};

/** The same for a pool. Values that not every run sends are not observed. */
export const observeDrawn = async (
  context: Context,
  question: QuestionId,
  spec: RequestSpec,
  pool: Pool<BrokenBody>,
): Promise<void> => {
  await Promise.all(draw(context, pool).map((drawn) => sendDrawn(context, question, spec, pool, drawn)));
};

export const sendDrawn = async (
  context: Context,
  question: QuestionId,
  spec: RequestSpec,
  pool: Pool<BrokenBody>,
  { item, isAlways }: Drawn<BrokenBody>,
): Promise<Exchange> =>
  isAlways ? observeBody(context, question, spec, item, pool) : context.send(ofPool(pool, brokenRequest(spec, item)));

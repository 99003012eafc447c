import { malformedTextsOf, nonObjectBodies, oddTexts, type Mutation } from "../../generators/index.ts";
import { valueAt } from "../../generators/pointer.ts";
import {
  invalid,
  isSuccess,
  unusual,
  type Intent,
  type RequestSpec,
  type Exchange,
  type Json,
} from "../../model/exchange.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { QuestionId } from "../../spec/questions.ts";
import type { Context } from "./context.ts";

/** A body that is not what the endpoint takes, and how to name the change. */
export interface BrokenBody {
  readonly change: string;
  readonly body?: Json;
  readonly text?: string | Uint8Array;
}

/** `with /currency_amount left out`, `with null at /name`. */
export const changeText = ({ kind, pointer, id }: Mutation): string =>
  kind === "omit"
    ? `with ${pointer} left out`
    : kind === "null"
      ? `with null at ${pointer}`
      : `with another type at ${pointer} (${id})`;

/** Every single change that this body allows that breaks the presence or the type of a member. */
export const changedBodies = (
  context: Context,
  operation: OperationName,
  complete: Json,
): readonly (BrokenBody & { readonly mutation: Mutation })[] =>
  context.generators
    .mutations(operation)
    .filter(({ pointer }) => hasPlace(complete, pointer))
    .map((mutation) => ({ change: changeText(mutation), body: mutation.apply(complete), mutation }));

/** Whether the body has what is around a place: servers may take no intermediary bank, say. */
export const hasPlace = (body: Json, pointer: string): boolean => {
  const around = pointer.slice(0, pointer.lastIndexOf("/"));
  return around === "" || typeof valueAt(body, around) === "object";
};

/** Without the rarer values of wrong types, which are sent where a rule says that they are refused. */
export const plainChanges = <C extends { readonly mutation: Mutation }>(changes: readonly C[]): readonly C[] =>
  changes.filter(({ mutation }) => !/^(empty|zero|false|one|whole|halves|reference) ?/.test(mutation.id));

/**
 * The changes that tell most at the least cost: all of them at the top, and below it those that careless code stumbles
 * over in different ways. For endpoints where nobody states what is refused.
 */
export const tellingChanges = <C extends BrokenBody & { readonly mutation: Mutation }>(
  changes: readonly C[],
): readonly C[] =>
  plainChanges(changes).filter(
    ({ mutation }) => mutation.pointer.lastIndexOf("/") === 0 || !/^(boolean|string|array) /.test(mutation.id),
  );

/** Bodies that are JSON but no objects. */
export const nonObjects: readonly BrokenBody[] = nonObjectBodies.map(({ id, body }) => ({
  change: `whose body is ${id}`,
  body,
}));

/** An object, and nothing in it. */
export const withoutMembers: BrokenBody = { change: "without members", body: {} };

export const emptyBodies: readonly BrokenBody[] = [{ change: "with an empty body", text: new Uint8Array(0) }];

/** Neither empty nor a JSON text. */
export const blankBody: BrokenBody = { change: "whose body is white space alone", text: " \r\n\t " };

/** A well-formed number that no double holds (RFC 8259, 6): what a server makes of it is its own affair. */
export const beyondDoubles = (complete: Json, member: string): BrokenBody => ({
  change: `with the number 1e400 at /${member}`,
  text: JSON.stringify({ ...(complete as Readonly<Record<string, Json>>), [member]: placeholder }).replace(
    JSON.stringify(placeholder),
    "1e400",
  ),
});

const placeholder = "the number beyond doubles";

/** Parsers may take it or refuse it (RFC 8259, 8.1). */
export const withByteOrderMark = (complete: Json): BrokenBody => ({
  change: "whose body begins with a byte order mark",
  text: `\ufeff${JSON.stringify(complete)}`,
});

/** Bodies that are not well-formed JSON. Those that only a strict decoder refuses come apart. */
export const malformedBodies = (
  complete: Json,
): { readonly syntax: readonly BrokenBody[]; readonly encoding: readonly BrokenBody[] } => {
  const texts = malformedTextsOf(complete);
  const named = (kind: string): readonly BrokenBody[] =>
    texts.filter((text) => text.kind === kind).map(({ id, text }) => ({ change: malformedText(id), text }));
  return { syntax: named("syntax"), encoding: named("encoding") };
};

/** JSON nested deeper than a careless parser's stack, in a member that nobody knows: legal, and no request to crash on. */
export const nested = (complete: Json): BrokenBody => ({
  change: `whose body is nested ${depth} deep`,
  text: `${JSON.stringify(complete).slice(0, -1)},"fxconform_note":${"[".repeat(depth)}${"]".repeat(depth)}}`,
});

const depth = 3000;

const malformedText = (id: string): string => `whose body has ${id}`;

const tellingSyntax = [
  "only its first half",
  "a trailing comma",
  "NaN",
  "two texts in a row",
  "a bare word in place of JSON",
  "an unknown escape",
];

/** One of each way in which parsers fail. */
export const tellingMalformed = (complete: Json): readonly BrokenBody[] => {
  const { syntax, encoding } = malformedBodies(complete);
  return [
    ...syntax.filter(({ change }) => tellingSyntax.some((id) => change === malformedText(id))),
    ...encoding.slice(0, 1),
    nested(complete),
  ];
};

/** Texts that fail in different ways: escaping, encodings of one, two, three and four bytes, length. */
export const tellingTexts = oddTexts.filter(({ id }) =>
  [
    "double quotes",
    "a backslash",
    "a line break and a tab",
    "an escaped zero byte",
    "half a character",
    "no character",
    "blanks alone",
    "Latin letters with marks",
    "Chinese",
    "an emoji outside the basic plane",
    "2000 characters",
    "what programs read as code",
  ].includes(id),
);

/** The ask with a broken body in the place of its own. */
export const brokenRequest = (ask: RequestSpec, { change, body, text }: BrokenBody): RequestSpec => {
  const { body: _, ...rest } = ask;
  return {
    ...rest,
    intent: invalid(change),
    ...(text === undefined ? { body: body ?? null } : { text, contentType: "application/json" }),
  };
};

/**
 * Sends what no rule says must be refused, and observes what is done with it. The standing checks still forbid a
 * crash, a body that is no JSON, an error without a message.
 */
export const observeBodies = async (
  context: Context,
  question: QuestionId,
  ask: () => Promise<RequestSpec>,
  bodies: readonly BrokenBody[],
): Promise<void> => {
  await Promise.all(
    bodies.map(async (broken) => {
      const exchange = await context.ask(brokenRequest(await ask(), broken));
      context.observe(question, broken.change, outcomeOf(exchange));
    }),
  );
};

/** Texts that a server may trim, normalise or replace without doing wrong: what comes back of them is not judged. */
const fragile = /zero byte|control|line break|half|no character|blanks|spaces|combining|zero width/;

/** How a probe with an odd text is judged. */
export const oddIntent = (id: string, pointer: string): Intent =>
  fragile.test(id) ? invalid(`with ${id} in ${pointer}`) : unusual(`with ${id} in ${pointer}`);

/** Sends odd texts at one member each, as probes whose refusal is no fault. */
export const probeTexts = async (
  context: Context,
  ask: (text: string, what: string) => RequestSpec,
  where: string,
  texts: readonly { readonly id: string; readonly text: string }[] = tellingTexts,
): Promise<readonly Exchange[]> =>
  Promise.all(
    texts.map(async ({ id, text }) => {
      const exchange = await context.ask(ask(text, id));
      context.observe("OPEN-28", `${where}, ${id}`, outcomeOf(exchange));
      return exchange;
    }),
  );

export const outcomeOf = (exchange: Exchange): string =>
  isSuccess(exchange) ? "accepted" : `refused with ${exchange.response.status}`;

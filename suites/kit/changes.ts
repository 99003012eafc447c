import { withValue } from "../../generators/pointer.ts";
import { defined } from "../../model/defined.ts";
import type { Fields, Intent, RequestSpec } from "../../model/request.ts";
import { type Json, isObject, valueAt } from "../../spec/json.ts";
import type { InterpretationId } from "../../spec/interpretations.ts";
import type { InputKind } from "../../spec/refusals.ts";

/** A request that a scenario sends as it is, or with a change. */
export interface Request extends RequestSpec {
  /**
   * Makes another valid request like this one, as the control of a request that must be refused.
   */
  readonly again?: () => Request;
}

/** Returns the part of a request that is sent: all but `again`. */
export function specOf(request: Request): RequestSpec {
  const spec: Request = { ...request };
  Reflect.deleteProperty(spec, "again");
  return spec;
}

/** Stands in a change in place of a value: the member is left out. */
export const leftOut: unique symbol = Symbol("left out");

/** A value that is made from the right value at the same place. */
export interface Derived {
  /** What the value is, in the same words in every run: `half of the right value`. */
  readonly words: string;
  readonly of: (right: Json) => Json;
}

export const derived = (words: string, of: Derived["of"]): Derived => ({ words, of });

/** A value as a text without quotes: `12.5`, `USDBRL`. */
export function asPlainText(value: Json): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** A value that stands at a place instead of the right one. */
export type Value = Json | typeof leftOut | Derived;

/** A change to a request. What the change does not name stays as it is. */
export interface Change {
  /**
   * What is changed, in words that follow "a request" and are the same in every run. @defaultValue
   * what `with` says, such as `with null at /currency_amount`
   */
  readonly what?: string;
  /** Other values, each by a JSON pointer to its place in the body. */
  readonly with?: Readonly<Record<string, Value>>;
  readonly body?: Json | ((right: Json) => Json);
  /**
   * The body as it is sent. In a text, … stands for those members of the right body that the text
   * does not name.
   */
  readonly text?: string | Uint8Array | ((right: Json) => string | Uint8Array);
  /** The query, with its question mark. */
  readonly query?: string | ((right: Json) => string);
  readonly headers?: Fields;
  /** The Content-Type header. Null: none. */
  readonly contentType?: string | null;
  /**
   * The changed request breaks no rule: a server may still refuse it, and a success is judged in
   * full. @defaultValue it breaks a rule
   */
  readonly breaksNoRule?: true;
  /**
   * The changed request breaks no rule, but a server may store something else, so that a success is
   * not judged in full.
   */
  readonly mayBeAltered?: true;
  /**
   * Where alone a server may store another text, although the request breaks no rule: all else of a
   * success is judged.
   */
  readonly alterable?: readonly string[];
  /**
   * The case under which the status of a refusal is observed, if the specification leaves the
   * status open.
   */
  readonly case?: string;
  /**
   * The interpretation by which only a crash or a success is judged, because HTTP servers refuse
   * such requests by themselves.
   */
  readonly exemptBy?: InterpretationId;
  /**
   * The odd text in the request, wherever it stands: `a quote as in SQL`. Requests with the same
   * text are counted together.
   */
  readonly odd?: string;
  /** The changes that share the request, as `sharing` makes them. */
  readonly parts?: readonly Change[];
  /** What is wrong, where no requirement says so that wants the request refused. */
  readonly input?: InputKind;
}

/** Returns the request with the change. The intent of the result is unusual or invalid. */
export function changed(request: Request, change?: Change): Request {
  if (change === undefined) return request;
  const { again, body, ...kept } = request;
  const what = wordsOf(change);
  const { query, headers, contentType } = besideBody(request, change);
  const { exemptBy } = change;
  return {
    ...kept,
    ...defined({ query, headers, contentType, exemptBy }),
    // If the request is accepted although it is unusual, its success is judged in full.
    intent: intentOf(change, what),
    ...changedBody(body, change),
    ...(change.with !== undefined && { varied: (values) => specOf(varied(request, values)) }),
    ...(again !== undefined && { again: () => withSameBeside(again(), change) }),
  };
}

/** The request with plain values, to find out which of the odd ones crashes a server, and how. */
function varied(request: Request, values: Readonly<Record<string, Json>>): Request {
  const places = Object.entries(values).map(([place, value]) => `${plainWords(value)} at ${place}`);
  const what = `with ${places.join(", ") || "right values"}`;
  return changed(request, { what, with: values, mayBeAltered: true });
}

function plainWords(value: Json): string {
  return typeof value === "string"
    ? `${[...value].length} characters`
    : asPlainText(value).slice(0, mostShown);
}

/** How many characters of a value stand in the words for a change. */
const mostShown = 40;

function intentOf(change: Change, what: string): Intent {
  const { alterable, breaksNoRule, mayBeAltered, odd, input, with: values } = change;
  const places = values && Object.keys(values);
  const headers = change.headers?.map(([name]) => name.toLowerCase());
  const parts = change.parts?.map(wordsOf);
  return {
    kind: breaksNoRule === true ? "unusual" : "invalid",
    change: what,
    ...defined({ alterable, mayBeAltered, odd, input, places, headers, parts }),
  };
}

/**
 * Joins changes of different members in one request, because a server may accept each of them. If
 * the request crashes the server, `observed` sends each of them alone, to find the one that does.
 */
export function sharing(parts: readonly Change[]): Change {
  return {
    with: Object.assign({}, ...parts.map((part) => part.with ?? {})),
    parts,
  };
}

/**
 * Returns the control with the query and the headers of the change, because a server may refuse
 * every query, or every Accept header.
 */
function withSameBeside(control: Request, change: Change): Request {
  const { query, headers } = besideBody(control, change);
  return { ...control, ...defined({ query, headers }) };
}

function besideBody({ body }: Request, { query, headers, contentType }: Change) {
  const right = typeof body === "function" ? null : (body ?? null);
  return { query: typeof query === "function" ? query(right) : query, headers, contentType };
}

/** What is changed, in words that follow "a request". */
export function wordsOf({ what, with: values = {} }: Change): string {
  if (what !== undefined) return what;
  const places = Object.entries(values).map(([pointer, value]) =>
    value === leftOut
      ? `with ${pointer} left out`
      : `with ${isDerived(value) ? value.words : JSON.stringify(value)} at ${pointer}`,
  );
  return places.join(" and ");
}

/** Whether a value is derived. A JSON value never has a function. */
function isDerived(value: Json | Derived): value is Derived {
  return isObject(value) && "of" in value && typeof value.of === "function";
}

function changedBody(
  body: RequestSpec["body"],
  change: Change,
): Pick<RequestSpec, "body" | "text"> {
  const made = <T>(make: (right: Json) => T): T | ((serial: number) => T) =>
    typeof body === "function" ? (serial) => make(body(serial)) : make(body ?? null);
  const { text } = change;
  if (text !== undefined) return { text: made((right) => changedText(text, right)) };
  if (body === undefined && change.body === undefined) return {};
  return { body: made((right) => bodyOf(change, right)) };
}

function bodyOf({ body, with: values = {} }: Change, right: Json): Json {
  if (typeof body === "function") return body(right);
  if (body !== undefined) return body;
  return Object.entries(values).reduce((other, [pointer, value]) => {
    if (value === leftOut) return withValue(other, pointer, undefined);
    const wrong = isDerived(value) ? value.of(valueAt(right, pointer) ?? "text") : value;
    return withValue(other, pointer, wrong);
  }, right);
}

function changedText(text: NonNullable<Change["text"]>, right: Json): string | Uint8Array {
  if (typeof text === "function") return text(right);
  if (typeof text !== "string") return text;
  const others = unnamedMembers(text, right);
  // If the text names all members, no comma may stand where the others would be.
  return (others === "" ? text.replaceAll(",…", "") : text).replaceAll("…", () => others);
}

/** The members of a body that a text does not name, as JSON without braces. */
function unnamedMembers(text: string, right: Json): string {
  const members = isObject(right) ? Object.entries(right) : [];
  return members
    .filter(([name]) => !text.includes(`"${name}":`))
    .map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
    .join(",");
}

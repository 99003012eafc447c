import type { RequirementId } from "../spec/catalogue.ts";
import type { InterpretationId } from "../spec/interpretations.ts";
import type { Json } from "../spec/json.ts";
import { takesToken, type OperationName } from "../spec/operations.ts";
import type { QuestionId } from "../spec/questions.ts";
import { inputKindOf, type InputKind } from "../spec/refusals.ts";

/** Header fields in the order in which they were sent. */
export type Fields = readonly (readonly [name: string, value: string])[];

/**
 * What a request is meant to be. `valid`: it breaks no rule. `unusual`: a server may refuse it, but
 * a success is judged in full. `invalid`: it breaks a rule, so that only status, media type, JSON
 * and the shape of errors are judged. `change` has the words that follow "a request".
 */
export type Intent =
  { readonly kind: "valid" } | ({ readonly kind: "unusual" | "invalid" } & Oddity);

/** What makes a request unusual or invalid. */
export interface Oddity {
  readonly change: string;
  readonly input?: InputKind;
  /**
   * A server may store other texts than the request has: of a success, only the types of these
   * texts are judged (INT-07).
   */
  readonly mayBeAltered?: true;
  /** Where alone a server may store another text, as JSON pointers (INT-07). */
  readonly alterable?: readonly string[];
  /** The odd text in the request, whichever member holds it: `a quote as in SQL`. */
  readonly odd?: string;
  /** The changes that share the request, each of which is also sent alone if it crashes. */
  readonly parts?: readonly string[];
  /** Where the body has another value than a valid one, as JSON pointers. */
  readonly places?: readonly string[];
  /** The names of the headers that are chosen for the request, in small letters. */
  readonly headers?: readonly string[];
}

export const valid: Intent = { kind: "valid" };
export const unusual = (change: string): Intent => ({ kind: "unusual", change });
export function invalid(change: string, input?: InputKind): Intent {
  return { kind: "invalid", change, input };
}

/**
 * The intent of a request. If it is invalid and a requirement states its refusal, the intent has a
 * kind of mistake: its own, or else the one that the requirement is about.
 */
export function intentOf({ intent, refusal }: RequestSpec): Intent {
  return intent.kind === "invalid" && refusal !== undefined
    ? { ...intent, input: intent.input ?? inputKindOf(refusal.requirement) }
    : intent;
}

/**
 * What makes a request unusual or invalid: `without currency_amount`. Empty for a valid request.
 */
export const changeOf = (intent: Intent): string => (intent.kind === "valid" ? "" : intent.change);

/**
 * An intent as reports show it: `valid`, `unusual: with a long name`, `invalid: without
 * currency_amount`.
 */
export function intentText(intent: Intent): string {
  if (intent.kind === "valid") return "valid";
  // A server may accept the request and show something else than was sent: it breaks no rule.
  return `${intent.mayBeAltered === true ? "unusual" : intent.kind}: ${intent.change}`;
}

/** A request as a part of a sentence: `a valid request`, `a request without currency_amount`. */
export function requestText(intent: Intent): string {
  return intent.kind === "valid" ? "a valid request" : `a request ${changeOf(intent)}`;
}

/** How a request must be refused: with `status` if there is one, or else with any 4xx. */
export interface Refusal {
  readonly requirement: RequirementId;
  /**
   * Which mistake the request makes, if the requirement names several, such as the two ways to
   * tamper with a token (INT-17). Each of them must be judged.
   */
  readonly form?: string;
  readonly status?: 400 | 401;
  /**
   * Makes a valid request like this one, a new one at each call. If the server refuses it in the
   * same way, the refusal shows nothing.
   */
  readonly control?: () => RequestSpec;
  /** The server refuses the control request too, for a reason of its own. */
  readonly isControlRefused?: boolean;
  /**
   * Makes a valid request that is sent right before, because a server may remember that it let the
   * client in.
   */
  readonly after?: () => RequestSpec;
}

/**
 * The name of what the response to a request that must be refused decides: the id of a requirement,
 * and the form if there is one.
 */
export function formOf({ requirement, form = "" }: Refusal): string {
  return `${requirement} ${form}`.trimEnd();
}

/**
 * The open question that a response answers, and in which case. The answer is what the server did,
 * or the `status` of a refusal.
 */
export interface Observes {
  readonly question: QuestionId;
  /** The name of the case. It is the same in every run and contains no drawn value and no id. */
  readonly case: string;
  readonly by?: "status";
}

/** What a repeated request waits for. */
interface Awaits {
  readonly isShown: (success: { readonly json: Json | undefined }) => boolean;
  /**
   * When to stop waiting, in milliseconds since the run started: after that, the next success
   * counts, whatever it shows.
   */
  readonly until: number;
}

/** What to send. The session adds the key or token, and the client adds the usual headers. */
export interface RequestSpec {
  readonly operation: OperationName;
  readonly intent: Intent;
  /** Values of the path parameters, before percent-encoding. */
  readonly path?: Readonly<Record<string, string>>;
  /** The query, including its question mark. */
  readonly query?: string;
  /**
   * The body as a JSON value, or a function that makes a new one each time the request is sent: the
   * values that must be unique from `serial`, so that no two bodies share them.
   */
  readonly body?: Json | ((serial: number) => Json);
  /**
   * A body that is sent as it is, in place of `body`, or a function that makes a new one each time.
   */
  readonly text?: string | Uint8Array | ((serial: number) => string | Uint8Array);
  /** The Content-Type header; null for none. @defaultValue application/json if there is a body */
  readonly contentType?: string | null;
  /** The Authorization header; null for none. @defaultValue the token of the session */
  readonly authorization?: string | null;
  /**
   * What of the request is made from the good token of the session, each time the request is sent:
   * a bad token, or a query with one.
   */
  readonly withToken?: (good: string) => Pick<RequestSpec, "authorization" | "query">;
  /** What makes the bad token of `$TOKEN` in a POSIX shell, for curl commands. */
  readonly tokenInShell?: string;
  /** The x-api-key header of the token endpoint; null for none. @defaultValue the configured key */
  readonly apiKey?: string | null;
  /**
   * Further headers. A header that every request has is replaced if it has the same name, in any
   * letter case.
   */
  readonly headers?: Fields;
  /**
   * Send the request on a connection that only requests with the same name here use, so that the
   * connection is idle between them.
   */
  readonly spareConnection?: string;
  /**
   * Send the request as the first one on a connection: a server may remember what a connection
   * carried before.
   */
  readonly isOnFreshConnection?: true;
  /**
   * When the newest resource that the request names was created, in milliseconds since 1970. A
   * server may not know a new resource at once (INT-43).
   */
  readonly since?: number;
  /** Send the request before all that wait to be sent, because others wait for its response. */
  readonly isUrgent?: true;
  /** A method other than that of the operation. */
  readonly method?: string;
  /** What must be true of the response if the request must be refused. */
  readonly refusal?: Refusal;
  readonly observes?: readonly Observes[];
  /**
   * Only a success counts. If the server refuses the request for a reason that may pass, the
   * request is sent again within the grace period.
   */
  readonly mustSucceed?: true;
  /**
   * With `mustSucceed`: the request is sent again until a success shows what the request waits for.
   */
  readonly awaits?: Awaits;
  /**
   * The interpretation by which a response that is no success is judged only for a crash, because
   * the request is odd on purpose. A success is judged in full.
   */
  readonly exemptBy?: InterpretationId;
  /**
   * Makes the same request with these values, by their places, in place of its odd ones: where none
   * is given, the right value stands. Absent if the request has no odd value at a place of its own.
   */
  readonly varied?: (values: Readonly<Record<string, Json>>) => RequestSpec;
}

/** Whether a request is sent with the token of the session. */
export function usesSession(spec: RequestSpec): boolean {
  return takesToken(spec.operation) && !presentsItsOwn(spec);
}

/**
 * Whether a request brings its own key or Authorization header, in place of the one that the
 * session would add.
 */
export function presentsItsOwn(spec: RequestSpec): boolean {
  return (
    spec.apiKey !== undefined || spec.authorization !== undefined || spec.withToken !== undefined
  );
}

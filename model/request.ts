import type { RequirementId } from "../spec/catalogue.ts";
import type { InterpretationId } from "../spec/interpretations.ts";
import type { Json } from "../spec/json.ts";
import type { OperationName } from "../spec/operations.ts";
import type { QuestionId } from "../spec/questions.ts";
import { inputKindOf, type InputKind } from "../spec/refusals.ts";

/** Header fields in the order in which they were sent. */
export type Fields = readonly (readonly [name: string, value: string])[];

/**
 * What a request is meant to be. `valid`: it breaks no rule. `unusual`: a server may refuse it, and
 * a success is judged in full. `invalid`: only status, media type, JSON and the shape of errors are
 * judged. `change` continues "a request".
 */
export type Intent =
  | { readonly kind: "valid" }
  | {
      readonly kind: "unusual" | "invalid";
      readonly change: string;
      readonly input?: InputKind;
      /**
       * It breaks no rule, but a server may store other texts: a success is judged for the types of
       * its texts too (INT-07).
       */
      readonly mayBeAltered?: true;
      /** The odd text that the request holds: `a quote as in SQL`. */
      readonly odd?: string;
    };

export const valid: Intent = { kind: "valid" };
export const unusual = (change: string, odd?: string): Intent => ({ kind: "unusual", change, odd });
export function invalid(change: string, input?: InputKind, odd?: string): Intent {
  return {
    kind: "invalid",
    change,
    input,
    odd,
  };
}

/**
 * The intent of a request that must be refused, with the kind of mistake that the requirement is
 * about.
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
  return intent.kind === "valid" ? "valid" : `${intent.kind}: ${changeOf(intent)}`;
}

/** A request as a part of a sentence: `a valid request`, `a request without currency_amount`. */
export function requestText(intent: Intent): string {
  return intent.kind === "valid" ? "a valid request" : `a request ${changeOf(intent)}`;
}

/**
 * Makes the body each time the request is sent. Values that must be unique differ with `serial`.
 */
export type BodyMaker = (serial: number) => Json;

/** How a request must be refused: with the one status that is stated, else with any 4xx. */
export interface Refusal {
  readonly requirement: RequirementId;
  /**
   * Which of several mistakes that the requirement names, such as both ways to tamper (INT-17).
   * Each must be judged.
   */
  readonly form?: string;
  readonly status?: 400 | 401;
  /**
   * Makes a valid request like this one, another at each call: if it is refused in the same way,
   * nothing is shown.
   */
  readonly control?: () => RequestSpec;
  /** The server refuses the control too, for a reason of its own. */
  readonly isControlRefused?: boolean;
  /**
   * A token that must be accepted afterwards: if it has lapsed, that explains why a token derived
   * from it was refused.
   */
  readonly derivedFrom?: string;
}

/**
 * What the response to a request that must be refused shows: a requirement, in one of its forms.
 */
export function formOf({ requirement, form = "" }: Refusal): string {
  return `${requirement} ${form}`.trimEnd();
}

/**
 * An open question, and its case, that a response answers: by what the server did, or by the
 * `status` of a refusal.
 */
export interface Observes {
  readonly question: QuestionId;
  /** The same in every run: no drawn value, no id. */
  readonly case: string;
  readonly by?: "status";
}

/** What a request is sent for. */
export interface Awaits {
  readonly isShown: (success: { readonly json: Json | undefined }) => boolean;
  /** Milliseconds since the run started after which the next success counts, whatever it shows. */
  readonly until: number;
}

/**
 * A request spec: what to send. The session adds the key or token, and the client the usual
 * headers.
 */
export interface RequestSpec {
  readonly operation: OperationName;
  readonly intent: Intent;
  /** Values of the path parameters, not yet percent-encoded. */
  readonly path?: Readonly<Record<string, string>>;
  /** The query, including its question mark. */
  readonly query?: string;
  /** A JSON value, or a function that makes one each time the request is sent. */
  readonly body?: Json | BodyMaker;
  /** A body that is sent as it is, instead of `body`, or a function that makes one each time. */
  readonly text?: string | Uint8Array | ((serial: number) => string | Uint8Array);
  /** Null: no Content-Type. @defaultValue application/json if there is a body */
  readonly contentType?: string | null;
  /** The Authorization header. Null: none. @defaultValue the token of the session */
  readonly authorization?: string | null;
  /** The x-api-key header of the token endpoint. Null: none. @defaultValue the configured key */
  readonly apiKey?: string | null;
  /**
   * Added to the headers that every request has; a header of the same name, in any letter case, is
   * replaced.
   */
  readonly headers?: Fields;
  /**
   * Sent on a connection that other requests do not use, so that it is idle between such requests.
   */
  readonly isOnSpareConnection?: true;
  /** A method other than the operation's. */
  readonly method?: string;
  /** The requirement that the request is about, if it must be refused. */
  readonly refusal?: Refusal;
  readonly observes?: readonly Observes[];
  /**
   * It counts only with a success: a refusal that may pass is met with the request again, within
   * the grace period.
   */
  readonly mustSucceed?: true;
  /** With `mustSucceed`: the request is sent again until a success shows what it is sent for. */
  readonly awaits?: Awaits;
  /**
   * The interpretation by which only a crash is judged, unless the request succeeds: it is odd on
   * purpose.
   */
  readonly exemptBy?: InterpretationId;
}

/** Whether a request goes out with the token of the session. */
export function usesSession(spec: RequestSpec): boolean {
  return spec.operation !== "createToken" && spec.authorization === undefined;
}

/**
 * Whether a request presents a key or an Authorization header of its own, in place of the
 * session's.
 */
export function presentsItsOwn(spec: RequestSpec): boolean {
  return spec.apiKey !== undefined || spec.authorization !== undefined;
}

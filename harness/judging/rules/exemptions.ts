import {
  fieldOf,
  isOtherMethod,
  isRedirection,
  isRefusal,
  isSuccess,
  utf8,
  type Exchange,
} from "../../../model/exchange.ts";
import type { InterpretationId } from "../../../spec/interpretations.ts";
import type { OperationName } from "../../../spec/operations.ts";

/**
 * What decides whether an exchange is exempt: what its sender made odd on purpose. A base URL and an
 * id of the server exempt nothing, however odd they are, as the sender did not choose them.
 */
export interface ExemptionCandidate extends Pick<
  Exchange,
  "operation" | "intent" | "request" | "response"
> {
  /**
   * The decoded values of the path parameters: ids of the server or of the user, or made-up ids.
   */
  readonly path: readonly string[];
  /** The interpretation that exempts what the sender made odd. A success is never exempt by it. */
  readonly exemptBy?: InterpretationId | undefined;
  /**
   * Whether a requirement states how the request is refused. If so, a redirection is exempt here,
   * because the rule on refusals judges it.
   */
  readonly statesRefusal: boolean;
}

/** What a client may send although the server need not read it, and the interpretation that says so. */
const odd: readonly (readonly [
  InterpretationId,
  (exchange: Pick<Exchange, "request" | "response">) => boolean,
])[] = [
  ["INT-41", ({ request }) => request.body !== undefined && utf8(request.body) === undefined],
  [
    "INT-44",
    ({ request }) => !/^(identity)?$/i.test(fieldOf(request.headers, "content-encoding") ?? ""),
  ],
  [
    "INT-66",
    ({ request, response }) =>
      response.status === 206 && fieldOf(request.headers, "range") !== undefined,
  ],
  ["INT-47", ({ request }) => !acceptsJson(fieldOf(request.headers, "accept"))],
];

/** Whether a response redirects. A 304 does not: it stands for an earlier list (INT-34). */
function isRedirected(candidate: ExemptionCandidate): boolean {
  return isRedirection(candidate) && candidate.response.status !== 304;
}

/**
 * The characters in the path parameters that must be percent-encoded, each once. Proxies refuse
 * some of them.
 */
function encodedIn({ path }: Pick<ExemptionCandidate, "path">): readonly string[] {
  return [
    ...new Set(
      path
        .map((value) => value.toWellFormed())
        // Most paths have nothing to encode.
        .filter((value) => encodeURIComponent(value) !== value)
        .flatMap((value) => [...value])
        .filter((one) => encodeURIComponent(one) !== one),
    ),
  ];
}

/** Whether an Accept header allows `application/json`. A missing header does (RFC 9110, 12.5.1). */
function acceptsJson(accept = "*/*"): boolean {
  return accept.split(",").some((range) => {
    const [type = "", ...parameters] = range.split(";").map((part) => part.trim().toLowerCase());
    const isRefused = parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
    return ["*/*", "application/*", "application/json"].includes(type) && !isRefused;
  });
}

/**
 * Says which interpretation exempts an exchange, from what was sent and from what earlier exchanges
 * showed.
 */
export function createExemptions() {
  /** The operations and characters in paths that it has accepted. */
  const accepted = new Set<string>();
  /** Operations that accepted a valid request, and have not redirected one since. */
  const answering = new Set<OperationName>();
  return {
    /** The interpretation by which only a crash is judged. Undefined if everything is judged. */
    of: (candidate: ExemptionCandidate): InterpretationId | undefined => {
      const { exemptBy, intent, operation, statesRefusal } = candidate;
      if (exemptBy !== undefined && !isSuccess(candidate)) return exemptBy;
      // Of an unknown method, a redirection says nothing of the operation that the path has.
      if (isOtherMethod(candidate)) return "INT-38";
      const isOpen = intent.kind !== "invalid" || statesRefusal || !answering.has(operation);
      if (isRedirected(candidate) && isOpen) return "INT-34";
      const isPathKnown = encodedIn(candidate).every((one) => accepted.has(`${operation} ${one}`));
      if (isRefusal(candidate) && !isPathKnown) return "INT-21";
      return odd.find(([, applies]) => applies(candidate))?.[0];
    },
    /** Takes note of what an exchange shows of the target. */
    learn: (candidate: ExemptionCandidate): void => {
      const { operation, intent } = candidate;
      if (intent.kind !== "valid" || isOtherMethod(candidate)) return;
      if (isRedirected(candidate)) answering.delete(operation);
      if (!isSuccess(candidate)) return;
      answering.add(operation);
      for (const one of encodedIn(candidate)) accepted.add(`${operation} ${one}`);
    },
  };
}

import { fieldOf, isRedirection, type Exchange, type ReceivedResponse } from "../model/exchange.ts";
import type { Gap } from "../spec/gaps.ts";
import type { OperationName } from "../spec/operations.ts";

/**
 * Thrown if a precondition cannot be reached. The message says which precondition, what the server
 * answered, and what the user can configure.
 */
export class Inconclusive extends Error {
  override readonly name: string = "Inconclusive";
  /** What was missing, if that is nobody's fault (INT-57). */
  readonly gap: Gap | undefined;
  /** The operation whose responses keep the scenario from going on, if one does. */
  readonly blockedAt: OperationName | undefined;

  constructor(reason: string, gap?: Gap, blockedAt?: OperationName) {
    super(reason);
    this.gap = gap;
    this.blockedAt = blockedAt;
  }
}

/**
 * Resolves to the value of a promise, or to undefined if a precondition could not be reached
 * (Inconclusive), so that the caller can go on. Rejects with any other error.
 */
export async function orNothing<T>(value: Promise<T>): Promise<T | undefined> {
  try {
    return await value;
  } catch (error) {
    if (error instanceof Inconclusive) return undefined;
    throw error;
  }
}

/** Thrown instead of sending one bad credential more than the user allows. */
export class BadCredentialsSpent extends Inconclusive {
  constructor(most: number) {
    super(
      `checking this takes a bad credential, of which --max-bad-credentials allows ${most}`,
      "bad credentials",
    );
  }
}

/** What the user can check if a target refuses valid requests, for each operation. */
export const hintOn: Readonly<Record<OperationName, string>> = {
  createToken: "Check the API key (--api-key).",
  createCounterparty:
    "Check --customer-id, and whether this server accepts the counterparties that the suite makes up.",
  createOperation:
    "Check --currency-pairs, --amount and whether the purpose EFX is open to this client.",
  addAcamItem: "Check whether this client may add ACAM items to operations with the purpose EFX.",
  createBatch:
    "Check --currency-pairs, --batch-members and whether this client may create batches.",
  listBatches: "Check whether this client may list batches.",
};

/** What the user can check after a response that a valid request should not get. */
export function hintAfter({ request, response }: Exchange, usual: string): string {
  return isRedirection({ response }) ? redirectionAdvice(request.url, response) : usual;
}

/** What to do about a redirection of a request to a URL. */
export function redirectionAdvice(
  url: string,
  { headers }: Pick<ReceivedResponse, "headers">,
): string {
  const from = new URL(url);
  const location = fieldOf(headers, "location") ?? "";
  const to = URL.canParse(location, url) ? new URL(location, url) : from;
  const way = "Redirections are not followed";
  if (to.pathname === `${from.pathname}/`)
    return `${way}, and the paths of the specification have no slash at their end: the server must answer this path itself. No --base-url mends that.`;
  if (to.pathname === from.pathname && to.origin !== from.origin)
    return `${way}: put ${to.origin} in the place of ${from.origin} into --base-url.`;
  return `${way}: use what stands before the path of the operation in that address as --base-url.`;
}

/** What was thrown, as a text: an error with its stack. */
export function stackOf(thrown: unknown): string {
  return thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
}

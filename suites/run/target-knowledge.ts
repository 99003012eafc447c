import type { SentRow, TaxIdKind } from "../../generators/index.ts";
import { endpoints } from "../../spec/endpoints.ts";
import { Inconclusive } from "../../harness/errors.ts";
import { resultOf } from "../../harness/sending/turns.ts";
import { isSuccess, type Exchange } from "../../model/exchange.ts";
import { memberOf, type Json, type JsonObject } from "../../spec/json.ts";
import type { Target } from "../../model/target.ts";
import { operationTitle } from "../../spec/operations.ts";

/** A valid body of POST /corporate/operation. */
export interface OperationBody extends JsonObject {
  readonly currency_amount: number;
  readonly operation_purpose: string;
  readonly currency_pair: string;
  readonly counterparty_id: string;
}

/** A resource that the run created. */
export interface Created {
  readonly id: string;
  /** When the response came, in milliseconds since 1970. */
  readonly at: number;
  readonly exchange: Exchange;
  /** The body that was sent. */
  readonly body: Json;
}

/**
 * Returns the id of the resource that an exchange created. Returns undefined if the exchange was no
 * success, or if its response has no id that a request could name.
 */
export function createdId(exchange: Exchange): string | undefined {
  const id = memberOf(exchange.json, endpoints[exchange.operation].creates?.member ?? "id");
  if (!isSuccess(exchange)) return undefined;
  // An id that is a number breaks a rule, but still shows which resource is meant (INT-48).
  if (typeof id === "number" && Number.isSafeInteger(id)) return String(id);
  return typeof id === "string" && id !== "" ? id : undefined;
}

/**
 * Returns the resource that a success created. Throws Inconclusive if the response has no id; the
 * rules judge such a response anyway.
 */
export function created(exchange: Exchange): Created {
  const id = createdId(exchange);
  if (id === undefined) {
    const title = operationTitle(exchange.operation);
    throw new Inconclusive(
      `the success of ${title} has no id, and nothing can be done with what it created`,
      undefined,
      exchange.operation,
    );
  }
  return { id, at: now(), exchange, body: exchange.request.json ?? null };
}

export interface TargetFacts {
  readonly firstCounterparty?: Created;
  readonly lastCounterparty?: Json;
  /** Whether the target refuses further counterparties, as a server may have a limit (INT-11). */
  readonly counterpartiesAreFull: boolean;
  /** Whether the target takes only one operation for each payee. Absent until that was tried. */
  readonly payeesServeOnce?: boolean;
  /** Whether the target refuses further operations, even for a fresh counterparty. */
  readonly operationsAreFull: boolean;
  /** The id of the EFX operation that was created last. */
  readonly lastOperation?: string;
  readonly lastOperationBody?: OperationBody;
  /** The body of the batch that was made last, whether it was sent or not. */
  readonly lastBatchBody?: JsonObject;
  /** The kind of tax id that ACAM items get: that of companies if that of people is refused. */
  readonly taxIdKind: TaxIdKind;
  /**
   * The target with accepted values in place of configured ones. Absent if it accepts the
   * configured values.
   */
  readonly corrected?: Target;
  /**
   * The purpose that operations get if EFX is refused. `efxRefusal`: what the target answered to
   * EFX.
   */
  readonly purposeInstead?: string;
  readonly efxRefusal?: string;
}

export type TargetKnowledge = ReturnType<typeof createTargetKnowledge>;

/**
 * What the run has learnt of the target so far. Scenarios read these facts; only the methods write
 * them.
 */
export function createTargetKnowledge(signal: AbortSignal) {
  const facts: TargetFacts = {
    counterpartiesAreFull: false,
    operationsAreFull: false,
    taxIdKind: "CPF",
  };
  const found = new Map<string, Promise<unknown>>();
  const payees = new Map<string, Promise<unknown>>();
  const sentRows: SentRow[] = [];
  let fresh = 0;
  const learn = (values: Partial<TargetFacts>): void => void Object.assign(facts, values);
  return Object.assign(facts, {
    learn,
    createdOperation: (made: Created): void => {
      const lastOperationBody = made.body as OperationBody;
      const isEfx = lastOperationBody.operation_purpose === "EFX";
      learn({ lastOperationBody, ...(isEfx && { lastOperation: made.id }) });
    },
    /**
     * Returns the promise of a counterparty's first operation, or undefined before the operation is
     * sent.
     */
    firstOperationOf: (counterparty: string): Promise<unknown> | undefined => {
      const first = payees.get(counterparty);
      return first && resultOf("the first operation of a payee", signal, first);
    },
    serves: (counterparty: string, operation: Promise<unknown>): void =>
      void payees.set(counterparty, operation),
    /** Returns a new number at each call, for the data of a fresh counterparty. */
    nextFresh: (): number => (fresh += 1),
    /** The rows of designs whose requests were answered. */
    sentRows,
    /** Second tries of refused payees, in an accepted country. */
    elsewhere: createTries(),
    /** Second tries of refused operations, for a fresh payee. */
    forFreshPayee: createTries(),
    /** Finds a value once, however many scenarios ask for it. */
    once: <T>(name: string, find: () => Promise<T>): Promise<T> => {
      const known = found.get(name) ?? find();
      found.set(name, known);
      return resultOf(`the ${name}`, signal, known as Promise<T>);
    },
  });
}

/** After so many second tries that failed, no further one is made. */
const mostFailedTries = 3;

/**
 * Makes second tries of what was refused, until a few of them have failed and none has succeeded. A
 * try resolves to undefined if it fails.
 */
function createTries() {
  let failed = 0;
  return async <T>(attempt: () => Promise<T | undefined>): Promise<T | undefined> => {
    if (failed >= mostFailedTries) return undefined;
    const result = await attempt();
    failed = result === undefined ? failed + 1 : -Infinity;
    return result;
  };
}

/**
 * Returns the time in milliseconds since 1970. This clock is more precise than `Date`, and the same
 * in all threads of the process.
 */
export const now = (): number => performance.timeOrigin + performance.now();

import { endpoints } from "../../spec/endpoints.ts";
import { Inconclusive } from "../../harness/errors.ts";
import { isSuccess, type Exchange } from "../../model/exchange.ts";
import { memberOf, type Json, type JsonObject } from "../../spec/json.ts";
import type { AmountRange, Target } from "../../model/target.ts";

import { operationTitle, type OperationName } from "../../spec/operations.ts";

/** A valid body of POST /corporate/operation. */
export interface OperationBody extends JsonObject {
  readonly currency_amount: number;
  readonly operation_purpose: string;
  readonly currency_pair: string;
  readonly counterparty_id: string;
}

export interface Made {
  readonly id: string;
  readonly exchange: Exchange;
  readonly body: Json;
}

/**
 * The id of what an exchange created. Undefined if it created nothing that a request could name.
 */
export function createdId(exchange: Exchange): string | undefined {
  const id = memberOf(exchange.json, endpoints[exchange.operation].creates?.member ?? "id");
  if (!isSuccess(exchange)) return undefined;
  // A number shows which id is meant (INT-48).
  if (typeof id === "number" && Number.isSafeInteger(id)) return String(id);
  return typeof id === "string" && id !== "" ? id : undefined;
}

/**
 * What a success created. Throws Inconclusive if the response has no id; the standing checks judge
 * that.
 */
export function created(exchange: Exchange): Made {
  const id = createdId(exchange);
  if (id === undefined) {
    const title = operationTitle(exchange.operation);
    throw new Inconclusive(
      `the success of ${title} has no id, and nothing can be done with what it created`,
      undefined,
      exchange.operation,
    );
  }
  return { id, exchange, body: exchange.request.json ?? null };
}

/** The number of digits in a tax id: 11 for a person, 14 for a company. */
export type TaxIdLength = 11 | 14;

export interface TargetFacts {
  readonly firstCounterparty?: Made;
  readonly lastCounterparty?: Json;
  /** The target accepts no more counterparties, as servers have limits (INT-11). */
  readonly counterpartiesAreFull: boolean;
  /** A payee that had an operation was refused a second one, and a fresh payee was accepted. */
  readonly payeesServeOnce?: boolean;
  /** The target accepts no more operations, not even for a fresh counterparty. */
  readonly operationsAreFull: boolean;
  /** The id of the EFX operation that was created last. */
  readonly lastOperation?: string;
  readonly lastOperationBody?: OperationBody;
  /** The body of the batch that was made last, whether it was sent or not. */
  readonly lastBatchBody?: JsonObject;
  /**
   * The kind of tax id that ACAM items must have: a server may accept only people, or only
   * companies.
   */
  readonly taxIdLength?: TaxIdLength;
  /** The kind of tax id of the first item that was accepted. */
  readonly acceptedTaxIdLength?: TaxIdLength;
  /**
   * The amounts that ACAM items must have, whatever the amount of their operation. Negative
   * decimals mean multiples of ten, and so on.
   */
  readonly itemLimits?: AmountRange;
  /**
   * Whether the target accepts an item only as the first request after its operation. Absent until
   * that was tried.
   */
  readonly itemsAtOnce?: boolean;
  /**
   * The target with accepted values in place of configured ones. Absent if it accepts the
   * configured values.
   */
  readonly corrected?: Target;
  /** The purpose of operations if EFX is refused, and the words of that refusal. */
  readonly purposeInstead?: string;
  readonly efxRefusal?: string;
}

export type TargetKnowledge = ReturnType<typeof createTargetKnowledge>;

/**
 * What the run has learnt of the target so far. Scenarios read these facts; only the methods write
 * them.
 */
export function createTargetKnowledge() {
  const facts: TargetFacts = {
    counterpartiesAreFull: false,
    operationsAreFull: false,
  };
  const found = new Map<string, Promise<unknown>>();
  const acceptance = createAcceptance();
  const payees = new Map<string, Promise<unknown>>();
  let fresh = 0;
  const learn = (values: Partial<TargetFacts>): void => void Object.assign(facts, values);
  return Object.assign(facts, {
    learn,
    ...acceptance,
    createdOperation: (made: Made): void => {
      const lastOperationBody = made.body as OperationBody;
      const isEfx = lastOperationBody.operation_purpose === "EFX";
      learn({ lastOperationBody, ...(isEfx && { lastOperation: made.id }) });
    },
    /** The first operation of a counterparty, from the moment when it is sent. */
    firstOperationOf: (counterparty: string): Promise<unknown> | undefined =>
      payees.get(counterparty),
    serves: (counterparty: string, operation: Promise<unknown>): void =>
      void payees.set(counterparty, operation),
    /** A new number for each fresh counterparty. */
    nextFresh: (): number => (fresh += 1),
    /** Finds a value once, however many scenarios ask for it. */
    once: <T>(name: string, find: () => Promise<T>): Promise<T> => {
      const known = found.get(name) ?? find();
      found.set(name, known);
      return known as Promise<T>;
    },
  });
}

function createAcceptance() {
  const accepted = new Set<OperationName>();
  const refused = new Set<OperationName>();
  return {
    accepted: (operation: OperationName): void => void accepted.add(operation),
    refusedThroughout: (operation: OperationName): void => {
      if (!accepted.has(operation)) refused.add(operation);
    },
    /**
     * Whether an operation has refused valid requests through a whole grace period, and has never
     * accepted one.
     */
    refuses: (operation: OperationName): boolean => refused.has(operation),
  };
}

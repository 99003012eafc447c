import { judgeMessage } from "../../harness/judging/rules/message.ts";
import { isRefusal, isSuccess, memberOf, type Exchange, type Json } from "../../model/exchange.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";

/** The amounts that a target accepts, if they are fewer than the configured ones. */
export interface AmountLimits {
  readonly min: number;
  readonly max: number;
  /** Negative if only multiples of ten, of a hundred and so on are accepted. */
  readonly decimals: number;
}

/** Something that the target created for us. */
export interface Made {
  readonly id: string;
  readonly exchange: Exchange;
  /** The request's body as it was sent. */
  readonly body: Json;
}

/** Digits of a tax id: 11 for a person, 14 for a company. */
export type TaxIdLength = 11 | 14;

/** The facts about the target that scenarios share. */
interface Facts {
  /** The longest time, in milliseconds, until a new resource was known to another operation. */
  readonly lag: number;
  readonly firstCounterparty?: Made;
  /** The body of the counterparty that was accepted last. */
  readonly lastCounterparty?: Json;
  /** The target accepts no more counterparties: servers have limits (INT-11). */
  readonly counterpartiesAreFull: boolean;
  /** The usual countries of a counterparty's bank were refused, and another was accepted. */
  readonly takesFewCountries: boolean;
  /** The id of the EFX operation that was created last. */
  readonly lastOperation?: string;
  /** The body of the operation that was accepted last. */
  readonly lastOperationBody?: Json;
  /** The kind of tax id that ACAM items need: a server may accept only people, or only companies. */
  readonly taxIdLength?: TaxIdLength;
  /** The amounts that operations need; absent while the configured ones are accepted. */
  readonly operationLimits?: AmountLimits;
  /** The amounts that ACAM items need, whatever the amount of their operation. */
  readonly itemLimits?: AmountLimits;
  /**
   * Whether an item that is refused otherwise is accepted as the first request after its operation: later, the
   * operation may be in a batch, for example. Absent until that was tried.
   */
  readonly itemsAtOnce?: boolean;
  /**
   * Replacements for values that are refused for operations: another pair for each pair, and a purpose instead of EFX.
   */
  readonly pairsInstead: Readonly<Record<string, string>>;
  readonly purposeInstead?: string;
  /** Most batches that a list has shown. */
  readonly mostListed: number;
  /** Some batch that was shown had an operation in it. */
  readonly showsBatchedOperations: boolean;
}

/** What this run has learnt about the target so far. Scenarios read the facts; only the methods write them. */
export type TargetKnowledge = ReturnType<typeof createTargetKnowledge>;

export const createTargetKnowledge = () => {
  const accepted = new Set<OperationName>();
  const refused = new Set<OperationName>();
  const succeeded = new Set<OperationName>();
  const unreadable = new Map<string, RequirementId | undefined>();
  const found = new Map<string, Promise<unknown>>();
  const first = new Map<OperationName, Promise<unknown>>();
  const inVain = new Set<OperationName>();
  const facts: { -readonly [K in keyof Facts]: Facts[K] } = {
    lag: 0,
    counterpartiesAreFull: false,
    takesFewCountries: false,
    pairsInstead: {},
    mostListed: 0,
    showsBatchedOperations: false,
  };
  const methods = {
    /** Whether a valid request of the operation has succeeded. */
    accepts: (operation: OperationName): boolean => accepted.has(operation),
    /** Whether the operation refused valid requests through a whole grace period and never accepted one. */
    refuses: (operation: OperationName): boolean => refused.has(operation),
    succeeds: (operation: OperationName): boolean => succeeded.has(operation),
    /** The requirement because of which no such response could be read; undefined if one was, or none was seen. */
    unreadable: (operation: OperationName, kind: "success" | "refusal"): RequirementId | undefined =>
      unreadable.get(`${operation} ${kind}`),
    /** Finds a value once, however many scenarios need it. */
    once: <T>(name: string, find: () => Promise<T>): Promise<T> => {
      const known = found.get(name) ?? find();
      found.set(name, known);
      return known as Promise<T>;
    },
    /** Whether variations of a refused valid request are worth their requests. */
    isWorthVarying: (operation: OperationName): boolean => !inVain.has(operation),
    /** Runs the tasks of an operation one at a time until it accepts a valid request, so that one finds out how. */
    oneFirst: async <T>(operation: OperationName, task: () => Promise<T>): Promise<T> => {
      while (!accepted.has(operation)) {
        const running = first.get(operation);
        if (running === undefined) {
          const own = task();
          const ended = own.then(
            () => first.delete(operation),
            () => first.delete(operation),
          );
          first.set(operation, ended);
          return own;
        }
        await running;
      }
      return task();
    },
    accepted: (operation: OperationName): void => void accepted.add(operation),
    refusedThroughout: (operation: OperationName): void => {
      if (!accepted.has(operation)) refused.add(operation);
    },
    /** A new resource was known to another operation only after this many milliseconds. */
    lagged: (ms: number): void => {
      facts.lag = Math.max(facts.lag, ms);
    },
    counterpartyCreated: (made: Made, sent: Json): void => {
      facts.firstCounterparty ??= made;
      facts.lastCounterparty = sent;
    },
    counterpartiesFilled: (): void => {
      facts.counterpartiesAreFull = true;
    },
    operationCreated: ({ id, body }: Made, isEfx: boolean): void => {
      if (isEfx) facts.lastOperation = id;
      facts.lastOperationBody = body;
    },
    /** The target accepts operations, or items, with these values instead of the usual ones. */
    adapted: (values: Partial<Facts>): void => void Object.assign(facts, values),
    /** No variation of a refused valid request was accepted, so none is tried again. */
    variedInVain: (operation: OperationName): void => void inVain.add(operation),
    taxIdNeeded: (length: TaxIdLength): void => {
      facts.taxIdLength = length;
    },
    /** Takes note of what any response shows. */
    responded: (exchange: Exchange): void => {
      const { operation, json } = exchange;
      if (exchange.exemptBy !== undefined) return;
      if (isRefusal(exchange)) keepReadable(`${operation} refusal`, requirementBroken(exchange));
      if (!isSuccess(exchange)) return;
      succeeded.add(operation);
      keepReadable(`${operation} success`, json === undefined ? requirementBroken(exchange) : undefined);
      if (json === undefined) return;
      const batches = operation === "listBatches" ? listIn(json, "batches") : operation === "createBatch" ? [json] : [];
      if (operation === "listBatches") facts.mostListed = Math.max(facts.mostListed, batches.length);
      if (batches.some((batch) => listIn(batch, "operations").length > 0)) facts.showsBatchedOperations = true;
    },
  };
  return Object.assign(facts as Facts, methods);

  /** Once one response was read, the operation is readable. */
  function keepReadable(key: string, requirement: RequirementId | undefined): void {
    if (unreadable.has(key) && unreadable.get(key) === undefined) return;
    unreadable.set(key, requirement);
  }
};

const requirementBroken = (exchange: Exchange): RequirementId | undefined =>
  judgeMessage(exchange).find(({ violation }) => violation !== undefined)?.requirement;

const listIn = (json: Json, name: string): readonly Json[] => {
  const list = memberOf(json, name);
  return Array.isArray(list) ? (list as readonly Json[]) : [];
};

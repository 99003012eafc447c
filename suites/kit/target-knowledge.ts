import { judgeMessage } from "../../harness/judging/checks/message.ts";
import { isRefusal, isSuccess, memberOf, type Exchange, type Json } from "../../model/exchange.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";

/** Amounts that a target was seen to accept, where these are fewer than the configured ones. */
export interface AmountLimits {
  readonly min: number;
  readonly max: number;
  /** Negative where only multiples of ten, of a hundred, … are accepted. */
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
  /** Longest time, in milliseconds, that something new took to be known to another operation. */
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
  /** The kind of tax id that ACAM items need here: servers may take people alone, or companies. */
  readonly taxIdLength?: TaxIdLength;
  /** Amounts that operations need here; absent while the configured ones are accepted. */
  readonly operationLimits?: AmountLimits;
  /** Amounts that ACAM items need here, whatever their operation allows. */
  readonly itemLimits?: AmountLimits;
  /**
   * Whether an item is accepted if it is the first request after its operation, where it is refused otherwise: meanwhile
   * the operation may come into a batch, say. Absent while that was not tried.
   */
  readonly itemsAtOnce?: boolean;
  /** What operations are created with where the usual is refused: another pair by pair, and a purpose in place of EFX. */
  readonly pairsInstead: Readonly<Record<string, string>>;
  readonly purposeInstead?: string;
  /** Valid requests were refused with 403 for longer than a run waits for the end of a block. */
  readonly blocks: boolean;
  /** A token was dead each time after an altered one was sent: waiting for one that stays alive is in vain. */
  readonly alteredTokensEndOthers: boolean;
  /** Most batches that a list has shown. */
  readonly mostListed: number;
  /** Some batch that was shown had an operation in it. */
  readonly showsBatchedOperations: boolean;
}

/** What this run has learnt about the target so far. Scenarios read it; only these methods write it. */
export interface TargetKnowledge extends Facts {
  /** Whether a valid request of the operation has succeeded. */
  readonly accepts: (operation: OperationName) => boolean;
  /** Whether the operation refused valid requests through a whole grace period and never accepted one. */
  readonly refuses: (operation: OperationName) => boolean;
  readonly succeeds: (operation: OperationName) => boolean;
  /** The requirement that kept every success, or every refusal, from being read; absent where one was, or none was seen. */
  readonly unreadable: (operation: OperationName, kind: "success" | "refusal") => RequirementId | undefined;
  /** A value that is found once, however many scenarios need it. */
  readonly once: <T>(name: string, find: () => Promise<T>) => Promise<T>;
  /** Whether variations of a refused valid request are worth their requests. */
  readonly isWorthVarying: (operation: OperationName) => boolean;
  /** Runs the tasks of an operation one at a time until it has accepted a valid request, so that one finds out how. */
  readonly oneFirst: <T>(operation: OperationName, task: () => Promise<T>) => Promise<T>;

  readonly accepted: (operation: OperationName) => void;
  readonly refusedThroughout: (operation: OperationName) => void;
  /** Something new was known to another operation only after so many milliseconds. */
  readonly lagged: (ms: number) => void;
  readonly counterpartyCreated: (made: Made, sent: Json) => void;
  readonly counterpartiesFilled: () => void;
  readonly operationCreated: (made: Made, isEfx: boolean) => void;
  readonly taxIdNeeded: (length: TaxIdLength) => void;
  /** Operations, or items, are accepted with these values in place of the usual ones. */
  readonly adapted: (
    values: Partial<
      Pick<
        Facts,
        "operationLimits" | "itemLimits" | "itemsAtOnce" | "takesFewCountries" | "pairsInstead" | "purposeInstead"
      >
    >,
  ) => void;
  /** No variation of a refused valid request was accepted: none is tried again. */
  readonly variedInVain: (operation: OperationName) => void;
  readonly blocked: () => void;
  readonly tokenEnded: () => void;
  /** Takes note of what any response shows. */
  readonly responded: (exchange: Exchange) => void;
}

export const createTargetKnowledge = (): TargetKnowledge => {
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
    blocks: false,
    pairsInstead: {},
    alteredTokensEndOthers: false,
    mostListed: 0,
    showsBatchedOperations: false,
  };
  const methods: Omit<TargetKnowledge, keyof Facts> = {
    accepts: (operation) => accepted.has(operation),
    refuses: (operation) => refused.has(operation),
    succeeds: (operation) => succeeded.has(operation),
    unreadable: (operation, kind) => unreadable.get(`${operation} ${kind}`),
    once: <T>(name: string, find: () => Promise<T>): Promise<T> => {
      const known = found.get(name) ?? find();
      found.set(name, known);
      return known as Promise<T>;
    },
    isWorthVarying: (operation) => !inVain.has(operation),
    oneFirst: async (operation, task) => {
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
    accepted: (operation) => void accepted.add(operation),
    refusedThroughout: (operation) => {
      if (!accepted.has(operation)) refused.add(operation);
    },
    lagged: (ms) => {
      facts.lag = Math.max(facts.lag, ms);
    },
    counterpartyCreated: (made, sent) => {
      facts.firstCounterparty ??= made;
      facts.lastCounterparty = sent;
    },
    counterpartiesFilled: () => {
      facts.counterpartiesAreFull = true;
    },
    operationCreated: ({ id, body }, isEfx) => {
      if (isEfx) facts.lastOperation = id;
      facts.lastOperationBody = body;
    },
    adapted: (values) => void Object.assign(facts, values),
    variedInVain: (operation) => void inVain.add(operation),
    taxIdNeeded: (length) => {
      facts.taxIdLength = length;
    },
    blocked: () => {
      facts.blocks = true;
    },
    tokenEnded: () => {
      facts.alteredTokensEndOthers = true;
    },
    responded: (exchange) => {
      const { operation, json } = exchange;
      if (exchange.offContract) return;
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
  return Object.assign(facts, methods);

  /** Once something was read, the operation is readable. */
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

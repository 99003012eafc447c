import type { Exchange, Json } from "../../model/exchange.ts";
import type { OperationName } from "../../spec/operations.ts";

/** Something that the target made for us. */
export interface Made {
  readonly id: string;
  readonly exchange: Exchange;
  /** The request's body as it was sent. */
  readonly body: Json;
}

/** What scenarios of one run find out once and share. */
export interface TargetKnowledge {
  /** Operations that answered a valid request with success. */
  readonly accepted: Set<OperationName>;
  /** Operations that refused valid requests through a whole grace period and never accepted one. */
  readonly refusedForGood: Set<OperationName>;
  /** Longest time, in milliseconds, that something just made took to be known to another operation. */
  readonly lag: { longest: number };
  /**
   * The first counterparty that was made, the last body that was taken, and whether the target takes no more of them:
   * servers have limits (ruling 11).
   */
  readonly counterparties: { first?: Made; last?: Json; areFull: boolean };
  /** The id of the last EFX operation that was created as a step of a scenario. */
  lastOperation?: string;
  /** The length of the tax ids that ACAM items have to have here: servers may take people alone, or companies. */
  readonly acam: { taxIdLength?: number };
  /** Whether valid requests were refused with 403 for longer than one waits for the end of a block. */
  readonly blocked: { forGood: boolean };
  /** A value that is found out once, however many ask for it. */
  readonly once: <T>(name: string, find: () => Promise<T>) => Promise<T>;
  /** The list of batches as it was before anything was created; resolves to undefined where it was not asked. */
  before?: Exchange;
  /** Resolves when the first batches were looked for in the list, since later ones would crowd it. */
  readonly listSeen: Promise<void>;
  readonly sawList: () => void;
}

export const createTargetKnowledge = (): TargetKnowledge => {
  const found = new Map<string, Promise<unknown>>();
  let sawList = (): void => undefined;
  const listSeen = new Promise<void>((resolve) => {
    sawList = resolve;
  });
  return {
    accepted: new Set(),
    refusedForGood: new Set(),
    lag: { longest: 0 },
    counterparties: { areFull: false },
    acam: {},
    blocked: { forGood: false },
    once: <T>(name: string, find: () => Promise<T>): Promise<T> => {
      const known = found.get(name) ?? find();
      found.set(name, known);
      return known as Promise<T>;
    },
    listSeen,
    sawList: () => sawList(),
  };
};

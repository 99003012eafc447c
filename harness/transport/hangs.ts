import { operationTitle } from "../../spec/operations.ts";
import type { RequestSpec } from "../../model/exchange.ts";
import { Inconclusive } from "../scenario-errors.ts";

/** Remembers which requests a server never answers, so that a run does not wait for each of them. */
export interface Hangs {
  /** Throws Inconclusive if so many requests of this kind got no response that this one is not sent. */
  readonly guard: (spec: RequestSpec) => void;
  /** Milliseconds to wait for a response: less than the time-out after a confirmed hang. */
  readonly timeout: () => number;
  readonly isConfirmed: () => boolean;
  readonly confirm: () => void;
  readonly answered: (spec: RequestSpec, took: number) => void;
  readonly unanswered: (spec: RequestSpec) => void;
}

/**
 * After a confirmed hang, a response may take `slower` times as long as the slowest of the `recently` ones before it,
 * but at least `shortest` milliseconds.
 */
const slower = 3;
const recently = 100;
const shortest = 500;

/**
 * After a confirmed hang and `mostHangs` requests of a kind in a row without a response, only some of that kind are
 * sent: the fourth of the following ones, then the eighth, the sixteenth and so on.
 */
const mostHangs = 3;
const firstAgain = 4;

export const createHangs = (timeout: number): Hangs => {
  const inARow = new Map<string, number>();
  const guarded = new Map<string, number>();
  let recent: readonly number[] = [];
  let confirmed = false;
  const kindOf = ({ operation, intent, authorization, apiKey }: RequestSpec): string =>
    `${operation} ${intent.kind} ${authorization === undefined && apiKey === undefined}`;
  return {
    guard: (spec) => {
      const kind = kindOf(spec);
      if (!confirmed || (inARow.get(kind) ?? 0) < mostHangs) return;
      const times = (guarded.get(kind) ?? 0) + 1;
      guarded.set(kind, times);
      if (times >= firstAgain && Number.isInteger(Math.log2(times))) return;
      throw new Inconclusive(
        `not sent: ${operationTitle(spec.operation)} gave no response to ${mostHangs} requests of this kind in a row (HTTP-05): fix that first`,
      );
    },
    timeout: () =>
      confirmed ? Math.min(timeout, Math.max(shortest, Math.round(Math.max(0, ...recent) * slower))) : timeout,
    isConfirmed: () => confirmed,
    confirm: () => {
      confirmed = true;
    },
    answered: (spec, took) => {
      recent = [...recent.slice(1 - recently), took];
      inARow.delete(kindOf(spec));
      guarded.delete(kindOf(spec));
    },
    unanswered: (spec) => void inARow.set(kindOf(spec), (inARow.get(kindOf(spec)) ?? 0) + 1),
  };
};

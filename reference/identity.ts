import type { OperationName } from "../spec/operations.ts";
import { all, around, edit, newIds, pause, remembering, success, successOf } from "./change.ts";
import {
  Refusal,
  type Answer,
  type Call,
  type Change,
  type Kind,
  type RefusalReason,
} from "./policy.ts";

export const sameId = (kind: Kind, id: string): Change => newIds(kind, () => id);

export function oneIdFor(kind: Kind, valueOf: (call: Call) => unknown): Change {
  return remembering(() => {
    const ids = new Map<unknown, string>();
    return newIds(kind, async (call, next) => {
      const value = valueOf(call);
      const id = ids.get(value) ?? (await next());
      ids.set(value, id);
      return id;
    });
  });
}

/** Gives resources of a kind ids that count from 1, and shows these ids as JSON numbers. */
export function numberIds(kind: Kind, operation: OperationName, member: string): Change {
  return remembering(() => {
    let last = 0;
    return all(
      newIds(kind, () => {
        last += 1;
        return String(last);
      }),
      success(operation, edit(member, Number)),
    );
  });
}

/** Requests within this many milliseconds count as concurrent. */
const window = 25;

/** Gives resources of a kind that are created concurrently the same id. */
export function sharedIds(kind: Kind): Change {
  return remembering(() => {
    let current: string | undefined;
    return newIds(kind, async (_call, next) => {
      if (current !== undefined) return current;
      const id = await next();
      current ??= id;
      await pause(window);
      current = undefined;
      return id;
    });
  });
}

/** Swaps the answers of two concurrent requests. */
export function crossedAnswers(operation: OperationName): Change {
  return remembering(() => {
    let waiting: ((other: Answer) => Answer) | undefined;
    return around(async (call, next) => {
      const mine = await next(call);
      if (!successOf(operation)(mine, call)) return mine;
      if (waiting) return waiting(mine);
      return new Promise((resolve) => {
        const end = (answer: Answer): Answer => {
          waiting = undefined;
          resolve(answer);
          return mine;
        };
        waiting = end;
        void pause(window).then(() => end(mine));
      });
    });
  });
}

/**
 * The value by which a repetition is recognised: a request with the value of an earlier one repeats
 * it. Undefined for a request that never counts as a repetition.
 */
type ValueOf = (call: Call) => string | undefined;

/** Refuses a valid request with 409 if it repeats an earlier one. */
export function refusedAgain(
  operation: OperationName,
  valueOf: ValueOf,
  reason: RefusalReason = "duplicate",
): Change {
  return remembering(() => {
    const seen = new Set<string>();
    return (base) => ({
      check: (call) => {
        base.check(call);
        const value = call.operation === operation ? valueOf(call) : undefined;
        if (value === undefined) return;
        if (seen.has(value)) throw new Refusal(409, reason, "This is known already");
        seen.add(value);
      },
    });
  });
}

/** Answers a valid request that repeats an earlier one with what `again` makes of the first answer. */
export function repeatedAnswer(
  operation: OperationName,
  valueOf: ValueOf,
  again: (first: Answer) => Answer,
): Change {
  return remembering(() => {
    const known = new Map<string, Answer>();
    return (base) => ({
      perform: async (call) => {
        const value = call.operation === operation ? valueOf(call) : undefined;
        const first = known.get(value ?? "");
        if (first) return again(first);
        const answer = await base.perform(call);
        if (value !== undefined) known.set(value, answer);
        return answer;
      },
    });
  });
}

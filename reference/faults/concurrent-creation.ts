import type { OperationName } from "../../spec/operations.ts";
import { newIds, pause, remembering, succeeded } from "../change.ts";
import type { Answer, Change, Kind } from "../policy.ts";

/** Milliseconds in which two requests count as concurrent. */
const window = 25;

/** Gives concurrently created resources of a kind the same id. */
export const sharedIds = (kind: Kind): Change =>
  remembering(() => {
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

/** Swaps the successes of two concurrent requests of an endpoint. */
export const crossedAnswers =
  (operation: OperationName): Change =>
  (base) => {
    let waiting: ((other: Answer) => Answer) | undefined;
    return {
      around: async (call, next) => {
        const mine = await base.around(call, next);
        if (call.operation !== operation || !succeeded(mine)) return mine;
        if (waiting) return waiting(mine);
        return new Promise((resolve) => {
          waiting = (other) => {
            waiting = undefined;
            resolve(other);
            return mine;
          };
          void pause(window).then(() => {
            waiting = undefined;
            resolve(mine);
          });
        });
      },
    };
  };

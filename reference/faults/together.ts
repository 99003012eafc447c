import type { OperationName } from "../../spec/operations.ts";
import { pause, succeeded } from "../change.ts";
import type { Answer, Change, Kind } from "../policy.ts";

/** Milliseconds in which two requests count as being there together. */
const window = 25;

/** Gives one id to all things of a kind that are made within a moment. */
export const repeatingWhenTogether =
  (kind: Kind): Change =>
  (base) => {
    let current: string | undefined;
    return {
      newId: async (asked, call) => {
        if (asked !== kind) return base.newId(asked, call);
        if (current !== undefined) return current;
        const id = await base.newId(asked, call);
        current ??= id;
        await pause(window);
        current = undefined;
        return id;
      },
    };
  };

/** Lets two requests of an endpoint that are there together have each other's success. */
export const crossing =
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

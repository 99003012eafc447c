import { BadCredentialsSpent } from "../../../harness/scenario-errors.ts";
import { together } from "../concurrency.ts";

interface Parts {
  /** How many responses a lock-out could explain so far. */
  readonly signs: () => number;
  readonly control: () => Promise<boolean>;
  /** Most requests of a section at once. */
  readonly most: number;
}

/** Bad credentials that are presented one at a time before more go at once. */
const alone = 10;

/**
 * Orders the sending of bad credentials, because servers lock out clients that send them (INT-17): one at a time until
 * ten requests and a control show no lock-out, and again after the first sign of one.
 */
export const createBadCredentials = ({ signs, control, most }: Parts) => {
  let sent = 0;
  let signsBefore: number | undefined;
  let isAccepted = false;
  let hasChanged = false;
  const isWide = (): boolean => isAccepted && !hasChanged && signs() === signsBefore;
  const waiting: (() => void)[] = [];
  let running = 0;

  /** Starts as many of the waiting sections as may run now. */
  const admit = (): void => {
    while (waiting.length > 0 && (running === 0 || isWide())) {
      running += 1;
      waiting.shift()?.();
    }
  };
  const learn = async (): Promise<void> => {
    sent += 1;
    if (sent !== alone || hasChanged || signs() !== signsBefore) return;
    isAccepted = await control();
    admit();
  };

  return {
    /** Runs a task such as sending bad tokens and the control with the good one: by itself, or beside others. */
    section: async <T>(task: () => Promise<T>): Promise<T> => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        admit();
      });
      signsBefore ??= signs();
      try {
        return await task();
      } finally {
        running -= 1;
        admit();
      }
    },
    /**
     * Sends one request for each row: one after another, or several at once. Only within a section. After the first that
     * fails no further one is sent, and its error is thrown; those that the user does not allow are left out.
     */
    each: async <R>(rows: readonly R[], send: (row: R) => Promise<unknown>): Promise<void> => {
      const one = async (row: R): Promise<void> => {
        try {
          await send(row);
        } catch (error) {
          // The sender says of which requirement that leaves no verdict.
          if (!(error instanceof BadCredentialsSpent)) throw error;
        } finally {
          void learn();
        }
      };
      for (let from = 0; from < rows.length;) {
        const next = rows.slice(from, from + (isWide() ? most : 1));
        from += next.length;
        await together(next.map(one));
      }
    },
    /** Good credentials were refused: bad ones are sent one at a time from now on. */
    changed: (): void => {
      hasChanged = true;
    },
  };
};

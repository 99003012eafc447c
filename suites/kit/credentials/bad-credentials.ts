import { BadCredentialsSpent } from "../../../harness/errors.ts";
import { together } from "../concurrency.ts";

interface Parts<R> {
  /** How many responses a lock-out could explain so far. */
  readonly signs: () => number;
  /** Whether good credentials are still accepted, once nothing flows beside the bad ones any more. */
  readonly control: () => Promise<boolean>;
  readonly most: number;
  /** Limits and lock-outs took so long that only what no earlier bad credential has shown is sent (INT-50). */
  readonly isShort: () => boolean;
  /** Called when a bad credential is not sent for that reason, with how many there were so far. */
  readonly leftOut: (n: number) => void;
  /** What a request shows, if it has to be refused. */
  readonly about: (row: R) => string | undefined;
}

/** Bad credentials that are presented one at a time before more go at once. */
const alone = 10;

export type BadCredentials<R> = ReturnType<typeof createBadCredentials<R>>;

/** One bad credential at a time until ten and a control show no lock-out, and after a sign of one (INT-17). */
export const createBadCredentials = <R>({ signs, control, most, isShort, leftOut, about }: Parts<R>) => {
  const shown = new Set<string | undefined>([undefined]);
  let sent = 0;
  let notSent = 0;
  let signsBefore: number | undefined;
  let isAccepted = false;
  let hasChanged = false;
  const isWide = (): boolean => isAccepted && !hasChanged && signs() === signsBefore;
  const sections = createTurns(() => (isWide() ? Infinity : 1));
  const requests = createTurns(() => (isWide() ? most : 1));

  const learn = async (): Promise<void> => {
    sent += 1;
    if (sent !== alone || hasChanged || signs() !== signsBefore) return;
    isAccepted = await control();
    sections.admit();
    requests.admit();
  };

  return {
    /** Runs a task such as sending bad tokens and the control with the good one: by itself, or beside others. */
    section: <T>(task: () => Promise<T>): Promise<T> =>
      sections.run(() => {
        signsBefore ??= signs();
        return task();
      }),
    /** Sends a request for each row, within a section. After one that fails, no further one is sent. */
    each: async (rows: readonly R[], send: (row: R) => Promise<unknown>): Promise<void> => {
      let hasFailed = false;
      const one = async (row: R): Promise<void> => {
        if (hasFailed) return;
        if (isShort() && shown.has(about(row))) {
          notSent += 1;
          return leftOut(notSent);
        }
        await send(row)
          .then(() => shown.add(about(row)))
          .catch((error: unknown) => {
            // The sender says of which requirement that leaves no verdict.
            if (error instanceof BadCredentialsSpent) return;
            hasFailed = true;
            throw error;
          })
          .finally(() => void learn());
      };
      await together(rows.map((row) => requests.run(() => one(row))));
    },
    /** Good credentials were refused: bad ones are sent one at a time from now on. */
    changed: (): void => {
      hasChanged = true;
    },
  };
};

/** Runs tasks in the order in which they come, at most so many at once; `admit` starts those that may run now. */
const createTurns = (most: () => number) => {
  const waiting: (() => void)[] = [];
  let running = 0;
  const admit = (): void => {
    while (waiting.length > 0 && running < most()) {
      running += 1;
      waiting.shift()?.();
    }
  };
  return {
    admit,
    run: async <T>(task: () => Promise<T>): Promise<T> => {
      await new Promise<void>((resolve) => {
        waiting.push(resolve);
        admit();
      });
      try {
        return await task();
      } finally {
        running -= 1;
        admit();
      }
    },
  };
};

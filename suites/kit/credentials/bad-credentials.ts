import { BadCredentialsSpent } from "../../../harness/scenario-errors.ts";

/** Orders the sending of bad credentials, because servers lock out clients that send them (INT-17). */
export interface BadCredentials {
  /** Runs a task such as sending bad tokens and the control with the good one: by itself, or beside others. */
  readonly section: <T>(task: () => Promise<T>) => Promise<T>;
  /**
   * Sends one request for each row: one after another, or several at once. Only within a section. After the first that
   * fails no further one is sent, and its error is thrown; those that the user does not allow are left out.
   */
  readonly each: <R, T>(rows: readonly R[], send: (row: R) => Promise<T>) => Promise<readonly T[]>;
  /** Good credentials were refused: bad ones are sent one at a time from now on. */
  readonly changed: () => void;
}

interface Parts {
  /** How many responses a lock-out could explain so far. */
  readonly signs: () => number;
  /** Whether good credentials are accepted. */
  readonly control: () => Promise<boolean>;
  /** Most requests at once. */
  readonly most: number;
}

/** Bad credentials that are presented one at a time before more go at once. */
const alone = 10;

/** Sends one at a time until ten requests and a control show no lock-out, and again after the first sign of one. */
export const createBadCredentials = ({ signs, control, most }: Parts): BadCredentials => {
  let sent = 0;
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
    section: (task) =>
      sections.run(() => {
        signsBefore ??= signs();
        return task();
      }),
    each: async (rows, send) => {
      const failures: unknown[] = [];
      const results = await Promise.all(
        rows.map((row) =>
          requests.run(async () => {
            if (failures.length > 0) return [];
            try {
              return [await send(row)];
            } catch (error) {
              // The sender says of which requirement that leaves no verdict.
              if (!(error instanceof BadCredentialsSpent)) failures.push(error);
              return [];
            } finally {
              void learn();
            }
          }),
        ),
      );
      if (failures.length > 0) throw failures[0];
      return results.flat();
    },
    changed: () => {
      hasChanged = true;
    },
  };
};

interface Turns {
  readonly run: <T>(task: () => Promise<T>) => Promise<T>;
  /** Starts as many as are allowed now. */
  readonly admit: () => void;
}

/** Runs tasks in the order in which they come, at most so many at once. */
const createTurns = (most: () => number): Turns => {
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
    run: async (task) => {
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

import { BadCredentialsSpent } from "../../harness/errors.ts";
import { orNothing, together } from "./concurrency.ts";

interface Parts<R> {
  /** How many responses a lock-out could explain so far. */
  readonly signs: () => number;
  /**
   * Whether good credentials are still accepted, once nothing flows beside the bad ones any more.
   */
  readonly control: () => Promise<boolean>;
  /**
   * Whether good credentials were refused after bad ones: then each bad one is followed by a
   * control.
   */
  readonly hasLockedOut: () => boolean;
  /**
   * Sends good credentials after bad ones like these: false if it had to wait until they were
   * accepted again.
   */
  readonly isCalm: (row: R) => Promise<boolean>;
  /** Whether only a control tells if a refusal is about the bad credential. */
  readonly needsControl: (row: R) => boolean;
  readonly most: number;
  /**
   * Limits and lock-outs took so long that only what no earlier bad credential has shown is sent
   * (INT-50).
   */
  readonly isShort: () => boolean;
  /** What a request shows, if it has to be refused: a requirement, in one of its forms. */
  readonly about: (row: R) => string | undefined;
  /** Whether a response has shown that. A refusal during a lock-out shows nothing. */
  readonly isJudged: (about: string) => boolean;
}

/** A request whose response showed nothing, or that was not sent, and why. */
interface Open<R> {
  readonly row: R;
  readonly reason: string;
}

const unclear =
  "bad credentials were presented while good ones were refused too, so that the refusal says nothing. Raise the server's limit of failed attempts for this client";

/** What to do where bad credentials lead to limits or lock-outs. */
export const raiseLimit =
  "Raise the server's limit of failed attempts for this client to have all of them sent.";

/** Bad credentials that are presented one at a time before more go at once. */
const alone = 10;

/** How often a bad credential is presented whose refusal a lock-out explains. */
const mostTimes = 3;

export type BadCredentials<R> = ReturnType<typeof createBadCredentials<R>>;

/**
 * One bad credential at a time until ten and a control show no lock-out, and after a sign of one
 * (INT-17).
 */
export function createBadCredentials<R>(parts: Parts<R>) {
  const { signs, control, hasLockedOut, most } = parts;
  const shown = createShown(parts);
  let sent = 0;
  const leftOut: R[] = [];
  let signsBefore: number | undefined;
  let isAccepted = false;
  let hasChanged = false;
  const isWide = (): boolean => isAccepted && !hasChanged && signs() === signsBefore;
  const isLimited = (): boolean => !isWide() && hasLockedOut();
  const sections = createTurns(() => (isWide() ? Infinity : 1));
  const requests = createTurns(() => (isWide() ? most : 1));

  const learn = async (): Promise<void> => {
    sent += 1;
    if (sent !== alone || hasChanged || signs() !== signsBefore) return;
    isAccepted = await control();
    sections.admit();
    requests.admit();
  };

  const leaveOut = (row: R): void => void leftOut.push(row);
  const presenting = {
    parts,
    shown,
    isLimited,
    turn: requests.run,
    ended: () => void learn(),
    leaveOut,
  };

  return {
    /**
     * Runs a task such as sending bad tokens and the control with the good one: by itself, or
     * beside others.
     */
    section: <T>(task: () => Promise<T>): Promise<T> =>
      sections.run(() => {
        signsBefore ??= signs();
        return task();
      }),
    /**
     * Sends a request for each row, within a section; again, if good credentials were refused at
     * the same time. After one that fails, no further one is sent.
     */
    each: async (rows: readonly R[], send: (row: R) => Promise<unknown>): Promise<void> => {
      let left = rows;
      for (let n = 0; n < mostTimes && left.length > 0; n += 1)
        left = await presentedInVain(presenting, left, send);
    },
    /** What was to be shown, and was not: one request for each requirement and form. */
    open: shown.open,
    /**
     * What limits left no time for: other bad credentials have shown the same requirement in the
     * same form.
     */
    leftOut: (): readonly R[] => leftOut,
    /** Good credentials were refused: bad ones are sent one at a time from now on. */
    changed: (): void => {
      hasChanged = true;
    },
  };
}

/** What bad credentials were to show, and what was judged while good ones were accepted. */
function createShown<R>({ about, isJudged }: Parts<R>) {
  const presented = new Map<string, Open<R>>();
  const trusted = new Set<string>();
  const isShown = (shows: string): boolean => trusted.has(shows) && isJudged(shows);
  const keep = (row: R, change: (shows: string) => void): void => {
    const shows = about(row);
    if (shows !== undefined) change(shows);
  };
  return {
    isShown,
    open: (): readonly Open<R>[] =>
      [...presented].flatMap(([shows, row]) => (isShown(shows) ? [] : [row])),
    ask: (row: R, reason: string): void =>
      keep(row, (shows) => void presented.set(shows, { row, reason })),
    withdraw: (row: R): void => keep(row, (shows) => void presented.delete(shows)),
    trust: (row: R): void => keep(row, (shows) => void trusted.add(shows)),
  };
}

interface Presenting<R> {
  readonly parts: Parts<R>;
  readonly shown: ReturnType<typeof createShown<R>>;
  /** Bad credentials led to a lock-out before: each is followed by a control. */
  readonly isLimited: () => boolean;
  readonly turn: <T>(task: () => Promise<T>) => Promise<T>;
  readonly ended: () => void;
  readonly leaveOut: (row: R) => void;
}

/** Sends a request for each row. Returns those that a lock-out may have refused. */
async function presentedInVain<R>(
  { parts, shown, isLimited, turn, ended, leaveOut }: Presenting<R>,
  rows: readonly R[],
  send: (row: R) => Promise<unknown>,
): Promise<readonly R[]> {
  const { about, isShort, needsControl } = parts;
  const doubts = createDoubts(parts, shown);
  let failure: string | undefined;
  /** Rows that follow from one token are judged together, once it was accepted again. */
  const sentHere = new Set<string>();
  const isSpare = (shows = ""): boolean =>
    shows === "" || sentHere.has(shows) || shown.isShown(shows);

  const one = async (row: R): Promise<void> => {
    const shows = about(row);
    if (failure !== undefined) return shown.ask(row, failure);
    if (isShort() && isSpare(shows)) return leaveOut(row);
    shown.ask(row, unclear);
    sentHere.add(shows ?? "");
    try {
      await send(row);
      if (needsControl(row) || isLimited()) doubts.add(row);
      else shown.trust(row);
      if (isLimited()) await doubts.check();
    } catch (error) {
      shown.withdraw(row);
      // The sender says of which requirement that leaves no verdict.
      if (error instanceof BadCredentialsSpent) return;
      failure = error instanceof Error ? error.message : String(error);
      shown.ask(row, failure);
      throw error;
    } finally {
      ended();
    }
  };
  try {
    await together(rows.map((row) => turn(() => one(row))));
  } catch (error) {
    await orNothing(doubts.check());
    throw error;
  }
  await doubts.check();
  return doubts.again;
}

/**
 * Rows that were sent since good credentials were last accepted, and those that a lock-out may have
 * refused.
 */
function createDoubts<R>({ isCalm }: Parts<R>, { trust }: Pick<Presenting<R>["shown"], "trust">) {
  const again: R[] = [];
  let unsure: readonly R[] = [];
  return {
    again,
    add: (row: R): void => void (unsure = [...unsure, row]),
    check: async (): Promise<void> => {
      const checked = unsure;
      const [row] = checked;
      if (row === undefined) return;
      unsure = [];
      if (await isCalm(row)) for (const one of checked) trust(one);
      else again.push(...checked);
    },
  };
}

/**
 * Runs tasks in the order in which they come, at most so many at once; `admit` starts those that
 * may run now.
 */
function createTurns(most: () => number) {
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
}

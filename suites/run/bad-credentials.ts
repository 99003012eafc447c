import { BadCredentialsSpent } from "../../harness/errors.ts";
import { orNothing, together } from "./concurrency.ts";

interface Parts<R> {
  /** The number of responses so far that a lock-out could explain. */
  readonly signs: () => number;
  /** Sends good credentials. Resolves to whether the target still accepts them. */
  readonly control: () => Promise<boolean>;
  /** Waits until no requests but those with bad credentials are sent any more. */
  readonly quiet: () => Promise<void>;
  /**
   * Whether good credentials were refused after bad ones. From then on, a control follows each bad
   * credential.
   */
  readonly hasLockedOut: () => boolean;
  /**
   * Sends good credentials after a bad one, of the same kind (key or token). Resolves to false if
   * they were accepted only after a wait.
   */
  readonly isCalm: (row: R) => Promise<boolean>;
  /**
   * Whether the refusal of a request shows something only if a control follows: good credentials
   * that are accepted.
   */
  readonly needsControl: (row: R) => boolean;
  readonly most: number;
  /**
   * Whether limits and lock-outs took so long that a credential is left out if an earlier one has
   * shown the same (INT-50).
   */
  readonly isShort: () => boolean;
  /**
   * Returns what the refusal of a request shows: a requirement and one of its forms, as a text.
   * Returns undefined if it shows none.
   */
  readonly about: (row: R) => string | undefined;
  /** Whether a response has shown what `about` names. A refusal during a lock-out shows nothing. */
  readonly isJudged: (about: string) => boolean;
}

/** A request that showed nothing, or was not sent, and the reason. */
interface OpenRequest<R> {
  readonly row: R;
  readonly reason: string;
}

const unclear =
  "bad credentials were presented while good ones were refused too, so that the refusal says nothing. Raise the server's limit of failed attempts for this client";

/** Says what the user can do if bad credentials lead to limits or lock-outs. */
export const raiseLimit =
  "Raise the server's limit of failed attempts for this client to have all of them sent.";

/** How many bad credentials are presented one at a time before several go at once. */
const alone = 10;

/** How often a bad credential is presented at most, while a lock-out may explain its refusal. */
const mostTimes = 3;

export type BadCredentials<R> = ReturnType<typeof createBadCredentials<R>>;

/**
 * Presents bad credentials: one at a time until ten and a control have shown no lock-out, and one
 * at a time again after a sign of a lock-out (INT-17).
 */
export function createBadCredentials<R>(parts: Parts<R>) {
  const { signs, control, quiet, hasLockedOut, most } = parts;
  const shown = createShown(parts);
  let sent = 0;
  const leftOut: R[] = [];
  let signsBefore: number | undefined;
  let isAccepted = false;
  let hasChanged = false;
  const isCalm = (): boolean => !hasChanged && signs() === signsBefore;
  const isWide = (): boolean => isAccepted && isCalm();
  const isLimited = (): boolean => !isWide() && hasLockedOut();
  const sections = createTurns(() => (isWide() ? Infinity : 1));
  const requests = createTurns(() => (isWide() ? most : 1));

  const learn = async (): Promise<void> => {
    sent += 1;
    if (sent !== alone || !isCalm()) return;
    isAccepted = await control();
    sections.admit();
    requests.admit();
  };

  const leaveOut = (row: R): void => void leftOut.push(row);
  const presenting = {
    parts,
    shown,
    isLimited,
    // After a sign of a lock-out, waits until nothing else is sent: a bad credential could make the
    // target refuse other requests.
    turn: <T>(task: () => Promise<T>) =>
      requests.run(async () => {
        if (!isCalm()) await quiet();
        return task();
      }),
    ended: () => void learn(),
    leaveOut,
  };

  const section = <T>(task: () => Promise<T>): Promise<T> =>
    sections.run(() => {
      signsBefore ??= signs();
      return task();
    });
  const present = async (rows: readonly R[], send: Send<R>, within: Within): Promise<void> => {
    let left = rows;
    for (let n = 0; n < mostTimes && left.length > 0; n += 1)
      left = await presentedInVain({ ...presenting, within }, left, send);
  };

  return {
    /**
     * Runs a task, such as sending bad tokens and a control with the good one: alone at first,
     * later beside other tasks.
     */
    section,
    /**
     * Sends a request for each row, within a section. Sends a request again if good credentials
     * were refused at the same time. Once a request fails, no more are sent.
     */
    each: (rows: readonly R[], send: Send<R>): Promise<void> =>
      present(rows, send, (task) => task()),
    /** The same in a section of its own, which ends before the control. */
    eachInSection: (rows: readonly R[], send: Send<R>): Promise<void> =>
      present(rows, send, section),
    /**
     * Returns what no refusal has shown yet: for each form of a requirement, the last request and
     * why it showed nothing.
     */
    open: shown.open,
    /**
     * Returns the rows that limits left no time for. Other bad credentials have shown the same
     * requirement in the same form.
     */
    leftOut: (): readonly R[] => leftOut,
    /** Notes that good credentials were refused: from now on, bad ones are sent one at a time. */
    changed: (): void => {
      hasChanged = true;
    },
  };
}

/** Keeps what bad credentials must show, and what was judged while good ones were accepted. */
function createShown<R>({ about, isJudged }: Parts<R>) {
  const presented = new Map<string, OpenRequest<R>>();
  const trusted = new Set<string>();
  const isShown = (shows: string): boolean => trusted.has(shows) && isJudged(shows);
  const keep = (row: R, change: (shows: string) => void): void => {
    const shows = about(row);
    if (shows !== undefined) change(shows);
  };
  return {
    isShown,
    open: (): readonly OpenRequest<R>[] =>
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
  /**
   * Whether bad credentials have led to a lock-out before. Then a control follows each bad
   * credential.
   */
  readonly isLimited: () => boolean;
  readonly turn: <T>(task: () => Promise<T>) => Promise<T>;
  readonly ended: () => void;
  readonly leaveOut: (row: R) => void;
  /** Performs the task that sends the requests, in the section in which they belong. */
  readonly within: Within;
}

type Send<R> = (row: R) => Promise<unknown>;
type Within = (task: () => Promise<unknown>) => Promise<unknown>;

/** Sends a request for each row. Resolves to the rows whose refusal a lock-out may explain. */
async function presentedInVain<R>(
  { parts, shown, isLimited, turn, ended, leaveOut, within }: Presenting<R>,
  rows: readonly R[],
  send: Send<R>,
): Promise<readonly R[]> {
  const { about, isShort, needsControl } = parts;
  const doubts = createDoubts(parts, shown);
  let failure: string | undefined;
  /**
   * What the rows that were sent so far can show. Further rows that can show the same are spare,
   * even before a verdict: rows made from one token are judged together, once the token was
   * accepted again.
   */
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
      // No more bad credentials may be sent. The sender records that the requirement has no
      // verdict.
      if (error instanceof BadCredentialsSpent) return;
      failure = error instanceof Error ? error.message : String(error);
      shown.ask(row, failure);
      throw error;
    } finally {
      ended();
    }
  };
  try {
    await within(() => together(rows.map((row) => turn(() => one(row)))));
  } catch (error) {
    await orNothing(doubts.check());
    throw error;
  }
  await doubts.check();
  return doubts.again;
}

/**
 * Keeps the rows that were sent since good credentials were last accepted. `check` trusts their
 * refusals, or adds the rows to `again` if a lock-out may explain the refusals.
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
 * Runs tasks in the order in which they come, at most `most()` at once. `admit` starts the tasks
 * that may run now, after `most()` has grown.
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

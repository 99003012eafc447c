import { groups } from "../../model/groups.ts";
import { takesToken } from "../../spec/operations.ts";
import { formOf, type RequestSpec } from "../../model/request.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { Gap } from "../../spec/gaps.ts";
import { Inconclusive } from "../errors.ts";
import { isShortOfTime, type SendingFacts } from "./facts.ts";
import { queued, waitFor } from "./waiting.ts";

interface Parts {
  readonly facts: SendingFacts;
  readonly signal: AbortSignal;
  /** How many go at once in the end. */
  readonly most: number;
  /** Waits until no requests but those with bad credentials are sent any more. */
  readonly quiet: () => Promise<void>;
  /** The token of the session. */
  readonly current: () => string | undefined;
  /**
   * Sends good credentials of the same kind as those of the request: the key, this older token, or
   * that of the session. Resolves to the token that was issued or accepted, or to undefined.
   */
  readonly prove: (spec: RequestSpec, older: string | undefined) => Promise<string | undefined>;
}

/** A refusal that counts once good credentials are accepted after it. */
interface HeldRefusal {
  readonly spec: RequestSpec;
  /** The good token from which the bad one was made. */
  readonly madeFrom: string | undefined;
  readonly proven: (isProven: Promise<boolean>) => void;
}

/** A form of a requirement that has no verdict, and why (`formOf`). */
export interface OpenForm {
  readonly form: string;
  readonly requirement: RequirementId;
  readonly reason: string;
  readonly gap?: Gap | undefined;
}

/** How many bad credentials go one at a time before several go at once. */
const alone = 10;

/** Says what the user can do if bad credentials lead to limits or lock-outs. */
export const raiseLimit =
  "Raise the server's limit of failed attempts for this client to have all of them sent.";

export type Lane = ReturnType<typeof createLane>;

/**
 * Presents bad credentials as carefully as servers need that lock clients out (INT-17). If limits and
 * lock-outs leave no time for all (INT-50), only one of each form is presented.
 */
export function createLane(parts: Parts) {
  const { facts, quiet, signal } = parts;
  const rounds = createRounds(parts);
  /** Which request presents a form first. */
  const presented = new Map<string, RequestSpec>();
  const leftOut: RequestSpec[] = [];
  const open = new Map<string, OpenForm>();
  let isSparing = false;

  /** Waits for the turn of a bad credential. Throws Inconclusive if it is left out. */
  const entered = async (spec: RequestSpec): Promise<void> => {
    await rounds.enter();
    try {
      const form = spec.refusal && formOf(spec.refusal);
      const first = form === undefined ? undefined : (presented.get(form) ?? spec);
      if ((isSparing || isShortOfTime(facts)) && first !== spec) {
        leftOut.push(spec);
        throw new Inconclusive("limits of the server left no time for this one");
      }
      if (form !== undefined && first === spec) presented.set(form, spec);
      // A bad credential could make the target refuse other requests.
      if (!rounds.isCalm()) await quiet();
    } catch (error) {
      rounds.leave();
      throw error;
    }
  };

  /** Makes the place of a request with bad credentials, which it enters each time it is sent. */
  const placeOf = (spec: RequestSpec) => {
    let isIn = false;
    const leave = (): void => {
      if (isIn) rounds.leave();
      isIn = false;
    };
    /** Notes why the form of the request has no verdict. */
    const leaveOpen = (reason: string, gap?: Gap): void => {
      const { refusal } = spec;
      if (refusal === undefined) return;
      const form = formOf(refusal);
      open.set(form, { form, requirement: refusal.requirement, reason, gap });
    };
    return {
      /** Waits until the request may be sent. Resolves to whether it has waited. */
      enter: async (): Promise<boolean> => {
        if (isIn) return false;
        await entered(spec);
        isIn = true;
        return true;
      },
      leave,
      /** Leaves, and resolves once good credentials show what the refusal was. */
      proven: (madeFrom: string | undefined): Promise<boolean> =>
        waitFor("good credentials after bad ones", signal, (go, fail) => {
          rounds.hold({ spec, madeFrom, proven: (isProven) => void isProven.then(go, fail) });
          leave();
          return () => undefined;
        }),
      leaveOpen,
      /** The same for a request that ends while it is in its place. */
      fail: ({ message, gap }: Inconclusive): void => {
        if (isIn) leaveOpen(message, gap);
      },
    };
  };

  return {
    placeOf,
    /** From now on, only one bad credential of each form is presented. */
    spare: (): void => void (isSparing = true),
    /** The forms of requirements that some response left open. */
    open: (): readonly OpenForm[] => [...open.values()],
    leftOut: (): readonly RequestSpec[] => leftOut,
  };
}

export type Place = ReturnType<Lane["placeOf"]>;

/**
 * Rounds: a few bad credentials, then good ones, which prove the refusals of the round. Those of a
 * round go one at a time until ten have led to no sign of a lock-out, and one at a time again after a
 * sign. A round has fewer than lead to a usual lock-out (INT-43), unless the user has that many in
 * flight: then it has all that wait. After a lock-out, a round has one bad credential.
 */
function createRounds(parts: Parts) {
  const { facts, most, signal } = parts;
  const waiting: (() => void)[] = [];
  let held: HeldRefusal[] = [];
  let running = 0;
  let inRound = 0;
  let ended = 0;
  let isProving = false;
  let signsBefore: number | undefined;
  let waitsBefore = 0;
  const isCalm = (): boolean => facts.lockOutSigns === signsBefore;
  const mostAtOnce = (): number => (ended >= alone && isCalm() ? most : 1);
  const mayGo = (): boolean =>
    !isProving && waiting.length > 0 && inRound < mostInRound(parts) && running < mostAtOnce();

  const go = (): void => {
    while (mayGo()) {
      if (inRound === 0) waitsBefore = facts.lockOutWaits;
      running += 1;
      inRound += 1;
      waiting.shift()?.();
    }
    if (!isProving && running === 0 && inRound + held.length > 0) void endRound();
  };

  /** Proves all refusals of the round, those of a kind with one request. */
  const endRound = async (): Promise<void> => {
    isProving = true;
    const round = held;
    held = [];
    // A lock-out that a request waited for since the round began may be why these were refused.
    await proveAll(round, parts, () => facts.lockOutWaits === waitsBefore);
    isProving = false;
    inRound = 0;
    go();
  };

  return {
    /** Whether no bad credential has led to a sign of a lock-out. */
    isCalm,
    enter: async (): Promise<void> => {
      await waitFor<void>("the turn of a bad credential", signal, (begin) => {
        const takeBack = queued(waiting, begin);
        go();
        return takeBack;
      });
      signsBefore ??= facts.lockOutSigns;
    },
    leave: (): void => {
      running -= 1;
      ended += 1;
      go();
    },
    /** A refusal is proven at the end of the round, or of one that begins with it. */
    hold: (refusal: HeldRefusal): void => {
      held.push(refusal);
      go();
    },
  };
}

/** How many bad credentials a round has at most. */
function mostInRound({ facts, most }: Parts): number {
  if (facts.lockOutWaits > 0) return 1;
  return most < alone ? most : Infinity;
}

/** Proves refusals, those of a kind with one request: the same good credentials prove them all. */
async function proveAll(
  refusals: readonly HeldRefusal[],
  { current, prove, facts }: Parts,
  mayCount: () => boolean,
): Promise<void> {
  const token = current();
  /**
   * The older token from which a bad one was made. That of the session proves bad tokens of any
   * origin, so that one request is enough where it has not been renewed.
   */
  const olderOf = ({ madeFrom }: HeldRefusal) => (madeFrom === token ? undefined : madeFrom);
  const ofKinds = groups(refusals, (one) =>
    takesToken(one.spec.operation) ? `token ${olderOf(one) ?? ""}` : "key",
  );
  await Promise.allSettled(
    [...ofKinds.values()].map((ofKind) => {
      const one = ofKind.find(({ spec }) => facts.accepting.has(spec.operation)) ?? ofKind[0];
      const accepted = prove(one.spec, olderOf(one)).then((token) =>
        mayCount() ? token : undefined,
      );
      // A token from which a bad one was made may have expired meanwhile (INT-16).
      for (const { madeFrom, proven } of ofKind)
        proven(accepted.then((token) => token !== undefined && (madeFrom ?? token) === token));
      return accepted;
    }),
  );
}

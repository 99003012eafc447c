import { groups } from "../../model/groups.ts";
import {
  isRefusal,
  isSuccess,
  longestToken,
  messageOf,
  type Exchange,
  type Origin,
  issuedToken,
} from "../../model/exchange.ts";
import { formOf, unusual, valid, type RequestSpec } from "../../model/request.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { Gap } from "../../spec/gaps.ts";
import { takesToken } from "../../spec/operations.ts";
import { Inconclusive } from "../errors.ts";
import { isShortOfTime, type SendingFacts } from "./facts.ts";
import { queued, resultOf, waitFor, type Turn } from "./turns.ts";

/** After this many refusals in a row, the key is not tried again. */
const mostRefusals = 3;

interface SessionParts {
  readonly facts: SendingFacts;
  /** Sends a request for a token within a turn. */
  readonly send: (spec: RequestSpec, turn: Turn) => Promise<Exchange>;
  /** The turn for callers that have none. */
  readonly shared: Turn;
  readonly signal: AbortSignal;
}

export type Session = ReturnType<typeof createSession>;

/** Keeps the token in use, and gets the next one (INT-16). */
export function createSession({ facts, send, shared, signal }: SessionParts) {
  let refusals = 0;
  let reason = "";
  let renewal: Promise<string> | undefined;

  const issue = async (turn: Turn): Promise<string> => {
    for (const spec of facts.tokenRequest === undefined ? tokenRequests : [facts.tokenRequest]) {
      const exchange = await send(spec, turn);
      const token = issuedToken(exchange.json)?.token;
      if (isSuccess(exchange) && token !== undefined) {
        if (token.length > longestToken)
          throw new Inconclusive(
            `POST /auth/token gave a token of ${token.length} characters, which no header can carry`,
            undefined,
            "createToken",
          );
        facts.tokenRequest = spec;
        return token;
      }
      if (spec === tokenRequests[0] || facts.tokenRequest !== undefined)
        reason = facts.tokenRequest
          ? `POST /auth/token refuses a key that has worked: ${messageOf(exchange)}. Does a limit or a firewall lock this client out?`
          : `POST /auth/token gave no usable token: ${messageOf(exchange)}. Is the API key right?`;
      if (!isRefusal(exchange)) break;
    }
    refusals += 1;
    throw new Inconclusive(reason, undefined, "createToken");
  };

  const issued = async (turn: Turn): Promise<string> => {
    if (refusals >= mostRefusals) throw new Inconclusive(reason, undefined, "createToken");
    const token = await issue(turn);
    // A token that the server hands out again is no failed attempt of the client.
    if (token === facts.token) facts.refusedTokens = 0;
    facts.token = token;
    refusals = 0;
    return token;
  };

  const fetched = async (unwanted: string | undefined, turn: Turn): Promise<string> =>
    facts.token !== undefined && facts.token !== unwanted ? facts.token : issued(turn);

  const fetchedAlone = async (unwanted: string | undefined): Promise<string> => {
    const turn = await shared.exclusive();
    return fetched(unwanted, turn).finally(turn.end);
  };

  /**
   * Gets a token other than the refused one. A caller with an exclusive turn never waits for the
   * renewal of another caller.
   */
  const renew = (refused: string | undefined, turn: Turn): Promise<string> => {
    const isOlder = facts.token !== undefined && facts.token !== refused;
    if (turn.isExclusive || isOlder) return fetched(refused, turn);
    renewal ??= fetchedAlone(refused).finally(() => (renewal = undefined));
    return resultOf("a new token", signal, renewal);
  };

  return {
    /**
     * The token in use. If there is none yet, a new one is fetched. Throws Inconclusive if the
     * server issues none.
     */
    token: (turn = shared): Promise<string> =>
      facts.token === undefined ? renew(undefined, turn) : Promise.resolve(facts.token),
    current: (): string | undefined => facts.token,
    renew,
    /**
     * Gets a new token, which shows that the API key is accepted. Other requests go on meanwhile,
     * unless this target ends older tokens when it issues a new one: it would refuse these
     * requests.
     */
    proveKey: (): Promise<string> =>
      facts.tokensLapse ? renew(facts.token, shared) : issued(shared),
    /** Waits for a renewal in progress, unless that renewal waits for this turn to end. */
    settled: async (turn: Turn): Promise<void> => {
      if (turn.isExclusive || renewal === undefined) return;
      await resultOf("a new token", signal, renewal).catch(() => undefined);
    },
    /** Starts with the token that the preflight got for the key, and the request that got it. */
    start: (token: string, request: RequestSpec): void => {
      facts.token = token;
      facts.tokenRequest = request;
    },
    adopt: (token: string): void => {
      facts.token = token;
      refusals = 0;
    },
  };
}

/**
 * The origin of requests that no scenario asked for. They go first, because others wait for them.
 */
export const sessionOrigin: Origin = { id: "session", name: "session", urgency: Infinity };

/** A request that changes nothing. Its response is compared with refusals. */
export const listRequest: RequestSpec = { operation: "listBatches", intent: valid };

/**
 * The forms of a token request: two that must work (INT-14), and one with a body. If only the one
 * with a body works, the server breaks a rule, but the key is right.
 */
export const tokenRequests: readonly [RequestSpec, RequestSpec, RequestSpec] = [
  { operation: "createToken", intent: valid, contentType: null },
  { operation: "createToken", intent: valid, contentType: "application/json" },
  { operation: "createToken", intent: unusual("with a body"), body: {} },
];

interface LaneParts {
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
export function createLane(parts: LaneParts) {
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
function createRounds(parts: LaneParts) {
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
function mostInRound({ facts, most }: LaneParts): number {
  if (facts.lockOutWaits > 0) return 1;
  return most < alone ? most : Infinity;
}

/** Proves refusals, those of a kind with one request: the same good credentials prove them all. */
async function proveAll(
  refusals: readonly HeldRefusal[],
  { current, prove, facts }: LaneParts,
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

import type { InterpretationId } from "../../spec/interpretations.ts";
import { operationTitle } from "../../spec/operations.ts";
import { isSuccess, jsonOf, messageOf, type Exchange, type RequestSpec } from "../../model/exchange.ts";
import {
  type Attempt,
  isConflict,
  isGatewayError,
  presentsItsOwn,
  usesSession,
  longestWait,
  longestWaits,
  throttlingText,
} from "./attempt.ts";
import { kindOf, longestRun, type Facts } from "./facts.ts";

/** An attempt of a request, or of a control for it, and the row of the table that led to it. */
export type Tried = Attempt & {
  readonly row: string;
  readonly isControl: boolean;
  /** Absent if the attempt only put the request off. */
  readonly exchange?: Exchange | undefined;
};

export const requestIn = (tried: readonly Tried[]): Tried | undefined => tried.findLast(({ isControl }) => !isControl);

/** What the rows of the table look at: a request, what was tried for it, and what is known of the target. */
const situationOf = (spec: RequestSpec, tried: readonly Tried[], last: Tried, facts: Readonly<Facts>) => {
  const request = requestIn(tried) ?? last;
  /** `request`: its last attempt. `status`: 0 if there was no response. */
  return { spec, facts, tried, last, request, status: request.response?.status ?? 0 };
};

type Situation = ReturnType<typeof situationOf>;
/** Before the first attempt. */
type Beginning = Pick<Situation, "spec" | "facts">;

const times = ({ tried }: Situation, row: string): number => tried.filter((one) => one.row === row).length;

const isMissing = ({ request }: Situation): boolean => request.response === undefined;
const isCut = ({ request }: Situation): boolean => request.response?.defect?.kind === "cut";
const isTimeout = ({ request }: Situation): boolean => request.failure?.kind === "timeout";
const isAlone = ({ request }: Situation): boolean => request.isAlone;
const isControlled = ({ last }: Situation): boolean => last.isControl;

/** Whether something else than the request itself can be asked: without a token, the token endpoint alone. */
const hasControl = ({ spec, facts }: Situation): boolean =>
  spec.operation !== "createToken" || facts.token !== undefined;

/** The last attempt of the request, and no control since then, was answered with 502, 503 or 504. */
const hasGatewayError = (s: Situation): boolean => isGatewayError(s.status) && !isControlled(s);
/** Enough of its gateway errors were examined. */
const isKnown = ({ facts, spec }: Situation): boolean => (facts.gatewayErrors.get(spec.operation) ?? 0) >= enough;
/** The control got a gateway error too. */
const isControlRefused = ({ last }: Situation): boolean => last.isControl && isGatewayError(last.response?.status ?? 0);

const isThrottled = ({ request }: Situation): boolean => request.wait > 0;
/** Whether a target asks for a longer wait, at once or in a row, than a run waits (INT-13). */
const isTooLong = ({ tried, request }: Situation): boolean =>
  request.wait > longestWait || tried.reduce((sum, { wait }) => sum + wait, 0) > longestWaits;
export const secretsOf = ({ operation }: RequestSpec): "keys" | "tokens" =>
  operation === "createToken" ? "keys" : "tokens";

/** The longest list, in bytes, that serves as a control: it is fetched often. */
const longestControl = 100_000;
/** Refusals of tokens after which a server may think that somebody guesses them. */
const fewestRefusedTokens = 10;

const isTokenRefused = ({ spec, status }: Situation): boolean =>
  usesSession(spec) && (status === 401 || status === 403);
/** A valid request that gets 401 has no other reason than its token. */
const isAboutToken = (s: Situation): boolean => isTokenRefused(s) && s.status === 401 && s.spec.intent.kind === "valid";
/** Whether the list tells if a token is good. */
const canAskList = ({ spec, facts }: Situation): boolean =>
  facts.hasTokenWorked && (facts.listLength ?? Infinity) <= longestControl && spec.operation !== "listBatches";
/** Whether the control was accepted with the token of the request. */
const isTokenGood = ({ last, request }: Situation): boolean =>
  last.response !== undefined && isSuccess({ response: last.response }) && last.token === request.token;
/** Servers lock out clients that present bad credentials, or lapsed tokens (INT-17). */
const mayBeLockedOut = ({ facts, spec }: Situation): boolean =>
  facts.hasTokenWorked &&
  !facts.isLockedOut &&
  !facts.refusing.has(spec.operation) &&
  (facts.badCredentials > 0 || facts.refusedTokens >= fewestRefusedTokens);

type Next = (
  | { readonly kind: "deliver"; readonly violates?: "AUTH-04" }
  | {
      readonly kind: "again";
      readonly isFresh?: true;
      readonly isAlone?: true;
      readonly newToken?: true;
    }
  /** Sends another request, which tells whether the target responds at all, or accepts the token. */
  | { readonly kind: "control"; readonly of: "the target" | "the token" }
  /** `isLost`: the target is given up, not the request alone. */
  | { readonly kind: "give up"; readonly reason: string; readonly violates?: "HTTP-05"; readonly isLost?: true }
) & {
  /** Milliseconds to wait before, `forAll`: all requests wait, and what the run waits for. */
  readonly pause?: number;
  readonly forAll?: true;
  readonly waiting?: string;
  readonly observed?: readonly ["OPEN-19" | "OPEN-27", string];
};

export type Step = Next & { readonly row: RowId };

interface Row<S = Situation> {
  /** The interpretation that the row follows, and the server that needs it: a usual one (INT-43), else a faulty one. */
  readonly for: readonly [InterpretationId, string];
  readonly when: (situation: S) => boolean;
  readonly step: (situation: S) => Next;
}

/** Milliseconds. Those for a lock-out are together longer than a usual one lasts. */
const gatewayWaits = [200, 800, 1600] as const;
/** Between the controls of a burst of gateway errors. */
const burstWaits = [2000, 4000] as const;
const conflictWaits = [0, 200, 500] as const;
const lockOutWaits = [1000, 2000, 4000, 8000, 16_000] as const;
/** Time to come back for a target that is restarted. */
const dropWaits = [100, 1000] as const;

/** How many examinations that find something are enough, for each operation. */
const enough = 3;

const again = { kind: "again" } as const;
const alone = { kind: "again", isAlone: true } as const;
const deliver = { kind: "deliver" } as const;
const ofTarget = { kind: "control", of: "the target" } as const;
const ofToken = { kind: "control", of: "the token" } as const;
const giveUp = (reason: string) => ({ kind: "give up", reason }) as const;

const lockOut = (s: Situation, id: string, what: string) => {
  const pause = lockOutWaits[times(s, id)] ?? 0;
  return { ...alone, pause, waiting: `${what}, waiting ${pause / 1000} s` };
};

const title = ({ spec }: Beginning): string => operationTitle(spec.operation);
const words = ({ request }: Situation): string => {
  const response = request.response;
  return response === undefined ? (request.failure?.message ?? "") : messageOf({ response, json: jsonOf(response) });
};
const seconds = ({ at }: Tried): number => Math.round(at / 1000);
const noResponse = (s: Situation): string => `${title(s)} gave no response: ${words(s)}`;

/** Nothing more is sent once the run has taken as long as it may (INT-50). */
const outOfTime = ({ waitedForBadCredentials }: Readonly<Facts>): Step => ({
  ...giveUp(
    `not sent: the run took as long as it may, ${longestRun / 1000} s. ` +
      (waitedForBadCredentials > 0
        ? "The server limits clients after bad credentials, or locks them out: raise its limit of failed attempts for this client."
        : "Find out what keeps the run waiting: limits, errors that pass, or requests without a response."),
  ),
  row: "out of time",
});

const lost: Row<Beginning> = {
  for: ["INT-04", "A target that stopped responding, or throttles everything."],
  when: ({ facts }) => facts.lost !== undefined,
  step: ({ facts }) => giveUp(facts.lost ?? ""),
};

/** Before the first attempt. The first row that applies decides. */
const beginnings = {
  lost,
  "never answered": {
    for: ["INT-04", "A faulty server that never answers some requests: each would cost a time-out."],
    when: ({ spec, facts }) => facts.hangs && (facts.timeouts.get(kindOf(spec)) ?? 0) >= enough,
    step: (s) =>
      giveUp(
        `not sent: ${title(s)} gave no response to ${enough} requests of this kind in a row (HTTP-05): fix that first`,
      ),
  },
  first: { for: ["INT-16", "Every server."], when: () => true, step: () => again },
} satisfies Record<string, Row<Beginning>>;

/** After an attempt. The first row that applies decides. */
const rows = {
  lost,
  "idle connection": {
    for: ["INT-34", "Closes idle connections with 408."],
    when: ({ request, status }) => status === 408 && request.isFresh === false,
    step: () => ({ ...again, isFresh: true }),
  },

  // No response, or only a part of one.
  dropped: {
    for: ["INT-04", "Closes idle connections, or drops up to 2 % of them."],
    when: (s) => (isMissing(s) || isCut(s)) && !isTimeout(s) && s.request.isFresh === false,
    step: () => ({ ...again, isFresh: true }),
  },
  "known hang": {
    for: ["INT-04", "A faulty server that never answers some requests: the first ones are examined."],
    when: (s) =>
      isMissing(s) &&
      !isControlled(s) &&
      ((isTimeout(s) && s.facts.hangs) || (s.facts.silences.get(s.spec.operation) ?? 0) >= enough),
    step: (s) => giveUp(noResponse(s)),
  },
  "known cut": {
    for: ["INT-04", "A faulty server that cuts its responses short."],
    when: (s) => isCut(s) && (s.facts.cuts.get(s.spec.operation) ?? 0) >= enough,
    step: () => deliver,
  },
  incomplete: {
    for: ["INT-04", "Is slow or drops connections while it is busy."],
    when: (s) => (isMissing(s) || isCut(s)) && !isAlone(s),
    step: () => ({ ...alone, isFresh: true }),
  },
  "dropped alone": {
    for: ["INT-04", "Drops up to 2 % of its connections."],
    when: (s) => isMissing(s) && !isTimeout(s) && !isControlled(s) && times(s, "dropped alone") < dropWaits.length,
    step: (s) => ({ ...alone, isFresh: true, pause: dropWaits[times(s, "dropped alone")] ?? 0 }),
  },
  control: {
    for: ["INT-04", "A faulty server that does not answer one request: it answers others."],
    when: (s) => (isMissing(s) || isCut(s)) && !isControlled(s) && hasControl(s),
    step: () => ofTarget,
  },
  "in trouble": {
    for: ["INT-04", "A target that is down."],
    when: (s) => s.last.response === undefined,
    step: (s) => {
      const isLost = isTimeout(s) || s.facts.troubles + 1 >= enough;
      return isLost
        ? { ...giveUp(`the target stopped responding ${seconds(s.last)} s into the run: ${words(s)}`), isLost }
        : giveUp(`the target was in trouble and did not respond to ${title(s)}: ${words(s)}`);
    },
  },
  silent: {
    for: ["INT-04", "A faulty server that does not answer this request."],
    when: isMissing,
    step: (s) => ({ ...giveUp(noResponse(s)), violates: "HTTP-05" }),
  },
  cut: {
    for: ["INT-04", "A faulty server that cuts its responses short."],
    when: isCut,
    step: () => deliver,
  },

  // The target throttles or is busy.
  "put off": {
    for: ["INT-13", "Limits failed attempts for longer than a run waits."],
    when: (s) => isThrottled(s) && presentsItsOwn(s.spec) && (isTooLong(s) || s.facts.putOff.has(secretsOf(s.spec))),
    step: (s) =>
      giveUp(
        `${title(s)} puts bad ${secretsOf(s.spec)} off with ${s.status}. Raise the server's limit of failed attempts for this client.`,
      ),
  },
  "throttled by all": {
    for: ["INT-13", "A target that throttles everything."],
    when: ({ request, facts }) =>
      request.wait > 0 && request.at + request.wait - (facts.throttledSince ?? Infinity) > longestWaits,
    step: () => ({
      ...giveUp(
        `the target throttled every request for more than ${longestWaits / 1000} s. Lower --rate and --concurrency`,
      ),
      isLost: true,
    }),
  },
  "throttled too long": {
    for: ["INT-13", "Asks for a wait of more than 30 s."],
    when: (s) => isThrottled(s) && isTooLong(s),
    step: (s) =>
      giveUp(
        `${title(s)} was throttled with ${s.status}` +
          (s.request.wait > longestWait
            ? ` and a wait of ${Math.round(s.request.wait / 1000)} s`
            : ` for more than ${longestWaits / 1000} s`) +
          `. Raise the server's limit for this client, or lower --rate and --concurrency.`,
      ),
  },
  throttled: {
    for: ["INT-13", "Limits the rate, or failed attempts, with 429 or 503 and Retry-After."],
    when: isThrottled,
    step: ({ request, status }) => ({
      ...again,
      pause: request.wait,
      forAll: true,
      waiting: `${status} from the target, waiting ${Math.ceil(request.wait / 1000)} s`,
      observed: ["OPEN-27", request.response === undefined ? "" : throttlingText(request.response)],
    }),
  },
  "gateway error": {
    for: ["INT-56", "Stands behind a gateway that answers 502, 503 or 504 now and then."],
    when: (s) => hasGatewayError(s) && times(s, "gateway error") < (isKnown(s) ? 1 : gatewayWaits.length),
    step: (s) => {
      const nth = times(s, "gateway error");
      return { ...(nth < gatewayWaits.length - 1 ? again : alone), pause: gatewayWaits[nth] ?? 0 };
    },
  },
  "known gateway error": {
    for: ["INT-56", "A faulty server that answers some requests with 502, 503 or 504: the first ones are examined."],
    when: (s) => hasGatewayError(s) && isKnown(s),
    step: (s) =>
      giveUp(`${title(s)} answered with ${s.status}, as it did to ${enough} requests before (HTTP-04): fix that first`),
  },
  "gateway control": {
    for: ["INT-56", "A faulty server that answers one kind of request with 502, 503 or 504: it answers others."],
    when: (s) => hasGatewayError(s) && hasControl(s) && times(s, "gateway error again") === 0,
    step: () => ofTarget,
  },
  "gateway burst": {
    for: ["INT-56", "Answers everything with 502, 503 or 504 for some seconds, while it is restarted."],
    when: (s) => isGatewayError(s.status) && isControlRefused(s) && times(s, "gateway burst") < burstWaits.length,
    step: (s) => ({ ...alone, pause: burstWaits[times(s, "gateway burst")] ?? 0 }),
  },
  "gateway in trouble": {
    for: ["INT-56", "Answers everything with 502, 503 or 504 for longer than a run waits."],
    when: (s) => isGatewayError(s.status) && (isControlRefused(s) || (!isControlled(s) && !hasControl(s))),
    step: (s) => {
      const reason = giveUp(
        `the target answered everything with ${s.status} for a while, ${title(s)} too. Try again later`,
      );
      return s.facts.outages + 1 >= enough ? { ...reason, isLost: true } : reason;
    },
  },
  "gateway error again": {
    for: ["INT-56", "Answers with 502, 503 or 504 for a moment that ends before the control."],
    when: (s) => isGatewayError(s.status) && isControlled(s),
    step: () => alone,
  },
  conflict: {
    for: ["INT-43", "Locks what was created for a moment with 409, 423 or 425."],
    when: (s) => isConflict(s.status) && times(s, "conflict") < conflictWaits.length && s.facts.conflicts < enough,
    step: (s) => ({ ...alone, pause: conflictWaits[times(s, "conflict")] ?? 0 }),
  },

  // The token or the key is refused.
  "older token": {
    for: ["INT-16", "Revokes older tokens when it issues a new one."],
    when: (s) => isTokenRefused(s) && s.request.token !== s.facts.token && times(s, "older token") < enough,
    step: () => again,
  },
  "token control": {
    for: ["INT-14", "Refuses invalid requests, customers or purposes with 401 or 403."],
    when: (s) =>
      isTokenRefused(s) &&
      !isControlled(s) &&
      canAskList(s) &&
      (isAboutToken(s)
        ? times(s, "refused token") === 3 && mayBeLockedOut(s)
        : !s.facts.tokensLapse || times(s, "refused token") > 0),
    step: () => ofToken,
  },
  "not the token": {
    for: ["INT-14", "Refuses invalid requests, customers or purposes with 401 or 403."],
    when: (s) => isTokenRefused(s) && isTokenGood(s) && !isAboutToken(s),
    step: () => deliver,
  },
  "refused anew": {
    for: ["INT-43", "Refuses invalid requests with 403, and has a list that is too long for a control."],
    when: (s) =>
      isTokenRefused(s) &&
      s.status === 403 &&
      s.spec.intent.kind !== "valid" &&
      !s.facts.tokensLapse &&
      (s.facts.refusedAnew.get(s.spec.operation) ?? 0) >= enough,
    step: () => deliver,
  },
  "refused token": {
    for: ["INT-16", "Has tokens that are good for 5 s or 50 requests; two fresh ones prove a fault (INT-14)."],
    when: (s) => isTokenRefused(s) && times(s, "refused token") < (isAboutToken(s) ? 3 : 2),
    step: (s) => ({
      ...(times(s, "refused token") === 0 ? again : alone),
      newToken: true,
      observed: ["OPEN-19", `a token was refused with ${s.status}, and another was fetched`],
    }),
  },
  "lock-out": {
    for: ["INT-17", "Locks a client out after ten bad credentials, for up to 30 s."],
    when: (s) =>
      isTokenRefused(s) &&
      mayBeLockedOut(s) &&
      !isTokenGood(s) &&
      (isAboutToken(s) || isControlled(s) || s.spec.operation === "listBatches") &&
      times(s, "lock-out") < lockOutWaits.length,
    step: (s) => ({ ...lockOut(s, "lock-out", `${s.status} to new tokens`), newToken: true }),
  },
  "locked out": {
    for: ["INT-17", "Locks a client out for longer than a run waits."],
    when: (s) => isAboutToken(s) && s.facts.hasTokenWorked && s.facts.badCredentials > 0 && !isTokenGood(s),
    step: (s) =>
      giveUp(
        `after bad credentials ${title(s)} refuses new tokens too (${words(s)}), as a lock-out does. Raise the server's limit of failed attempts for this client.`,
      ),
  },
  "fresh tokens refused": {
    for: ["INT-14", "A faulty server that refuses fresh tokens."],
    when: (s) => isAboutToken(s),
    step: () => ({ ...deliver, violates: "AUTH-04" }),
  },
  "key locked out": {
    for: ["INT-17", "Locks a client out after ten bad credentials, for up to 30 s."],
    when: (s) =>
      s.spec === s.facts.tokenRequest &&
      [401, 403].includes(s.status) &&
      mayBeLockedOut(s) &&
      times(s, "key locked out") < lockOutWaits.length,
    step: (s) => lockOut(s, "key locked out", "no token for a key that has worked"),
  },
} satisfies Record<string, Row>;

export type RowId = keyof typeof beginnings | keyof typeof rows | "answered" | "out of time";

/** What comes next, from what was tried for a request and what is known of the target. Knows no time and no network. */
export const decide = (spec: RequestSpec, tried: readonly Tried[], facts: Readonly<Facts>): Step => {
  const last = tried.at(-1);
  const step =
    last === undefined ? stepIn(beginnings, { spec, facts }) : stepIn(rows, situationOf(spec, tried, last, facts));
  if (step === undefined) return { ...deliver, row: "answered" };
  return facts.isOutOfTime && (step.kind === "again" || step.kind === "control") ? outOfTime(facts) : step;
};

const stepIn = <S>(table: Readonly<Record<string, Row<S>>>, situation: S): Step | undefined => {
  const found = Object.entries(table).find(([, { when }]) => when(situation));
  return found && { ...found[1].step(situation), row: found[0] as RowId };
};

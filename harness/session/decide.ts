import type { InterpretationId } from "../../spec/interpretations.ts";
import { operationTitle } from "../../spec/operations.ts";
import { jsonOf, messageOf, type RequestSpec } from "../../model/exchange.ts";
import { presentsItsOwn } from "../transport/http-request.ts";
import { longestWait, longestWaits, throttlingText } from "../transport/throttling.ts";
import { kindOf, type Facts } from "./facts.ts";
import * as is from "./situation.ts";
import { times, type Situation, type Tried } from "./situation.ts";

/** What comes next for a request. */
type Next = (
  | { readonly kind: "deliver"; readonly violates?: "AUTH-04" }
  | {
      readonly kind: "again";
      readonly isFresh?: true;
      readonly isAlone?: true;
      /** With a token other than the one that was refused. */
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
  /** The answer to an open question. */
  readonly observed?: readonly ["OPEN-19" | "OPEN-27", string];
};

/** The next step, and the row of the table that it follows. */
export type Step = Next & { readonly row: RowId };

interface Row {
  /** The interpretation that the row follows, and the server that needs it: a usual one (INT-43), else a faulty one. */
  readonly for: readonly [InterpretationId, string];
  readonly when: (situation: Situation) => boolean;
  readonly step: (situation: Situation) => Next;
}

/** Milliseconds. Those for a lock-out are together longer than a usual one lasts. */
const gatewayWaits = [200, 800, 1600] as const;
const conflictWaits = [0, 200, 500] as const;
const lockOutWaits = [1000, 2000, 4000, 8000, 16_000] as const;
const outageWaits = [250, 500, 1000] as const;

/** How many examinations that find something are enough, for each operation. */
const enough = 3;
/** How often a request whose connection drops is sent alone: a drop may be chance. */
const mostDrops = 3;

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

const throttling = ({ request, status }: Situation, who: string) => ({
  ...again,
  pause: request?.wait ?? 0,
  waiting: `${status} ${who}, waiting ${Math.ceil((request?.wait ?? 0) / 1000)} s`,
  observed: ["OPEN-27", request?.response === undefined ? "" : throttlingText(request.response)] as const,
});

const title = ({ spec }: Situation): string => operationTitle(spec.operation);
const words = ({ request }: Situation): string => {
  const response = request?.response;
  return response === undefined ? (request?.failure?.message ?? "") : messageOf({ response, json: jsonOf(response) });
};
const noResponse = (s: Situation): string => `${title(s)} gave no response: ${words(s)}`;

/** The first row that applies decides. */
const rows = {
  lost: {
    for: ["INT-04", "A target that stopped responding, or throttles everything."],
    when: ({ facts }) => facts.lost !== undefined,
    step: ({ facts }) => giveUp(facts.lost ?? ""),
  },
  hopeless: {
    for: ["INT-04", "A faulty server that never answers some requests: each would cost a time-out."],
    when: ({ spec, last, facts }) =>
      last === undefined && facts.hangs && (facts.timeouts.get(kindOf(spec)) ?? 0) >= enough,
    step: (s) =>
      giveUp(
        `not sent: ${title(s)} gave no response to ${enough} requests of this kind in a row (HTTP-05): fix that first`,
      ),
  },
  first: { for: ["INT-16", "Every server."], when: ({ last }) => last === undefined, step: () => again },
  "idle connection": {
    for: ["INT-34", "Closes idle connections with 408."],
    when: ({ request, status }) => status === 408 && request?.isFresh === false,
    step: () => ({ ...again, isFresh: true }),
  },

  // No response, or only a part of one.
  dropped: {
    for: ["INT-04", "Closes idle connections, or drops up to 2 % of them."],
    when: (s) => (is.isMissing(s) || is.isCut(s)) && !is.isTimeout(s) && s.request?.isFresh === false,
    step: () => ({ ...again, isFresh: true }),
  },
  "known hang": {
    for: ["INT-04", "A faulty server that never answers some requests: the first ones are examined."],
    when: (s) =>
      is.isMissing(s) &&
      !is.isControlled(s) &&
      ((is.isTimeout(s) && s.facts.hangs) || (s.facts.silences.get(s.spec.operation) ?? 0) >= enough),
    step: (s) => giveUp(noResponse(s)),
  },
  "known cut": {
    for: ["INT-04", "A faulty server that cuts its responses short."],
    when: (s) => is.isCut(s) && (s.facts.cuts.get(s.spec.operation) ?? 0) >= enough,
    step: () => deliver,
  },
  incomplete: {
    for: ["INT-04", "Is slow or drops connections while it is busy."],
    when: (s) => (is.isMissing(s) || is.isCut(s)) && !is.isAlone(s),
    step: () => ({ ...alone, isFresh: true }),
  },
  "dropped alone": {
    for: ["INT-04", "Drops up to 2 % of its connections."],
    when: (s) =>
      s.request?.failure?.kind === "dropped" &&
      !is.isControlled(s) &&
      s.tried.filter(({ isAlone, failure }) => isAlone && failure?.kind === "dropped").length < mostDrops,
    step: () => ({ ...alone, isFresh: true }),
  },
  "in trouble": {
    for: ["INT-04", "Is restarted during the run."],
    when: (s) => is.isMissing(s) && !is.isControlled(s) && times(s, "outage") > 0 && is.hasControl(s),
    step: (s) => giveUp(`the target was in trouble and did not respond to ${title(s)}: ${words(s)}`),
  },
  control: {
    for: ["INT-04", "A faulty server that does not answer one request: it answers others."],
    when: (s) => (is.isMissing(s) || is.isCut(s)) && !is.isControlled(s) && is.hasControl(s),
    step: () => ofTarget,
  },
  gone: {
    for: ["INT-04", "A target that stopped responding."],
    when: (s) => s.last?.response === undefined && is.downFor(s) > s.facts.patience,
    step: (s) => ({
      ...giveUp(`the target stopped responding ${Math.round((s.last?.at ?? 0) / 1000)} s into the run: ${words(s)}`),
      isLost: true,
    }),
  },
  outage: {
    for: ["INT-04", "Is restarted during the run."],
    when: (s) => s.last?.response === undefined,
    step: (s) => ({
      ...(is.hasControl(s) ? ofTarget : { ...alone, isFresh: true }),
      pause: outageWaits[times(s, "outage")] ?? 2000,
      ...(times(s, "outage") > 0
        ? {}
        : { waiting: `the target does not respond (${words(s)}), waiting for it to come back` }),
    }),
  },
  "after outage": {
    for: ["INT-04", "Is restarted during the run."],
    when: (s) => is.isControlled(s) && (is.isMissing(s) || is.isCut(s)) && times(s, "outage") > 0,
    step: () => ({ ...alone, isFresh: true }),
  },
  silent: {
    for: ["INT-04", "A faulty server that does not answer this request."],
    when: is.isMissing,
    step: (s) => ({ ...giveUp(noResponse(s)), violates: "HTTP-05" }),
  },
  cut: {
    for: ["INT-04", "A faulty server that cuts its responses short."],
    when: is.isCut,
    step: () => deliver,
  },

  // The target asks for patience.
  "put off": {
    for: ["INT-13", "Limits failed attempts for longer than a run waits."],
    when: (s) =>
      is.isThrottled(s) && presentsItsOwn(s.spec) && (is.isTooLong(s) || s.facts.putOff.has(is.secretsOf(s.spec))),
    step: (s) =>
      giveUp(
        `${title(s)} puts bad ${is.secretsOf(s.spec)} off with ${s.status}. Raise the server's limit of failed attempts for this client.`,
      ),
  },
  "failed attempts limited": {
    for: ["INT-13", "Answers 429 after ten bad credentials, for up to 30 s."],
    when: (s) => is.isThrottled(s) && presentsItsOwn(s.spec),
    step: (s) => throttling(s, `for bad ${is.secretsOf(s.spec)}`),
  },
  "throttled by all": {
    for: ["INT-13", "A target that throttles everything."],
    when: ({ request, facts }) =>
      (request?.wait ?? 0) > 0 &&
      (request?.at ?? 0) + (request?.wait ?? 0) - (facts.throttledSince ?? Infinity) > longestWaits,
    step: () => ({
      ...giveUp(
        `the target throttled every request for more than ${longestWaits / 1000} s. Lower --rate and --concurrency`,
      ),
      isLost: true,
    }),
  },
  "throttled too long": {
    for: ["INT-13", "Asks for a wait of more than 30 s."],
    when: (s) => is.isThrottled(s) && is.isTooLong(s),
    step: (s) =>
      giveUp(
        `${title(s)} was throttled with ${s.status}` +
          ((s.request?.wait ?? 0) > longestWait
            ? ` and a wait of ${Math.round((s.request?.wait ?? 0) / 1000)} s`
            : ` for more than ${longestWaits / 1000} s`) +
          `. Raise the server's limit for this client, or lower --rate and --concurrency.`,
      ),
  },
  throttled: {
    for: ["INT-13", "Limits the rate with 429 or 503 and Retry-After."],
    when: is.isThrottled,
    step: (s) => ({ ...throttling(s, "from the target"), forAll: true }),
  },
  "gateway error": {
    for: ["INT-04", "Stands behind a gateway that answers 502, 503 or 504 now and then."],
    when: (s) =>
      is.isGatewayError(s.status) &&
      times(s, "gateway error") < gatewayWaits.length &&
      (s.facts.gatewayErrors.get(s.spec.operation) ?? 0) < enough,
    step: (s) => ({ ...again, pause: gatewayWaits[times(s, "gateway error")] ?? 0 }),
  },
  conflict: {
    for: ["INT-43", "Locks what was created for a moment with 409, 423 or 425."],
    when: (s) => {
      const { gone, stayed } = s.facts.conflicts;
      return (
        is.isConflict(s.status) && times(s, "conflict") < (gone > 0 ? conflictWaits.length : stayed < enough ? 1 : 0)
      );
    },
    step: (s) => ({ ...alone, pause: conflictWaits[times(s, "conflict")] ?? 0 }),
  },

  // The token or the key is refused.
  "older token": {
    for: ["INT-16", "Revokes older tokens when it issues a new one."],
    when: (s) => is.isTokenRefused(s) && s.request?.token !== s.facts.token && times(s, "older token") < enough,
    step: () => again,
  },
  "token control": {
    for: ["INT-14", "Refuses invalid requests, customers or purposes with 401 or 403."],
    when: (s) =>
      is.isTokenRefused(s) &&
      !is.isControlled(s) &&
      !is.isAboutToken(s) &&
      is.canAskList(s) &&
      (!s.facts.tokensLapse || times(s, "lapsed token") > 0),
    step: () => ofToken,
  },
  "not the token": {
    for: ["INT-14", "Refuses invalid requests, customers or purposes with 401 or 403."],
    when: (s) => is.isTokenRefused(s) && is.isTokenGood(s) && !is.isAboutToken(s),
    step: () => deliver,
  },
  "lapsed token": {
    for: ["INT-16", "Has tokens that are good for 5 s or 50 requests."],
    when: (s) => is.isTokenRefused(s) && times(s, "lapsed token") === 0,
    step: ({ status }) => ({
      ...again,
      newToken: true,
      observed: ["OPEN-19", `a token was refused with ${status}, and another was fetched`],
    }),
  },
  "fresh token alone": {
    for: ["INT-14", "Revokes older tokens when it issues a new one."],
    when: (s) => is.isTokenRefused(s) && times(s, "fresh token alone") === 0,
    step: () => ({ ...alone, newToken: true }),
  },
  "second fresh token": {
    for: ["INT-14", "A faulty server that refuses fresh tokens: two of them prove it."],
    when: (s) => is.isAboutToken(s) && times(s, "second fresh token") === 0,
    step: () => ({ ...alone, newToken: true }),
  },
  "lock-out control": {
    for: ["INT-17", "Locks a client out after ten bad credentials, for up to 30 s."],
    when: (s) => is.isAboutToken(s) && !is.isControlled(s) && is.mayBeLockedOut(s) && is.canAskList(s),
    step: () => ofToken,
  },
  "lock-out": {
    for: ["INT-17", "Locks a client out after ten bad credentials, for up to 30 s."],
    when: (s) =>
      is.isTokenRefused(s) &&
      is.mayBeLockedOut(s) &&
      !is.isTokenGood(s) &&
      (is.isAboutToken(s) || is.isControlled(s) || s.spec.operation === "listBatches") &&
      times(s, "lock-out") < lockOutWaits.length,
    step: (s) => ({ ...lockOut(s, "lock-out", `${s.status} to new tokens`), newToken: true }),
  },
  "locked out": {
    for: ["INT-17", "Locks a client out for longer than a run waits."],
    when: (s) => is.isAboutToken(s) && s.facts.hasTokenWorked && s.facts.badCredentials > 0 && !is.isTokenGood(s),
    step: (s) =>
      giveUp(
        `after bad credentials ${title(s)} refuses new tokens too (${words(s)}), as a lock-out does. Raise the server's limit of failed attempts for this client.`,
      ),
  },
  "fresh tokens refused": {
    for: ["INT-14", "A faulty server that refuses fresh tokens."],
    when: (s) => is.isAboutToken(s),
    step: () => ({ ...deliver, violates: "AUTH-04" }),
  },
  "key locked out": {
    for: ["INT-17", "Locks a client out after ten bad credentials, for up to 30 s."],
    when: (s) =>
      s.spec === s.facts.tokenRequest &&
      [401, 403].includes(s.status) &&
      is.mayBeLockedOut(s) &&
      times(s, "key locked out") < lockOutWaits.length,
    step: (s) => lockOut(s, "key locked out", "no token for a key that has worked"),
  },
} as const satisfies Record<string, Row>;

export type RowId = keyof typeof rows | "answered";

const table = Object.entries(rows) as readonly (readonly [RowId, Row])[];

/** What comes next, from what was tried for a request and what is known of the target. Knows no time and no network. */
export const decide = (spec: RequestSpec, tried: readonly Tried[], facts: Readonly<Facts>): Step => {
  const situation = is.situationOf(spec, tried, facts);
  for (const [row, { when, step }] of table) if (when(situation)) return { ...step(situation), row };
  return { ...deliver, row: "answered" };
};

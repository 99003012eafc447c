import { describe, expect, test } from "vitest";
import { fieldOf } from "../../model/exchange.ts";
import { invalid, valid, type Refusal, type RequestSpec } from "../../model/request.ts";
import { exchangeOf } from "../../model/testing/exchanges.ts";
import type { RunSettings } from "../../model/target.ts";
import { interpretations } from "../../spec/interpretations.ts";
import {
  create,
  inTime,
  judgementsIn,
  list,
  origin,
  senderWith,
  token,
  useFakeTime,
} from "../testing/sender.ts";
import type { Reply, SeenRequest } from "../testing/sender.ts";
import { tables, takeOut } from "../testing/rows.ts";
import { stepAfterRefusal, type CountedResponse } from "./refusals.ts";

useFakeTime();

interface Case {
  readonly row: string;
  /** The server that needs the row. */
  readonly server: () => (seen: SeenRequest) => Reply;
  readonly sent: readonly RequestSpec[];
  /** Send the requests at once. @defaultValue one after the other */
  readonly isAtOnce?: true;
  readonly settings?: Partial<RunSettings>;
  /** The result with the row, and the result without it. */
  readonly with: string;
  readonly without: string;
}

/**
 * The result of the requests: a status for each, or the beginning of a reason; what was judged; how
 * many requests were sent, and in what time.
 */
async function outcomeOf({ server, sent, isAtOnce, settings }: Case): Promise<string> {
  const scripted = senderWith(server(), { grace: 5000, ...settings });
  const began = performance.now();
  const one = (spec: RequestSpec): Promise<string> =>
    scripted.sender.send(spec, origin).then(
      ({ response }) => String(response.status),
      (error: unknown) => (error as Error).message.replace(/[:;,.(].*| after.*| \d.*/s, ""),
    );
  const all = async (): Promise<readonly string[]> => {
    if (isAtOnce === true) return Promise.all(sent.map(one));
    const came: string[] = [];
    for (const spec of sent) came.push(await one(spec));
    return came;
  };
  const came = await inTime(all(), 1_000_000);
  const judgements = judgementsIn(scripted.messages);
  const refusal = new Set(sent.flatMap((spec) => spec.refusal?.requirement ?? []));
  const holds = judgements.flatMap((judgement) =>
    (judgement.holds ?? []).filter((id) => refusal.has(id)),
  );
  const ofSending: readonly string[] = ["HTTP-02", "HTTP-04", "HTTP-05", "AUTH-04", ...refusal];
  const broken = judgements
    .flatMap((judgement) => judgement.broken?.requirement ?? [])
    .filter((id) => ofSending.includes(id));
  const observed = scripted.messages
    .flatMap((one) => (one.type === "observation" ? [one.question] : []))
    .filter((id) => id === "OPEN-19" || id === "OPEN-27");
  const open = judgements.flatMap((judgement) => judgement.open?.requirement ?? []);
  const list = (what: string, ids: readonly string[]): readonly string[] =>
    ids.length === 0 ? [] : [`${[...new Set(ids)].join(" ")} ${what}`];
  const words = [...new Set(came)].map(
    (word) => `${came.filter((other) => other === word).length}x ${word}`,
  );
  const seconds = ((performance.now() - began) / 1000).toFixed(1);
  return [
    ...words,
    ...list("holds", holds),
    ...list("broken", broken),
    ...list("open", open),
    ...list("observed", observed),
    `${scripted.seen.length} requests in ${seconds} s`,
  ].join(", ");
}

function times(n: number, spec: RequestSpec): readonly RequestSpec[] {
  return Array.from({ length: n }, () => spec);
}
function no(status: number, ...headers: readonly (readonly [string, string])[]) {
  return { status, json: { message: "no" }, headers } as const;
}
const later = (seconds: number) => ["Retry-After", String(seconds)] as const;
const cut = { defect: { kind: "cut", text: "it ended early" } } as const;
const isToken = ({ operation }: SeenRequest): boolean => operation === "createToken";
const isBatch = ({ operation }: SeenRequest): boolean => operation === "createBatch";

const wrong: RequestSpec = { ...create, intent: invalid("without currency_pair"), body: {} };
const badToken: RequestSpec = {
  ...list,
  intent: invalid("with a made-up token"),
  authorization: "Bearer made-up",
};
const badKey: RequestSpec = { ...token, intent: invalid("with a made-up key"), apiKey: "made-up" };
const operation: RequestSpec = {
  operation: "createOperation",
  intent: valid,
  body: { currency_amount: 1 },
};
function refused(refusal: Partial<Refusal> = {}): RequestSpec {
  return {
    ...operation,
    intent: invalid("with null at /currency_amount"),
    body: {},
    refusal: { requirement: "OPER-24", status: 400, control: () => operation, ...refusal },
  };
}
const isControl = ({ request }: SeenRequest): boolean => String(request.body).includes("1");
/**
 * Answers the requests of a test of refusals: one reply for all controls, and one after the other
 * for the request itself.
 */
function refusing(control: Reply, ...own: readonly Reply[]) {
  const left = [...own];
  return (seen: SeenRequest): Reply => {
    if (seen.operation !== "createOperation") return undefined;
    if (isControl(seen)) return control;
    return left.length > 1 ? left.shift() : left[0];
  };
}

function batches(reply: (seen: SeenRequest) => Reply) {
  return (seen: SeenRequest): Reply => (isBatch(seen) ? reply(seen) : undefined);
}

/** A server that accepts only the latest token. */
function latestOnly() {
  let issued = 0;
  return (seen: SeenRequest): Reply => {
    if (isToken(seen)) issued = seen.nth;
    else if (seen.token !== `token-${issued}`) return no(401);
    return { delay: isToken(seen) ? 10 : 30 };
  };
}

/**
 * Answers every second bad token during a lock-out. During the first lock-out, good requests get
 * the same.
 */
function lockingTwice() {
  let bad = 0;
  let locked = 0;
  return (seen: SeenRequest): Reply => {
    if (seen.token === "made-up") {
      bad += 1;
      if (bad === 1) locked = 2;
      return no(bad % 2 === 1 ? 403 : 401);
    }
    locked -= 1;
    return locked >= 0 ? no(403) : undefined;
  };
}

/** A server whose tokens are good for `most` requests each. */
function lapsing(most: number) {
  const used = new Map<string, number>();
  return (seen: SeenRequest): Reply => {
    if (isToken(seen)) return undefined;
    const before = used.get(seen.token ?? "") ?? 0;
    used.set(seen.token ?? "", before + 1);
    return before < most ? undefined : no(401);
  };
}

/** After ten bad credentials, refuses tokens, or keys and older tokens, for `wait` milliseconds. */
function lockingOut(what: "tokens" | "keys", wait: number) {
  let bad = 0;
  let until = 0;
  return (seen: SeenRequest): Reply => {
    if (seen.token === "made-up" || fieldOf(seen.request.headers, "x-api-key") === "made-up") {
      bad += 1;
      if (bad === 10) until = performance.now() + wait;
      return no(401);
    }
    if (what === "keys" && bad >= 10 && seen.token === "token-1") return no(401);
    return performance.now() < until && isToken(seen) === (what === "keys") ? no(401) : undefined;
  };
}

/**
 * Knows what a request names only after `lag` milliseconds, and from then on refuses as it should.
 */
function laggingBy(lag: number) {
  let began: number | undefined;
  return (seen: SeenRequest): Reply => {
    if (seen.operation !== "createOperation") return undefined;
    began ??= performance.now();
    if (performance.now() - began < lag) return no(404);
    return isControl(seen) ? undefined : no(400);
  };
}

/** A firewall that refuses everything for `wait` milliseconds. */
function firewall(wait: number) {
  let began: number | undefined;
  return (seen: SeenRequest): Reply => {
    if (seen.operation !== "createOperation") return undefined;
    began ??= performance.now();
    if (performance.now() - began < wait) return no(403);
    return isControl(seen) ? undefined : no(400);
  };
}

const emptyList: Reply = { json: { batches: [], count: 0, total: 0 } };
const longList: Reply = { json: { batches: [], count: 0, total: 0, more: "x".repeat(100_001) } };

const refusedToken: RequestSpec = {
  ...badToken,
  refusal: { requirement: "AUTH-34", status: 401, control: () => list },
};

function listAwaiting(until: number): RequestSpec {
  return {
    ...list,
    mustSucceed: true,
    awaits: { isShown: ({ json }) => JSON.stringify(json).includes("b-1"), until },
  };
}

const cases: readonly Case[] = [
  {
    row: "lost",
    server: () => (seen) => (seen.n > 1 ? "dropped" : undefined),
    sent: times(5, create),
    with: "2x the target answered neither POST /batches nor anything else for a while, 3x the target stopped responding, 19 requests in 3.5 s",
    without:
      "2x the target answered neither POST /batches nor anything else for a while, 3x the target stopped responding, 31 requests in 5.8 s",
  },
  {
    row: "never answered",
    server: () => batches(() => "timeout"),
    sent: times(6, create),
    with: "2x POST /batches gave no response, 4x not sent, HTTP-05 broken, 5 requests in 3.1 s",
    without: "6x POST /batches gave no response, HTTP-05 broken, 9 requests in 7.1 s",
  },
  {
    row: "out of time",
    server: () => (seen) => (isToken(seen) || seen.nth % 2 === 0 ? undefined : no(429, later(25))),
    sent: times(10, create),
    settings: { runs: 25, concurrency: 8, timeout: 10_000 },
    with: "6x 200, 4x not sent, OPEN-27 observed, 14 requests in 156.2 s",
    without: "10x 200, OPEN-27 observed, 21 requests in 259.3 s",
  },
  {
    row: "idle connection",
    server: () => batches(({ fresh }) => (fresh ? undefined : no(408))),
    sent: [create],
    with: "1x 200, 3 requests in 0.1 s",
    without: "1x 408, 2 requests in 0.1 s",
  },
  {
    row: "dropped",
    server: () => (seen) =>
      isBatch(seen) && !seen.fresh ? "dropped" : { delay: isBatch(seen) ? 300 : 500 },
    sent: [list, create],
    isAtOnce: true,
    with: "2x 200, 4 requests in 1.1 s",
    without: "2x 200, 4 requests in 1.4 s",
  },
  {
    row: "known hang",
    server: () => batches(() => "timeout"),
    sent: times(4, create),
    isAtOnce: true,
    with: "4x POST /batches gave no response, HTTP-05 broken, 7 requests in 2.1 s",
    without: "4x POST /batches gave no response, HTTP-05 broken, 13 requests in 5.3 s",
  },
  {
    row: "known cut",
    server: () => batches(() => cut),
    sent: times(6, create),
    with: "6x 200, HTTP-02 broken, 19 requests in 0.3 s",
    without: "6x 200, HTTP-02 broken, 25 requests in 0.4 s",
  },
  {
    row: "incomplete",
    server: () => batches(({ nth }) => (nth === 1 ? "timeout" : undefined)),
    sent: [create],
    with: "1x 200, 3 requests in 1.1 s",
    without: "1x POST /batches gave no response, HTTP-05 broken, 3 requests in 1.1 s",
  },
  {
    row: "dropped alone",
    server: () => batches(({ nth }) => (nth <= 4 ? "dropped" : undefined)),
    sent: [create],
    with: "1x 200, 6 requests in 1.3 s",
    without: "1x POST /batches gave no response, HTTP-05 broken, 5 requests in 0.1 s",
  },
  {
    row: "control",
    server: () => batches(() => "dropped"),
    sent: [create],
    with: "1x POST /batches gave no response, HTTP-05 broken, 7 requests in 1.3 s",
    without:
      "1x the target answered neither POST /batches nor anything else for a while, 6 requests in 1.2 s",
  },
  {
    row: "in trouble",
    server:
      () =>
      ({ n }) =>
        n > 1 ? "dropped" : undefined,
    sent: [create],
    with: "1x the target answered neither POST /batches nor anything else for a while, 7 requests in 1.3 s",
    without: "1x POST /batches gave no response, HTTP-05 broken, 7 requests in 1.3 s",
  },
  {
    row: "slow to all",
    server: () => batches(({ nth }) => (nth <= 3 ? { delay: 600 } : "timeout")),
    sent: times(4, create),
    with: "3x 200, 1x POST /batches gave no response, 7 requests in 4.0 s",
    without: "3x 200, 1x POST /batches gave no response, HTTP-05 broken, 7 requests in 4.0 s",
  },
  {
    row: "silent",
    server: () => batches(() => "dropped"),
    sent: [create],
    with: "1x POST /batches gave no response, HTTP-05 broken, 7 requests in 1.3 s",
    without: "1x nothing counts, 7 requests in 1.3 s",
  },
  {
    row: "cut",
    server: () => batches(() => cut),
    sent: times(6, create),
    with: "6x 200, HTTP-02 broken, 19 requests in 0.3 s",
    without: "6x 200, HTTP-02 broken, 25 requests in 0.4 s",
  },
  {
    row: "put off",
    server:
      () =>
      ({ token: presented }) =>
        presented === "made-up" ? no(429, later(31)) : undefined,
    sent: times(3, badToken),
    with: "3x GET /batches answers bad tokens with, 3 requests in 0.1 s",
    without: "3x GET /batches was throttled with, 3 requests in 0.1 s",
  },
  {
    row: "throttled by all",
    server: () => (seen) => (isToken(seen) ? undefined : no(429, later(25))),
    sent: [list, create, create],
    isAtOnce: true,
    with: "3x the target throttled every request for more than, OPEN-27 observed, 6 requests in 51.1 s",
    without:
      "1x GET /batches was throttled with, 2x POST /batches was throttled with, OPEN-27 observed, 9 requests in 77.1 s",
  },
  {
    row: "throttled too long",
    server: () => batches(({ nth }) => (nth <= 3 ? no(429, later(31)) : undefined)),
    sent: [create],
    with: "1x POST /batches was throttled with, 2 requests in 0.1 s",
    without: "1x 200, OPEN-27 observed, 5 requests in 93.2 s",
  },
  {
    row: "throttled",
    server: () => batches(({ nth }) => (nth === 1 ? no(429, later(2)) : undefined)),
    sent: [create],
    with: "1x 200, OPEN-27 observed, 3 requests in 2.1 s",
    without: "1x 429, 2 requests in 0.1 s",
  },
  {
    row: "gateway error",
    server: () => batches(({ nth }) => (nth <= 2 ? no(502) : undefined)),
    sent: [create],
    with: "1x 200, OPEN-27 observed, 4 requests in 1.1 s",
    without: "1x 502, HTTP-04 broken, 4 requests in 0.1 s",
  },
  {
    row: "known gateway error",
    server: () => batches(() => no(502)),
    sent: times(5, create),
    with: "3x 502, 2x POST /batches answered with, HTTP-04 broken, 23 requests in 8.6 s",
    without: "5x 502, HTTP-04 broken, 27 requests in 8.7 s",
  },
  {
    row: "gateway control",
    server:
      () =>
      ({ n }) =>
        n > 1 ? no(503) : undefined,
    sent: [create],
    with: "1x the target answered everything with, 10 requests in 8.8 s",
    without: "1x 503, HTTP-04 broken, 5 requests in 2.7 s",
  },
  {
    row: "gateway burst",
    server: () => (seen) => (seen.n > 1 && seen.n < 9 ? no(503) : undefined),
    sent: [create],
    with: "1x 200, OPEN-27 observed, 9 requests in 8.8 s",
    without: "1x the target answered everything with, 6 requests in 2.7 s",
  },
  {
    row: "gateway in trouble",
    server:
      () =>
      ({ n }) =>
        n > 1 ? no(503) : undefined,
    sent: [create],
    with: "1x the target answered everything with, 10 requests in 8.8 s",
    without: "1x 503, HTTP-04 broken, 11 requests in 8.8 s",
  },
  {
    row: "gateway error again",
    server: () => batches(({ nth }) => (nth <= 4 ? no(504) : undefined)),
    sent: [create],
    with: "1x 200, OPEN-27 observed, 7 requests in 2.8 s",
    without: "1x 504, HTTP-04 broken, 6 requests in 2.8 s",
  },
  {
    row: "conflict",
    server: () => batches(({ nth }) => (nth <= 2 ? no(423) : undefined)),
    sent: [create],
    with: "1x 200, OPEN-27 observed, 4 requests in 0.3 s",
    without: "1x 423, 2 requests in 0.1 s",
  },
  {
    row: "older token",
    server: () => latestOnly(),
    sent: [list, token, list],
    isAtOnce: true,
    with: "3x 200, 6 requests in 0.2 s",
    without: "3x 200, OPEN-19 observed, 6 requests in 0.3 s",
  },
  {
    row: "token control",
    server: () => batches(() => no(403)),
    sent: [list, ...times(3, wrong)],
    with: "1x 200, 3x 403, 8 requests in 0.5 s",
    without: "1x 200, 3x 403, OPEN-19 observed, 17 requests in 0.9 s",
  },
  {
    row: "not the token",
    server: () => batches(() => no(403)),
    sent: [list, ...times(3, wrong)],
    with: "1x 200, 3x 403, 8 requests in 0.5 s",
    without: "1x 200, 3x 403, OPEN-19 observed, 26 requests in 1.4 s",
  },
  {
    row: "refused anew",
    server: () => (seen) => {
      if (isBatch(seen)) return no(403);
      return seen.operation === "listBatches" ? longList : undefined;
    },
    sent: [list, ...times(6, wrong)],
    with: "1x 200, 6x 403, OPEN-19 observed, 20 requests in 1.1 s",
    without: "1x 200, 6x 403, OPEN-19 observed, 32 requests in 1.6 s",
  },
  {
    row: "refused token",
    server: () => lapsing(3),
    sent: times(9, list),
    with: "9x 200, OPEN-19 observed, 14 requests in 0.8 s",
    without: "3x 200, 6x 401, AUTH-04 broken, 10 requests in 0.6 s",
  },
  {
    row: "lock-out",
    server: () => lockingOut("tokens", 10_000),
    sent: [list, ...times(10, badToken), list],
    with: "2x 200, 10x 401, OPEN-19 observed, 27 requests in 16.4 s",
    without:
      "1x 200, 10x 401, 1x after bad credentials GET /batches refuses new tokens too , OPEN-19 observed, 19 requests in 1.0 s",
  },
  {
    row: "locked out",
    server: () => lockingOut("tokens", 1_000_000),
    sent: [list, ...times(10, badToken), list],
    with: "1x 200, 10x 401, 1x after bad credentials GET /batches refuses new tokens too , OPEN-19 observed, 29 requests in 32.5 s",
    without: "1x 200, 11x 401, AUTH-04 broken, OPEN-19 observed, 29 requests in 32.5 s",
  },
  {
    row: "fresh tokens refused",
    server: () => (seen) => (isToken(seen) ? undefined : no(401)),
    sent: [list],
    with: "1x 401, AUTH-04 broken, OPEN-19 observed, 8 requests in 0.5 s",
    without: "1x 401, OPEN-19 observed, 8 requests in 0.5 s",
  },
  {
    row: "key locked out",
    server: () => lockingOut("keys", 10_000),
    sent: [list, ...times(10, badKey), list],
    with: "2x 200, 10x 401, OPEN-19 observed, 19 requests in 16.0 s",
    without:
      "1x 200, 10x 401, 1x POST /auth/token refuses a key that has worked, OPEN-19 observed, 14 requests in 0.8 s",
  },
  {
    row: "answered",
    server: () => () => undefined,
    sent: [create],
    with: "1x 200, 2 requests in 0.1 s",
    without: "1x no row applies, 1 requests in 0.1 s",
  },
  {
    row: "judged for a crash or a success alone",
    server: () => refusing(undefined, no(431)),
    sent: [{ ...refused(), exemptBy: "INT-38" }],
    with: "1x 431, 2 requests in 0.1 s",
    without: "1x 431, OPER-24 broken, 4 requests in 0.3 s",
  },
  {
    row: "single crash",
    server: () => refusing(undefined, no(500), no(400)),
    sent: [refused()],
    with: "1x 400, OPER-24 holds, HTTP-04 broken, 3 requests in 0.2 s",
    without: "1x 500, HTTP-04 OPER-24 broken, 2 requests in 0.1 s",
  },
  {
    row: "right",
    server: () => refusing(undefined, no(400)),
    sent: [refused()],
    with: "1x 400, OPER-24 holds, 2 requests in 0.1 s",
    without: "1x 400, OPER-24 holds, 3 requests in 0.2 s",
  },
  {
    row: "no refusal",
    server: () => refusing(undefined, undefined),
    sent: [refused()],
    with: "1x 200, OPER-24 broken, 2 requests in 0.1 s",
    without: "1x 200, OPER-24 open, 3 requests in 0.2 s",
  },
  {
    row: "without a control",
    server: () => refusing(undefined, no(422)),
    sent: [refused({ control: undefined })],
    with: "1x 422, OPER-24 broken, 2 requests in 0.1 s",
    without: "1x 422, OPER-24 open, 5 requests in 2.3 s",
  },
  {
    row: "refused alone",
    server: () => refusing(undefined, no(422)),
    sent: [refused()],
    with: "1x 422, OPER-24 broken, 4 requests in 0.3 s",
    without: "1x 422, OPER-24 broken, 5 requests in 0.3 s",
  },
  {
    row: "not compared",
    server: () => refusing(no(422), no(422)),
    sent: [refused()],
    with: "1x 422, OPER-24 open, 5 requests in 2.3 s",
    without: "1x 422, OPER-24 broken, 3 requests in 0.2 s",
  },
  {
    row: "block",
    server: () => firewall(3000),
    sent: [refused()],
    with: "1x 400, OPER-24 holds, OPEN-19 observed, 18 requests in 4.0 s",
    without: "1x 403, OPER-24 open, OPEN-19 observed, 11 requests in 0.6 s",
  },
  {
    row: "not known yet",
    server: () => laggingBy(1500),
    sent: [refused()],
    with: "1x 400, OPER-24 holds, 4 requests in 2.3 s",
    without: "1x 404, OPER-24 open, 3 requests in 0.2 s",
  },
  {
    row: "alike",
    server: () => refusing(no(422), no(422)),
    sent: [refused()],
    with: "1x 422, OPER-24 open, 5 requests in 2.3 s",
    without: "1x 422, OPER-24 broken, 6 requests in 2.4 s",
  },
  {
    row: "right, unlike the control",
    server: () => refusing(no(409), no(400)),
    sent: [refused({ isControlRefused: true })],
    with: "1x 400, OPER-24 holds, 6 requests in 0.8 s",
    without: "1x 400, OPER-24 broken, 7 requests in 0.9 s",
  },
  {
    row: "redirected",
    server: () => refusing(undefined, no(302)),
    sent: [refused()],
    with: "1x 302, OPER-24 broken, 3 requests in 0.2 s",
    without: "1x 302, OPER-24 broken, 4 requests in 0.3 s",
  },
  {
    row: "refused again",
    server: () => refusing(undefined, no(403)),
    sent: [refused()],
    with: "1x 403, OPER-24 broken, OPEN-19 observed, 13 requests in 0.7 s",
    without: "1x 403, OPER-24 open, OPEN-19 observed, 21 requests in 1.1 s",
  },
  {
    row: "once more",
    server: () => refusing(undefined, no(422), no(400)),
    sent: [refused()],
    with: "1x 400, OPER-24 holds, 4 requests in 0.3 s",
    without: "1x 422, 3 requests in 0.2 s",
  },
  {
    row: "any answer",
    server: () => batches(() => no(422)),
    sent: [create],
    with: "1x 422, 2 requests in 0.1 s",
    without: "1x POST /batches answered a valid request with, 2 requests in 0.1 s",
  },
  {
    row: "not shown yet",
    server: () => (seen) => (isToken(seen) || seen.nth > 3 ? undefined : emptyList),
    sent: [listAwaiting(900)],
    with: "1x 200, 5 requests in 1.0 s",
    without: "1x 200, 2 requests in 0.1 s",
  },
  {
    row: "success",
    server: () => (seen) =>
      seen.operation === "createOperation" && seen.nth <= 2 ? no(404) : undefined,
    sent: [{ ...operation, mustSucceed: true }],
    with: "1x 200, 4 requests in 0.6 s",
    without: "1x POST /corporate/operation answered a valid request with, 4 requests in 0.6 s",
  },
  {
    row: "not accepted yet",
    server: () => (seen) =>
      seen.operation === "createOperation" && seen.nth <= 3 ? no(404) : undefined,
    sent: [{ ...operation, mustSucceed: true }],
    with: "1x 200, 5 requests in 1.0 s",
    without: "1x POST /corporate/operation answered a valid request with, 2 requests in 0.1 s",
  },
  {
    row: "refused",
    server: () => batches(() => no(422)),
    sent: [{ ...create, mustSucceed: true }],
    with: "1x POST /batches answered a valid request with, 2 requests in 0.1 s",
    without: "1x 422, 2 requests in 0.1 s",
  },
  {
    row: "control locked out",
    server: () => (seen) =>
      isToken(seen) || seen.n === 2 ? undefined : no(seen.token === "made-up" ? 422 : 403),
    sent: [list, refusedToken],
    with: "1x 200, 1x 422, AUTH-34 open, OPEN-19 observed, 18 requests in 31.9 s",
    without: "1x 200, 1x 422, AUTH-34 broken, OPEN-19 observed, 19 requests in 32.0 s",
  },
  {
    row: "refused by itself",
    server: () => (seen) => (seen.token === "made-up" ? no(403) : undefined),
    sent: [list, refusedToken],
    with: "1x 200, 1x 403, AUTH-34 broken, 4 requests in 0.3 s",
    without: "1x 200, 1x 403, AUTH-34 broken, 6 requests in 0.3 s",
  },
  {
    // The second lock-out ends between the bad credential and its control.
    row: "once more",
    server: lockingTwice,
    sent: [list, refusedToken, refusedToken],
    with: "1x 200, 2x 401, AUTH-34 holds, OPEN-19 observed, 11 requests in 1.6 s",
    without: "1x 200, 1x 403, 1x 401, AUTH-34 holds, OPEN-19 observed, 8 requests in 1.4 s",
  },
];

describe("a server that needs the row", () => {
  test.each(cases)("$row", async (one) => {
    const withRow = await outcomeOf(one);
    takeOut(one.row);
    const without = await outcomeOf(one).catch((error: unknown) => (error as Error).message);
    // Compared at once, so that a changed bound shows both numbers in one run.
    expect({ with: withRow, without }).toEqual({ with: one.with, without: one.without });
  });
});

type ShownCase = readonly [
  row: string,
  shown: readonly CountedResponse[],
  isLive: boolean,
  withRow: string,
  without: string,
];

/**
 * Rows that only a recording asks, or that a run reaches only after a long time: what was shown,
 * and what the row then does.
 */
const shownCases: readonly ShownCase[] = [
  ["undecided", [own(429), control()], false, "done", "done OPER-24"],
  ["shown enough", [own(403)], true, "done", "ask"],
  ["recorded", [own(422), control()], false, "done OPER-24", "ask"],
  [
    "blocked again and again",
    Array.from({ length: 4 }, () => [own(403), control()]).flat(),
    true,
    "done without a verdict",
    "ask",
  ],
];

function own(status: number): CountedResponse {
  const json = { message: "no" };
  return {
    of: "request",
    exchange: exchangeOf("createOperation", { status, json, intent: wrong.intent }),
    isAlone: true,
  };
}

function control(): CountedResponse {
  return { of: "control", isAlike: false, hasWaited: true };
}

describe("what is shown needs the row", () => {
  test.each(shownCases)("%s", (row, shown, isLive, withRow, without) => {
    const { refusal } = refused();
    const live = isLive
      ? {
          unknownFor: 0,
          isBlocked: false,
          presentsItsOwn: false,
          locksOut: false,
          isShownEnough: true,
        }
      : undefined;
    const said = (): string => {
      const { step } = stepAfterRefusal([{ change: "so", refusal }], shown, live);
      const judged = (step.judgements ?? []).map(({ requirement }) => ` ${requirement}`).join("");
      return `${step.kind}${judged}${step.kind === "done" && step.noVerdict !== undefined ? " without a verdict" : ""}`;
    };
    expect(said()).toBe(withRow);
    takeOut(row);
    expect(said()).toBe(without);
  });
});

test("each row is taken out by a test, and names an interpretation and a server", () => {
  const tested = new Set([...cases.map(({ row }) => row), ...shownCases.map(([row]) => row)]);
  for (const table of tables)
    for (const [id, row] of Object.entries(table)) {
      expect(tested, id).toContain(id);
      const [interpretation, server] = row.for;
      expect(Object.keys(interpretations), id).toContain(interpretation);
      expect(server, id).toMatch(/^[A-Z].*[.]$/);
    }
});

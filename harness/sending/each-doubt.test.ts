import { describe, expect, test } from "vitest";
import { invalid, valid, type Refusal, type RequestSpec } from "../../model/request.ts";
import type { RunSettings } from "../../model/target.ts";
import { interpretations } from "../../spec/interpretations.ts";
import { create, inTime, list, origin, senderWith, token, useFakeTime } from "../testing/sender.ts";
import type { Reply, SeenRequest } from "../testing/sender.ts";
import { tables, takeOut } from "../testing/doubts.ts";

useFakeTime();

interface Case {
  readonly doubt: string;
  /** What the server does. */
  readonly about: string;
  readonly server: () => (seen: SeenRequest) => Reply;
  readonly sent: readonly RequestSpec[];
  /** Send the requests at once. @defaultValue one after the other */
  readonly isAtOnce?: true;
  readonly settings?: Partial<RunSettings>;
  /** The result with the doubt, and the result if it is not known. */
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
  const { judged, observations } = scripted.found();
  const refusal = new Set(sent.flatMap((spec) => spec.refusal?.requirement ?? []));
  const holds = [...refusal].filter((id) => {
    const { asked = 0, findings = [] } = judged.get(id) ?? {};
    return asked > findings.reduce((sum, { occurrences = 1 }) => sum + occurrences, 0);
  });
  const ofSending: readonly string[] = ["HTTP-02", "HTTP-04", "HTTP-05", "AUTH-04", ...refusal];
  const broken = scripted.broken().filter((id) => ofSending.includes(id));
  const observed = observations
    .map(({ id }) => id)
    .filter((id) => id === "OPEN-19" || id === "OPEN-27");
  const open = scripted.open();
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

/** A server whose only token is good for `most` requests. */
function spent(most: number) {
  let used = 0;
  return (seen: SeenRequest): Reply => {
    if (isToken(seen)) return { json: { token: "for-ever" } };
    used += 1;
    return used > most ? no(401) : undefined;
  };
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

/** After ten bad tokens, refuses all tokens for `wait` milliseconds. */
function lockingOut(wait: number) {
  let bad = 0;
  let until = 0;
  return (seen: SeenRequest): Reply => {
    if (seen.token === "made-up") {
      bad += 1;
      if (bad === 10) until = performance.now() + wait;
      return no(401);
    }
    return performance.now() < until && !isToken(seen) ? no(401) : undefined;
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

/** Refuses all requests for `wait` milliseconds, the first after a list. */
function blockingAfterList(wait: number) {
  let until: number | undefined;
  return (seen: SeenRequest): Reply => {
    if (until !== undefined) return performance.now() < until ? no(403) : undefined;
    if (seen.operation === "listBatches") until = performance.now() + wait;
    return undefined;
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
    doubt: "idle connection",
    about: "idle connection",
    server: () => batches(({ fresh }) => (fresh ? undefined : no(408))),
    sent: [create],
    with: "1x 200, 3 requests in 0.1 s",
    without: "1x 408, 2 requests in 0.1 s",
  },
  {
    doubt: "silence",
    about: "dropped",
    server: () => (seen) =>
      isBatch(seen) && !seen.fresh ? "dropped" : { delay: isBatch(seen) ? 300 : 500 },
    sent: [list, create],
    isAtOnce: true,
    with: "2x 200, 4 requests in 1.1 s",
    without: "1x 200, 1x nothing counts, 3 requests in 1.1 s",
  },
  {
    doubt: "silence",
    about: "known hang",
    server: () => batches(() => "timeout"),
    sent: times(4, create),
    isAtOnce: true,
    with: "4x POST /batches gave no response, HTTP-05 broken, 7 requests in 2.1 s",
    without: "4x nothing counts, 5 requests in 1.1 s",
  },
  {
    doubt: "silence",
    about: "in trouble",
    server:
      () =>
      ({ n }) =>
        n > 1 ? "dropped" : undefined,
    sent: [create],
    with: "1x the target answered neither POST /batches nor anything else for a while, 7 requests in 1.3 s",
    without: "1x nothing counts, 2 requests in 0.1 s",
  },
  {
    doubt: "silence",
    about: "slow to all",
    server: () => batches(({ nth }) => (nth <= 3 ? { delay: 600 } : "timeout")),
    sent: times(4, create),
    with: "3x 200, 1x POST /batches gave no response, 7 requests in 4.0 s",
    without: "3x 200, 1x nothing counts, 5 requests in 2.9 s",
  },
  {
    doubt: "silence",
    about: "silent",
    server: () => batches(() => "dropped"),
    sent: [create],
    with: "1x POST /batches gave no response, HTTP-05 broken, 7 requests in 1.3 s",
    without: "1x nothing counts, 2 requests in 0.1 s",
  },
  {
    doubt: "cut",
    about: "cut",
    server: () => batches(() => cut),
    sent: times(6, create),
    with: "6x 200, HTTP-02 broken, 19 requests in 0.3 s",
    without: "6x 200, HTTP-02 broken, 7 requests in 0.1 s",
  },
  {
    doubt: "throttling",
    about: "put off",
    server:
      () =>
      ({ token: presented }) =>
        presented === "made-up" ? no(429, later(31)) : undefined,
    sent: times(3, badToken),
    with: "3x GET /batches answers bad tokens with, 3 requests in 0.1 s",
    without: "3x 429, 3 requests in 0.1 s",
  },
  {
    doubt: "throttling",
    about: "throttled by all",
    server: () => (seen) => (isToken(seen) ? undefined : no(429, later(25))),
    sent: [list, create, create],
    isAtOnce: true,
    with: "1x GET /batches was throttled with, 2x POST /batches was throttled with, OPEN-27 observed, 9 requests in 77.1 s",
    without: "3x 429, 4 requests in 0.1 s",
  },
  {
    doubt: "throttling",
    about: "throttled for as long as a run waits at once and in a row",
    server: () => batches(({ nth }) => (nth <= 2 ? no(429, later(30)) : undefined)),
    sent: [create],
    with: "1x 200, OPEN-27 observed, 4 requests in 60.1 s",
    without: "1x 429, 2 requests in 0.1 s",
  },
  {
    doubt: "gateway error",
    about: "known gateway error",
    server: () => batches(() => no(502)),
    sent: times(5, create),
    with: "3x 502, 2x POST /batches answered with, HTTP-04 broken, 26 requests in 8.6 s",
    without: "5x 502, HTTP-04 broken, 6 requests in 0.1 s",
  },
  {
    doubt: "gateway error",
    about: "gateway control",
    server:
      () =>
      ({ n }) =>
        n > 1 ? no(503) : undefined,
    sent: [create],
    with: "1x the target answered everything with, 10 requests in 8.8 s",
    without: "1x 503, HTTP-04 broken, 2 requests in 0.1 s",
  },
  {
    doubt: "conflict",
    about: "conflict",
    server: () => batches(({ nth }) => (nth <= 2 ? no(423) : undefined)),
    sent: [create],
    with: "1x 200, OPEN-27 observed, 4 requests in 0.3 s",
    without: "1x 423, 2 requests in 0.1 s",
  },
  {
    doubt: "refused token",
    about: "older token",
    server: latestOnly,
    sent: [list, token, list],
    isAtOnce: true,
    with: "3x 200, OPEN-19 observed, 6 requests in 0.2 s",
    without: "2x 401, 1x 200, 4 requests in 0.1 s",
  },
  {
    doubt: "refused token",
    about: "one token for ever, also when it is spent",
    server: () => spent(3),
    sent: times(9, list),
    with: "3x 200, 3x 401, 3x GET /batches refuses tokens that were just issued, AUTH-04 broken, 28 requests in 1.4 s",
    without: "3x 200, 6x 401, 10 requests in 0.6 s",
  },
  {
    doubt: "refused token",
    about: "refused anew",
    server: () => (seen) => {
      if (isBatch(seen)) return no(403);
      return seen.operation === "listBatches" ? longList : undefined;
    },
    sent: [list, ...times(6, wrong)],
    with: "1x 200, 6x 403, 20 requests in 1.1 s",
    without: "1x 200, 6x 403, 8 requests in 0.5 s",
  },
  {
    doubt: "lock-out",
    about: "locked out",
    server: () => lockingOut(1_000_000),
    sent: [list, ...times(10, badToken), list],
    with: "1x 200, 10x 401, 1x after bad credentials GET /batches refuses new tokens too , 29 requests in 32.5 s",
    without: "1x 200, 11x 401, 19 requests in 1.0 s",
  },
  {
    doubt: "refused token",
    about: "fresh tokens refused",
    server: () => (seen) => (isToken(seen) ? undefined : no(401)),
    sent: [list],
    with: "1x 401, AUTH-04 broken, 8 requests in 0.5 s",
    without: "1x 401, 2 requests in 0.1 s",
  },
  {
    doubt: "lock-out",
    about: "blocked for a while, before any bad credential",
    server: () => blockingAfterList(5000),
    sent: [list, list, create],
    with: "3x 200, OPEN-19 observed, 9 requests in 7.5 s",
    without: "1x 200, 2x POST /auth/token refuses a key that has worked, 6 requests in 0.3 s",
  },
  {
    doubt: "single crash",
    about: "single crash",
    server: () => refusing(undefined, no(500), no(400)),
    sent: [refused()],
    with: "1x 400, OPER-24 holds, HTTP-04 broken, 3 requests in 0.2 s",
    without: "1x 500, HTTP-04 OPER-24 broken, 2 requests in 0.1 s",
  },
  {
    doubt: "other refusal",
    about: "block",
    server: () => firewall(3000),
    sent: [refused()],
    with: "1x 400, OPER-24 holds, 22 requests in 4.2 s",
    without: "1x 403, OPER-24 broken, 6 requests in 0.3 s",
  },
  {
    doubt: "other refusal",
    about: "not known yet",
    server: () => laggingBy(1500),
    sent: [refused()],
    with: "1x 400, OPER-24 holds, 4 requests in 2.3 s",
    without: "1x 404, OPER-24 broken, 2 requests in 0.1 s",
  },
  {
    doubt: "other refusal",
    about: "alike",
    server: () => refusing(no(422), no(422)),
    sent: [refused()],
    with: "1x 422, OPER-24 open, 5 requests in 2.3 s",
    without: "1x 422, OPER-24 broken, 2 requests in 0.1 s",
  },
  {
    doubt: "other refusal",
    about: "right, unlike the control",
    server: () => refusing(no(409), no(400)),
    sent: [refused({ isControlRefused: true })],
    with: "1x 400, OPER-24 holds, 6 requests in 0.8 s",
    without: "1x 400, OPER-24 holds, 2 requests in 0.1 s",
  },
  {
    doubt: "other refusal",
    about: "once more",
    server: () => refusing(undefined, no(422), no(400)),
    sent: [refused()],
    with: "1x 400, OPER-24 holds, 4 requests in 0.3 s",
    without: "1x 422, OPER-24 broken, 2 requests in 0.1 s",
  },
  {
    doubt: "not shown yet",
    about: "not shown yet",
    server: () => (seen) => (isToken(seen) || seen.nth > 3 ? undefined : emptyList),
    sent: [listAwaiting(900)],
    with: "1x 200, 5 requests in 1.0 s",
    without: "1x 200, 2 requests in 0.1 s",
  },
  {
    doubt: "not accepted yet",
    about: "not accepted yet",
    server: () => (seen) =>
      seen.operation === "createOperation" && seen.nth <= 3 ? no(404) : undefined,
    sent: [{ ...operation, mustSucceed: true }],
    with: "1x 200, 5 requests in 1.0 s",
    without: "1x POST /corporate/operation answered a valid request with, 2 requests in 0.1 s",
  },
  {
    doubt: "held refusal",
    about: "refuses good tokens too once a bad one was presented",
    server: () => {
      let bad = 0;
      return (seen) => {
        if (seen.token === "made-up") bad += 1;
        return bad > 0 && !isToken(seen) ? no(401) : undefined;
      };
    },
    sent: [list, refusedToken],
    with: "1x 200, 1x not sent, 20 requests in 32.0 s",
    without: "1x 200, 1x 401, AUTH-34 holds, 3 requests in 0.2 s",
  },
  {
    doubt: "other refusal",
    about: "control locked out",
    server: () => (seen) =>
      isToken(seen) || seen.n === 2 ? undefined : no(seen.token === "made-up" ? 422 : 403),
    sent: [list, refusedToken],
    with: "1x 200, 1x not sent, 18 requests in 33.9 s",
    without: "1x 200, 1x 422, AUTH-34 broken, 3 requests in 0.2 s",
  },
];

describe("a server that needs the doubt", () => {
  test.each(cases)("$doubt: $about", async (one) => {
    const withDoubt = await outcomeOf(one);
    takeOut(one.doubt);
    const without = await outcomeOf(one).catch((error: unknown) => (error as Error).message);
    expect({ with: withDoubt, without }).toEqual({ with: one.with, without: one.without });
    expect(withDoubt).not.toBe(without);
  });
});

test("each doubt is taken out by a test, and names an interpretation and a server", () => {
  const tested = new Set(cases.map(({ doubt }) => doubt));
  for (const table of tables)
    for (const [id, doubt] of Object.entries(table)) {
      expect(tested, id).toContain(id);
      const [interpretation, server] = doubt.for;
      expect(Object.keys(interpretations), id).toContain(interpretation);
      expect(server, id).toMatch(/^[A-Z].*[.]$/);
    }
});

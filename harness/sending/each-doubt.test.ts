import { expect, test } from "vitest";
import { invalid, valid, type Refusal, type RequestSpec } from "../../model/request.ts";
import type { RunSettings } from "../../model/target.ts";
import {
  altered,
  badToken,
  create,
  inTime,
  isBatch,
  isToken,
  list,
  no,
  origin,
  senderWith,
  token,
  useFakeTime,
  type Reply,
  type SeenRequest,
} from "../testing/sender.ts";
import { tables, withoutDoubt } from "../testing/doubts.ts";

useFakeTime();

interface Case {
  /** What the server does. */
  readonly about: string;
  readonly server: () => (seen: SeenRequest) => Reply;
  readonly sent: readonly RequestSpec[];
  /** Send the requests at once. @defaultValue one after the other */
  readonly isAtOnce?: true;
  readonly settings?: Partial<RunSettings>;
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
  const { judged, observations, warnings } = scripted.found();
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
  const seconds = (performance.now() - began) / 1000;
  const within = stages.find((stage) => seconds <= stage);
  return [
    ...words,
    ...list("holds", holds),
    ...list("broken", broken),
    ...list("open", open),
    ...list("observed", observed),
    ...warnings,
    `${scripted.seen.length} requests within ${within} s`,
  ].join(", ");
}

/** In seconds. The clock of the test goes on by a tenth now and then: no case takes nearly so long. */
const stages = [1.75, 4.75, 20, 50, 100];

function times(n: number, spec: RequestSpec): readonly RequestSpec[] {
  return Array.from({ length: n }, () => spec);
}
const later = (seconds: number) => ["Retry-After", String(seconds)] as const;
const cut = { defect: { kind: "cut", text: "it ended early" } } as const;

const wrong: RequestSpec = { ...create, intent: invalid("without currency_pair"), body: {} };
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
function lockingOut(wait: number, reply: Reply = no(401)) {
  let bad = 0;
  let until = 0;
  return (seen: SeenRequest): Reply => {
    if (seen.token === "made-up") {
      bad += 1;
      if (bad === 10) until = performance.now() + wait;
      return no(401);
    }
    const isHit = reply === "dropped" || !isToken(seen);
    return performance.now() < until && isHit ? reply : undefined;
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

const emptyList: Reply = {
  json: { batches: [], count: 0, total: 0 },
  defect: { kind: "too deep", text: "it is deep" },
};
const longList: Reply = { json: { batches: [], count: 0, total: 0, more: "x".repeat(100_001) } };

const refusedToken: RequestSpec = {
  ...badToken,
  refusal: { requirement: "AUTH-34", status: 401, control: () => list },
};

/** Refused with 403, which may be about the credentials or about the request itself. */
const doublyDoubted: RequestSpec = {
  ...badToken,
  refusal: { requirement: "AUTH-34", control: () => list, isControlRefused: true },
};

function listAwaiting(until: number): RequestSpec {
  return {
    ...list,
    mustSucceed: true,
    awaits: { isShown: ({ json }) => JSON.stringify(json).includes("b-1"), until },
  };
}

/** Servers that need each doubt. */
const cases: Readonly<Record<string, readonly Case[]>> = {
  silence: [
    {
      about: "dropped",
      server: () => (seen) =>
        isBatch(seen) && !seen.fresh ? "dropped" : { delay: isBatch(seen) ? 300 : 500 },
      sent: [list, create],
      isAtOnce: true,
    },
    {
      about: "known hang",
      server: () => batches(() => "timeout"),
      sent: times(4, create),
      isAtOnce: true,
    },
    {
      about: "in trouble",
      server:
        () =>
        ({ n }) =>
          n > 1 ? "dropped" : undefined,
      sent: [create],
    },
    {
      about: "hangs, and is slow elsewhere",
      server: () => (seen) => {
        if (isBatch(seen)) return "timeout";
        if (seen.operation !== "createOperation") return undefined;
        return seen.nth <= 2 ? "dropped" : { delay: 900 };
      },
      sent: [list, create, operation],
    },
    {
      about: "slow to all",
      server: () => batches(({ nth }) => (nth <= 3 ? { delay: 600 } : "timeout")),
      sent: times(4, create),
    },
    {
      about: "blocked after bad credentials",
      server: () => lockingOut(5000, "dropped"),
      sent: [list, ...times(10, badToken), list],
    },
    {
      about: "silent",
      server: () => batches(() => "dropped"),
      sent: [create],
    },
  ],
  cut: [
    {
      about: "cut",
      server: () => batches(() => cut),
      sent: times(6, create),
    },
    {
      about: "idle connection",
      server: () => batches(({ fresh }) => (fresh ? undefined : no(408))),
      sent: [create],
    },
  ],
  throttling: [
    {
      about: "put off",
      server:
        () =>
        ({ token: presented }) =>
          presented === "made-up" ? no(429, later(31)) : undefined,
      sent: times(3, badToken),
    },
    {
      about: "throttled by all",
      server: () => (seen) => (isToken(seen) ? undefined : no(429, later(25))),
      sent: [list, create, create],
      isAtOnce: true,
    },
    {
      about: "throttled for as long as a run waits at once and in a row",
      server: () => batches(({ nth }) => (nth <= 2 ? no(429, later(30)) : undefined)),
      sent: [create],
    },
  ],
  "gateway error": [
    {
      about: "known gateway error",
      server: () => batches(() => no(502)),
      sent: times(5, create),
    },
    {
      about: "held up by one another",
      server: () => batches(({ nth }) => (nth <= 3 ? { ...no(502), delay: 1000 } : undefined)),
      sent: [list, list, list, list, ...times(3, create)],
      isAtOnce: true,
    },
    {
      about: "gateway control",
      server:
        () =>
        ({ n }) =>
          n > 1 ? no(503) : undefined,
      sent: [create],
    },
  ],
  conflict: [
    {
      about: "conflict",
      server: () => batches(({ nth }) => (nth <= 2 ? no(423) : undefined)),
      sent: [create],
    },
    {
      about: "conflict that stays, in a large body",
      server: () => batches(() => ({ ...no(409), json: { message: "x".repeat(2 ** 20) } })),
      sent: [create],
    },
  ],
  "refused token": [
    {
      about: "older token",
      server: latestOnly,
      sent: [list, token, list],
      isAtOnce: true,
    },
    {
      about: "one token for ever, also when it is spent",
      server: () => spent(3),
      sent: times(9, list),
    },
    {
      about: "fresh tokens refused",
      server: () => (seen) => (isToken(seen) ? undefined : no(401)),
      sent: [list],
    },
  ],
  "perhaps the token": [
    {
      about: "of content, as the list shows",
      server: () => (seen) => {
        if (isBatch(seen)) return no(403);
        return seen.operation === "listBatches" ? longList : undefined;
      },
      sent: [list, ...times(6, wrong)],
    },
    {
      about: "of content, and the list is refused as well",
      server: () => (seen) => (isToken(seen) ? undefined : no(403)),
      sent: times(6, wrong),
    },
    {
      about: "of a token that ended",
      server: () => (seen) => (seen.token === "token-1" && seen.n > 2 ? no(403) : undefined),
      sent: [list, wrong, create],
    },
  ],
  "lock-out": [
    {
      about: "locked out",
      server: () => lockingOut(1_000_000),
      sent: [list, ...times(10, badToken), list],
    },
    {
      about: "blocked for a while, before any bad credential",
      server: () => blockingAfterList(5000),
      sent: [list, list, create],
    },
  ],
  crash: [
    {
      about: "two requests wait for one another",
      server: () => batches(({ nth }) => (nth <= 2 ? { ...no(500), delay: 1000 } : undefined)),
      sent: [list, list, list, list, wrong, wrong],
      isAtOnce: true,
    },
    {
      about: "a crash that takes long, alone too",
      server: () => batches(() => ({ ...no(500), delay: 1000 })),
      sent: [list, list, list, list, ...times(5, wrong)],
    },
    {
      about: "single crash",
      server: () => refusing(undefined, no(500), no(400)),
      sent: [refused()],
    },
    {
      about: "a crash while something is created, twice",
      server: () => {
        let until = 0;
        return (seen) => {
          if (isBatch(seen)) until = performance.now() + 1000;
          if (isBatch(seen)) return { delay: 1000 };
          if (seen.token?.endsWith("x") !== true) return undefined;
          return performance.now() < until ? no(500) : no(401);
        };
      },
      sent: [create, altered, create],
      isAtOnce: true,
    },
    {
      about: "a crash that stays, more often than it is examined",
      server: () => refusing(undefined, no(500)),
      sent: times(5, refused()),
    },
  ],
  "other refusal": [
    {
      about: "block",
      server: () => firewall(3000),
      sent: [refused()],
    },
    {
      about: "not known yet",
      server: () => laggingBy(1500),
      sent: [refused()],
    },
    {
      about: "alike",
      server: () => refusing(no(422), no(422)),
      sent: [refused()],
    },
    {
      about: "right, unlike the control",
      server: () => refusing(no(409), no(400)),
      sent: [refused({ isControlRefused: true })],
    },
    {
      about: "used up by a bad credential",
      server: () => batches(({ nth }) => (nth > 1 ? no(409) : undefined)),
      sent: times(2, {
        ...altered,
        ...{ operation: "createBatch", body: create.body },
        refusal: { requirement: "AUTH-33", control: () => create },
      }),
    },
    {
      about: "once more",
      server: () => refusing(undefined, no(422), no(400)),
      sent: [refused()],
    },
    {
      about: "control locked out",
      server: () => (seen) =>
        isToken(seen) || seen.n === 2 ? undefined : no(seen.token === "made-up" ? 422 : 403),
      sent: [list, refusedToken],
    },
  ],
  "not shown yet": [
    {
      about: "not shown yet",
      server: () => (seen) => (isToken(seen) || seen.nth > 3 ? undefined : emptyList),
      sent: [listAwaiting(900)],
    },
  ],
  "not accepted yet": [
    {
      about: "not accepted yet",
      server: () => (seen) =>
        seen.operation === "createOperation" && seen.nth <= 3 ? no(404) : undefined,
      sent: [{ ...operation, mustSucceed: true }],
    },
  ],
  "held refusal": [
    {
      about: "refuses good tokens too once a bad one was presented",
      server: () => {
        let bad = 0;
        return (seen) => {
          if (seen.token === "made-up") bad += 1;
          return bad > 0 && !isToken(seen) ? no(401) : undefined;
        };
      },
      sent: [list, refusedToken],
    },
    {
      about: "in doubt for two reasons, of which each has a control",
      server: () => (seen) => (seen.token === "made-up" ? no(403) : undefined),
      sent: [list, doublyDoubted],
    },
  ],
};

test("what each doubt changes for a server that needs it", async () => {
  const lines: string[] = [];
  for (const [doubt, servers] of Object.entries(cases))
    for (const one of servers) {
      const known = await outcomeOf(one);
      const unknown = await withoutDoubt(doubt, () => outcomeOf(one));
      lines.push(`${doubt}: ${one.about}`, `  with     ${known}`, `  without  ${unknown}`);
      expect(unknown, `${doubt}: ${one.about}`).not.toBe(known);
    }
  await expect(`${lines.join("\n")}\n`).toMatchFileSnapshot("../testing/doubts.golden");
});

test("each doubt has a server here", () => {
  const doubts = tables.flatMap((table) => Object.keys(table));
  expect(Object.keys(cases).toSorted()).toEqual(doubts.toSorted());
});

// Legal servers that limit rates, lock out after bad credentials, are slow, or fail for a moment.
import {
  answers,
  around,
  crowded,
  delayed,
  instead,
  insteadOfEach,
  pause,
  problem,
  remembering,
  htmlPage,
} from "../change.ts";
import type { Answer, Call, Change } from "../policy.ts";
import { deviation, type Deviation, type Facts } from "./deviation.ts";

type Headers = Readonly<Record<string, string>>;
function tooMany(headers: Headers = {}): Answer {
  return problem(429, "Too many requests", headers);
}
const after = (seconds: number): Headers => ({ "retry-after": String(seconds) });
const slow = { slow: true } as const;

function rated(
  id: string,
  perSecond: number,
  what: string,
  refuse: () => Answer,
  facts: Facts = {},
): Deviation {
  const limiting = remembering(() => {
    let recent: readonly number[] = [];
    return around(async (call, next) => {
      const now = Date.now();
      recent = recent.filter((time) => now - time < 1_000);
      if (recent.length >= perSecond) return refuse();
      recent = [...recent, now];
      return next(call);
    });
  });
  const about = `More than ${perSecond} requests a second get ${what}.`;
  return deviation(id, about, limiting, { group: "rate", needs: slow, ...facts });
}

function atOnce(id: string, most: number, refusal: Answer, facts: Facts = {}): Deviation {
  const limiting = crowded(
    () => true,
    async (inFlight, next) => {
      if (inFlight() > most) return refusal;
      await pause(5);
      return next();
    },
  );
  const about = `Beyond ${most} at once, requests get a ${refusal.status}.`;
  return deviation(id, about, limiting, { group: "rate", ...facts });
}

const open = { known: "open" } as const;
const busy = "Another request is being processed";
/** What was just created is locked for 300 ms. */
const momentLocked: Change = around(async (call, next) => {
  const { store, operation, parameter } = call;
  const named = operation === "addAcamItem" ? store.operations.get(parameter) : undefined;
  const payee = operation === "createOperation" ? payeeIn(call) : "";
  const since = named?.createdAt.getTime() ?? store.registered.get(payee) ?? 0;
  return Date.now() - since < 300 ? problem(423, busy) : next(call);
});

/** The counterparty that a request names, whose body is not parsed yet. */
function payeeIn({ bytes }: Call): string {
  return /"counterparty_id"\s*:\s*"([^"]*)"/.exec(bytes.toString())?.[1] ?? "";
}

const oneAtATime: Change = remembering(() => {
  let last: Promise<unknown> = Promise.resolve();
  return around(async (call, next) => {
    const before = last;
    const own = (async () => {
      await Promise.allSettled([before]);
      await pause(30);
      return next(call);
    })();
    last = own;
    return own;
  });
});

const rates: readonly Deviation[] = [
  rated("rate-4", 4, "a 429 with Retry-After", () => tooMany(after(1))),
  rated("rate-10-silent", 10, "a 429 without Retry-After", () => tooMany()),
  rated("rate-20-dated", 20, "a 429 with a date in Retry-After", () =>
    tooMany({ "retry-after": new Date(Date.now() + 1_000).toUTCString() }),
  ),
  rated("rate-20-page", 20, "a 429 with an HTML page", () => htmlPage(429, after(1))),
  rated("rate-20-503", 20, "a 503 with Retry-After", () => problem(503, "Busy", after(1))),
  rated(
    "rate-20-403",
    20,
    "a 403 with Retry-After",
    () => problem(403, "Quota exceeded", after(1)),
    open,
  ),
  atOnce("blind-two-in-flight", 2, tooMany(after(1))),
  atOnce("crowd-of-four", 4, tooMany()),
  atOnce("one-at-a-time-409", 1, problem(409, busy), open),
  deviation("blind-moment-locked", "What was just created is locked for 300 ms.", momentLocked),
  deviation("blind-one-at-a-time", "Requests are answered one after the other.", oneAtATime),
];

function trouble(id: string, about: string, change: Change, facts: Facts = {}): Deviation {
  return deviation(id, about, change, { group: "trouble", needs: slow, ...facts });
}

function nowAndThen(id: string, n: number, what: string, answer: Answer): Deviation {
  return trouble(id, `One of ${n} requests gets ${what}.`, insteadOfEach(n, answer));
}

/**
 * After every second body that looks like an attack, refuses all requests for a second, as
 * firewalls do.
 */
const firewall: Change = remembering(() => {
  let seen = 0;
  let until = 0;
  return around(async (call, next) => {
    if (Date.now() >= until && /<\w+|--|\.\.\//.test(call.bytes.toString())) {
      seen += 1;
      if (seen % 2 === 0) until = Date.now() + 1_000;
    }
    return Date.now() < until ? problem(403, "Blocked") : next(call);
  });
});

/** Gives this answer to bursts of requests in a row. After each burst, it handles some requests. */
function inBursts(length: number, between: number, answer: Answer): Change {
  return remembering(() => {
    let requests = 0;
    return instead(() => {
      requests += 1;
      return requests % (length + between) >= between;
    }, answer);
  });
}

const startingUp: Change = remembering(() => {
  const start = Date.now();
  return instead(
    () => Date.now() - start < 1_000,
    problem(503, "The service is starting", after(1)),
  );
});

const troubles: readonly Deviation[] = [
  nowAndThen(
    "maintenance-now-and-then",
    40,
    "a 503 with Retry-After",
    problem(503, "Maintenance", after(1)),
  ),
  nowAndThen("bad-gateway-once", 50, "a 502", problem(502, "Bad gateway")),
  nowAndThen("connection-drops-now-and-then", 50, "no response", {
    status: 200,
    headers: {},
    fate: "drop",
  }),
  trouble("firewall", "Every second body like an attack locks out for a second.", firewall, open),
  trouble(
    "unavailable-in-bursts",
    "After 150 requests, eight in a row get a 503.",
    inBursts(8, 150, problem(503, "Unavailable")),
    open,
  ),
  trouble("blind-starting-up-503", "During the first second, requests get a 503.", startingUp),
];

interface Locking {
  /** Only the token endpoint is locked, and only bad keys count. */
  readonly atTokenAlone?: boolean;
  /** A success does not reset the count of bad credentials. */
  readonly countsOn?: boolean;
}

/**
 * After `failures` bad credentials in a row, gives `answer` to all requests for `seconds` seconds.
 */
function locking(failures: number, seconds: number, answer: Answer, how: Locking = {}): Change {
  return remembering(() => {
    const { atTokenAlone = false, countsOn = false } = how;
    let failed = 0;
    let until = 0;
    return around(async (call, next) => {
      const concerned = !atTokenAlone || call.operation === "createToken";
      if (concerned && Date.now() < until) return answer;
      const given = await next(call);
      const bad = given.refusal === "key" || (given.refusal === "token" && !atTokenAlone);
      if (bad) failed += 1;
      if (bad && failed >= failures) {
        failed = 0;
        until = Date.now() + seconds * 1_000;
      } else if (concerned && !bad && !countsOn) failed = 0;
      return given;
    });
  });
}

/** Refuses bad tokens with 429 after the first four of them. */
const wearied: Change = remembering(() => {
  let failed = 0;
  return answers(
    ({ refusal }) => {
      if (refusal === "token") failed += 1;
      return refusal === "token" && failed > 4;
    },
    () => tooMany(after(30)),
  );
});

const revoking: Change = around(async (call, next) => {
  const answer = await next(call);
  if (answer.refusal === "token") call.store.tokens.clear();
  return answer;
});

function isOfBadCredentials({ refusal }: Answer): boolean {
  return refusal === "key" || refusal === "token";
}

/** After ten bad credentials, refuses bad ones with 429 for 30 s. Then counts to ten again. */
const limitingBad: Change = remembering(() => {
  let failed = 0;
  let until = 0;
  return answers(isOfBadCredentials, (given) => {
    const now = Date.now();
    if (now < until) return tooMany(after(30));
    failed += 1;
    if (failed < 10) return given;
    failed = 0;
    until = now + 30_000;
    return given;
  });
});

/**
 * Answers bad credentials with 403 and a long pause. Leaves out the creation of operations, because
 * the specification states the status there.
 */
const strangersPutOff: Change = answers(
  (answer, { operation }) => isOfBadCredentials(answer) && operation !== "createOperation",
  () => problem(403, "Not allowed", after(3600)),
);

function lockOut(id: string, about: string, change: Change, facts: Facts = {}): Deviation {
  return deviation(id, about, change, { group: "lock-out", needs: slow, ...facts });
}

/** Locks out after ten bad credentials in a row. */
function afterTen(end: string, seconds: number, answer: Answer, how: Locking = {}): Deviation {
  const what = how.atTokenAlone ? "keys" : "credentials";
  const row = how.countsOn ? "in all" : "in a row";
  const about = `Ten bad ${what} ${row} lock out with ${answer.status} for ${seconds} s.`;
  return lockOut(`lock-out-${end}`, about, locking(10, seconds, answer, how));
}

const locked = (status: number): Answer => problem(status, "Locked");

const lockOuts: readonly Deviation[] = [
  afterTen("429", 2, tooMany(after(2))),
  afterTen("401", 20, locked(401)),
  afterTen("403", 3, locked(403)),
  afterTen("423-of-keys", 3, locked(423), { atTokenAlone: true }),
  afterTen("401-long", 30, locked(401)),
  afterTen("401-counted", 30, locked(401), { countsOn: true }),
  lockOut(
    "bad-credentials-limited",
    "After ten bad credentials, bad ones get a 429 for 30 s.",
    limitingBad,
  ),
  lockOut(
    "strangers-put-off",
    "Bad credentials get a 403 with a Retry-After of an hour.",
    strangersPutOff,
    { needs: undefined },
  ),
  lockOut(
    "lock-out-429-early",
    "Four bad credentials in a row lock out with 429.",
    locking(4, 2, tooMany()),
    open,
  ),
  lockOut(
    "lock-out-at-first",
    "One bad credential locks out for a minute.",
    locking(1, 60, locked(401)),
    open,
  ),
  lockOut(
    "bad-tokens-put-off",
    "From the fifth bad token on, bad tokens get a 429.",
    wearied,
    open,
  ),
  lockOut("bad-token-ends-sessions", "A bad token revokes all tokens.", revoking, {
    ...open,
    needs: undefined,
  }),
];

const isYoung = (since: number | undefined, ms: number): boolean => Date.now() - (since ?? 0) < ms;

/**
 * Does not know operations that are younger than a second. Only requests that `when` selects go to
 * a node that is so late.
 */
function operationLag(when: (call: Call) => boolean = () => true): Change {
  return (base) => ({
    findOperation: (id, call) => {
      const found = base.findOperation(id, call);
      const isUnknown = when(call) && isYoung(found?.createdAt.getTime(), 1_000);
      return isUnknown ? undefined : found;
    },
  });
}

/**
 * Refuses the creation of operations for a counterparty that is younger than `ms` milliseconds,
 * before any other check.
 */
function refusingNew(
  ms: number,
  status: number,
  when: (call: Call) => boolean = () => true,
): Change {
  return instead(
    (call) =>
      call.operation === "createOperation" &&
      isYoung(call.store.registered.get(payeeIn(call)), ms) &&
      when(call),
    problem(status, "The counterparty is being processed"),
  );
}

/** Whether a request goes to the other one of two nodes. */
const isAtOtherNode = ({ nth }: Call): boolean => nth % 2 === 0;

function latency(end: string, about: string, ms: (call: Call) => number): Deviation {
  return deviation(`latency-${end}`, about, delayed(ms), { group: "latency" });
}

function lag(id: string, about: string, change: Change, group?: string): Deviation {
  return deviation(id, about, change, { needs: slow, group });
}

const delays: readonly Deviation[] = [
  latency("100", "Every response takes 100 ms.", () => 100),
  latency("now-and-then", "One of 20 requests of an endpoint takes 800 ms.", ({ nth }) =>
    nth % 20 === 0 ? 800 : 0,
  ),
  lag(
    "counterparty-lags",
    "A counterparty can be used one second after its creation.",
    (base) => ({
      findCounterparty: (id, call) =>
        isYoung(call.store.registered.get(id), 1_000) ? undefined : base.findCounterparty(id, call),
    }),
    "unknown counterparties",
  ),
  lag(
    "lagging-node-404",
    "One of two nodes knows a new counterparty one second later.",
    refusingNew(1_000, 404, isAtOtherNode),
  ),
  lag(
    "counterparty-locked-409",
    "For half a second, a new counterparty gets a 409.",
    refusingNew(500, 409),
  ),
  lag(
    "operation-lags",
    "An operation accepts items one second after its creation.",
    operationLag(),
  ),
  lag(
    "lagging-node-items",
    "One of two nodes knows a new operation one second later.",
    operationLag(isAtOtherNode),
  ),
];

export const limits: readonly Deviation[] = [...rates, ...troubles, ...lockOuts, ...delays];

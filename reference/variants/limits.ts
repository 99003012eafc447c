import {
  answers,
  around,
  crowded,
  instead,
  insteadOfEach,
  pause,
  problem,
  remembering,
  delayed,
} from "../change.ts";
import type { Answer, Change, Call } from "../policy.ts";
import { row, rowsWith, type VariantFacts, type Variant } from "./variant.ts";

function tooMany(headers: Readonly<Record<string, string>> = {}): Answer {
  return problem(429, "Too many requests", headers);
}
const locked = (status: number): Answer => problem(status, "Locked");
const inASecond = { "retry-after": "1" } as const;
const inTwoSeconds = { "retry-after": "2" } as const;

function page(status: number, headers: Readonly<Record<string, string>> = {}): Answer {
  return {
    status,
    headers: { "content-type": "text/html", ...headers },
    text: `<html><head><title>${status}</title></head><body><center><h1>${status}</h1></center></body></html>`,
  };
}

const rate = { slot: "rate", answers: "OPEN-27" } as const;

function rated(
  id: string,
  perSecond: number,
  what: string,
  refuse: () => Answer,
  facts: VariantFacts = {},
): Variant {
  return row(id, `More than ${perSecond} requests a second get ${what}.`, {
    ...rate,
    needs: { slow: true },
    ...facts,
  }).by(
    remembering(() => {
      let recent: readonly number[] = [];
      return around(async (call, next) => {
        const now = Date.now();
        recent = recent.filter((time) => now - time < 1_000);
        if (recent.length >= perSecond) return refuse();
        recent = [...recent, now];
        return next(call);
      });
    }),
  );
}

function atOnce(
  id: string,
  most: number,
  what: string,
  refusal: Answer,
  facts: VariantFacts = {},
): Variant {
  return row(id, `Beyond ${most} at once, requests get ${what}.`, { ...rate, ...facts }).by(
    crowded(
      () => true,
      async (inFlight, next) => {
        if (inFlight() > most) return refusal;
        await pause(5);
        return next();
      },
    ),
  );
}

const trouble = rowsWith({ slot: "trouble", needs: { slow: true } });

function nowAndThen(id: string, n: number, what: string, answer: Answer): Variant {
  return trouble(id, `One of ${n} requests gets ${what}.`).by(insteadOfEach(n, answer));
}

const lockOut = rowsWith({ slot: "lock-out", needs: { slow: true } });
const rareLockOut = rowsWith({ slot: "lock-out", needs: { slow: true }, rare: true });

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

function lockingKeys(status: number): Change {
  return locking(10, 3, locked(status), { atTokenAlone: true });
}

const inAll = { countsOn: true } as const;

function wearied(
  most: number,
  reason: "key" | "token",
  headers: Readonly<Record<string, string>>,
): Change {
  return remembering(() => {
    let failed = 0;
    return answers(
      ({ refusal }) => {
        if (refusal === reason) failed += 1;
        return refusal === reason && failed > most;
      },
      () => tooMany(headers),
    );
  });
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

const revoking: Change = around(async (call, next) => {
  const answer = await next(call);
  if (answer.refusal === "token") call.store.tokens.clear();
  return answer;
});

const late = { "retry-after": "30" } as const;

/**
 * After ten bad credentials, gives `answer` to all further bad credentials for 30 s. Then counts to
 * ten again.
 */
function limitingBad(answer: Answer): Change {
  return remembering(() => {
    let failed = 0;
    let until = 0;
    return answers(isOfBadCredentials, (given) => {
      const now = Date.now();
      if (now < until) return answer;
      failed += 1;
      if (failed < 10) return given;
      failed = 0;
      until = now + 30_000;
      return given;
    });
  });
}

function isOfBadCredentials({ refusal }: Answer): boolean {
  return refusal === "key" || refusal === "token";
}

const forHours = { "retry-after": "3600" } as const;

/**
 * Answers bad credentials with 403 and `Retry-After: 3600`. Leaves out the creation of operations,
 * because the specification states the status there.
 */
const strangersPutOff: Change = answers(
  (answer, { operation }) => isOfBadCredentials(answer) && operation !== "createOperation",
  () => problem(403, "Not allowed", forHours),
);

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

export const limitVariants: readonly Variant[] = [
  rated("rate-10", 10, "a 429 with Retry-After", () => tooMany(inASecond)),
  rated("rate-10-silent", 10, "a 429 without Retry-After", () => tooMany()),
  rated("rate-20-dated", 20, "a 429 with a date in Retry-After", () =>
    tooMany({ "retry-after": new Date(Date.now() + 1_000).toUTCString() }),
  ),
  rated("rate-20-page", 20, "a 429 with an HTML page", () => page(429, inASecond)),
  rated("rate-20-zero", 20, "a 429 with a Retry-After of 0", () => tooMany({ "retry-after": "0" })),
  rated("rate-50-bare", 50, "a 429 without a body", () => ({ status: 429, headers: {} })),
  rated("rate-20-503", 20, "a 503 with Retry-After", () => problem(503, "Busy", inASecond)),
  rated(
    "rate-20-403",
    20,
    "a 403 with Retry-After",
    () => problem(403, "Quota exceeded", inASecond),
    { rare: true },
  ),
  atOnce("crowd-of-four", 4, "a 429", tooMany()),
  atOnce("one-at-a-time-409", 1, "a 409", problem(409, "Another request is being processed"), {
    rare: true,
  }),
  atOnce("one-at-a-time-423", 1, "a 423", problem(423, "Another request is being processed"), {
    rare: true,
  }),
  nowAndThen(
    "maintenance-now-and-then",
    40,
    "a 503 with Retry-After",
    problem(503, "Maintenance", inASecond),
  ),
  nowAndThen("bad-gateway-once", 50, "a 502", problem(502, "Bad gateway")),
  nowAndThen("unavailable-once", 50, "a 503", problem(503, "Unavailable")),
  nowAndThen("gateway-timeout-once", 50, "a 504", problem(504, "Gateway time-out")),
  nowAndThen("connection-drops-now-and-then", 50, "no response", {
    status: 200,
    headers: {},
    fate: "drop",
  }),
  trouble("firewall", "Every second body like an attack locks out for a second.", {
    rare: true,
  }).by(firewall),
  lockOut("lock-out-429", "Ten bad credentials in a row lock out with 429.").by(
    locking(10, 2, tooMany(inTwoSeconds)),
  ),
  lockOut("lock-out-401", "Ten bad credentials in a row lock out with 401.").by(
    locking(10, 20, locked(401)),
  ),
  lockOut("lock-out-403", "Ten bad credentials in a row lock out with 403.").by(
    locking(10, 3, locked(403)),
  ),
  lockOut("lock-out-403-of-keys", "Ten bad keys in a row lock out of POST /auth/token.").by(
    lockingKeys(403),
  ),
  lockOut("lock-out-423-of-keys", "Ten bad keys in a row lock POST /auth/token with 423.").by(
    lockingKeys(423),
  ),
  lockOut("lock-out-423", "Ten bad credentials in a row lock out with 423.").by(
    locking(10, 3, locked(423)),
  ),
  lockOut("lock-out-401-long", "Ten bad credentials in a row lock out with 401 for 30 s.").by(
    locking(10, 30, locked(401)),
  ),
  lockOut("lock-out-429-long", "Ten bad credentials in a row lock out with 429 for 30 s.").by(
    locking(10, 30, tooMany(late)),
  ),
  lockOut("lock-out-401-counted", "Ten bad credentials in all lock out with 401 for 30 s.").by(
    locking(10, 30, locked(401), inAll),
  ),
  lockOut("lock-out-429-counted", "Ten bad credentials in all lock out with 429 for 30 s.").by(
    locking(10, 30, tooMany(late), inAll),
  ),
  lockOut("bad-credentials-limited", "After ten bad credentials, bad ones get a 429 for 30 s.").by(
    limitingBad(tooMany(late)),
  ),
  lockOut(
    "bad-credentials-limited-403",
    "After ten, bad credentials get a 403 with Retry-After for 30 s.",
  ).by(limitingBad(problem(403, "Too many attempts", late))),
  row("strangers-put-off", "Bad credentials get a 403 with a Retry-After of an hour.", {
    slot: "lock-out",
  }).by(strangersPutOff),
  trouble("unavailable-in-bursts", "After 150 requests, eight in a row get a 503.", {
    rare: true,
  }).by(inBursts(8, 150, problem(503, "Unavailable"))),
  rareLockOut("lock-out-429-early", "Four bad credentials in a row lock out with 429.").by(
    locking(4, 2, tooMany()),
  ),
  rareLockOut("lock-out-401-early", "Five bad credentials in a row lock out with 401.").by(
    locking(5, 3, locked(401)),
  ),
  rareLockOut("lock-out-at-first", "One bad credential locks out for a minute.").by(
    locking(1, 60, locked(401)),
  ),
  rareLockOut("bad-keys-put-off", "From the fourth bad key on, bad keys get a 429.").by(
    wearied(3, "key", {}),
  ),
  rareLockOut("bad-tokens-put-off", "From the fifth bad token on, bad tokens get a 429.").by(
    wearied(4, "token", late),
  ),
  row("bad-token-ends-sessions", "A bad token revokes all tokens.", {
    slot: "lock-out",
    rare: true,
  }).by(revoking),
];

const isYoung = (since: number | undefined, ms: number): boolean => Date.now() - (since ?? 0) < ms;

const counterpartyLag: Change = (base) => ({
  findCounterparty: (id, call) =>
    isYoung(call.store.registered.get(id), 1_000) ? undefined : base.findCounterparty(id, call),
});

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
 * before any other check. Only requests that `when` selects are refused.
 */
function refusingNew(
  ms: number,
  status: number,
  when: (call: Call) => boolean = () => true,
): Change {
  return instead(
    (call) => {
      // The body is not parsed yet at this point.
      const id = /"counterparty_id" *: *"([^"]*)"/.exec(call.bytes.toString())?.[1] ?? "";
      return (
        call.operation === "createOperation" &&
        isYoung(call.store.registered.get(id), ms) &&
        when(call)
      );
    },
    problem(status, "The counterparty is being processed"),
  );
}

const slow = rowsWith({ needs: { slow: true } });

function latency(id: string, about: string, ms: (call: Call) => number): Variant {
  return row(`latency-${id}`, about, { slot: "latency" }).by(delayed(ms));
}

export const delayVariants: readonly Variant[] = [
  latency("50", "Every response takes 50 ms.", () => 50),
  latency("100", "Every response takes 100 ms.", () => 100),
  latency("jitter", "A response takes a random time of up to 80 ms.", () => Math.random() * 80),
  latency("of-list", "The list takes 400 ms.", (call) =>
    call.operation === "listBatches" ? 400 : 0,
  ),
  latency("now-and-then", "One of 20 requests of an endpoint takes 800 ms.", ({ nth }) =>
    nth % 20 === 0 ? 800 : 0,
  ),
  slow("counterparty-lags", "A counterparty can be used one second after its creation.").by(
    counterpartyLag,
  ),
  slow("lagging-node-404", "One of two nodes knows a new counterparty one second later.").by(
    refusingNew(1_000, 404, ({ nth }) => nth % 2 === 0),
  ),
  slow("counterparty-locked-409", "For half a second, a new counterparty gets a 409.").by(
    refusingNew(500, 409),
  ),
  slow("counterparty-locked-425", "For half a second, a new counterparty gets a 425.").by(
    refusingNew(500, 425),
  ),
  slow("operation-lags", "An operation accepts items one second after its creation.").by(
    operationLag(),
  ),
  slow("lagging-node-items", "One of two nodes knows a new operation one second later.").by(
    operationLag(({ nth }) => nth % 2 === 0),
  ),
];

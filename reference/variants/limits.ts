import { answers, around, instead, pause, problem, remembering } from "../change.ts";
import type { Answer, Change } from "../policy.ts";
import { row } from "./variant.ts";
import type { Variant } from "./variant.ts";

/** Refuses more than `perSecond` requests a second. */
const rated =
  (perSecond: number, refuse: () => Answer): Change =>
  (base) => {
    let recent: readonly number[] = [];
    return around(async (call, next) => {
      const now = Date.now();
      recent = recent.filter((time) => now - time < 1_000);
      if (recent.length >= perSecond) return refuse();
      recent = [...recent, now];
      return next(call);
    })(base);
  };

const tooMany = (headers: Readonly<Record<string, string>> = {}): Answer => problem(429, "Too many requests", headers);

const page = (status: number, headers: Readonly<Record<string, string>> = {}): Answer => ({
  status,
  headers: { "content-type": "text/html", ...headers },
  text: `<html><head><title>${status}</title></head><body><center><h1>${status}</h1></center></body></html>`,
});

/** Refuses each request whose number is a multiple of `each`. */
const nowAndThen = (each: number, answer: Answer): Change =>
  remembering(() => {
    let requests = 0;
    return instead(() => (requests += 1) % each === 0, answer);
  });

/** Refuses more than `most` requests at once. */
const crowded =
  (most: number, refuse: () => Answer = tooMany): Change =>
  (base) => {
    let inFlight = 0;
    return around(async (call, next) => {
      if (inFlight >= most) return refuse();
      inFlight += 1;
      try {
        await pause(5);
        return await next(call);
      } finally {
        inFlight -= 1;
      }
    })(base);
  };

/** After `failures` bad credentials in a row, refuses all requests for `ms` milliseconds. */
const lockingOut =
  (failures: number, ms: number, answer: Answer, atTokenAlone: boolean): Change =>
  (base) => {
    let failed = 0;
    let until = 0;
    return around(async (call, next) => {
      const concerned = !atTokenAlone || call.operation === "createToken";
      if (concerned && Date.now() < until) return answer;
      const given = await next(call);
      const bad = given.refusal === "key" || (given.refusal === "token" && !atTokenAlone);
      if (bad && (failed += 1) >= failures) {
        failed = 0;
        until = Date.now() + ms;
      } else if (concerned && !bad) failed = 0;
      return given;
    })(base);
  };

/** Refuses all requests for `ms` milliseconds after every `most` bodies that look like an attack, as firewalls do. */
const firewall =
  (most: number, ms: number): Change =>
  (base) => {
    let seen = 0;
    let until = 0;
    return around(async (call, next) => {
      if (Date.now() >= until && /<\w+|--|\.\.\//.test(call.bytes.toString()) && (seen += 1) % most === 0)
        until = Date.now() + ms;
      return Date.now() < until ? problem(403, "Blocked") : next(call);
    })(base);
  };

/** Answers 429 to bad credentials after the first `most` of them. */
const wearied = (most: number, reason: "key" | "token", headers: Readonly<Record<string, string>>): Change =>
  remembering(() => {
    let failed = 0;
    return answers(
      ({ refusal }) => refusal === reason && (failed += 1) > most,
      () => tooMany(headers),
    );
  });

const rate = { slot: "rate", answers: "OPEN-27", needs: { slow: true } } as const;
const crowd = { slot: "rate", answers: "OPEN-27" } as const;
const trouble = { slot: "trouble", needs: { slow: true } } as const;
const lockOut = { slot: "lock-out", needs: { slow: true } } as const;
const rareLockOut = { ...lockOut, rare: true } as const;

/** Rate limits, lock-outs and temporary errors. */
export const limitVariants: readonly Variant[] = [
  row("rate-10", "More than ten requests a second get a 429 with Retry-After.", rate).by(
    rated(10, () => tooMany({ "retry-after": "1" })),
  ),
  row("rate-10-silent", "More than ten requests a second get a 429 without Retry-After.", rate).by(
    rated(10, () => tooMany()),
  ),
  row("rate-20-dated", "More than twenty requests a second get a 429 with a date in Retry-After.", rate).by(
    rated(20, () => tooMany({ "retry-after": new Date(Date.now() + 1_000).toUTCString() })),
  ),
  row("rate-20-page", "More than twenty requests a second get a 429 with an HTML page.", rate).by(
    rated(20, () => page(429, { "retry-after": "1" })),
  ),
  row("rate-20-zero", "More than twenty requests a second get a 429 with a Retry-After of 0.", rate).by(
    rated(20, () => tooMany({ "retry-after": "0" })),
  ),
  row("rate-50-bare", "More than fifty requests a second get a 429 without a body.", rate).by(
    rated(50, () => ({ status: 429, headers: {} })),
  ),
  row("rate-20-503", "More than twenty requests a second get a 503 with Retry-After.", rate).by(
    rated(20, () => problem(503, "Busy", { "retry-after": "1" })),
  ),
  row("rate-20-403", "More than twenty requests a second get a 403 with Retry-After.", {
    ...rate,
    rare: true,
  }).by(rated(20, () => problem(403, "Quota exceeded", { "retry-after": "1" }))),
  row("crowd-of-four", "More than four requests at once get a 429.", crowd).by(crowded(4)),
  row("one-at-a-time-409", "A request gets a 409 while another one is in progress.", {
    ...crowd,
    rare: true,
  }).by(crowded(1, () => problem(409, "Another request is being processed"))),
  row("one-at-a-time-423", "A request gets a 423 while another one is in progress.", {
    ...crowd,
    rare: true,
  }).by(crowded(1, () => problem(423, "Another request is being processed"))),
  row("maintenance-now-and-then", "Every fortieth request gets a 503 with Retry-After.", trouble).by(
    nowAndThen(40, problem(503, "Maintenance", { "retry-after": "1" })),
  ),
  row("bad-gateway-once", "Every fiftieth request gets a 502, and succeeds when retried.", trouble).by(
    nowAndThen(50, problem(502, "Bad gateway")),
  ),
  row("unavailable-once", "Every fiftieth request gets a 503, and succeeds when retried.", trouble).by(
    nowAndThen(50, problem(503, "Unavailable")),
  ),
  row("gateway-timeout-once", "Every fiftieth request gets a 504, and succeeds when retried.", trouble).by(
    nowAndThen(50, problem(504, "Gateway time-out")),
  ),
  row("connection-drops-now-and-then", "Every fiftieth request gets no response: its connection ends.", trouble).by(
    nowAndThen(50, { status: 200, headers: {}, fate: "drop" }),
  ),
  row("lock-out-429", "After ten bad credentials in a row, every request gets a 429 for two seconds.", lockOut).by(
    lockingOut(10, 2_000, tooMany({ "retry-after": "2" }), false),
  ),
  row("lock-out-401", "After ten bad credentials in a row, every request gets a 401 for twenty seconds.", lockOut).by(
    lockingOut(10, 20_000, problem(401, "Locked"), false),
  ),
  row("lock-out-403", "After ten bad credentials in a row, every request gets a 403 for three seconds.", lockOut).by(
    lockingOut(10, 3_000, problem(403, "Locked"), false),
  ),
  row(
    "lock-out-429-early",
    "After four bad credentials in a row, every request gets a 429 without Retry-After for two seconds.",
    rareLockOut,
  ).by(lockingOut(4, 2_000, tooMany(), false)),
  row(
    "lock-out-401-early",
    "After five bad credentials in a row, every request gets a 401 for three seconds.",
    rareLockOut,
  ).by(lockingOut(5, 3_000, problem(401, "Locked"), false)),
  row("lock-out-at-first", "After one bad credential, every request gets a 401 for a minute.", rareLockOut).by(
    lockingOut(1, 60_000, problem(401, "Locked"), false),
  ),
  row("bad-token-ends-sessions", "A bad or missing token revokes all tokens.", { slot: "lock-out", rare: true }).by(
    around(async (call, next) => {
      const answer = await next(call);
      if (answer.refusal === "token") call.store.tokens.clear();
      return answer;
    }),
  ),
  row("firewall", "After every second body that looks like an attack, every request gets a 403 for one second.", {
    ...trouble,
    rare: true,
  }).by(firewall(2, 1_000)),
  row("bad-keys-put-off", "From the fourth bad key on, bad keys get a 429.", rareLockOut).by(wearied(3, "key", {})),
  row(
    "bad-tokens-put-off",
    "From the fifth bad token on, bad tokens get a 429 with a Retry-After of 30 seconds.",
    rareLockOut,
  ).by(wearied(4, "token", { "retry-after": "30" })),
  row(
    "lock-out-403-of-keys",
    "After ten bad keys in a row, the token endpoint returns 403 for three seconds.",
    lockOut,
  ).by(lockingOut(10, 3_000, problem(403, "Locked"), true)),
];

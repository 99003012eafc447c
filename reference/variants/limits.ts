import { answers, around, instead, pause, problem, remembering } from "../change.ts";
import type { Answer, Change } from "../policy.ts";
import { row } from "./variant.ts";
import type { Variant } from "./variant.ts";

/** Refuses what goes beyond so many requests in a second. */
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

/** Refuses more than so many requests at once. */
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

/** Refuses for a while, good credentials too, when bad ones came so often in a row. */
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

/** Refuses everything for a while when texts came so often that look like an attack, as firewalls do. */
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

/** Answers 429 to bad credentials once there were so many, and to nobody else. */
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

/** Limits on how often a client may send requests, and passing trouble. */
export const limitVariants: readonly Variant[] = [
  row("rate-10", "More than ten requests a second are refused, with the seconds to wait.", rate).by(
    rated(10, () => tooMany({ "retry-after": "1" })),
  ),
  row("rate-10-silent", "More than ten requests a second are refused, without the time to wait.", rate).by(
    rated(10, () => tooMany()),
  ),
  row(
    "rate-20-dated",
    "More than twenty requests a second are refused, with the time from which on to send again.",
    rate,
  ).by(rated(20, () => tooMany({ "retry-after": new Date(Date.now() + 1_000).toUTCString() }))),
  row("rate-20-page", "More than twenty requests a second are refused in HTML.", rate).by(
    rated(20, () => page(429, { "retry-after": "1" })),
  ),
  row("rate-20-zero", "More than twenty requests a second are refused, to be sent again at once.", rate).by(
    rated(20, () => tooMany({ "retry-after": "0" })),
  ),
  row("rate-50-bare", "More than fifty requests a second are refused without a body.", rate).by(
    rated(50, () => ({ status: 429, headers: {} })),
  ),
  row("rate-20-503", "More than twenty requests a second are refused with 503 and the seconds to wait.", rate).by(
    rated(20, () => problem(503, "Busy", { "retry-after": "1" })),
  ),
  row("rate-20-403", "More than twenty requests a second are refused with 403 and the seconds to wait.", rate).by(
    rated(20, () => problem(403, "Quota exceeded", { "retry-after": "1" })),
  ),
  row("crowd-of-four", "More than four requests at once are refused.", crowd).by(crowded(4)),
  row("one-at-a-time-409", "A request is in conflict with any other that is still under way.", crowd).by(
    crowded(1, () => problem(409, "Another request is being processed")),
  ),
  row("one-at-a-time-423", "A request that comes while another is under way finds a lock.", crowd).by(
    crowded(1, () => problem(423, "Another request is being processed")),
  ),
  row(
    "maintenance-now-and-then",
    "Every fortieth request finds a short maintenance, with the seconds to wait.",
    trouble,
  ).by(nowAndThen(40, problem(503, "Maintenance", { "retry-after": "1" }))),
  row("bad-gateway-once", "Every thirtieth request is a bad gateway, and fine when sent again.", trouble).by(
    nowAndThen(30, problem(502, "Bad gateway")),
  ),
  row("unavailable-once", "Every thirtieth request finds no server, and is fine when sent again.", trouble).by(
    nowAndThen(30, problem(503, "Unavailable")),
  ),
  row(
    "gateway-timeout-once",
    "Every thirtieth request takes too long behind a gateway, and is fine when sent again.",
    trouble,
  ).by(nowAndThen(30, problem(504, "Gateway time-out"))),
  row("lock-out-429", "Five bad credentials in a row lock everybody out for two seconds, with 429.", lockOut).by(
    lockingOut(5, 2_000, tooMany({ "retry-after": "2" }), false),
  ),
  row(
    "lock-out-429-silent",
    "Four bad credentials in a row lock everybody out for two seconds, with 429 and no word on the time.",
    lockOut,
  ).by(lockingOut(4, 2_000, tooMany(), false)),
  row("lock-out-401", "Five bad credentials in a row lock everybody out for three seconds, with 401.", lockOut).by(
    lockingOut(5, 3_000, problem(401, "Locked"), false),
  ),
  row("bad-token-ends-sessions", "A bad token, or none, ends all sessions.", { slot: "lock-out" }).by(
    around(async (call, next) => {
      const answer = await next(call);
      if (answer.refusal === "token") call.store.tokens.clear();
      return answer;
    }),
  ),
  row("firewall", "Each second text that looks like an attack blocks everything for a second, with 403.", trouble).by(
    firewall(2, 1_000),
  ),
  row("bad-keys-put-off", "Bad keys are put off from the fourth on, good ones never.", lockOut).by(
    wearied(3, "key", {}),
  ),
  row("bad-tokens-put-off", "Bad tokens are put off by half a minute from the fifth on, good ones never.", lockOut).by(
    wearied(4, "token", { "retry-after": "30" }),
  ),
  row(
    "lock-out-403-of-keys",
    "Four bad keys in a row lock the token endpoint for three seconds, with 403.",
    lockOut,
  ).by(lockingOut(4, 3_000, problem(403, "Locked"), true)),
];

import { setImmediate as nextTurn } from "node:timers/promises";
import { expect, test } from "vitest";
import { invalid, type RequestSpec } from "../../model/request.ts";
import { settings } from "../../model/testing/target.ts";
import { type RequirementId } from "../../spec/catalogue.ts";
import { Inconclusive } from "../errors.ts";
import { altered, no } from "../testing/sender.ts";
import { noFacts } from "./facts.ts";
import { createLane, createSession, tokenRequests } from "./credentials.ts";
import { exchangeOf, type ExchangeOverrides } from "../../model/testing/exchanges.ts";
import { type Turn } from "./turns.ts";

function badToken(nth: number, requirement: RequirementId = "AUTH-37"): RequestSpec {
  const intent = invalid(`with made-up token ${nth}`);
  return {
    operation: "listBatches",
    intent,
    authorization: `Bearer ${nth}`,
    refusal: { requirement },
  };
}

interface Server {
  /** What the server does when it gets the nth bad credential. */
  readonly onBad?: (nth: number, facts: ReturnType<typeof noFacts>) => void;
  readonly isGoodAccepted?: () => boolean;
  readonly quiet?: () => Promise<void>;
  /** The token of the session. @defaultValue "token-2", newer than that of altered tokens */
  readonly token?: string;
  /** The token that the server accepts when that of the session is presented. @defaultValue `token` */
  readonly accepted?: string;
  /** How many go at once in the end. @defaultValue 8 */
  readonly most?: number;
}

/**
 * Presents bad tokens until each is proven or was presented three times. Logs what was sent:
 * `bad 1`, `good`; a number in brackets says how many were in flight.
 */
async function presented(specs: readonly RequestSpec[], server: Server = {}) {
  const { onBad, isGoodAccepted = () => true, quiet = async () => undefined } = server;
  const { token = "token-2", accepted = token, most = 8 } = server;
  const facts = noFacts(settings);
  const log: string[] = [];
  let inFlight = 0;
  let bad = 0;
  const lane = createLane({
    facts,
    signal: new AbortController().signal,
    most,
    quiet,
    current: () => token,
    prove: async (_, older = accepted) => {
      log.push(older === accepted ? "good" : `good ${older}`);
      await nextTurn();
      return isGoodAccepted() ? older : undefined;
    },
  });
  const present = async (spec: RequestSpec, n: number): Promise<boolean> => {
    const place = lane.placeOf(spec);
    for (let time = 0; time < 3; time += 1) {
      await place.enter();
      inFlight += 1;
      bad += 1;
      log.push(`bad ${n} (${inFlight})`);
      onBad?.(bad, facts);
      await nextTurn();
      inFlight -= 1;
      const madeFrom = spec.withToken === undefined ? undefined : "token-1";
      if (await place.proven(madeFrom)) return true;
    }
    place.leaveOpen("good ones were refused too");
    return false;
  };
  const results = await Promise.allSettled(specs.map((spec, n) => present(spec, n + 1)));
  const isProven = results.map((one) => (one.status === "fulfilled" ? one.value : one.reason));
  return { lane, facts, log, isProven };
}

function tokens(count: number): readonly RequestSpec[] {
  return Array.from({ length: count }, (_, n) => badToken(n + 1));
}
const inFlightIn = (log: readonly string[]): readonly number[] =>
  log.flatMap((line) => Number(/\((\d+)\)/.exec(line)?.[1] ?? 0) || []);

test("good credentials follow eight bad ones at most; ten go one at a time, then several at once", async () => {
  const { log, isProven } = await presented(tokens(24));
  const runs = log
    .join()
    .split("good")
    .map((run) => inFlightIn(run.split(",")).length);
  expect(runs).toEqual([8, 8, 8, 0]);
  expect(inFlightIn(log).slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 1));
  expect(Math.max(...inFlightIn(log))).toBe(8);
  expect(isProven).toEqual(tokens(24).map(() => true));
});

test("where ten or more may be in flight, all go in one round, the first ten one at a time", async () => {
  const { log, isProven } = await presented(tokens(24), { most: 12 });
  expect(log.filter((line) => line === "good")).toHaveLength(1);
  expect(log.at(-1)).toBe("good");
  expect(inFlightIn(log).slice(0, 10)).toEqual(Array.from({ length: 10 }, () => 1));
  expect(Math.max(...inFlightIn(log))).toBe(12);
  expect(isProven).toEqual(tokens(24).map(() => true));
});

test("all go one at a time after a sign of a lock-out, and other traffic ends before the next one", async () => {
  let others = "flows";
  const { log } = await presented(tokens(24), {
    onBad: (nth, facts) => {
      if (nth > 3) expect(others).toBe("has ended");
      if (nth === 3) facts.lockOutSigns += 1;
    },
    quiet: async () => void (others = "has ended"),
  });
  expect(Math.max(...inFlightIn(log))).toBe(1);
});

test("what was refused before a wait for the end of a lock-out is presented again, each with a proof", async () => {
  const { log, isProven } = await presented(tokens(3), {
    onBad: (nth, facts) => {
      if (nth === 2) facts.lockOutWaits += 1;
    },
  });
  expect(log.slice(0, 2)).toEqual(["bad 1 (1)", "bad 2 (1)"]);
  expect(log.slice(2).filter((line) => line === "good")).toHaveLength(4);
  expect(log.slice(-2)).toEqual(["bad 2 (1)", "good"]);
  expect(isProven).toEqual([true, true, true]);
});

test("each kind has a proof of its own: keys, tokens, and tokens that were made from an older one", async () => {
  const key: RequestSpec = {
    operation: "createToken",
    intent: invalid("with a made-up key"),
    apiKey: "made-up",
  };
  const { log } = await presented([key, badToken(2), altered, badToken(4)]);
  expect(log.slice(4)).toEqual(["good", "good", "good token-1"]);
});

test("the token of the session proves made-up tokens, and those that were made from it", async () => {
  const { log, isProven } = await presented([badToken(1), altered, badToken(3)], {
    token: "token-1",
  });
  expect(log.slice(3)).toEqual(["good"]);
  expect(isProven).toEqual([true, true, true]);
});

test("a token that was renewed meanwhile proves none that was made from the one before", async () => {
  const { isProven } = await presented([badToken(1), altered], {
    token: "token-1",
    accepted: "token-2",
  });
  expect(isProven).toEqual([true, false]);
});

test("once limits have taken long, one of each form is sent, and the others are left out", async () => {
  const specs = [badToken(1), badToken(2), badToken(3, "AUTH-38"), badToken(4, "AUTH-38")];
  const { lane, log, isProven } = await presented(specs, {
    onBad: (_, facts) => (facts.waitedForBadCredentials = 60_000),
  });
  expect(log.filter((line) => line.startsWith("bad"))).toEqual(["bad 1 (1)", "bad 3 (1)"]);
  expect(lane.leftOut()).toEqual([specs[1], specs[3]]);
  expect(isProven.map(String)).toEqual([
    "true",
    expect.stringContaining("left no time for this one"),
    "true",
    expect.stringContaining("left no time for this one"),
  ]);
});

test("once limits have taken long, what a lock-out may have refused is sent again all the same", async () => {
  let isAccepted = false;
  const { log, isProven } = await presented([badToken(1)], {
    onBad: (nth, facts) => {
      isAccepted = nth > 1;
      facts.waitedForBadCredentials = 60_000;
    },
    isGoodAccepted: () => isAccepted,
  });
  expect(log).toEqual(["bad 1 (1)", "good", "bad 1 (1)", "good"]);
  expect(isProven).toEqual([true]);
});

test("a place that is left by an error lets the next one in, and its form stays open", async () => {
  const { lane } = await presented([]);
  const [first, second] = [lane.placeOf(badToken(1)), lane.placeOf(badToken(2))];
  await first.enter();
  first.fail(new Inconclusive("put off"));
  first.leave();
  await second.enter();
  expect(lane.open().map(({ reason }) => reason)).toEqual(["put off"]);
  second.leave();
  second.fail(new Inconclusive("the run was stopped"));
  expect(lane.open().map(({ reason }) => reason)).toEqual(["put off"]);
});

const gives = (token: string): ExchangeOverrides => ({ json: { token } });

/** A session whose token requests get these responses in turn. The last one is repeated. */
function sessionOf(...responses: readonly ExchangeOverrides[]) {
  const facts = noFacts(settings);
  const sent: number[] = [];
  const calls = { turns: 0, inTurns: 0 };
  const exclusive: Turn = {
    isExclusive: true,
    send: (_, task) => task(),
    exclusive: () => Promise.resolve(exclusive),
    end: () => undefined,
  };
  const shared: Turn = {
    ...exclusive,
    isExclusive: false,
    exclusive: async () => {
      calls.turns += 1;
      return exclusive;
    },
  };
  const session = createSession({
    facts,
    send: async (spec, turn) => {
      if (turn.isExclusive) calls.inTurns += 1;
      sent.push(tokenRequests.indexOf(spec));
      await Promise.resolve();
      return exchangeOf("createToken", responses[Math.min(sent.length, responses.length) - 1]);
    },
    shared,
    signal: new AbortController().signal,
  });
  return { session, facts, sent, calls, shared, exclusive };
}

test("fetches a token once, in an exclusive turn, however many callers need one", async () => {
  const { session, sent, calls } = sessionOf(gives("a"));
  expect(session.current()).toBeUndefined();
  expect(await Promise.all([session.token(), session.token()])).toEqual(["a", "a"]);
  expect([session.current(), sent, calls]).toEqual(["a", [0], { turns: 1, inTurns: 1 }]);
});

test("starts with the token that the preflight got, for a key that has worked", async () => {
  const { session, facts, sent } = sessionOf(no(401));
  session.start("p", tokenRequests[0]);
  expect(await session.token()).toBe("p");
  expect([session.current(), facts.tokenRequest, sent]).toEqual(["p", tokenRequests[0], []]);
});

test("a token that the server hands out again is no failed attempt, and a new one hides none", async () => {
  const { session, facts, exclusive } = sessionOf(gives("a"), gives("b"), gives("b"));
  await session.token();
  facts.refusedTokens = 9;
  expect(await session.renew("a", exclusive)).toBe("b");
  expect(facts.refusedTokens).toBe(9);
  expect(await session.renew("b", exclusive)).toBe("b");
  expect(facts.refusedTokens).toBe(0);
});

test("renews a refused token once, however many met the refusal, and takes up what was issued meanwhile", async () => {
  const { session, sent, calls, shared, exclusive } = sessionOf(gives("a"), gives("b"));
  await session.token();
  expect(await Promise.all([session.renew("a", shared), session.renew("a", shared)])).toEqual([
    "b",
    "b",
  ]);
  expect(await session.renew("a", shared)).toBe("b");
  session.adopt("x");
  expect(await session.renew("b", shared)).toBe("x");
  expect(await session.renew("b", exclusive)).toBe("x");
  expect([sent.length, calls.turns]).toEqual([2, 2]);
});

test.each([
  ["beside other requests", false, 1],
  ["alone where a new token ends older ones", true, 2],
])("the key is proven %s", async (_, tokensLapse, inTurns) => {
  const { session, facts, sent, calls } = sessionOf(gives("a"), gives("b"));
  await session.token();
  facts.tokensLapse = tokensLapse;
  expect(await session.proveKey()).toBe("b");
  expect([session.current(), sent, calls.inTurns]).toEqual(["b", [0, 0], inTurns]);
});

test("the three forms are tried, then the one that worked; after three refusals the key is not tried again", async () => {
  const { session, sent, shared } = sessionOf(no(401), gives("a"), no(401));
  expect(await session.token()).toBe("a");
  for (let n = 0; n < 5; n += 1)
    await expect(session.renew("a", shared)).rejects.toMatchObject({ name: "Inconclusive" });
  expect(sent).toEqual([0, 1, 1, 1, 1]);
  await session.settled(shared);
  session.adopt("b");
  await expect(session.renew("b", shared)).rejects.toThrow(
    'refuses a key that has worked: 401 "no". Does a limit or a firewall lock this client out?',
  );
  expect(sent).toHaveLength(6);
});

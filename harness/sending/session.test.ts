import { expect, test } from "vitest";
import { settings } from "../../model/testing/target.ts";
import { exchangeOf, type ExchangeOverrides } from "../../model/testing/exchanges.ts";
import { noFacts } from "./facts.ts";
import { createSession, tokenRequests } from "./credentials.ts";
import type { Turn } from "./turns.ts";

const no: ExchangeOverrides = { status: 401, json: { message: "no" } };
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
  const { session, facts, sent } = sessionOf(no);
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
  const { session, sent, shared, exclusive } = sessionOf(gives("a"), gives("b"));
  await session.token();
  expect(await Promise.all([session.renew("a", shared), session.renew("a", shared)])).toEqual([
    "b",
    "b",
  ]);
  expect(await session.renew("a", shared)).toBe("b");
  session.adopt("x");
  expect(await session.renew("b", shared)).toBe("x");
  expect(await session.renew("b", exclusive)).toBe("x");
  expect(sent).toHaveLength(2);
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
  const { session, sent, shared } = sessionOf(no, gives("a"), no);
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

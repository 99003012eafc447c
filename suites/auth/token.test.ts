import { expect, test } from "vitest";
import { exchangeOf } from "../../model/testing/exchanges.ts";
import type { Exchange, RequestSpec } from "../../model/exchange.ts";
import { contextWith } from "../testing/context.ts";
import { token as scenarios } from "./token.scenario.ts";

/** What becomes of AUTH-04 where the server refuses a use of a token for this reason. */
const judgedWhere = async (
  refuses: (token: number, isAlone: boolean) => boolean,
  { slow = 0, issues = (nth: number): number => nth } = {},
): Promise<readonly string[]> => {
  let [nth, at, isAlone] = [0, 0, false];
  const respond = (spec: RequestSpec): Exchange => {
    at += 10;
    if (spec.operation === "createToken")
      return exchangeOf("createToken", { at, json: { token: `token-${issues((nth += 1))}` } });
    const token = Number(spec.authorization?.split("-")[1]);
    at += slow;
    return exchangeOf("listBatches", {
      at,
      ...(refuses(token, isAlone) ? { status: 401, json: { message: "no" } } : {}),
    });
  };
  const { context, judged } = contextWith(respond);
  const whole = {
    ...context,
    settings: { ...context.settings, grace: 0 },
    run: { ...context.run, tokens: [] },
    wants: () => true,
    observeAnswer: () => undefined,
    alone: async <T>(task: Parameters<typeof context.alone<T>>[0]): Promise<T> => {
      isAlone = true;
      try {
        return await context.alone(task);
      } finally {
        isAlone = false;
      }
    },
  };
  for (const { run } of scenarios) await run(whole);
  return judged.filter((line) => line.startsWith("AUTH-04")).map((line) => line.split(" | ")[0] ?? "");
};

const blamed = "AUTH-04 GET /batches refuses a token that was just issued.";

test("a server that never takes a token is blamed", async () => {
  expect(new Set(await judgedWhere(() => true))).toEqual(new Set([blamed]));
});

test.each([0, 1])("a server that takes every other token is blamed", async (rest) => {
  expect(await judgedWhere((token) => token % 2 === rest)).toContain(blamed);
});

test("a server that issues one token and never takes it is blamed", async () => {
  expect(await judgedWhere(() => true, { issues: () => 1 })).toContain(blamed);
});

test("a token that lapsed before its first use blames nobody", async () => {
  expect(await judgedWhere((token, isAlone) => token === 2 && !isAlone)).not.toContain(blamed);
});

test("tokens that lapse while the server takes its time blame nobody", async () => {
  expect(await judgedWhere(() => true, { slow: 1000 })).not.toContain(blamed);
});

test("a token that is issued again until it lapses blames nobody", async () => {
  expect(await judgedWhere((token) => token === 1, { issues: (nth) => (nth <= 3 ? 1 : 2) })).not.toContain(blamed);
});

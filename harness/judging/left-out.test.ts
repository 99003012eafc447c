import { expect, test } from "vitest";
import { invalid } from "../../model/request.ts";
import type { Exchange } from "../../model/exchange.ts";
import { exchangeOf } from "../../model/testing/exchanges.ts";
import { nothingKnown } from "../testing/judgements.ts";
import { createJudging } from "./judge.ts";

const intent = invalid("with something wrong");
const refusal = exchangeOf("createCounterparty", { status: 400, intent, json: { message: "no" } });
const page = exchangeOf("createCounterparty", {
  status: 302,
  type: "text/html",
  body: "<html>",
  intent,
});

/** The requirements that hold in too few of these exchanges, with the reason. */
function hardlyJudgedIn(exchanges: readonly Exchange[]): readonly string[] {
  const judging = createJudging(nothingKnown());
  for (const exchange of exchanges) judging.judge(exchange);
  return judging
    .unmet()
    .filter(({ cutShort }) => cutShort === true)
    .map(({ requirement, noVerdict }) => `${requirement} ${noVerdict}`);
}

function times(n: number, exchange: Exchange): readonly Exchange[] {
  return Array.from({ length: n }, () => exchange);
}

test("a requirement that was judged in a few of its exchanges says in how many", () => {
  const exempt = { ...page, exemptBy: "INT-34" } as const;
  expect(hardlyJudgedIn([...times(3, refusal), ...times(63, exempt)])).toEqual([
    "CPTY-12 judged in 3 of 66 responses: the others were redirected (INT-34): check the base URL (--base-url)",
  ]);
  expect(hardlyJudgedIn([...times(3, refusal), ...times(3, exempt)])).toEqual([]);
});

test("what the suite made odd itself is not counted", () => {
  const odd = { ...refusal, exemptBy: "INT-38" } as const;
  expect(hardlyJudgedIn([...times(3, refusal), ...times(63, odd)])).toEqual([]);
});

test("ids that a proxy may refuse leave out what all refusals show", () => {
  const exempt = { ...refusal, exemptBy: "INT-21" } as const;
  expect(hardlyJudgedIn(times(4, exempt)).map((line) => line.split(" ")[0])).toEqual([
    "HTTP-01",
    "HTTP-03",
    "HTTP-02",
    "CPTY-12",
  ]);
});

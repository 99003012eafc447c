import { expect, test } from "vitest";
import { mostUrgentFirst } from "./scenario.ts";

test("a scenario is as urgent as the longest chain that begins with it", () => {
  const short = { id: "short", chain: 1 };
  const first = { id: "first", chain: 4 };
  const second = { id: "second", chain: 6, after: [first] as never };
  const usual = { id: "usual", chain: 3, after: [] };
  expect(
    mostUrgentFirst([short, second, usual, first] as never).map(({ scenario, urgency }) => [scenario.id, urgency]),
  ).toEqual([
    ["first", 10],
    ["second", 6],
    ["usual", 3],
    ["short", 1],
  ]);
});

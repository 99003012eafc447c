import { expect, test } from "vitest";
import { processIo } from "./io.ts";
import { progressView, stepsView, timeLeft } from "./progress.ts";

test("a run that has not begun counts nothing", () => {
  const printed: string[] = [];
  let now = 0;
  const io = {
    ...processIo(),
    stderrIsTerminal: false,
    now: () => new Date(now),
    stderr: (text: string) => void printed.push(text),
  };
  const show = progressView(io, 100);
  const nothing = { requests: 0, scenariosDone: 0, scenarios: 0, failing: 0 };
  for (const progress of [
    nothing,
    { ...nothing, waiting: "waiting for the target" },
    { ...nothing, requests: 1, scenarios: 40 },
  ]) {
    now += 10_000;
    show(progress);
  }
  expect(printed).toEqual([
    "starting\n",
    "waiting for the target\n",
    "1 request, 0 of 40 scenarios\n",
  ]);
});

test.each([
  ["of 100 requests half are answered", { requests: 50, scenariosDone: 20 }, 10_000],
  [
    "scenarios are less far than requests, as some wait for responses",
    { requests: 90, scenariosDone: 10 },
    30_000,
  ],
  ["there are more requests than were expected", { requests: 130, scenariosDone: 36 }, 1_111],
  ["hardly anything was answered", { requests: 3, scenariosDone: 0 }, undefined],
])("the time that is left when %s", (_, counts, left) => {
  const progress = { scenarios: 40, failing: 0, ...counts };
  const found = timeLeft(progress, 10_000, 100);
  expect(found === undefined ? undefined : Math.round(found)).toBe(left);
});

test("of a step that ends the run only the name is printed, unless more is wanted", () => {
  const stopped = { step: "key", ok: false, stops: true, found: "no", advice: "Check." } as const;
  const printed = [false, true].map((isVerbose) => {
    const lines: string[] = [];
    const show = stepsView(isVerbose, (line) => void lines.push(line));
    show(stopped);
    return lines.join("\n");
  });
  expect(printed).toEqual(["✗ API key", expect.stringMatching(/^✗ API key +no\n +Check\.$/)]);
});

import { expect, test } from "vitest";
import { processIo } from "./io.ts";
import { progressView, stepsView } from "./progress.ts";

test("a run that has not begun counts nothing", () => {
  const printed: string[] = [];
  let now = 0;
  const io = {
    ...processIo(),
    stderrIsTerminal: false,
    now: () => new Date(now),
    stderr: (text: string) => void printed.push(text),
  };
  const show = progressView(io);
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

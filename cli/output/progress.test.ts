import { expect, test } from "vitest";
import { processIo } from "./io.ts";
import { progressView } from "./progress.ts";

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

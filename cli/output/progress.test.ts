import { expect, test } from "vitest";
import type { Io } from "./io.ts";
import { progressText, progressView } from "./progress.ts";

const progress = { requests: 120, scenariosDone: 40, scenarios: 90, failing: 0 };

/** A view over a clock that is set by hand. */
function view(live: boolean, env: Record<string, string> = {}) {
  let time = 0;
  const written: string[] = [];
  const io = {
    stderr: (text: string) => void written.push(text),
    stderrIsTerminal: live,
    columns: 30,
    env,
    now: () => new Date(time),
  } as unknown as Io;
  const made = progressView(io, 1000);
  const showAt = (at: number, requests = progress.requests) => ((time = at), made.show({ ...progress, requests }));
  return { ...made, written, showAt };
}

test("a terminal has one line that changes", () => {
  const { showAt, end, written } = view(true);
  showAt(0);
  showAt(10);
  showAt(100);
  end();
  end();
  expect(written).toEqual([
    "\r\u001b[K120 requests, 40 of 90 scenar",
    "\r\u001b[K120 requests, 40 of 90 scenar",
    "\r\u001b[K",
  ]);
});

test.each([
  [false, {}],
  [true, { CI: "true" }],
  [true, { TERM: "dumb" }],
])("elsewhere a line every five seconds", (live, env) => {
  const { showAt, end, written } = view(live, env);
  for (const at of [0, 4_999, 5_000, 5_001, 9_000, 10_001]) showAt(at);
  end();
  expect(written).toEqual(["120 requests, 40 of 90 scenarios\n", "120 requests, 40 of 90 scenarios\n"]);
});

test("findings and waiting are shown, without control characters", () => {
  expect(progressText({ ...progress, failing: 1, waiting: "429\u001b[2J" })).toBe(
    "120 requests, 40 of 90 scenarios, 1 requirement with findings, 429 [2J",
  );
});

import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { createRunEvents, type RunEvent } from "./events.ts";
import schema from "./events.schema.json" with { type: "json" };
import { progress, startFacts } from "./testing/events.ts";
import { runs } from "./testing/runs.ts";
import { faultyRun } from "./testing/whole.ts";

const fits = new Ajv2020({
  strict: true,
  strictRequired: false,
  formats: { "date-time": true },
}).compile(schema);
const now = (): Date => new Date("2030-01-01T00:00:00Z");

function verdictsIn(events: readonly RunEvent[]): Readonly<Record<string, string>> {
  return Object.fromEntries(
    events.flatMap((one) => (one.event === "verdict" ? [[one.requirement, one.verdict]] : [])),
  );
}

test.each(Object.entries(runs))("the events of the run %s fit their schema", (_, run) => {
  const events = createRunEvents(now);
  const all = [
    ...events.started(startFacts),
    ...events.progress({ ...progress, waiting: "429 from the target" }),
    ...events.found(run),
    ...events.ended(run, 1),
    ...events.failed(4),
  ];
  for (const event of all) expect([event, fits(event), fits.errors]).toEqual([event, true, null]);
  expect(verdictsIn(all)).toEqual(
    Object.fromEntries(run.requirements.map(({ id, verdict }) => [id, verdict])),
  );
});

test("the schema refuses what is no event", () => {
  expect(fits({ at: "2030-01-01T00:00:00Z", event: "progress", ...progress })).toBe(true);
  expect(fits({ event: "progress", ...progress })).toBe(false);
  expect(fits({ at: "2030-01-01T00:00:00Z", event: "verdict", ...progress })).toBe(false);
});

test("nothing is reported twice while a run goes on", () => {
  const events = createRunEvents(now);
  const run = faultyRun();
  expect(events.found(run).length).toBeGreaterThan(0);
  expect(events.found(run)).toEqual([]);
});

test("a verdict that changes is reported again, and nothing is said of what has none so far", () => {
  const events = createRunEvents(now);
  const before = verdictsIn(events.found(runs.conformant));
  expect(Object.values(before)).not.toContain("inconclusive");
  const after = verdictsIn(events.found(runs.nonconformant));
  expect(before["OPER-02"]).toBe("pass");
  expect(after).toMatchObject({ "OPER-02": "fail" });
  expect(after).not.toHaveProperty("AUTH-01");
});

test("a mistake is reported when it is found, and at the end with its last words", () => {
  const events = createRunEvents(now);
  const run = runs.nonconformant;
  const titled = (text: string) => ({
    ...run,
    causes: run.causes.map((cause) => ({ ...cause, text: `${cause.text}: ${text}` })),
  });
  const titles = (all: readonly RunEvent[]): readonly string[] =>
    all.flatMap((one) => (one.event === "mistake" ? one.title : []));
  const first = titles(events.found(titled("3 of 4 responses")));
  expect(first.length).toBeGreaterThan(0);
  expect(titles(events.found(titled("4 of 5 responses")))).toEqual([]);
  const last = events.ended(titled("9 of 9 responses"), 1);
  expect(titles(last)).toEqual(first.map((title) => title.replace("3 of 4", "9 of 9")));
  const ids = last.flatMap((one) => (one.event === "mistake" ? one.id : []));
  expect(last.at(-1)).toMatchObject({ event: "ended", mistakes: ids, exitCode: 1 });
});

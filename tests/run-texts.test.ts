import { expect, test } from "vitest";
import { renderers } from "../reports/index.ts";
import { readRun } from "../reports/read.ts";
import { runs } from "../reports/testing/runs.ts";
import { textsOf, withTexts } from "../model/evidence/redaction.ts";

test.each(Object.entries(runs))(
  "the run %s stays a report if every text of a server changes",
  (_, run) => {
    const changed = withTexts(run, (text) => `${text} changed`);
    expect(readRun(JSON.stringify(changed))).toEqual(JSON.parse(JSON.stringify(changed)));
  },
);

test.each(Object.entries(runs))(
  "every report of the run %s can be made without the texts of a server",
  (_, run) => {
    const bare = withTexts(run, () => "[left out]");
    for (const { render } of Object.values(renderers)) expect(() => render(bare)).not.toThrow();
  },
);

test("the words of a server change everywhere, and those of fxconform and of its user nowhere", () => {
  const run = { ...runs.nonconformant, created: [{ kind: "batch", id: "b-1" }] } as const;
  const changed = withTexts(run, () => "?");
  expect(changed.created).toEqual([{ kind: "batch", id: "?" }]);
  expect(changed.exchanges[0]?.response?.body).toBe("?");
  expect(
    changed.requirements.map(({ id, statement, verdict }) => [id, statement, verdict]),
  ).toEqual(run.requirements.map(({ id, statement, verdict }) => [id, statement, verdict]));
  expect([changed.tool, changed.target, changed.startedAt]).toEqual([
    run.tool,
    run.target,
    run.startedAt,
  ]);
  expect(textsOf(run)).toEqual(expect.arrayContaining(["b-1", ...run.warnings]));
});

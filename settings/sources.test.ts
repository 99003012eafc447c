import { expect, test } from "vitest";
import { reportNames } from "../model/run-options.ts";
import { optionValuesOf, variableSource, type Source } from "./sources.ts";
import { problemText } from "./problem.ts";

/** The problems that are printed for a file with these values. */
function printed(values: Source["values"]): readonly string[] {
  const whereOf = (name: string): string => `${name} in fxconform.config.yaml`;
  return optionValuesOf([{ origin: "file", whereOf, values, folder: "/" }]).problems.map(
    problemText,
  );
}

test.each<[Source["values"], string]>([
  [
    { amount: "5..500:2" },
    'amount in fxconform.config.yaml: must be an object such as { min: 10, max: 1000, decimals: 2 }, found "5..500:2". Write { min: 5, max: 500, decimals: 2 }.',
  ],
  [
    { amount: { min: 1, max: 2, step: 1 } },
    'amount in fxconform.config.yaml: must be an object of min, max and decimals, found "{\\"min\\":1,\\"max\\":2,\\"step\\":1}". Take step out.',
  ],
  [
    { headers: ["X-A: one", "X-B: two"] },
    'headers in fxconform.config.yaml: must be an object from names of headers to values. Write { "X-A": "…", "X-B": "…" }.',
  ],
  [
    { batchMembers: '{"note":"x"}' },
    'batchMembers in fxconform.config.yaml: must be an object such as {"operation_ids":["{operation_id}"]}, found "{\\"note\\":\\"x\\"}". Write {"note":"x"}, without quotes around it.',
  ],
  [
    { reports: ["junit", "jsn"] },
    `reports in fxconform.config.yaml: must be one of ${reportNames.join(", ")}, found "junit,jsn". Did you mean json?`,
  ],
])("a file with %j", (values, want) => {
  expect(printed(values)).toEqual([want]);
});

test("a variable holds JSON where a file holds an object", () => {
  const env = { FXCONFORM_BATCH_MEMBERS: "{" };
  const { problems } = optionValuesOf([variableSource({ env, cwd: "/" })]);
  expect(problems.map(problemText)).toEqual([
    'FXCONFORM_BATCH_MEMBERS: must be an object such as {"operation_ids":["{operation_id}"]}, in JSON, found "{".',
  ]);
});

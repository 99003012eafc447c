import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { json } from "../../reports/formats/json.ts";
import { runs } from "../../reports/testing/runs.ts";
import { questionIds } from "../../spec/questions.ts";
import { testContext } from "../testing/test-context.ts";

const schema = JSON.parse(
  readFileSync(new URL("../../settings/statement.schema.json", import.meta.url), "utf8"),
) as object;

test("what pin writes names the schema of statements and keeps to it", async () => {
  const { run, file } = testContext();
  const observations = questionIds.map((id) => ({
    id,
    question: "?",
    answers: [{ case: "any", answer: "a: 1", count: 1 }],
  }));
  file("r.json", json.render({ ...runs.conformant, observations }));
  const { stdout } = await run("pin r.json");
  expect(stdout).toMatch(/^# yaml-language-server: \$schema=.*statement\.schema\.json\n/);
  expect(new Ajv2020({ strictTypes: false }).compile(schema)(parse(stdout))).toBe(true);
});

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect, test } from "vitest";
import { parse } from "yaml";
import { root } from "./execution.ts";

const names = readdirSync(join(root, "templates"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(ya?ml|service)$|Jenkinsfile$/.test(name))
  .map((name) => join("templates", name));
const textOf = (name: string): string => readFileSync(join(root, name), "utf8");

const cronJob = textOf("templates/monitoring/cronjob.yaml");

test("Kubernetes accepts the CronJob, and its schema refuses unknown members", () => {
  const schema = JSON.parse(textOf("tests/schemas/kubernetes-batch.schema.json")) as object;
  const ajv = new Ajv2020({ strict: false }).addSchema(schema, "kubernetes");
  const isValid = (text: string): unknown =>
    ajv.validate({ $ref: "kubernetes#/$defs/CronJob" }, parse(text));
  expect(isValid(cronJob), JSON.stringify(ajv.errors)).toBe(true);
  expect(isValid(cronJob.replace("jobTemplate:", "jobsTemplate:"))).toBe(false);
});

/** A call of a command that reads a configuration file, up to the end of its line. */
const calls = /(?:\bfxconform|bin\.js"?) (?:run|replay|judge|contract)\b.*/g;

test("no pipeline reads a configuration file but one that an input names", () => {
  const files = ["action.yml", ...names].map((name) => ({ name, text: textOf(name) }));
  const found = files.flatMap(({ text, ...file }) =>
    (text.match(calls) ?? []).map((call) => ({ ...file, call, text })),
  );
  expect(new Set(found.map(({ name }) => name)).size).toBeGreaterThanOrEqual(5);
  for (const { name, call, text } of found) {
    const byInput = /"\$@"|"\$\{config\[@\]\}"/.test(call) && text.includes('[ -n "$CONFIG" ]');
    expect(byInput ? text : call, name).toContain("--no-config");
  }
});

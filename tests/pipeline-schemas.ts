import { readFile } from "node:fs/promises";
import { NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";

const schema = JSON.parse(
  await readFile(new URL("./schemas/kubernetes-batch.schema.json", import.meta.url), "utf8"),
) as object;
const ajv = new Ajv2020({ strict: false, allErrors: true });

/** What Kubernetes would refuse in an object of this kind. */
export const kubernetesErrors = (kind: "CronJob" | "Job", object: unknown): readonly string[] => {
  const validate = ajv.compile({ ...schema, $ref: `#/$defs/${kind}` });
  validate(object);
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message ?? ""}`);
};

/** What GitHub would refuse in a workflow, by its own parser. */
export const workflowErrors = (content: string): readonly string[] =>
  parseWorkflow({ name: "workflow.yml", content }, new NoOperationTraceWriter())
    .context.errors.getErrors()
    .map(({ message }) => message);

/** Fails unless a text is right, and wrong with each word replaced by one that nobody knows. */
export const expectKnownWords = (
  text: string,
  errorsOf: (text: string) => readonly string[],
  replacements: Readonly<Record<string, string>>,
): void => {
  expect(errorsOf(text)).toEqual([]);
  for (const [word, wrong] of Object.entries(replacements)) {
    expect(text).toContain(word);
    expect(errorsOf(text.replace(word, wrong)), wrong).not.toEqual([]);
  }
};

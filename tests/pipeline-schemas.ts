import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { NoOperationTraceWriter, parseWorkflow } from "@actions/workflow-parser";
import { Ajv2020 } from "ajv/dist/2020.js";
import { expect } from "vitest";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";

const schema = JSON.parse(
  await readFile(new URL("./schemas/kubernetes-batch.schema.json", import.meta.url), "utf8"),
) as object;
const kubernetes = "kubernetes";
const ajv = new Ajv2020({ strict: false, allErrors: true }).addSchema(schema, kubernetes);

/** The errors of the Kubernetes schema for an object of this kind. */
export function kubernetesErrors(kind: "CronJob" | "Job", object: unknown): readonly string[] {
  const validate =
    ajv.getSchema(`${kubernetes}#/$defs/${kind}`) ?? expect.fail(`no schema of a ${kind}`);
  void validate(object);
  return (validate.errors ?? []).map(
    ({ instancePath, message }) => `${instancePath} ${message ?? ""}`,
  );
}

/** The errors of GitHub's own parser for a workflow. */
export function workflowErrors(content: string): readonly string[] {
  return parseWorkflow({ name: "workflow.yml", content }, new NoOperationTraceWriter())
    .context.errors.getErrors()
    .map(({ message }) => message);
}

const gitlabProgram = fileURLToPath(import.meta.resolve("gitlab-ci-local/src/index.js"));

/** The errors of GitLab's own schema for a pipeline, which may include the other files. */
export function gitlabErrors(
  pipeline: string,
  files: Readonly<Record<string, string>> = {},
): readonly string[] {
  const cwd = temporaryFolder();
  const texts = { ...files, ".gitlab-ci.yml": pipeline };
  for (const [name, text] of Object.entries(texts)) writeFileSync(join(cwd, name), text);
  const done = (program: string, words: readonly string[]) =>
    spawnSync(program, words, { cwd, encoding: "utf8", timeout: 60_000 });
  // The program needs a repository with a remote.
  done("git", ["init", "-q"]);
  done("git", ["remote", "add", "origin", "https://gitlab.example/group/project.git"]);
  done("git", ["add", "."]);
  const { status, stdout, stderr } = done(process.execPath, [gitlabProgram, "--preview"]);
  return status === 0 && stderr.includes("json schema validated") ? [] : [`${stdout}\n${stderr}`];
}

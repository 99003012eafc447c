import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { expectKnownWords, kubernetesErrors, workflowErrors } from "./pipeline-schemas.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const textOf = (name: string): Promise<string> => readFile(join(root, "kit/seeds", name), "utf8");
const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };

test("the recipes name this version", async () => {
  expect((await textOf("kubernetes.yaml")).match(/image: fxconform:(.+)/g)).toEqual(
    Array.from({ length: 2 }, () => `image: fxconform:${version}`),
  );
});

test("GitHub accepts the workflow, and its parser refuses unknown words", async () => {
  expectKnownWords(await textOf("github.yml"), workflowErrors, {
    "strategy:": "strategies:",
    "runs-on:": "runs-at:",
    "matrix.machine": "matrixes.machine",
  });
});

test("Kubernetes accepts the jobs, and its schema refuses unknown members", async () => {
  const text = await textOf("kubernetes.yaml");
  const errorsOf = (yaml: string): readonly string[] =>
    parseAllDocuments(yaml)
      .map((document) => document.toJS() as { readonly kind: string })
      .filter(({ kind }) => kind === "Job")
      .flatMap((job) => kubernetesErrors("Job", job));
  expect(text.match(/^kind: Job$/gm)).toHaveLength(2);
  expectKnownWords(text, errorsOf, { "completionMode: Indexed": "completionsMode: Indexed" });
});

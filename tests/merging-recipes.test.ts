import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { expectKnownWords, kubernetesErrors, workflowErrors } from "./pipeline-schemas.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const templateText = (name: string): Promise<string> =>
  readFile(join(root, "templates", name), "utf8");

test("GitHub accepts the workflow, and its parser refuses unknown words", async () => {
  expectKnownWords(await templateText("github/seeds.yml"), workflowErrors, {
    "strategy:": "strategies:",
    "runs-on:": "runs-at:",
    "matrix.machine": "matrixes.machine",
  });
});

test("Kubernetes accepts the jobs, and its schema refuses unknown members", async () => {
  const text = await templateText("kubernetes/seeds.yaml");
  const errorsOf = (yaml: string): readonly string[] =>
    parseAllDocuments(yaml)
      .map((document) => document.toJS() as { readonly kind: string })
      .filter(({ kind }) => kind === "Job")
      .flatMap((job) => kubernetesErrors("Job", job));
  expect(text.match(/^kind: Job$/gm)).toHaveLength(2);
  expectKnownWords(text, errorsOf, { "completionMode: Indexed": "completionsMode: Indexed" });
});

test.each(["kubernetes/seeds.yaml", "monitoring/cronjob.yaml"])(
  "%s limits the memory of each container to more than a run holds against any server",
  async (name) => {
    const text = await templateText(name);
    const limits = [...text.matchAll(/limits: \{ memory: (\d+)Gi \}/g)];
    expect(limits).toHaveLength(text.match(/^ +image: /gm)?.length ?? 0);
    // The tests of hostile servers expect that a run stays below this.
    for (const [, gibibytes] of limits) expect(Number(gibibytes) * 2 ** 30).toBeGreaterThan(700e6);
  },
);

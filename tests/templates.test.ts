import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { parseAllDocuments } from "yaml";
import { kubernetesErrors, workflowErrors } from "./pipeline-schemas.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const names = readdirSync(join(root, "templates"), { recursive: true, encoding: "utf8" })
  .filter((name) => /\.(ya?ml|service)$|Jenkinsfile$/.test(name))
  .map((name) => join("templates", name));
const textOf = (name: string): string => readFileSync(join(root, name), "utf8");

test("GitHub accepts the workflow, and its parser refuses unknown words", () => {
  const text = textOf("templates/github/seeds.yml");
  expect(workflowErrors(text)).toEqual([]);
  expect(workflowErrors(text.replace("runs-on:", "runs-at:"))).not.toEqual([]);
});

test("Kubernetes accepts the jobs, and its schema refuses unknown members", () => {
  const text = textOf("templates/kubernetes/seeds.yaml");
  const errorsOf = (yaml: string): readonly string[] =>
    parseAllDocuments(yaml)
      .map((document) => document.toJS() as { readonly kind: string })
      .filter(({ kind }) => kind === "Job")
      .flatMap((job) => kubernetesErrors("Job", job));
  expect(text.match(/^kind: Job$/gm)).toHaveLength(2);
  expect(errorsOf(text)).toEqual([]);
  expect(errorsOf(text.replace("completionMode:", "completionsMode:"))).not.toEqual([]);
});

test.each(["kubernetes/seeds.yaml", "monitoring/cronjob.yaml"])(
  "%s limits the memory of each container to more than a run holds against any server",
  (name) => {
    const text = textOf(join("templates", name));
    const limits = [...text.matchAll(/limits: \{ memory: (\d+)Gi \}/g)];
    expect(limits).toHaveLength(text.match(/^ +image: /gm)?.length ?? 0);
    // The tests of hostile servers expect that a run stays below this.
    for (const [, gibibytes] of limits) expect(Number(gibibytes) * 2 ** 30).toBeGreaterThan(700e6);
  },
);

/** A call of a command that reads a configuration file, up to the end of its line. */
const calls = /(?:\bfxconform|bin\.js"?) (?:run|merge|replay|judge|contract)\b.*/g;

test("no pipeline reads a configuration file but one that an input names", () => {
  const files = ["action.yml", ...names].map((name) => ({ name, text: textOf(name) }));
  const found = files.flatMap(({ text, ...file }) =>
    (text.match(calls) ?? []).map((call) => ({ ...file, call, text })),
  );
  expect(new Set(found.map(({ name }) => name)).size).toBeGreaterThanOrEqual(7);
  for (const { name, call, text } of found) {
    const byInput = /"\$@"|"\$\{config\[@\]\}"/.test(call) && text.includes('[ -n "$CONFIG" ]');
    expect(byInput ? text : call, name).toContain("--no-config");
  }
});

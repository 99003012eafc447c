import { execFile } from "node:child_process";
import { chmod, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { expectKnownWords, kubernetesErrors, workflowErrors } from "./pipeline-schemas.ts";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const textOf = (name: string): Promise<string> => readFile(join(root, "kit/seeds", name), "utf8");
const { version } = JSON.parse(await readFile(join(root, "package.json"), "utf8")) as { version: string };

/** A step of a recipe: the script that its runner starts, and its variables. */
interface Step {
  readonly script: string;
  readonly env: Readonly<Record<string, string>>;
}

/** The steps of the machines in their order, the merging step, and the path of its report. */
interface Recipe {
  readonly machines: readonly Step[];
  readonly merge: Step;
  readonly report: string;
}

interface Workflow {
  readonly env: Readonly<Record<string, string>>;
  readonly jobs: Readonly<
    Record<
      "check" | "merge",
      {
        readonly strategy?: { readonly matrix: { readonly machine: readonly number[] } };
        readonly steps: readonly { readonly run?: string; readonly env?: Readonly<Record<string, unknown>> }[];
      }
    >
  >;
}

const github = async (): Promise<Recipe> => {
  const { env, jobs } = parse(await textOf("github.yml")) as Workflow;
  const stepOf = (job: "check" | "merge", values: Readonly<Record<string, string>>): Step => {
    const found = jobs[job].steps.find(({ run }) => run !== undefined);
    const own = Object.entries(found?.env ?? {}).map(([name, value]) => [
      name,
      String(value).replace(/\$\{\{ ([\w.-]+) \}\}/g, (_, word: string) => values[word] ?? ""),
    ]);
    return { script: found?.run ?? "", env: { ...env, ...Object.fromEntries(own) } };
  };
  const all = jobs.check.strategy?.matrix.machine ?? [];
  return {
    machines: all.map((machine) =>
      stepOf("check", {
        "matrix.machine": String(machine),
        "github.run_number": "41",
        ...Object.fromEntries(
          Object.entries(secrets).flatMap(([name, value]) => [
            [`vars.${name}`, value],
            [`secrets.${name}`, value],
          ]),
        ),
      }),
    ),
    merge: stepOf("merge", {}),
    report: "fxconform-report",
  };
};

interface KubernetesJob {
  readonly kind: string;
  readonly spec: {
    readonly completions?: number;
    readonly template: {
      readonly spec: {
        readonly containers: readonly [
          { readonly command: readonly string[]; readonly args: readonly [string]; readonly env: readonly Variable[] },
        ];
      };
    };
  };
}

interface Variable {
  readonly name: string;
  readonly value?: string;
}

const kubernetes = async (): Promise<Recipe> => {
  const documents = parseAllDocuments(await textOf("kubernetes.yaml")).map((one) => one.toJS() as KubernetesJob);
  const [check, merge] = documents.filter(({ kind }) => kind === "Job");
  if (check === undefined || merge === undefined) throw new Error("The recipe needs two Jobs");
  const stepOf = (job: KubernetesJob, more: Readonly<Record<string, string>>): Step => {
    const [{ command, args, env }] = job.spec.template.spec.containers;
    expect(command).toEqual(["sh", "-ec"]);
    const own = Object.fromEntries(env.map(({ name, value = "" }) => [name, value]));
    return { script: args[0], env: { ...own, REPORTS: "reports", ...more } };
  };
  return {
    machines: Array.from({ length: check.spec.completions ?? 0 }, (_, index) =>
      stepOf(check, { JOB_COMPLETION_INDEX: String(index), ...secrets }),
    ),
    merge: stepOf(merge, {}),
    report: "reports/fxconform-report",
  };
};

const secrets = {
  FXCONFORM_BASE_URL: "https://target.example",
  FXCONFORM_API_KEY: "kit-key-0123456789",
  FXCONFORM_CUSTOMER_ID: "customer-1",
};

/**
 * A folder with programs that replace `npx` and the image's `node`: they write the arguments of fxconform
 * to a file, and write a report where fxconform would write one.
 */
const programs = async (calls: string): Promise<string> => {
  const bin = temporaryFolder();
  const note = `
[ "$1" = run ] || { echo "$*" >> "${calls}"; exit 0; }
folder=$FXCONFORM_REPORT_DIR seed=$FXCONFORM_SEED
echo "$*" >> "${calls}"
while [ $# -gt 0 ]; do
  case "$1" in
    --seed) seed=$2 ;;
    --report-dir) folder=$2 ;;
  esac
  shift
done
mkdir -p "$folder" && echo "$seed $FXCONFORM_PROFILE $FXCONFORM_API_KEY" > "$folder/report.json"
exit 1
`;
  const scripts = {
    npx: `#!/bin/sh\n[ "$1 $2 $3" = "--yes --package ./fxconform-${version}.tgz" ] || exit 99\nshift 4\n[ "$1" != --version ] || exit 0\n${note}`,
    node: `#!/bin/sh\n[ "$1" = "/app/dist/cli/bin.js" ] || exit 99\nshift\n${note}`,
  };
  for (const [name, text] of Object.entries(scripts)) {
    await writeFile(join(bin, name), text);
    await chmod(join(bin, name), 0o755);
  }
  return bin;
};

test.each([
  ["GitHub", github],
  ["Kubernetes", kubernetes],
])(
  "each machine of the recipe for %s runs the whole suite with its own seed, and the last step joins them",
  async (_, of) => {
    const { machines, merge, report } = await of();
    const cwd = temporaryFolder();
    await mkdir(join(cwd, "reports"));
    const calls = join(cwd, "calls");
    const path = `${await programs(calls)}:${process.env["PATH"] ?? ""}`;
    const runStep = ({ script, env }: Step) =>
      promisify(execFile)("sh", ["-ec", script], { cwd, env: { PATH: path, ...env }, timeout: 10_000 });
    // A machine that found a failure has a report too; the merging step decides.
    for (const machine of machines) await runStep(machine).catch(() => undefined);
    await runStep(merge);
    const started = (await readFile(calls, "utf8")).trim().split("\n");
    expect(started.slice(0, -1).map((line) => line.split(" ")[0])).toEqual(["run", "run", "run", "run"]);
    const [command, ...words] = (started.at(-1) ?? "").split(" ");
    const reports = words.filter((word) => word.endsWith("report.json"));
    const texts = await Promise.all(reports.map((name) => readFile(join(cwd, name), "utf8")));
    const seeds = texts.map((text) => text.split(" ")[0]);
    expect([command, new Set(seeds).size]).toEqual(["merge", 4]);
    expect(texts).toEqual(seeds.map((seed) => `${Number(seed)} full ${secrets.FXCONFORM_API_KEY}\n`));
    expect([...words, "fxconform-report"]).toContain(report);
  },
);

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

import { execFile, spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { chmod, cp, mkdir, readFile, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, onTestFinished, test, vi } from "vitest";
import { parse, parseAllDocuments } from "yaml";
import { referenceFor } from "../reference/testing/reference.ts";
import { runs } from "../reports/testing/runs.ts";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { executed, fileText, root, type Ended } from "./execution.ts";
import { toolset } from "./system-programs.ts";

const { version } = JSON.parse(await fileText("package.json")) as { version: string };

const packageFile = `./fxconform-${version}.tgz`;

/**
 * Runs a step as a CI runner does. Its `npx` and `npm` stand for the installation of the package.
 */
async function stepRun(
  shell: readonly string[],
  script: string,
  cwd: string,
  env: NodeJS.ProcessEnv,
): Promise<Ended> {
  const bin = join(cwd, ".bin");
  await mkdir(bin, { recursive: true });
  const program = `exec "${process.execPath}" "${join(root, "dist/cli/bin.js")}" "$@"`;
  const scripts = {
    npx: `[ "$1 $2 $3 $4" = "--yes --package ${packageFile} fxconform" ] || exit 1\nshift 4\n${program}`,
    npm: `[ -z "$BROKEN" ] || exit 1
case "$1" in
ci) ln -s "${join(root, "node_modules")}" node_modules;;
run) cp -R "${join(root, "dist")}" dist;;
esac`,
  };
  for (const [name, text] of Object.entries(scripts)) {
    await writeFile(join(bin, name), `#!/bin/sh\n${text}\n`);
    await chmod(join(bin, name), 0o755);
  }
  const [interpreter = "sh", ...words] = shell;
  const path = `${bin}:${process.env["PATH"] ?? ""}`;
  return executed(interpreter, [...words, script], {
    cwd,
    env: { PATH: path, ...env },
    timeout: 100_000,
  });
}

/** A server, and the variables that the pages tell users to set. */
async function target(...faults: readonly string[]): Promise<Readonly<Record<string, string>>> {
  const apiKey = "kit-key-0123456789";
  const customerId = "customer-1";
  const server = await referenceFor({ apiKey, customerId, faults });
  return {
    FXCONFORM_BASE_URL: server.baseUrl,
    FXCONFORM_API_KEY: apiKey,
    FXCONFORM_CUSTOMER_ID: customerId,
    FXCONFORM_PROFILE: "smoke",
  };
}

interface Action {
  readonly inputs: Readonly<Record<string, { readonly default?: string }>>;
  readonly outputs: Readonly<Record<string, { readonly value: string }>>;
  readonly runs: {
    readonly steps: readonly {
      readonly id?: string;
      readonly run?: string;
      readonly env?: Record<string, string>;
    }[];
  };
}

const action = parse(await fileText("action.yml")) as Action;
const step = action.runs.steps.find(({ id }) => id === "run");

/** The environment of the action's step for these inputs, as GitHub fills it in. */
function stepEnvironment(inputs: Readonly<Record<string, string>>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(step?.env ?? {}).map(([name, template]) => [
      name,
      template.replace(/\$\{\{ inputs\.([\w-]+) \}\}/g, (_, input: string) => {
        expect(Object.keys(action.inputs)).toContain(input);
        return inputs[input] ?? action.inputs[input]?.default ?? "";
      }),
    ]),
  );
}

async function actionRun(
  server: Readonly<Record<string, string>>,
  inputs: Readonly<Record<string, string>> = {},
  configuration?: string,
) {
  const cwd = temporaryFolder();
  if (configuration !== undefined)
    await writeFile(join(cwd, "fxconform.config.yaml"), configuration);
  const files = { GITHUB_OUTPUT: join(cwd, "output"), GITHUB_STEP_SUMMARY: join(cwd, "summary") };
  await Promise.all(Object.values(files).map((path) => writeFile(path, "")));
  const env = stepEnvironment({
    "base-url": server["FXCONFORM_BASE_URL"] ?? "",
    "api-key": server["FXCONFORM_API_KEY"] ?? "",
    ...inputs,
  });
  const shell = ["bash", "--noprofile", "--norc", "-eo", "pipefail", "-c"];
  const { BROKEN = "" } = server;
  const ended = await stepRun(shell, step?.run ?? "", cwd, {
    ...env,
    ...files,
    BROKEN,
    GITHUB_ACTION_PATH: root,
    GITHUB_ACTIONS: "true",
  });
  const [output, summary] = await Promise.all(
    Object.values(files).map((path) => readFile(path, "utf8")),
  );
  return { ...ended, output, summary };
}

/** A configuration file of the checkout, which leads astray. */
const theirs = "proxy: http://127.0.0.1:9\n";

test(
  "the action passes whatever the checkout holds, sets its outputs and writes the summary of the step",
  { tags: "bash" },
  async () => {
    const { code, stdout, stderr, output, summary } = await actionRun(await target(), {}, theirs);
    expect(code, stdout).toBe(0);
    expect(output).toBe("outcome=partial\nfailed=0\nreport-dir=fxconform-report\n");
    expect(summary).toContain("No violation found");
    expect(stdout + stderr).not.toMatch(/::error|127\.0\.0\.1:9/);
  },
);

test("a configuration file counts if an input names it", { tags: "bash" }, async () => {
  const inputs = { config: "fxconform.config.yaml" };
  const { code, stderr } = await actionRun(await target(), inputs, theirs);
  expect(code, stderr).toBe(3);
});

test("the action fails with an annotation for each cause", { tags: "bash" }, async () => {
  const { code, stderr, output } = await actionRun(
    await target("list-count-string", "list-total-string"),
  );
  expect(code).toBe(1);
  expect(output).toMatch(/^outcome=nonconformant\nfailed=[12]\n/);
  const annotations = stderr.split("\n").filter((line) => line.startsWith("::error "));
  expect(annotations.length).toBeGreaterThan(0);
  for (const line of annotations)
    expect(line).toMatch(/^::error title=BATCH-\d+( BATCH-\d+)*::GET \/batches/);
});

test("the outputs of the action come from the report of its step alone, and no other file ends with a stack trace", async () => {
  const cwd = temporaryFolder();
  const report = { ...runs.nonconformant, startedAt: "2030-01-01T00:00:10Z" };
  const at = Date.parse(report.startedAt) / 1000;
  const { argv } = process;
  vi.stubEnv("GITHUB_OUTPUT", join(cwd, "output"));
  onTestFinished(() => {
    process.argv = argv;
    vi.unstubAllEnvs();
  });
  let nth = 0;
  /** Runs the script in this process, each time as a new module. */
  const outputsOf = async (content: unknown, code: number, started: number) => {
    await writeFile(join(cwd, "report.json"), JSON.stringify(content));
    await writeFile(join(cwd, "output"), "");
    process.argv = [...argv.slice(0, 2), cwd, String(code), String(started)];
    nth += 1;
    const script = new URL(`../templates/github/outputs.mjs?${nth}`, import.meta.url);
    await import(script.href);
    return /^outcome=(.*)$/m.exec(await readFile(join(cwd, "output"), "utf8"))?.[1];
  };
  for (const code of [0, 1, 3, 130]) expect(await outputsOf(report, code, at)).toBe(report.outcome);
  for (const code of [2, 4, 137]) expect(await outputsOf(report, code, at)).toBe("error");
  expect(await outputsOf(report, 1, at + 1)).toBe("error");
  const shapes = [null, [], "text", {}, { ...report, tool: {} }, { ...report, requirements: null }];
  for (const shape of shapes) expect(await outputsOf(shape, 1, at)).toBe("error");
  expect(await outputsOf({ ...report, outcome: "fine\nfailed=0" }, 1, at)).toBe("error");
});

test(
  "an installation of the action that fails never looks like a failure of the server",
  { tags: "bash" },
  async () => {
    const { code, stdout, output } = await actionRun({ ...(await target()), BROKEN: "yes" });
    expect([code, output]).toEqual([4, "outcome=error\nfailed=0\nreport-dir=fxconform-report\n"]);
    expect(stdout).toContain("::error title=fxconform::fxconform could not be installed.");
  },
);

test("the GitLab component checks the target and leaves the JUnit file that it names", async () => {
  const [head, body] = parseAllDocuments(await fileText("templates/fxconform.yml")).map(String);
  const { spec } = parse(head ?? "") as {
    spec: { inputs: Record<string, { default?: string } | null> };
  };
  const required = Object.entries(spec.inputs).filter(([, input]) => input?.default === undefined);
  expect(required.map(([name]) => name)).toEqual(["base-url", "package"]);
  const filled = (body ?? "").replace(/\$\[\[ inputs\.([\w-]+) \]\]/g, (_, name: string) => {
    expect(Object.keys(spec.inputs)).toContain(name);
    return spec.inputs[name]?.default ?? "https://target.example";
  });
  const { fxconform: job } = parse(filled) as {
    fxconform: { script: string[]; artifacts: { reports: { junit: string } } };
  };
  const cwd = temporaryFolder();
  const script = job.script.join("\n");
  const ended = await stepRun(["sh", "-ec"], script, cwd, {
    ...(await target()),
    PACKAGE: packageFile,
  });
  expect(ended.code, ended.stderr).toBe(0);
  await expectNotInstalled(script);
  expect(await readFile(join(cwd, job.artifacts.reports.junit), "utf8")).toContain(
    "fxconform.gate",
  );
});

test(
  "GitLab accepts the component with its inputs, and refuses one without a required input",
  { tags: ["git", "tools"] },
  async () => {
    const files = { "component.yml": await fileText("templates/fxconform.yml") };
    const including = (inputs: object): string =>
      JSON.stringify({ include: [{ local: "component.yml", inputs }] });
    const inputs = { "base-url": "https://target.example", package: packageFile };
    expect(gitlabErrors(including({ ...inputs, profile: "full" }), files)).toEqual([]);
    expect(gitlabErrors(including({ package: packageFile }), files).join("")).toContain("base-url");
    expect(gitlabErrors(including({ ...inputs, profile: "half" }), files).join("")).toContain(
      "profile",
    );
  },
);

const gitlabProgram = join(toolset, "gitlab-ci-local/src/index.js");

/** The errors of GitLab's own schema for a pipeline, which may include the other files. */
function gitlabErrors(
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

/** Expects of a script whose package is missing that it exits with 4 and says so. */
async function expectNotInstalled(script: string): Promise<void> {
  const ended = await stepRun(["sh", "-ec"], script, temporaryFolder(), {
    PACKAGE: "./nowhere.tgz",
  });
  expect([ended.code, ended.stdout]).toEqual([
    4,
    "fxconform could not be installed from ./nowhere.tgz\n",
  ]);
}

/** The build context of the image: the lines of .dockerignore that begin with `!`. */
const context = (await fileText(".dockerignore"))
  .split("\n")
  .flatMap((line) => /^!(.+)$/.exec(line)?.[1] ?? []);

test(
  "the image builds from what its context holds, and its program starts",
  { timeout: 120_000 },
  async () => {
    const image = temporaryFolder();
    for (const path of context) await cp(join(root, path), join(image, path), { recursive: true });
    await symlink(join(root, "node_modules"), join(image, "node_modules"));
    // The program needs no declarations, which take a third of the build.
    const settings = join(image, "tsconfig.build.json");
    const text = await readFile(settings, "utf8");
    expect(text).toContain('"declaration": true');
    await writeFile(settings, text.replace('"declaration": true', '"declaration": false'));
    const execute = promisify(execFile);
    await execute(process.execPath, ["tools/build.mjs", "--clean", "--no-check"], { cwd: image });
    const { stdout } = await execute(process.execPath, ["dist/cli/bin.js", "--version"], {
      cwd: image,
    });
    expect(stdout).toBe(`${version}\n`);
  },
);

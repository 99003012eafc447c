import { spawn } from "node:child_process";
import { once } from "node:events";
import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, onTestFinished, test } from "vitest";
import { referenceFor } from "../reference/testing/reference.ts";
import { temporaryFolder } from "../model/testing/temporary-folder.ts";
import { executed, root } from "./execution.ts";
import { toolset } from "./system-programs.ts";

/** The TypeScript blocks of a page. */
async function blocks(page: string): Promise<readonly string[]> {
  return [...(await readFile(join(root, page), "utf8")).matchAll(/^```ts\n(.*?)^```/gms)].map(
    ([, code]) => code ?? "",
  );
}

/** A folder inside the package, where `fxconform` resolves to the build. */
async function scratchFolder(): Promise<string> {
  const cache = join(root, "node_modules", ".cache");
  await mkdir(cache, { recursive: true });
  const folder = await mkdtemp(join(cache, "api-"));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

/** The output of the compiler for the sources, which it gets as `block-0.ts`, `block-1.ts`, … */
async function compiled(sources: readonly string[]): Promise<string> {
  const folder = await scratchFolder();
  const files = sources.map((_, index) => `block-${index}.ts`);
  await Promise.all(
    files.map((name, index) => writeFile(join(folder, name), sources[index] ?? "")),
  );
  const settings = {
    extends: join(root, "tsconfig.json"),
    files,
    include: [],
    compilerOptions: { noEmit: true },
  };
  await writeFile(join(folder, "tsconfig.json"), JSON.stringify(settings));
  const tsc = join(root, "node_modules/typescript/bin/tsc");
  const { stdout, stderr } = await executed(process.execPath, [tsc, "--project", folder], {
    timeout: 110_000,
  });
  return stdout + stderr;
}

test(
  "the code in docs/api.md and the test for vitest compile against the types of the package, and wrong code does not",
  {
    timeout: 120_000,
  },
  async () => {
    const template = await readFile(join(root, "templates/vitest/conformance.test.ts"), "utf8");
    const sources = [...(await blocks("docs/api.md")), template];
    expect(sources.length).toBeGreaterThan(5);
    const wrong = `import { run } from "fxconform";\nawait run({ apiKey: "secret", runs: true });\n`;
    const errors = (await compiled([...sources, wrong]))
      .split("\n")
      .filter((line) => /^\S/.test(line));
    expect(errors).toEqual([
      expect.stringMatching(new RegExp(`block-${sources.length}\\.ts.*boolean`)),
    ]);
  },
);

test("docs/api.md names every export of the library", async () => {
  const page = await readFile(join(root, "docs/api.md"), "utf8");
  const [main, report, suites] = await Promise.all([
    import("../index.ts"),
    import("../reports/library.ts"),
    import("../conformance.ts"),
  ]);
  const missing = [main, report, suites]
    .flatMap(Object.keys)
    .filter((name) => !page.includes(name));
  expect(missing).toEqual([]);
});

const apiKey = "examples-key-0123456789";
const customerId = "customer-1";
const vitestWords = ["node_modules/vitest/vitest.mjs", "run", "--root", "templates/vitest"];
const environmentOf = (baseUrl: string) => ({
  ...process.env,
  FXCONFORM_BASE_URL: baseUrl,
  FXCONFORM_API_KEY: apiKey,
  FXCONFORM_CUSTOMER_ID: customerId,
});

test(
  "vitest has a test for each requirement: a filter checks no other one, and what fails shows its block",
  { timeout: 120_000 },
  async () => {
    const faults = ["operation-amount-float32"];
    let requests = 0;
    const onRequest = (): void => void (requests += 1);
    const { baseUrl } = await referenceFor({ apiKey, customerId, faults, onRequest });
    const { code, stdout } = await executed(
      process.execPath,
      [...vitestWords, "--reporter", "json", "-t", "OPER-0[1-6]|ACAM-06"],
      {
        cwd: root,
        env: environmentOf(baseUrl),
        timeout: 100_000,
      },
    );
    const { testResults } = JSON.parse(stdout) as {
      readonly testResults: readonly [{ readonly assertionResults: readonly Assertion[] }];
    };
    const statusOf = new Map(
      testResults[0].assertionResults.map(({ title, status, failureMessages }) => [
        title.split(" ")[0],
        [status, ...failureMessages],
      ]),
    );
    expect(code).toBe(1);
    expect(statusOf.get("OPER-05")).toEqual(["passed"]);
    expect(statusOf.get("ACAM-06")).toEqual(["passed"]);
    expect(statusOf.get("OPER-06")).toEqual([
      "failed",
      expect.stringMatching(/^Conformance: ✗ OPER-06 [^]*\n {2}expected [^]*\n {2}replay /),
    ]);
    expect(statusOf.get("BATCH-01")).toEqual(["skipped"]);
    expect(requests).toBeGreaterThan(20);
    expect(requests).toBeLessThan(300);
  },
);

const nodeTestWords = ["--test", "templates/node-test/conformance.test.mjs"];

test.each([
  ["vitest", "SIGTERM", vitestWords],
  ["vitest", "SIGKILL", vitestWords],
  ["node:test", "SIGKILL", nodeTestWords],
] as const)(
  "when %s is ended by %s, the run sends nothing more than what is in flight",
  { timeout: 120_000 },
  async (_, signal, words) => {
    let requests = 0;
    let begin = (): void => undefined;
    const begun = new Promise<void>((go) => (begin = go));
    const onRequest = (): void => {
      requests += 1;
      if (requests === 50) begin();
    };
    const { baseUrl } = await referenceFor({ apiKey, customerId, onRequest });
    const env = environmentOf(baseUrl);
    const host = spawn(process.execPath, words, { cwd: root, env, stdio: "ignore" });
    const ended = once(host, "exit");
    await begun;
    const before = requests;
    host.kill(signal);
    await ended;
    // Requests that are in flight may still come, until none comes for a while.
    let seen = -1;
    while (seen < requests) {
      seen = requests;
      await pause(1500);
    }
    expect(requests - before).toBeLessThan(200);
  },
);

interface Assertion {
  readonly title: string;
  readonly status: string;
  readonly failureMessages: readonly string[];
}

const again =
  /replay +npx fxconform run --seed \d+ --base-url \S+ --customer-id customer-1 --only OPER-06/;
/** A project that has both packages installed, and the example for Playwright. */
async function playwrightProject(): Promise<string> {
  const folder = temporaryFolder();
  const packages = join(folder, "node_modules");
  await mkdir(packages);
  await symlink(root, join(packages, "fxconform"));
  await symlink(join(toolset, "@playwright"), join(packages, "@playwright"));
  await writeFile(join(folder, "package.json"), '{"type":"module"}');
  await cp(join(root, "templates"), join(folder, "templates"), { recursive: true });
  return folder;
}

const runners = [
  ["vitest", vitestWords, /replay +npx vitest run -t OPER-06/],
  ["node:test", nodeTestWords, again],
] as const;

describe(
  "the example shows what a server does wrong, with a command that works there",
  { timeout: 120_000 },
  () => {
    test.each(runners)("for %s", (_, words, replay) => expectExample(words, replay, root));
    test("for Playwright", { tags: "tools" }, async () => {
      const words = [
        "node_modules/@playwright/test/cli.js",
        "test",
        "--config",
        "templates/playwright",
      ];
      await expectExample(words, again, await playwrightProject());
    });
  },
);

async function expectExample(words: readonly string[], replay: RegExp, cwd: string): Promise<void> {
  const faults = ["operation-amount-float32", "batch-created-200"];
  const { baseUrl } = await referenceFor({ apiKey, customerId, faults });
  const { code, stdout, stderr } = await executed(process.execPath, words, {
    cwd,
    env: environmentOf(baseUrl),
    timeout: 100_000,
  });
  const printed = stdout + stderr;
  expect(code).toBe(1);
  expect(printed).toMatch(replay);
  expect(printed).toContain("BATCH-03");
  expect(printed).not.toMatch(/report\.(?:json|html)|fxconform replay/);
}

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { WorkerInput } from "../harness/worker-input.ts";

/** How vitest ended, apart from what the scenarios found. */
export interface WorkerEnd {
  /** Errors of our code that no scenario reported: short texts. */
  readonly errors: readonly string[];
}

/**
 * Runs the suites in one vitest worker thread and resolves when it has ended. Nothing of the user's directory is
 * opened or written. `cancel` is called back with a function that ends the run early: the first call cancels
 * the tests, the second terminates the worker, whatever it is busy with.
 */
export const runWorker = async (input: WorkerInput, cancel: (stop: () => void) => void): Promise<WorkerEnd> => {
  const environment = { ...process.env };
  process.env["NODE_ENV"] ??= "test";
  const { createVitest } = await import("vitest/node");
  const { entry, forget } = entryOf(new URL("../suites/index.suite.js", import.meta.url));
  const release = withoutForeignSignalHandlers();
  const exitCode = process.exitCode;
  const vitest = await createVitest(
    "test",
    {
      config: false,
      root: dirname(entry),
      dir: dirname(entry),
      include: [basename(entry)],
      exclude: [],
      watch: false,
      cache: false,
      pool: "threads",
      isolate: false,
      maxWorkers: 1,
      sequence: { concurrent: true },
      // Requests are bounded by the rate limiter; scenarios all start at once.
      maxConcurrency: 10_000,
      allowOnly: false,
      passWithNoTests: true,
      css: false,
      typecheck: { enabled: false },
      testTimeout: 0,
      hookTimeout: 0,
      teardownTimeout: 2000,
      reporters: [{}],
      server: { deps: { external: [/./] } },
      provide: { fxconform: input },
    },
    {
      configFile: false,
      envDir: false,
      publicDir: false,
      clearScreen: false,
      logLevel: "error",
      css: { postcss: { plugins: [] } },
      server: { middlewareMode: true, watch: null, hmr: false, ws: false },
      optimizeDeps: { noDiscovery: true, include: [] },
    } as object,
  );
  const changed = Object.keys(process.env).filter((name) => process.env[name] !== environment[name]);
  cancel(() => void vitest.cancelCurrentRun("keyboard-input").catch(() => undefined));
  try {
    const { testModules, unhandledErrors } = await vitest.start();
    const broken = testModules.flatMap((module) => [
      ...module.errors().map(({ message }) => message),
      ...[...module.children.allTests("failed")].flatMap(
        (test) => test.result().errors?.map((error) => error.stack ?? error.message) ?? [],
      ),
    ]);
    const none = testModules.length === 0 ? ["the suites did not load"] : [];
    return { errors: [...none, ...broken, ...unhandledErrors.map((error) => String((error as Error).stack ?? error))] };
  } finally {
    await vitest.close();
    release();
    forget();
    process.exitCode = exitCode;
    for (const name of changed) {
      if (environment[name] === undefined) delete process.env[name];
      else process.env[name] = environment[name];
    }
  }
};

/**
 * The file that vitest starts with. It takes paths for addresses: where `#`, `?` or `%` is in ours, a file elsewhere
 * stands in for it. `forget` removes that.
 */
const entryOf = (suite: URL): { readonly entry: string; readonly forget: () => void } => {
  const path = fileURLToPath(suite);
  if (!/[#?%]/.test(path)) return { entry: path, forget: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), "fxconform-"));
  const entry = join(folder, "index.suite.js");
  writeFileSync(entry, `import ${JSON.stringify(suite.href)};\n`);
  return { entry, forget: () => rmSync(folder, { recursive: true, force: true }) };
};

/**
 * Takes away at once whatever handler for SIGINT or SIGTERM is added from now on: vitest's own ends the process before
 * a report is whole. Returns what ends this.
 */
const withoutForeignSignalHandlers = (): (() => void) => {
  const refuse = (event: string | symbol, listener: (...args: unknown[]) => void): void => {
    if (event === "SIGINT" || event === "SIGTERM") queueMicrotask(() => process.off(event, listener));
  };
  process.on("newListener", refuse);
  return () => void process.off("newListener", refuse);
};

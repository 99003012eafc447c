import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { PassThrough } from "node:stream";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { WorkerInput, WorkerPreparation } from "../harness/worker-input.ts";
import { bundledContract } from "./contract.ts";

/** How vitest ended, apart from what the scenarios found. */
export interface WorkerEnd {
  /** Errors of our code that no scenario reported: short texts. */
  readonly errors: readonly string[];
}

/** A worker thread of vitest that loads the suites and then waits for its run. It serves one run. */
export interface PreparedWorker {
  /** Name of the channel that takes evidence out and commands in. */
  readonly channel: string;
  /** Resolves when it has loaded, or has ended before. */
  readonly loaded: Promise<void>;
  /** Starts the run; resolves when the worker has ended. */
  readonly run: (input: WorkerInput) => Promise<WorkerEnd>;
  /** Ends a run early: the first call cancels the tests, the second terminates the worker, whatever it is busy with. */
  readonly cancel: () => void;
  /** Ends a worker without a run. */
  readonly discard: () => Promise<void>;
}

/** Prepares a worker. Nothing of the user's directory is opened or written. */
export const prepareWorker = (): PreparedWorker => {
  const channel = `fxconform-${randomUUID()}`;
  const start = new BroadcastChannel(`${channel}-start`);
  const ready = new Promise<void>((resolve) => {
    start.onmessage = () => resolve();
  });
  let cancel = (): void => undefined;
  let isEnded = false;
  const ended = vitestRun({ channel, start: start.name }, (stop) => {
    cancel = stop;
  }).finally(() => {
    isEnded = true;
    start.close();
  });
  // It is awaited once there is a run.
  ended.catch(() => undefined);
  const loaded = Promise.race([
    ready,
    ended.then(
      () => undefined,
      () => undefined,
    ),
  ]);
  const started = async (input: WorkerInput | undefined): Promise<WorkerEnd> => {
    await loaded;
    if (!isEnded) start.postMessage(input);
    return ended;
  };
  return {
    channel,
    loaded,
    run: started,
    cancel: () => cancel(),
    discard: async () => {
      await started(undefined).catch(() => undefined);
    },
  };
};

/** Runs the suites in one vitest worker thread and resolves when it has ended. `cancel` is called with what ends it early. */
const vitestRun = async (
  names: Omit<WorkerPreparation, "document">,
  cancel: (stop: () => void) => void,
): Promise<WorkerEnd> => {
  const environment = { ...process.env };
  process.env["NODE_ENV"] ??= "test";
  const [{ createVitest }, document] = await Promise.all([import("vitest/node"), bundledContract()]);
  const preparation: WorkerPreparation = { ...names, document };
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
      provide: { fxconform: preparation },
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
    // On a terminal it would hide the cursor.
    { stdout: new PassThrough().resume(), stderr: new PassThrough().resume() },
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

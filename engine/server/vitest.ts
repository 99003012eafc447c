import { AsyncLocalStorage } from "node:async_hooks";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, dirname, join } from "node:path";
import { PassThrough } from "node:stream";
import { fileURLToPath } from "node:url";
import type { TestModule, Vitest, PoolRunnerInitializer, PoolWorker } from "vitest/node";
import { Worker } from "node:worker_threads";
import { bounds } from "../../model/bounds.ts";
import type { WorkerPreparation } from "./worker/input.ts";

/**
 * Runs the suites `count` times in the thread, one run after the other. Calls `onEnd` after each
 * run with its errors.
 */
export function startVitest(
  thread: Thread,
  count: number,
  onEnd: (errors: readonly string[]) => void,
) {
  let vitest: Vitest | undefined;
  // vitest sets the exit code of its process, which belongs to the command line or to a program.
  const { exitCode } = process;
  const restore = (): void => {
    process.exitCode = exitCode;
  };
  const { entries, forget } = entriesOf(new URL("./bundle/entry.js", import.meta.url), count);
  const created = withoutTraces(async () => {
    const { createVitest } = await import("vitest/node");
    // The usual reporters of vitest print. This one only takes the errors that no scenario
    // reported.
    const reporters = [{ ...errorReporter(() => vitest, onEnd), onTestRunEnd: restore }];
    // vitest gets no terminal, because it would hide the cursor.
    const nowhere = { stdout: new PassThrough().resume(), stderr: new PassThrough().resume() };
    vitest = await createVitest(
      "test",
      { ...testOptions(entries), pool: thread.pool, reporters },
      viteOptions,
      nowhere,
    );
    return vitest;
  });
  const ended = created.then(async (started) => {
    try {
      await started.start();
    } finally {
      await started.close();
      restore();
    }
  });
  return {
    ended: ended.finally(forget),
    cancel: (): void => void vitest?.cancelCurrentRun("keyboard-input").catch(() => undefined),
  };
}

/**
 * The options of vitest for the tests. Only tests in one file overlap, so one file has all
 * scenarios, in one thread without isolation.
 */
function testOptions(entries: readonly string[]) {
  return {
    config: false as const,
    root: dirname(entries[0] ?? ""),
    dir: dirname(entries[0] ?? ""),
    include: entries.map((path) => basename(path)),
    exclude: [],
    watch: false,
    cache: false as const,
    isolate: false,
    maxWorkers: 1,
    sequence: { concurrent: true },
    // All scenarios start at once, as the scheduler bounds the requests.
    maxConcurrency: 10_000,
    allowOnly: false,
    passWithNoTests: true,
    css: false,
    typecheck: { enabled: false },
    // Requests have time-outs; tests have none.
    testTimeout: 0,
    hookTimeout: 0,
    teardownTimeout: 2000,
    server: { deps: { external: [/./] } },
  };
}

/**
 * The options of vite. No file in the user's directory is opened: no configuration of vite or
 * postcss, no `.env`.
 */
const viteOptions = {
  configFile: false,
  envDir: false,
  publicDir: false,
  clearScreen: false,
  logLevel: "error",
  css: { postcss: { plugins: [] } },
  server: { middlewareMode: true, watch: null, hmr: false, ws: false },
  optimizeDeps: { noDiscovery: true, include: [] },
} as object;

function errorReporter(
  vitest: () => Vitest | undefined,
  onEnd: (errors: readonly string[]) => void,
) {
  let unhandled = 0;
  return {
    onTestModuleEnd: (module: TestModule): void => {
      const errors = vitest()?.state.getUnhandledErrors().slice(unhandled) ?? [];
      unhandled += errors.length;
      onEnd([
        ...errorsOf(module),
        ...errors.map((error) => String((error as Error).stack ?? error)),
      ]);
    },
  };
}

function errorsOf(module: TestModule): readonly string[] {
  return [
    ...module.errors().map(({ message }) => message),
    ...[...module.children.allTests("failed")].flatMap(
      (test) => test.result().errors?.map((error) => error.stack ?? error.message) ?? [],
    ),
  ];
}

/**
 * Events for which vitest adds handlers that end the process, which would be before the reports are
 * written: signals, and rejections that nobody handles.
 */
const endings = new Set<string | symbol>(["SIGINT", "SIGTERM", "unhandledRejection"]);

const creating = new AsyncLocalStorage<true>();

/**
 * Creates vitest without the handlers and environment variables that it leaves in its process,
 * which belongs to the command line or to a program.
 */
async function withoutTraces<T>(create: () => Promise<T>): Promise<T> {
  const environment = new Set(Object.keys(process.env));
  const refuse = (event: string | symbol, listener: (...args: unknown[]) => void): void => {
    // The handler is removed at once, because a signal can come while vitest loads. Handlers that
    // others add meanwhile stay.
    if (endings.has(event) && creating.getStore() === true)
      queueMicrotask(() => process.off(event, listener));
  };
  process.on("newListener", refuse);
  // Otherwise vite takes the code for that of a website in production.
  process.env["NODE_ENV"] ??= "test";
  try {
    return await creating.run(true, create);
  } finally {
    process.off("newListener", refuse);
    for (const name of Object.keys(process.env))
      if (!environment.has(name)) delete process.env[name];
  }
}

/**
 * The paths of the entry files, one for each run. Temporary files, which `forget` removes, are used
 * if there are several, or if the usual path has `#`, `?` or `%`: vitest reads a path as a URL.
 */
function entriesOf(
  suite: URL,
  count: number,
): { readonly entries: readonly string[]; readonly forget: () => void } {
  const path = fileURLToPath(suite);
  if (count === 1 && !/[#?%]/.test(path)) return { entries: [path], forget: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), "fxconform-"));
  const entries = Array.from({ length: count }, (_, n) => join(folder, `${n}.suite.js`));
  const registration = JSON.stringify(new URL("scenarios.js", suite).href);
  for (const entry of entries) writeFileSync(entry, entryText(registration));
  const forget = (): void => {
    process.off("exit", forget);
    rmSync(folder, { recursive: true, force: true });
  };
  // The process may end before the runs do.
  process.on("exit", forget);
  return { entries, forget };
}

/**
 * The text of an entry file that does the same as `worker/entry.ts`. `registration` is the address
 * of the module that it calls.
 */
function entryText(registration: string): string {
  return [
    'import { workerData } from "node:worker_threads";',
    `import { registerNextRun } from ${registration};`,
    "await registerNextRun(workerData);\n",
  ].join("\n");
}

export type Thread = ReturnType<typeof startThread>;

/** Starts a thread at once. vitest's own pool would start it only after vitest has loaded. */
export function startThread(preparation: WorkerPreparation) {
  const worker = new Worker(new URL("./bundle/thread.js", import.meta.url), {
    workerData: preparation,
    transferList: [preparation.port],
    // The thread must not inherit flags of this process, such as `--eval`.
    execArgv: [],
    // With a larger heap, V8 keeps up to four times as much garbage as data in use.
    resourceLimits: { maxOldGenerationSizeMb: bounds.threadMemory },
    // The thread prints nothing that a user needs.
    stdout: true,
    stderr: true,
  });
  worker.stdout.resume();
  worker.stderr.resume();
  let failure: Error | undefined;
  worker.on("error", (error: Error) => {
    failure = error;
  });
  let isEnding = false;
  const died = new Promise<string>((resolve) => {
    worker.once("exit", (code) => {
      if (!isEnding)
        resolve(`the thread of the suites died: ${failure?.message ?? `exit code ${code}`}`);
    });
  });
  const end = async (): Promise<void> => {
    isEnding = true;
    await worker.terminate();
  };
  const name = "fxconform";
  const createPoolWorker = (): PoolWorker => ({
    name,
    on: (event, receive) => {
      // If it heard that a thread died, vitest would end this process before the reports are
      // written.
      if (event !== "exit" && event !== "error") worker.on(event, receive);
    },
    off: (event, receive) => void worker.off(event, receive),
    send: (message) => worker.postMessage(message),
    deserialize: (data) => data,
    // An error before vitest listens would be lost, so it is thrown here.
    start: async () => {
      if (failure !== undefined) throw failure;
    },
    stop: end,
  });
  const pool: PoolRunnerInitializer = { name, createPoolWorker };
  return {
    pool,
    end,
    /**
     * Resolves when the thread ends by itself, to the reason as a sentence without its full stop.
     */
    died,
  };
}

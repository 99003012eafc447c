import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { PassThrough } from "node:stream";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Reporter, TestModule } from "vitest/node";
import type { RunChannels, WorkerInput } from "../harness/worker-input.ts";
import { contractJsonPath } from "../spec/contract.ts";
import { startThread, type Thread } from "./thread.ts";

/** How the tests of a run ended, apart from what the scenarios found. */
export interface WorkerEnd {
  /** Errors of our code that no scenario reported: short texts. */
  readonly errors: readonly string[];
}

/** A worker thread of vitest that loads the suites and then waits for its run. */
export interface PreparedWorker {
  /** Name of the channel that takes evidence out and commands in. */
  readonly channel: string;
  /** Resolves when vitest has loaded and the main thread can load something else. */
  readonly begun: Promise<void>;
  /** Resolves when the worker has loaded the suites, or has ended before that. */
  readonly loaded: Promise<void>;
  /** Starts the run; resolves when it has ended. */
  readonly run: (input: WorkerInput) => Promise<WorkerEnd>;
  /** Ends a run early: the first call cancels the tests, the second terminates the worker. */
  readonly cancel: () => void;
  /** Ends a worker without a run. */
  readonly discard: () => Promise<void>;
}

/** A worker thread that serves several runs, one after the other. */
export interface WorkerSeries {
  /** The worker for the next run. Undefined if the thread has served all its runs, or was cancelled. */
  readonly next: () => PreparedWorker | undefined;
  /** Terminates the thread, whatever it is doing. */
  readonly close: () => Promise<void>;
}

/** Prepares a worker for one run. Nothing of the user's directory is opened or written. */
export const prepareWorker = (): PreparedWorker => {
  const worker = prepareWorkers(1).next();
  if (worker === undefined) throw new Error("the worker had no run");
  return worker;
};

/** Prepares a worker thread for `most` runs. From the second run on, its code is already compiled. */
export const prepareWorkers = (most: number): WorkerSeries => {
  const ids = Array.from({ length: most }, () => `fxconform-${randomUUID()}`);
  const runs = ids.map((id) => createServedRun(id));
  const thread = startThread({ contract: contractJsonPath.href, runs: runs.map(({ channels }) => channels) });
  let isEnded = false;
  let stop = (): void => undefined;
  const served = runs[Symbol.iterator]();
  let begin = (): void => undefined;
  const begun = new Promise<void>((resolve) => {
    begin = resolve;
  });
  const ended = vitestRun(
    thread,
    runs.length,
    (errors) => served.next().value?.end({ errors }),
    (cancel) => {
      stop = cancel;
      begin();
    },
  ).finally(() => {
    isEnded = true;
    for (const { close } of runs) close();
    void thread.end();
  });
  /** Resolves after a failure too, which the run reports. */
  const settled = ended.catch(() => undefined);
  const cancel = (): void => {
    isEnded = true;
    stop();
  };
  let taken = 0;
  return {
    next: () => {
      const run = runs[taken];
      if (run === undefined || isEnded) return undefined;
      taken += 1;
      const isLast = taken === runs.length;
      const loaded = Promise.race([run.ready, settled]);
      return {
        channel: run.channels.channel,
        begun: Promise.race([begun, settled]),
        loaded,
        run: async (input) => {
          await loaded;
          if (!isEnded) run.start(input);
          const none = ended.then(() => ({ errors: ["the suites did not load"] }));
          const end = await Promise.race([run.ended, none]);
          if (isLast) await ended;
          return end;
        },
        cancel,
        discard: async () => {
          await loaded;
          if (!isEnded) run.start(undefined);
          await Promise.race([isLast ? settled : run.ended, settled]);
        },
      };
    },
    close: async () => {
      await Promise.race([runs[0]?.ready, settled]);
      cancel();
      cancel();
      await settled;
    },
  };
};

/** The main thread's side of a run that a worker serves. */
interface ServedRun {
  readonly channels: RunChannels;
  /** Resolves when the worker waits for it. */
  readonly ready: Promise<void>;
  readonly start: (input: WorkerInput | undefined) => void;
  readonly ended: Promise<WorkerEnd>;
  readonly end: (how: WorkerEnd) => void;
  readonly close: () => void;
}

const createServedRun = (channel: string): ServedRun => {
  const start = new BroadcastChannel(`${channel}-start`);
  const ready = new Promise<void>((resolve) => {
    start.onmessage = () => resolve();
  });
  let end: (how: WorkerEnd) => void = () => undefined;
  const ended = new Promise<WorkerEnd>((resolve) => {
    end = resolve;
  });
  return {
    channels: { channel, start: start.name },
    ready,
    start: (input) => start.postMessage(input),
    ended,
    end: (how) => end(how),
    close: () => start.close(),
  };
};

/**
 * Runs the suites in one vitest worker thread, once for each of the runs, and resolves when it has ended. `onEnd` is called
 * with the errors of each run, `onStart` with what ends all of them early.
 */
const vitestRun = async (
  thread: Thread,
  count: number,
  onEnd: (errors: readonly string[]) => void,
  onStart: (cancel: () => void) => void,
): Promise<void> => {
  const environment = { ...process.env };
  process.env["NODE_ENV"] ??= "test";
  const { createVitest } = await import("vitest/node");
  const suite = new URL("../suites/worker/index.suite.js", import.meta.url);
  const { entries, forget } = entriesOf(suite, count);
  const release = withoutForeignSignalHandlers();
  const exitCode = process.exitCode;
  let unhandled = 0;
  const reporter: Reporter = {
    onTestModuleEnd: (module) => {
      const errors = vitest.state.getUnhandledErrors().slice(unhandled);
      unhandled += errors.length;
      onEnd([...errorsOf(module), ...errors.map((error) => String((error as Error).stack ?? error))]);
    },
  };
  const [first = ""] = entries;
  const vitest = await createVitest(
    "test",
    {
      config: false,
      root: dirname(first),
      dir: dirname(first),
      include: entries.map((path) => basename(path)),
      exclude: [],
      watch: false,
      cache: false,
      pool: thread.pool,
      isolate: false,
      maxWorkers: 1,
      sequence: { concurrent: true },
      // The rate limiter bounds requests; all scenarios start at once.
      maxConcurrency: 10_000,
      allowOnly: false,
      passWithNoTests: true,
      css: false,
      typecheck: { enabled: false },
      testTimeout: 0,
      hookTimeout: 0,
      teardownTimeout: 2000,
      reporters: [reporter],
      server: { deps: { external: [/./] } },
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
    // On a terminal, vitest would hide the cursor.
    { stdout: new PassThrough().resume(), stderr: new PassThrough().resume() },
  );
  const changed = Object.keys(process.env).filter((name) => process.env[name] !== environment[name]);
  onStart(() => void vitest.cancelCurrentRun("keyboard-input").catch(() => undefined));
  try {
    await vitest.start();
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

const errorsOf = (module: TestModule): readonly string[] => [
  ...module.errors().map(({ message }) => message),
  ...[...module.children.allTests("failed")].flatMap(
    (test) => test.result().errors?.map((error) => error.stack ?? error.message) ?? [],
  ),
];

/**
 * The entry files for vitest. vitest reads a path as a URL, so if ours contains `#`, `?` or `%`, a temporary file
 * imports it. Several runs need a temporary file each. `forget` removes them.
 */
const entriesOf = (suite: URL, count: number): { readonly entries: readonly string[]; readonly forget: () => void } => {
  const path = fileURLToPath(suite);
  if (count === 1 && !/[#?%]/.test(path)) return { entries: [path], forget: () => undefined };
  const folder = mkdtempSync(join(tmpdir(), "fxconform-"));
  const entries = Array.from({ length: count }, (_, n) => join(folder, `${n}.suite.js`));
  const registration = new URL("registration.js", suite).href;
  for (const entry of entries)
    writeFileSync(
      entry,
      `import { registerNextRun } from ${JSON.stringify(registration)};\nawait registerNextRun();\n`,
    );
  return { entries, forget: () => rmSync(folder, { recursive: true, force: true }) };
};

/**
 * From now on, removes every new handler for SIGINT or SIGTERM at once: vitest's own handler ends the process before
 * the reports are written. Returns a function that stops this.
 */
const withoutForeignSignalHandlers = (): (() => void) => {
  const refuse = (event: string | symbol, listener: (...args: unknown[]) => void): void => {
    if (event === "SIGINT" || event === "SIGTERM") queueMicrotask(() => process.off(event, listener));
  };
  process.on("newListener", refuse);
  return () => void process.off("newListener", refuse);
};

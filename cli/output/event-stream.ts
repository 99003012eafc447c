import { closeSync, existsSync, statSync, ftruncateSync, openSync, writeSync } from "node:fs";
import { dirname } from "node:path";
import type { RunControl } from "../../engine/server/control.ts";
import { codeOf, makeFolder } from "../../model/files.ts";
import type { Run } from "../../model/run.ts";
import { createRunEvents, type RunEvent, type StartedEvent } from "../../reports/events.ts";
import { plainJson } from "../../reports/sanitize.ts";
import type { Secrets } from "../../reports/secrets.ts";
import { wrong } from "../../settings/problem.ts";
import type { Io } from "./io.ts";

/** Writes bytes of a file. A test can replace `write`, for example to act as if the disk were full. */
export const eventDisk = {
  write: writeSync as (file: number, bytes: Uint8Array, from: number) => number,
};

export type StartFacts = Omit<StartedEvent, "event">;

/**
 * How often progress is reported, and the pause between two looks at what was found, in milliseconds.
 */
const intervals = { progress: 500, found: 500 } as const;
/** After a look, the run goes on for at least this many times as long as the look took. */
const restFactor = 3;
/** How long the end waits for a reader of standard output, in milliseconds. */
const longestFlush = 10_000;

/** Where the lines of `--events` go. */
interface EventTarget {
  /** Called once, when the run begins. Until then, what an earlier run wrote stays. */
  readonly begin: () => void;
  readonly write: (line: string) => void;
  /** The reader has not read what was written. What can be left out is not written then. */
  readonly isBehind: () => boolean;
  /** Resolves to a sentence if lines are missing. */
  readonly close: () => Promise<string | undefined>;
}

/**
 * Writes the events of a run as lines of JSON, to standard output (`-`) or a file. Throws
 * `UsageError` if the file cannot be written.
 */
export function eventStream(place: { readonly value: string; readonly where: string }, io: Io) {
  const target = place.value === "-" ? standardOutput(io) : eventFile(place);
  return {
    /** Begins the stream. Returns the functions that report events during a run and at its end. */
    of: (secrets: Secrets) => {
      target.begin();
      const events = createRunEvents(io.now);
      const send = (all: readonly RunEvent[]): void => {
        for (const event of all) target.write(`${lineOf(event, secrets)}\n`);
      };
      let lastProgress = -Infinity;
      let nextLook = 0;
      const onProgress: RunControl["onProgress"] = (progress) => {
        const now = performance.now();
        if (now - lastProgress < intervals.progress || target.isBehind()) return;
        lastProgress = now;
        send(events.progress(progress));
      };
      const onUpdate: RunControl["onUpdate"] = (soFar) => {
        const before = performance.now();
        if (before < nextLook || target.isBehind()) return;
        send(events.found(soFar.run()));
        const after = performance.now();
        nextLook = after + Math.max(intervals.found, restFactor * (after - before));
      };
      return {
        started: (facts: StartFacts): void => send(events.started(facts)),
        onProgress,
        onUpdate,
        ended: (run: Run, exitCode: number): void => send(events.ended(run, exitCode)),
        failed: (exitCode: number): void => send(events.failed(exitCode)),
      };
    },
    close: target.close,
  };
}

export type EventStream = ReturnType<typeof eventStream>;

/** An event as a line, without secrets. */
function lineOf(event: RunEvent, secrets: Secrets): string {
  const redacted = withStrings(event, (text) => secrets.redact(text));
  const line = plainJson(JSON.stringify(redacted));
  if (secrets.wholeIn(line).size === 0) return line;
  return plainJson(
    JSON.stringify(withStrings(event, (text, name) => (words.has(name) ? text : ""))),
  );
}

/** Members whose values are words of fxconform. */
const words: ReadonlySet<string> = new Set([
  ...["at", "event", "id", "level", "mistakes", "outcome", "profile"],
  ...["requirement", "requirements", "verdict", "version"],
]);

function withStrings(
  value: unknown,
  change: (text: string, name: string) => string,
  name = "",
): unknown {
  if (typeof value === "string") return change(value, name);
  if (Array.isArray(value)) return value.map((one) => withStrings(one, change, name));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, one]) => [key, withStrings(one, change, key)]),
  );
}

/** A reader that is slow or gone costs lines of progress, and never stops the run. */
function standardOutput({ stdout, stdoutIsBehind, stdoutIsRead }: Io): EventTarget {
  return {
    begin: () => undefined,
    write: stdout,
    isBehind: stdoutIsBehind,
    close: async () => {
      await stdoutIsRead(longestFlush);
      return undefined;
    },
  };
}

/** A regular file, in which only whole lines stand, whatever happens. */
function eventFile({ value: path, where }: { readonly value: string; readonly where: string }) {
  let file: number;
  try {
    makeFolder(dirname(path));
    // A pipe would hold up the run until somebody reads it.
    if (existsSync(path) && !statSync(path).isFile())
      throw Object.assign(new Error(), { code: "it is no regular file" });
    file = openSync(path, "a");
  } catch (error) {
    const what = `names a file that cannot be written (${codeOf(error)})`;
    throw wrong(
      where,
      what,
      `Give ${where} a file such as events.jsonl, or - for standard output.`,
      path,
    );
  }
  let size = 0;
  let failure: unknown;
  return {
    begin: () => ftruncateSync(file, 0),
    write: (line: string): void => {
      if (failure !== undefined) return;
      const bytes = Buffer.from(line);
      try {
        for (let done = 0; done < bytes.length;) done += eventDisk.write(file, bytes, done);
        size += bytes.length;
      } catch (error) {
        failure = error;
        ftruncateSync(file, size);
      }
    },
    isBehind: () => false,
    close: async () => {
      closeSync(file);
      return failure === undefined
        ? undefined
        : `${path} does not have all events (${codeOf(failure)}).`;
    },
  } satisfies EventTarget;
}

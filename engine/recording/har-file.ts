import { dirname } from "node:path";
import { bundledContract } from "../../spec/bundle.ts";
import { createRedaction } from "../../model/evidence/redaction.ts";
import {
  codeOf,
  fileBelow,
  fileBounds,
  fileBytes,
  FileProblem,
  InputError,
} from "../../model/files.ts";
import { plural } from "../../model/plural.ts";
import type { Run } from "../../model/run.ts";
import { addSecretsOf } from "./hidden-values.ts";
import { createTrafficJudge, type TrafficOptions } from "./recording.ts";
import { compileSchemas, createLearnt, type Learnt } from "./reading.ts";
import { baseKeyOf, matchOf, type WatchedExchange } from "./watched.ts";
import { entriesOf } from "./har-entries.ts";
import { watchedOf, type FileBeside, type UnjudgedEntry } from "./har-entry.ts";

export interface Recordings {
  /** The files, each with the name that messages use for it. */
  readonly files: readonly RecordingFile[];
  /** The address of the server. Absent: the address that most entries have. */
  readonly baseUrl?: string | undefined;
}

interface RecordingFile {
  readonly path: string;
  readonly name: string;
}

/**
 * Judges recordings as the traffic with one server. Each is read twice, entry by entry: first for
 * the address and for what the recordings show as a whole, then to judge them. Returns the run, and
 * the secrets in the recordings, which no report may contain. Throws InputError if a file is no
 * recording.
 */
export async function judgeRecordings(
  options: TrafficOptions,
  { files, baseUrl: wanted }: Recordings,
): Promise<{ readonly run: Run; readonly secrets: readonly string[] }> {
  const document = await bundledContract();
  const schemas = compileSchemas(document);
  const redaction = createRedaction();
  const bases = new Map<string, number>();
  const learntAt = new Map<string, Learnt>();
  let startedAt = Infinity;
  let endedAt = 0;
  let entries = 0;
  for await (const watched of watchedIn(files)) {
    entries += 1;
    if (typeof watched === "string") continue;
    startedAt = Math.min(startedAt, watched.startedAt || startedAt);
    endedAt = Math.max(endedAt, watched.startedAt + watched.response.took);
    const match = matchOf(watched.request);
    if (match === undefined) continue;
    addSecretsOf(watched, options.secretHeaders, match.operation === "createToken", redaction);
    redaction.addOwn(match.baseUrl);
    count(bases, match.baseUrl);
    const key = baseKeyOf(match.baseUrl);
    const learnt = learntAt.get(key) ?? createLearnt(schemas);
    learntAt.set(key, learnt);
    learnt.learn(watched, match);
  }
  const [[seen] = []] = [...bases].toSorted(([, a], [, b]) => b - a);
  const baseUrl = wanted ?? seen ?? "http://unknown.invalid";
  const learnt = learntAt.get(baseKeyOf(baseUrl)) ?? createLearnt(schemas);
  const period = { startedAt: Number.isFinite(startedAt) ? startedAt : 0, endedAt };
  const judge = createTrafficJudge(options, { document, baseUrl, ...period, redaction, learnt });
  const unjudged = new Map<string, number>();
  const bodies = new Map<string, number>();
  for await (const watched of watchedIn(files)) {
    if (typeof watched === "string") count(unjudged, reasons[watched]);
    else if (!judge.judge(watched)) count(unjudged, "for another address or path");
    else if (watched.response.defect?.kind === "missing")
      count(bodies, watched.response.defect.text);
  }
  const warnings = [
    ...[...unjudged].map(([why, n]) => `${plural(n, "entry", "entries")} not judged: ${why}.`),
    ...[...bodies].map(
      ([why, n]) => `${plural(n, "response body", "response bodies")} not judged: ${why}.`,
    ),
  ];
  return {
    run: judge.run(warnings, nothingIn(entries, wanted, seen)),
    secrets: redaction.secrets(),
  };
}

function count(counts: Map<string, number>, what: string): void {
  counts.set(what, (counts.get(what) ?? 0) + 1);
}

/** Why there was nothing to judge, in words. */
function nothingIn(entries: number, wanted: string | undefined, seen: string | undefined): string {
  if (entries === 0) return "the recording has no entries.";
  const advice =
    wanted !== undefined && seen !== undefined
      ? `Is --base-url right? There are requests of the API at ${seen}.`
      : "Does the recording belong to this API?";
  const there = wanted === undefined ? "" : ` at ${wanted}`;
  return `none of ${plural(entries, "entry", "entries")} is a request of the API${there}. ${advice}`;
}

const reasons = {
  "no response": "there is no response",
  cached: "the response came from a cache",
  "made up": "the test that was recorded made the response up",
  preflight: "a browser's OPTIONS request",
  "no HTTP": "no HTTP request",
} as const satisfies Record<UnjudgedEntry, string>;

async function* watchedIn(
  files: readonly RecordingFile[],
): AsyncGenerator<WatchedExchange | UnjudgedEntry> {
  for (const { path, name } of files) {
    const attached = attachedTo(path);
    let number = 0;
    try {
      for await (const entry of entriesOf(path, name)) {
        number += 1;
        const place = `${name}, entry ${number}`;
        yield watchedOf(entry, place, attached);
      }
    } catch (error) {
      if (error instanceof InputError) throw error;
      throw new InputError(
        name,
        error instanceof FileProblem ? error.message : `cannot be read (${codeOf(error)})`,
      );
    }
  }
}

/**
 * Reads the files with bodies beside a recording. Playwright names them by the hash of their
 * content; for a file with another name, the result is undefined.
 */
function attachedTo(recording: string): FileBeside {
  return (name) => {
    if (!/^[\da-f]{40}\.\w+$/.test(name)) return undefined;
    try {
      return fileBytes(fileBelow(dirname(recording), name), { most: fileBounds.report });
    } catch {
      return undefined;
    }
  };
}

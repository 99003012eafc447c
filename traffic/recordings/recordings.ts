import { readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundledContract } from "../../harness/contract.ts";
import { createRedaction } from "../../harness/recording/redaction.ts";
import { jsonOf } from "../../model/exchange.ts";
import { plural } from "../../model/plural.ts";
import type { Run } from "../../model/run.ts";
import { baseKeyOf, matchOf, type Match } from "../addresses.ts";
import { addSecretsOf } from "../secrets.ts";
import { createTrafficJudge, type TrafficJudge } from "../judge.ts";
import { createLearnt, type Learnt } from "../judging/learnt.ts";
import { createReading } from "../judging/reading.ts";
import { compileResponseSchemas } from "../../harness/judging/response-schemas.ts";
import type { ContractDocument } from "../../spec/contract.ts";
import type { TrafficOptions } from "../options.ts";
import type { Watched } from "../watched.ts";
import { entriesOf, RecordingError } from "./entries.ts";
import { watchedOf, type Unjudged } from "./entry.ts";
import type { Attached } from "./recorded-body.ts";

/** The recordings to judge. */
export interface Recordings {
  /** Each with the name by which messages call it. */
  readonly files: readonly { readonly path: string; readonly name: string }[];
  /** Absent: the address that most of the entries are for. */
  readonly baseUrl?: string | undefined;
}

/** The result, and the secrets that must not be in any report of it. */
export interface JudgedRecordings {
  readonly run: Run;
  readonly secrets: readonly string[];
}

/**
 * Judges recordings as the traffic with one server. Each file is read twice, one entry after the other: first for the
 * address and for what it shows as a whole, then to judge it. Throws RecordingError.
 */
export const judgeRecordings = async (options: TrafficOptions, recordings: Recordings): Promise<JudgedRecordings> => {
  const document = await bundledContract();
  const redaction = createRedaction();
  const counted = await survey(recordings, document, ({ request, response }, { operation }) => {
    const json = operation === "createToken" ? jsonOf(response) : undefined;
    addSecretsOf({ request, response, json }, options.secretHeaders, redaction.add);
  });
  const baseUrl = recordings.baseUrl ?? counted.baseUrl ?? "http://unknown.invalid";
  const judge = createTrafficJudge(options, {
    document,
    baseUrl,
    startedAt: counted.startedAt,
    redaction,
    learnt: counted.learntOf(baseUrl),
  });
  const left = new Map<Unjudged | "elsewhere", number>();
  const bodies = new Map<string, number>();
  await eachOf(recordings, (watched) => {
    const why = typeof watched === "string" ? watched : judgedOr(watched, judge);
    if (why !== undefined) left.set(why, (left.get(why) ?? 0) + 1);
    else if (typeof watched !== "string" && watched.response.defect?.kind === "missing") {
      const { text } = watched.response.defect;
      bodies.set(text, (bodies.get(text) ?? 0) + 1);
    }
  });
  const run = judge.run({
    endedAt: counted.endedAt,
    warnings: [
      ...[...left].map(([why, count]) => `${plural(count, "entry", "entries")} not judged: ${reasons[why]}.`),
      ...[...bodies].map(([why, count]) => `${plural(count, "response body", "response bodies")} not judged: ${why}.`),
    ],
    nothing:
      counted.entries === 0
        ? "the recording has no entries."
        : `none of ${plural(counted.entries, "entry", "entries")} is a request of the API${recordings.baseUrl === undefined ? "" : ` at ${recordings.baseUrl}`}. ${advice(recordings, counted)}`,
  });
  return { run, secrets: judge.secrets() };
};

const judgedOr = (watched: Watched, judge: TrafficJudge): "elsewhere" | undefined =>
  judge.judge(watched) ? undefined : "elsewhere";

const reasons = {
  "no response": "there is no response",
  cached: "the response came from a cache",
  "made up": "the test that was recorded made the response up",
  preflight: "a browser's OPTIONS request",
  "too long": "longer than 64 MiB",
  "no HTTP": "no HTTP request",
  elsewhere: "for another address or path",
} as const satisfies Record<Unjudged | "elsewhere", string>;

interface Survey {
  /** The address that most of the entries are for. */
  readonly baseUrl: string | undefined;
  readonly learntOf: (baseUrl: string) => Learnt;
  readonly startedAt: number;
  readonly endedAt: number;
  readonly entries: number;
}

/** Bytes of a file beside a recording above which it is not read. */
const longestFile = 32 * 2 ** 20;

/** Most addresses that are counted. */
const mostBases = 1000;

const survey = async (
  recordings: Recordings,
  document: ContractDocument,
  visit: (watched: Watched, match: Match) => void,
): Promise<Survey> => {
  const [reading, schemas] = [createReading(document), compileResponseSchemas(document)];
  const bases = new Map<string, number>();
  const learnt = new Map<string, Learnt>();
  const learntOf = (baseUrl: string): Learnt => {
    const known = learnt.get(baseKeyOf(baseUrl)) ?? createLearnt(reading, schemas);
    if (learnt.size < mostBases) learnt.set(baseKeyOf(baseUrl), known);
    return known;
  };
  const wanted = recordings.baseUrl === undefined ? undefined : baseKeyOf(recordings.baseUrl);
  let [startedAt, endedAt, entries] = [Number.POSITIVE_INFINITY, 0, 0];
  await eachOf(recordings, (watched) => {
    entries += 1;
    if (typeof watched === "string") return;
    if (watched.startedAt > 0) startedAt = Math.min(startedAt, watched.startedAt);
    endedAt = Math.max(endedAt, watched.startedAt + watched.response.took);
    const match = matchOf(watched.request.method, watched.request.url);
    if (match === undefined) return;
    visit(watched, match);
    const { baseUrl } = match;
    if (bases.has(baseUrl) || bases.size < mostBases) bases.set(baseUrl, (bases.get(baseUrl) ?? 0) + 1);
    if (wanted === undefined || wanted === baseKeyOf(baseUrl)) learntOf(baseUrl).learn(watched, match);
  });
  const [most] = [...bases].sort(([, a], [, b]) => b - a);
  return {
    baseUrl: most?.[0],
    learntOf,
    startedAt: Number.isFinite(startedAt) ? startedAt : 0,
    endedAt,
    entries,
  };
};

const advice = ({ baseUrl }: Recordings, counted: Survey): string =>
  baseUrl !== undefined && counted.baseUrl !== undefined
    ? `Is --base-url right? There are requests of the API at ${counted.baseUrl}.`
    : "Does the recording belong to this API?";

const eachOf = async (
  { files }: Recordings,
  visit: (watched: ReturnType<typeof watchedOf>) => unknown,
): Promise<void> => {
  for (const { path, name } of files) {
    let number = 0;
    try {
      const attached = attachedTo(path);
      for await (const entry of entriesOf(path)) visit(watchedOf(entry, `${name}, entry ${(number += 1)}`, attached));
    } catch (error) {
      if (error instanceof RecordingError) throw new RecordingError(error.what, name);
      const { code } = error as NodeJS.ErrnoException;
      if (code === undefined) throw error;
      throw new RecordingError(`cannot be read (${code})`, name);
    }
  }
};

/** Playwright names the files beside a recording by the hash of their content: no other file is read. */
const attachedTo =
  (recording: string): Attached =>
  (name) => {
    if (!/^[\da-f]{40}\.\w+$/.test(name)) return undefined;
    const path = join(dirname(recording), name);
    try {
      return statSync(path).size > longestFile ? undefined : readFileSync(path);
    } catch {
      return undefined;
    }
  };

import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundledContract } from "../../harness/contract.ts";
import { createRedaction } from "../../harness/recording/redaction.ts";
import { jsonOf } from "../../model/exchange.ts";
import { plural } from "../../model/plural.ts";
import type { Run } from "../../model/run.ts";
import { addSecretsOf } from "../secrets.ts";
import { createTrafficJudge, type TrafficOptions } from "../judge.ts";
import { createLearnt } from "../learnt.ts";
import { baseKeyOf, matchOf, type Match, type Watched } from "../watched.ts";
import { entriesOf, RecordingError } from "./entries.ts";
import { watchedOf, type Attached, type Unjudged } from "./entry.ts";

export interface Recordings {
  /** Each with the name by which messages call it. */
  readonly files: readonly { readonly path: string; readonly name: string }[];
  /** Absent: the address that most of the entries are for. */
  readonly baseUrl?: string | undefined;
}

/**
 * Judges recordings as the traffic with one server. Each file is read three times, one entry after the other: for the
 * address, for what it shows as a whole, and to judge it. Throws RecordingError. `secrets` must not be in any report.
 */
export const judgeRecordings = async (
  options: TrafficOptions,
  recordings: Recordings,
): Promise<{ readonly run: Run; readonly secrets: readonly string[] }> => {
  const document = await bundledContract();
  const redaction = createRedaction();
  const seen = await survey(recordings, ({ request, response }, { operation }) => {
    const json = operation === "createToken" ? jsonOf(response) : undefined;
    addSecretsOf({ request, response, json }, options.secretHeaders, redaction.add);
  });
  const baseUrl = recordings.baseUrl ?? seen.baseUrl ?? "http://unknown.invalid";
  const learnt = createLearnt(document);
  await eachOf(recordings, (watched) => {
    const match = typeof watched === "string" ? undefined : matchOf(watched.request);
    if (typeof watched === "string" || match === undefined || baseKeyOf(match.baseUrl) !== baseKeyOf(baseUrl)) return;
    learnt.learn(watched, match);
  });
  const judge = createTrafficJudge(options, { document, baseUrl, ...seen.period, redaction, learnt });
  const unjudged = new Map<string, number>();
  const bodies = new Map<string, number>();
  const count = (counts: Map<string, number>, why: string): void => void counts.set(why, (counts.get(why) ?? 0) + 1);
  await eachOf(recordings, (watched) => {
    if (typeof watched === "string") count(unjudged, reasons[watched]);
    else if (!judge.judge(watched)) count(unjudged, "for another address or path");
    else if (watched.response.defect?.kind === "missing") count(bodies, watched.response.defect.text);
  });
  const warnings = [
    ...[...unjudged].map(([why, n]) => `${plural(n, "entry", "entries")} not judged: ${why}.`),
    ...[...bodies].map(([why, n]) => `${plural(n, "response body", "response bodies")} not judged: ${why}.`),
  ];
  return { run: judge.run(warnings, nothingIn(recordings, seen)), secrets: redaction.secrets() };
};

/** Why there is nothing to judge, if that is so. */
const nothingIn = ({ baseUrl }: Recordings, seen: Survey): string => {
  if (seen.entries === 0) return "the recording has no entries.";
  const there = baseUrl === undefined ? "" : ` at ${baseUrl}`;
  const advice =
    baseUrl !== undefined && seen.baseUrl !== undefined
      ? `Is --base-url right? There are requests of the API at ${seen.baseUrl}.`
      : "Does the recording belong to this API?";
  return `none of ${plural(seen.entries, "entry", "entries")} is a request of the API${there}. ${advice}`;
};

const reasons = {
  "no response": "there is no response",
  cached: "the response came from a cache",
  "made up": "the test that was recorded made the response up",
  preflight: "a browser's OPTIONS request",
  "no HTTP": "no HTTP request",
} as const satisfies Record<Unjudged, string>;

interface Survey {
  /** The address that most of the entries are for. */
  readonly baseUrl: string | undefined;
  readonly period: { readonly startedAt: number; readonly endedAt: number };
  readonly entries: number;
}

const survey = async (recordings: Recordings, visit: (watched: Watched, match: Match) => void): Promise<Survey> => {
  const bases = new Map<string, number>();
  let [startedAt, endedAt, entries] = [Number.POSITIVE_INFINITY, 0, 0];
  await eachOf(recordings, (watched) => {
    entries += 1;
    if (typeof watched === "string") return;
    if (watched.startedAt > 0) startedAt = Math.min(startedAt, watched.startedAt);
    endedAt = Math.max(endedAt, watched.startedAt + watched.response.took);
    const match = matchOf(watched.request);
    if (match === undefined) return;
    visit(watched, match);
    bases.set(match.baseUrl, (bases.get(match.baseUrl) ?? 0) + 1);
  });
  const [most] = [...bases].sort(([, a], [, b]) => b - a);
  const period = { startedAt: Number.isFinite(startedAt) ? startedAt : 0, endedAt };
  return { baseUrl: most?.[0], period, entries };
};

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
    try {
      return readFileSync(join(dirname(recording), name));
    } catch {
      return undefined;
    }
  };

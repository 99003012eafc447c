import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { bundledContract } from "../../harness/contract.ts";
import { asHeaderWords, createRedaction } from "../../harness/recording/redaction.ts";
import { jsonOf, memberOf, parsedJson, type Json } from "../../model/exchange.ts";
import { codeOf } from "../../model/files.ts";
import { plural } from "../../model/plural.ts";
import type { Run } from "../../model/run.ts";
import { addSecretsOf } from "../hidden-values.ts";
import { createTrafficJudge, type TrafficOptions } from "../judge.ts";
import { createLearnt } from "../learnt.ts";
import { baseKeyOf, matchOf, type Watched } from "../watched.ts";
import { watchedOf, type Attached, type Unjudged } from "./entry.ts";

export interface Recordings {
  /** Each with the name by which messages call it. */
  readonly files: readonly RecordingFile[];
  /** Absent: the address that most of the entries are for. */
  readonly baseUrl?: string | undefined;
}

interface RecordingFile {
  readonly path: string;
  readonly name: string;
}

/** Why a file cannot be judged. `what` follows the name of the file. */
export class RecordingError extends Error {
  override readonly name = "RecordingError";
  readonly file: string;
  readonly what: string;

  constructor(file: string, what: string) {
    super(`${file}: ${what}`);
    this.file = file;
    this.what = what;
  }
}

/**
 * Judges recordings as the traffic with one server, going through them three times: for the address, for what they show
 * as a whole, and to judge them. Throws RecordingError. `secrets` must not be in any report.
 */
export const judgeRecordings = async (
  options: TrafficOptions,
  { files, baseUrl: wanted }: Recordings,
): Promise<{ readonly run: Run; readonly secrets: readonly string[] }> => {
  const document = await bundledContract();
  const redaction = createRedaction();
  const entries = files.flatMap(entriesOf);
  const exchanges = entries.flatMap((entry) => (typeof entry === "string" ? [] : [entry]));
  const matches = exchanges.flatMap((watched) => {
    const match = matchOf(watched.request);
    return match === undefined ? [] : [{ watched, match }];
  });
  for (const { watched, match } of matches) {
    const json = match.operation === "createToken" ? jsonOf(watched.response) : undefined;
    addSecretsOf({ ...watched, json }, options.secretHeaders, redaction.add);
  }
  const [[seen] = []] = counted(matches.map(({ match }) => match.baseUrl)).toSorted(([, a], [, b]) => b - a);
  const baseUrl = wanted ?? seen ?? "http://unknown.invalid";
  const learnt = createLearnt(document);
  for (const { watched, match } of matches)
    if (baseKeyOf(match.baseUrl) === baseKeyOf(baseUrl)) learnt.learn(watched, match);
  const judge = createTrafficJudge(options, { document, baseUrl, ...periodOf(exchanges), redaction, learnt });
  const [unjudged, bodies]: [string[], string[]] = [[], []];
  for (const entry of entries) {
    if (typeof entry === "string") unjudged.push(reasons[entry]);
    else if (!judge.judge(entry)) unjudged.push("for another address or path");
    else if (entry.response.defect?.kind === "missing") bodies.push(entry.response.defect.text);
  }
  const warnings = [
    ...counted(unjudged).map(([why, n]) => `${plural(n, "entry", "entries")} not judged: ${why}.`),
    ...counted(bodies).map(([why, n]) => `${plural(n, "response body", "response bodies")} not judged: ${why}.`),
  ];
  return { run: judge.run(warnings, nothingIn(entries.length, wanted, seen)), secrets: redaction.secrets() };
};

const counted = (texts: readonly string[]): readonly (readonly [text: string, count: number])[] =>
  [...new Set(texts)].map((text) => [text, texts.filter((one) => one === text).length]);

const periodOf = (exchanges: readonly Watched[]) => {
  const startedAt = exchanges.reduce((first, one) => Math.min(first, one.startedAt || first), Infinity);
  const endedAt = exchanges.reduce((last, one) => Math.max(last, one.startedAt + one.response.took), 0);
  return { startedAt: Number.isFinite(startedAt) ? startedAt : 0, endedAt };
};

/** Why there is nothing to judge, if that is so. */
const nothingIn = (entries: number, wanted: string | undefined, seen: string | undefined): string => {
  if (entries === 0) return "the recording has no entries.";
  const advice =
    wanted !== undefined && seen !== undefined
      ? `Is --base-url right? There are requests of the API at ${seen}.`
      : "Does the recording belong to this API?";
  const there = wanted === undefined ? "" : ` at ${wanted}`;
  return `none of ${plural(entries, "entry", "entries")} is a request of the API${there}. ${advice}`;
};

const reasons = {
  "no response": "there is no response",
  cached: "the response came from a cache",
  "made up": "the test that was recorded made the response up",
  preflight: "a browser's OPTIONS request",
  "no HTTP": "no HTTP request",
} as const satisfies Record<Unjudged, string>;

const entriesOf = ({ path, name }: RecordingFile): readonly (Watched | Unjudged)[] => {
  const entries = memberOf(memberOf(harIn(path, name), "log"), "entries");
  if (!Array.isArray(entries)) throw new RecordingError(name, "is JSON, but no HAR file: it has no log.entries");
  const attached = attachedTo(path);
  return (entries as readonly Json[]).map((entry, index) => watchedOf(entry, `${name}, entry ${index + 1}`, attached));
};

/** Recordings of fxconform have pseudonyms instead of keys and tokens. A header cannot contain them as they are. */
const harIn = (path: string, name: string): Json => {
  const text = textIn(path, name);
  if (text === "") throw new RecordingError(name, "is empty");
  // Playwright writes its recordings into an archive where their name ends with .zip.
  if (text.startsWith("PK\u0003\u0004"))
    throw new RecordingError(name, "is a zip archive: unpack it into a folder, and judge the .har file in it");
  if (!/^\s*\{/.test(text)) throw new RecordingError(name, "is not a HAR file: it is not one JSON object");
  const json = parsedJson(asHeaderWords(text));
  if (json !== undefined) return json;
  throw new RecordingError(name, "is not well-formed JSON: was it cut, or is it still being written?");
};

const textIn = (path: string, name: string): string => {
  try {
    return readFileSync(path, "utf8").replace(/^\uFEFF/, "");
  } catch (error) {
    throw new RecordingError(name, `cannot be read (${codeOf(error)})`);
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

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Run } from "../../../model/run.ts";
import { sound } from "../../../model/testing/exchanges.ts";
import { temporaryFolder } from "../../../model/testing/temporary-folder.ts";
import { requirementIds } from "../../../spec/catalogue.ts";
import type { TrafficOptions } from "../recording.ts";
import { judgeRecordings } from "../har-file.ts";

/** A recorded exchange in short form. */
export interface EntryInShort {
  /** The method and the path, such as `POST /batches`, or the method and a whole address. */
  readonly to: string;
  readonly headers?: Readonly<Record<string, string>>;
  /** The body of the request: a JSON value, or a text that is sent as it is. */
  readonly sent?: unknown;
  readonly status?: number;
  readonly type?: string;
  /** The body of the response: a JSON value, or a text that is sent as it is. */
  readonly body?: unknown;
  /** When the request was sent, in milliseconds after a fixed moment. */
  readonly at?: number;
  /** Replaces members of the entry. */
  readonly over?: Readonly<Record<string, unknown>>;
  /** Replaces members of the entry's response. */
  readonly response?: Readonly<Record<string, unknown>>;
}

export const base = "https://fx.test/api";

/** Makes the entry of a HAR file, as tools write it. */
export function harEntry({
  to,
  headers = {},
  sent,
  status = 200,
  body,
  at = 0,
  ...more
}: EntryInShort): object {
  const [method = "GET", path = ""] = to.split(" ");
  const written = (value: unknown): string =>
    typeof value === "string" ? value : JSON.stringify(value);
  const text = body === undefined ? undefined : written(body);
  return {
    startedDateTime: new Date(1_700_000_000_000 + at).toISOString(),
    time: 5,
    request: {
      method,
      url: path.startsWith("http") ? path : base + path,
      headers: Object.entries({
        ...(sent === undefined ? {} : { "Content-Type": "application/json" }),
        ...headers,
      }).map(([name, value]) => ({ name, value })),
      ...(sent === undefined
        ? {}
        : { postData: { mimeType: "application/json", text: written(sent) } }),
      bodySize: sent === undefined ? 0 : written(sent).length,
    },
    response: {
      status,
      statusText: "",
      headers: [{ name: "Content-Type", value: more.type ?? "application/json" }],
      content: {
        size: text?.length ?? 0,
        mimeType: more.type ?? "application/json",
        text,
      },
      bodySize: text?.length ?? 0,
      ...more.response,
    },
    ...more.over,
  };
}

/** Writes a file with this content, which is removed when the test ends. Returns its path. */
export function fileOf(text: string | Uint8Array): string {
  const path = join(temporaryFolder(), "it.har");
  writeFileSync(path, text);
  return path;
}

export function harOf(entries: readonly EntryInShort[]): string {
  return JSON.stringify({
    log: { version: "1.2", creator: { name: "test" }, entries: entries.map(harEntry) },
  });
}

export const options: TrafficOptions = {
  selection: requirementIds,
  strict: false,
  statement: [],
  baseline: [],
  keepValues: false,
  secretHeaders: [],
  replayCommand: "npx fxconform judge it.har",
};

type More = Partial<TrafficOptions> & { readonly baseUrl?: string };

/** Judges the recording in a file, and returns the run. */
export async function judgedFile(path: string, { baseUrl, ...more }: More = {}): Promise<Run> {
  const files = [{ path, name: "it.har" }];
  return (await judgeRecordings({ ...options, ...more }, { files, baseUrl })).run;
}

/** Judges a recording with these entries, and returns the run. */
export const judged = (entries: readonly EntryInShort[], more?: More): Promise<Run> =>
  judgedFile(fileOf(harOf(entries)), more);

/** A refusal of a bad request. */
export const refusal = { status: 400, body: { message: "no" } } as const;

/** The ids of the requirements with one of these verdicts. */
export function idsWith(run: Run, ...verdicts: readonly string[]): readonly string[] {
  return run.requirements.filter(({ verdict }) => verdicts.includes(verdict)).map(({ id }) => id);
}

export const bearer = { Authorization: "Bearer token-0123456789" } as const;

export const list: EntryInShort = {
  to: "GET /batches",
  headers: bearer,
  body: { batches: [], count: 0, total: 0 },
};

export const operation = sound.createOperation.sent;
export function created(over: object = {}): object {
  return {
    ...sound.createOperation.response,
    ...over,
  };
}

export function create(sent: unknown, answer: Partial<EntryInShort>): EntryInShort {
  return {
    to: "POST /corporate/operation",
    headers: bearer,
    sent,
    ...answer,
  };
}

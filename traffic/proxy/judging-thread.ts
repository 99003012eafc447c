import { Worker } from "node:worker_threads";
import type { ClientFinding, Run } from "../../model/run.ts";
import type { FoundViolation } from "../../model/finding.ts";
import type { ContractDocument } from "../../spec/contract.ts";
import type { TrafficOptions } from "../options.ts";
import type { Captured } from "./captured.ts";

/** What the thread starts with: plain data. */
export interface ThreadInput {
  readonly options: TrafficOptions;
  readonly document: ContractDocument;
  readonly baseUrl: string;
  readonly startedAt: number;
}

/** Messages to the thread. */
export type ToThread =
  | { readonly type: "exchanges"; readonly all: readonly Captured[]; readonly size: number }
  | { readonly type: "report"; readonly dropped: number };

/** Messages from the thread. */
export type FromThread =
  | { readonly type: "judged"; readonly exchanges: number; readonly size: number }
  | { readonly type: "finding"; readonly finding: FoundViolation }
  | { readonly type: "client"; readonly finding: ClientFinding }
  | { readonly type: "report"; readonly run: Run; readonly secrets: readonly string[] };

/** Judges in a thread beside the traffic. */
export interface JudgingThread {
  /** Takes an exchange, or drops it if too many wait. Never blocks. */
  readonly add: (captured: Captured) => void;
  /** The result of everything that was added before. */
  readonly report: () => Promise<Extract<FromThread, { type: "report" }>>;
  readonly close: () => Promise<void>;
}

/** Callbacks while it judges. */
export interface ThreadEvents {
  readonly onFinding: (finding: FoundViolation) => void;
  readonly onClientFinding: (finding: ClientFinding) => void;
}

/** The most exchanges and bytes that wait to be judged. More are dropped and counted. */
const most = { exchanges: 2000, bytes: 64 * 2 ** 20 } as const;

/**
 * Milliseconds for which exchanges are gathered: one message for each would slow the traffic more than copying them.
 */
const gathered = 10;

export const startJudgingThread = (input: ThreadInput, events: ThreadEvents): JudgingThread => {
  const worker = new Worker(new URL("./judging-worker.js", import.meta.url), { workerData: input });
  const reports: { resolve: (report: Extract<FromThread, { type: "report" }>) => void; reject: (e: Error) => void }[] =
    [];
  const waiting = { exchanges: 0, bytes: 0 };
  let dropped = 0;
  let failure: Error | undefined;
  worker.on("error", (error: Error) => {
    failure = error;
    for (const { reject } of reports.splice(0)) reject(error);
  });
  worker.on("message", (message: FromThread) => {
    if (message.type === "judged") {
      waiting.exchanges -= message.exchanges;
      waiting.bytes -= message.size;
    } else if (message.type === "finding") events.onFinding(message.finding);
    else if (message.type === "client") events.onClientFinding(message.finding);
    else reports.shift()?.resolve(message);
  });
  const send = (message: ToThread, transfer: readonly ArrayBuffer[] = []): void =>
    worker.postMessage(message, [...transfer]);
  let next: { readonly all: Captured[]; size: number } | undefined;
  const sendNext = (): void => {
    if (next === undefined) return;
    const { all, size } = next;
    next = undefined;
    send(
      { type: "exchanges", all, size },
      all.flatMap(({ requestBody, responseBody }) => [requestBody, responseBody].flatMap(bufferOf)),
    );
  };
  return {
    add: (captured) => {
      const size = sizeOf(captured);
      if (failure !== undefined || waiting.exchanges >= most.exchanges || waiting.bytes + size > most.bytes) {
        dropped += 1;
        return;
      }
      waiting.exchanges += 1;
      waiting.bytes += size;
      if (next === undefined) {
        next = { all: [], size: 0 };
        setTimeout(sendNext, gathered).unref();
      }
      next.all.push(captured);
      next.size += size;
    },
    report: () =>
      new Promise((resolve, reject) => {
        if (failure !== undefined) return reject(failure);
        reports.push({ resolve, reject });
        sendNext();
        send({ type: "report", dropped });
      }),
    close: async () => void (await worker.terminate()),
  };
};

/** About how many bytes it takes while it waits. */
const sizeOf = ({ url, requestHeaders, requestBody, responseHeaders, responseBody }: Captured): number =>
  [...requestHeaders, ...responseHeaders].reduce(
    (size, [name, value]) => size + name.length + value.length,
    url.length + (requestBody?.length ?? 0) + (responseBody?.length ?? 0),
  );

const bufferOf = (bytes: Uint8Array | undefined): readonly ArrayBuffer[] =>
  bytes !== undefined && bytes.buffer instanceof ArrayBuffer ? [bytes.buffer] : [];

import { bundledContract } from "../../harness/contract.ts";
import type { TrafficOptions } from "../options.ts";
import type { JudgedRecordings } from "../recordings/recordings.ts";
import { startJudgingThread, type ThreadEvents } from "./judging-thread.ts";
import { startProxy, type ProxyOptions } from "./proxy.ts";

/** What is watched, and where. */
export interface WatchingOptions extends ThreadEvents {
  readonly target: ProxyOptions["target"];
  readonly listen: { readonly host: string; readonly port: number };
}

/** A proxy with a judge beside it. */
export interface Watching {
  /** The URL that clients use instead of the target's base URL. */
  readonly baseUrl: string;
  /** The result so far. */
  readonly judged: () => Promise<JudgedRecordings>;
  readonly close: () => Promise<void>;
}

/** Starts to listen and to judge. Rejects where the address is taken. */
export const startWatching = async (options: TrafficOptions, watching: WatchingOptions): Promise<Watching> => {
  const { target, listen } = watching;
  const document = await bundledContract();
  const input = { options, document, baseUrl: target.baseUrl, startedAt: Date.now() };
  const thread = startJudgingThread(input, watching);
  try {
    const proxy = await startProxy({ target, ...listen, onExchange: thread.add });
    return {
      baseUrl: proxy.baseUrl,
      judged: thread.report,
      close: async () => {
        await proxy.close();
        await thread.close();
      },
    };
  } catch (error) {
    await thread.close();
    throw error;
  }
};

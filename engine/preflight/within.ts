import { pause } from "../../harness/transport/throttling.ts";

/** The result of the task; undefined if `timeout` (milliseconds) ends or the signal aborts first. */
export const within = async <T>(task: Promise<T>, timeout: number, signal: AbortSignal): Promise<T | undefined> => {
  const raced = new AbortController();
  try {
    return await Promise.race([task, pause(timeout, AbortSignal.any([signal, raced.signal])).then(() => undefined)]);
  } finally {
    raced.abort();
  }
};

import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { pause } from "../../harness/transport/throttling.ts";
import type { Target } from "../../model/target.ts";
import type { PreflightStep } from "./step.ts";

/** Whether the name of the host can be resolved. Undefined if the signal aborts first. */
export const nameStep = async (
  target: Target,
  timeout: number,
  signal: AbortSignal,
): Promise<PreflightStep | undefined> => {
  const host = bare(new URL(target.baseUrl).hostname);
  if (target.proxy !== undefined) {
    const step = await lookedUp(bare(new URL(target.proxy.url).hostname), target.proxy.from, timeout, signal);
    return step?.ok === true ? { ...step, found: `${step.found}; the proxy looks up ${host}` } : step;
  }
  return lookedUp(host, "--base-url", timeout, signal);
};

const bare = (hostname: string): string => hostname.replace(/^\[|\]$/g, "");

const lookedUp = async (
  host: string,
  where: string,
  timeout: number,
  signal: AbortSignal,
): Promise<PreflightStep | undefined> => {
  if (isIP(host) !== 0) return { step: "name", ok: true, found: `${host} is an address` };
  try {
    const found = await within(lookup(host), timeout, signal);
    if (found !== undefined) return { step: "name", ok: true, found: `${host} is ${found.address}` };
    if (signal.aborted) return undefined;
    return {
      step: "name",
      ok: false,
      stops: true,
      found: `the name ${host} was not resolved within ${timeout} ms`,
      advice: "Check that the name servers of this machine answer, or raise --timeout.",
    };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    return {
      step: "name",
      ok: false,
      stops: true,
      found: `the name ${host} is not known (${code})`,
      advice: `Check the host in ${where}, and whether this machine resolves names of that network.`,
    };
  }
};

/** The result of the task; undefined if `timeout` (milliseconds) ends or the signal aborts first. */
export const within = async <T>(task: Promise<T>, timeout: number, signal: AbortSignal): Promise<T | undefined> => {
  const raced = new AbortController();
  try {
    return await Promise.race([task, pause(timeout, AbortSignal.any([signal, raced.signal])).then(() => undefined)]);
  } finally {
    raced.abort();
  }
};

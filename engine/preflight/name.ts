import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { PreflightStep } from "./step.ts";
import { within } from "./within.ts";

/** Whether the name of the host is known. Nothing where the signal ended it. */
export const nameStep = async (url: URL, timeout: number, signal: AbortSignal): Promise<PreflightStep | undefined> => {
  const host = url.hostname.replace(/^\[|\]$/g, "");
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
      advice: "Check the host in --base-url, and whether this machine resolves names of that network.",
    };
  }
};

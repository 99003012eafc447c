import { isRefusal, saysTheSame, type RequestSpec, type Exchange } from "../../model/exchange.ts";
import { isThrottling, pause } from "../../harness/transport/throttling.ts";
import type { TargetKnowledge } from "./target-knowledge.ts";

/** A refusal whose status is stated. */
export interface StatedRefusal {
  readonly status: number;
  /** A valid request similar to the refused one, a different one at each call. */
  readonly control: () => RequestSpec;
}

/** Milliseconds to wait while a server refuses everything with 403, as firewalls do for a while. */
const waits = [1000, 2000, 4000] as const;

/** How often a request is sent again because a block may have refused it. */
const mostTimes = 3;

interface Parts {
  readonly send: (spec: RequestSpec) => Promise<Exchange>;
  readonly sendAlone: (spec: RequestSpec) => Promise<Exchange>;
  /** Milliseconds after which each node of the server knows what was created. */
  readonly grace: number;
  readonly knowledge: Pick<TargetKnowledge, "blocked" | "blocks" | "lag">;
  readonly signal: AbortSignal;
  /** How often the run has waited for the end of a block so far. */
  readonly waits: () => number;
}

/**
 * The response that counts if a refusal has another status than the stated one. Undefined if a valid request is refused
 * in the same way, by a quota or a firewall, which refuse before they read the body (INT-11).
 */
export const refusalOfItsOwn = async (
  parts: Parts,
  spec: RequestSpec,
  first: Exchange,
  { status: stated, control }: StatedRefusal,
): Promise<Exchange | undefined> => {
  let exchange = first;
  for (let times = 1; ; times += 1) {
    const when = await untilAnotherResponse(parts, exchange, control);
    if (when === "never") return undefined;
    if (when === "at once") {
      const last = await lasting(parts, spec, exchange);
      // A block may have begun since the control.
      const mayBeBlocked = last.response.status === 403 && times <= mostTimes;
      if (!mayBeBlocked || !saysTheSame(await parts.sendAlone(control()), last)) return last;
      exchange = last;
      continue;
    }
    if (times > mostTimes) return exchange;
    exchange = await parts.send(spec);
    if (exchange.response.status === stated || exchange.response.status !== first.response.status) return exchange;
  }
};

/**
 * The refusal itself, or the response to the same request sent alone: a server may lock a resource that another request
 * uses, and one of several nodes may not know a new resource yet.
 */
const lasting = async (
  { sendAlone, knowledge, grace, signal }: Parts,
  spec: RequestSpec,
  refusal: Exchange,
): Promise<Exchange> => {
  if (knowledge.lag > 0) await pause(grace, signal);
  const again = await sendAlone(spec);
  return isRefusal(again) && again.response.status !== 401 && !isThrottling(again.response) ? again : refusal;
};

/** How soon a valid request gets another response than this refusal. */
const untilAnotherResponse = async (
  { send, knowledge, signal, waits: counted }: Parts,
  refusal: Exchange,
  control: () => RequestSpec,
): Promise<"at once" | "after a while" | "never"> => {
  const before = counted();
  let isFirst = true;
  const { status } = refusal.response;
  for (const wait of [...waits, undefined]) {
    if (!saysTheSame(await send(control()), refusal)) {
      // The control may have waited by itself for the end of a block.
      return isFirst && counted() === before ? "at once" : "after a while";
    }
    if (status !== 403 || wait === undefined || knowledge.blocks || signal.aborted) break;
    isFirst = false;
    await pause(wait, signal);
  }
  if (status === 403) knowledge.blocked();
  return "never";
};

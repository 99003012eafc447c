import { isRefusal, type Exchange } from "../../model/exchange.ts";
import type { Recorder } from "../recording/recorder.ts";
import { pause } from "../transport/throttling.ts";
import type { Send } from "../transport/send.ts";
import type { CredentialFacts } from "./credential-facts.ts";
import { listRequest, sessionOrigin } from "./session-requests.ts";

/** Milliseconds to wait before sending again, if the target refuses what worked before. */
export const blockWaits = [1000, 2000, 4000];

/** After this many accepted controls, 403 counts as this server's way to refuse a request. */
const mostControls = 3;

/** Detects and waits out blocks: a firewall refuses everything for a while. */
export interface Blocks {
  readonly waitOut: (wait: number, what: string) => Promise<void>;
  /** How often the run waited for the end of a block. */
  readonly waits: () => number;
  /**
   * Whether a 403 is not about its request, because the target refuses what worked before too. `issued` is the last
   * response of the token endpoint. Must run alone.
   */
  readonly isBlocked: (issued: Exchange | undefined) => Promise<boolean>;
}

interface BlockParts {
  readonly recorder: Recorder;
  readonly signal: AbortSignal;
  readonly facts: CredentialFacts;
  readonly direct: Send<Exchange>;
}

export const createBlocks = ({ recorder, signal, facts, direct }: BlockParts): Blocks => {
  let waits = 0;
  let blocked = 0;
  let accepted = 0;
  return {
    waitOut: async (wait, what) => {
      waits += 1;
      recorder.emit({ type: "waiting", text: `${what}, waiting ${wait / 1000} s` });
      await pause(wait, signal);
    },
    waits: () => waits,
    isBlocked: async (issued) => {
      if (issued !== undefined && isRefusal(issued) && facts.keyWorked()) return true;
      if (facts.listLength() === undefined || (blocked === 0 && accepted >= mostControls)) return false;
      const control = await direct(listRequest, sessionOrigin);
      const isBlocked = control.response.status === 403;
      if (isBlocked) blocked += 1;
      else accepted += 1;
      return isBlocked;
    },
  };
};

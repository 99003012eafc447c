import type { Socket } from "node:net";
import { rawResponse, succeeded, withBytes, type When } from "../../reference/change.ts";
import type { Change, RawResponse } from "../../reference/policy.ts";
import { startReference } from "../../reference/server.ts";
import type { Running } from "./hostile-target.ts";

/** The key and the customer of every run against a hostile target. */
export const credentials = { apiKey: "hostile-key-5f1d0c77", customerId: "customer-1" } as const;

/** A server that obeys but for this change. */
export function obedientBut(change: Change): () => Promise<Running> {
  return () => startReference({ ...credentials, changes: [change] });
}

/** A server that obeys, but the bytes of the responses that `when` selects are others. */
export function obedientButBytes(
  when: When,
  change: (text: string) => string | Buffer,
): () => Promise<Running> {
  return obedientBut(
    rawResponse(when, (raw) => withBytes(raw, Buffer.from(change(raw.bytes.toString())))),
  );
}

/** A server that obeys, except that `write` writes the raw bytes of each list. */
export function listAs(write: (raw: RawResponse, socket: Socket) => void): () => Promise<Running> {
  return obedientBut((base) => ({
    deliver: (raw, response, call) => {
      const isList = call.operation === "listBatches" && succeeded(raw);
      if (isList && response.socket !== null) write(raw, response.socket);
      else base.deliver(raw, response, call);
    },
  }));
}

import { isDeepStrictEqual } from "node:util";
import type { Exchange, RequestSpec } from "../../model/exchange.ts";
import type { Send } from "../transport/send.ts";
import type { CredentialFacts } from "./credential-facts.ts";
import { listRequest } from "./session-requests.ts";

/** From this length on, in bytes, reading and judging a list takes longer than most servers take to respond. */
const longList = 1_000_000;

/**
 * Fetches one long list at a time. Requests for it that come meanwhile share the next one: it is sent after all of them
 * came, so it shows each of them what it would have seen by itself.
 */
export const createSharedLists = ({ listLength }: Pick<CredentialFacts, "listLength">) => {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<Exchange> | undefined;
  return (send: Send<Exchange>): Send<Exchange> =>
    async (spec, origin) => {
      if (!isPlainList(spec) || (listLength() ?? 0) < longList) return send(spec, origin);
      next ??= last.then(() => {
        next = undefined;
        const own = send(spec, origin);
        last = own.catch(() => undefined);
        return own;
      });
      return next;
    };
};

const isPlainList = (spec: RequestSpec): boolean => isDeepStrictEqual(spec, listRequest);

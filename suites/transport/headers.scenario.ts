import type { Fields } from "../../model/request.ts";
import { scenario, type Change, type Table } from "../kit/index.ts";

/**
 * Requests for the list with legal headers. The names of headers and schemes mean the same in any
 * letter case (RFC 9110, 5.1 and 11.1; INT-10 and INT-38).
 */
export const listHeaders = scenario({
  id: "transport/headers",
  uses: ["listBatches"],
  title: "the list with legal headers that are spelled in another way, or that nobody states",
  checks: ["HTTP-04"],
  phase: "beside",
  run: async ({ draw, listRequest, send, together, token }) => {
    const good = await token();
    await together(
      draw(headers).map((change) =>
        send(listRequest, { ...change, headers: withToken(change, good) }),
      ),
    );
  },
});

interface HeadersChange extends Change {
  /** The headers. In their values, {token} stands for a good token. */
  readonly headers: Fields;
}

function withToken({ headers }: HeadersChange, token: string): Fields {
  return headers.map(([name, value]) => [name, value.replace("{token}", token)] as const);
}

/**
 * Headers that browsers send. A server that prefers HTML or XML to JSON answers with HTML or XML,
 * which is a fault.
 */
const ofBrowsers: HeadersChange = {
  what: "with the headers of a browser",
  headers: [
    ["Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"],
    ["Accept-Language", "pt-BR,pt;q=0.9,xx-none;q=0.1"],
    ["Cookie", "session=none; other="],
    ["Upgrade-Insecure-Requests", "1"],
  ],
  breaksNoRule: true,
};

/**
 * Headers that scripts, proxies and tools add, often with wrong values. A gateway may refuse them
 * in its own way.
 */
const ofTools: HeadersChange = {
  what: "with the headers of scripts, proxies and tools",
  headers: [
    ["Accept", "*/*"],
    ["Origin", "https://example.com"],
    ["X-Forwarded-For", "unknown, 10.0.0.1"],
    ["Forwarded", "for=unknown"],
    ["X-Request-Id", "'--"],
    ["traceparent", "00-00000000000000000000000000000000-0000000000000000-00"],
    ["If-Modified-Since", "none"],
    ["If-None-Match", '"none"'],
  ],
  breaksNoRule: true,
  exemptBy: "INT-38",
};

function withHeader(name: string, value: string): HeadersChange {
  return {
    what: `with the header ${name}: ${value}`,
    headers: [[name, value]],
    breaksNoRule: true,
  };
}

/**
 * Sends the credentials in another spelling, in place of the usual one. If the request is refused,
 * that says nothing about the token.
 */
function spelled(name: string, value: string): HeadersChange {
  return { ...withHeader(name, value), authorization: null };
}

const headers: Table<HeadersChange> = {
  name: "headers of the list",
  always: [ofBrowsers, ofTools, withHeader("Content-Type", "application/json")],
  sometimes: [
    spelled("authorization", "Bearer {token}"),
    spelled("AUTHORIZATION", "BEARER {token}"),
    // Several spaces may follow a scheme.
    spelled("Authorization", "Bearer  {token}"),
    withHeader("Accept", "application/json;q=0.9, */*;q=0.1"),
    withHeader("Accept", "application/*"),
    withHeader("Accept-Encoding", "identity"),
    withHeader("Accept-Encoding", "gzip;q=1.0, identity;q=0.5, *;q=0"),
  ],
};

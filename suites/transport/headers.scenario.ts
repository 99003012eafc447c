import { scenario, type Change } from "../kit/index.ts";

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
  run: async ({ listRequest, send, together }) => {
    await together(headers.map((change) => send(listRequest, change)));
  },
});

/**
 * Headers that browsers send. A server that prefers HTML or XML to JSON answers with HTML or XML,
 * which is a fault.
 */
const ofBrowsers: Change = {
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
const ofTools: Change = {
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

const declaredAsJson: Change = {
  what: "with the header Content-Type: application/json",
  headers: [["Content-Type", "application/json"]],
  breaksNoRule: true,
};

const headers: readonly Change[] = [ofBrowsers, ofTools, declaredAsJson];

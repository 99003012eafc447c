import type { Sent } from "../../harness/transport/client.ts";
import { isThrottling, pause } from "../../harness/transport/throttling.ts";
import { tokenRequests } from "../../harness/session/session.ts";
import { isUsableToken, isSuccess, jsonOf, memberOf } from "../../model/exchange.ts";
import type { ReceivedResponse, RequestSpec } from "../../model/exchange.ts";
import { isOfApi, type PreflightStep } from "./step.ts";

/**
 * Requests a token in every way that the specification allows. A failed connection is tried three times, because
 * servers restart.
 */
export const keyResponse = async (
  send: (spec: RequestSpec) => Promise<Sent>,
  timeout: number,
  signal: AbortSignal,
): Promise<Sent> => {
  const [plain, ...others] = tokenRequests;
  if (plain === undefined) throw new Error("there is no request for a token");
  let sent = await send(plain);
  for (const wait of [150, 600]) {
    if (sent.failure === undefined || sent.failure.kind === "tls" || sent.failure.took >= timeout) break;
    await pause(wait, signal);
    sent = await send(plain);
  }
  if (sent.response === undefined || isSuccess(sent)) return sent;
  for (const spec of others) {
    const other = await send(spec);
    if (other.response !== undefined && isSuccess(other)) return other;
  }
  return sent;
};

/** The token; an empty text if the run itself has to judge the response; undefined if nothing can be tested. */
export function* keySteps(response: ReceivedResponse, said: string): Generator<PreflightStep, string | undefined> {
  const { status } = response;
  if (isSuccess({ response })) {
    yield { step: "key", ok: true, found: `accepted with ${status}` };
    const token = memberOf(jsonOf(response), "token");
    const usable = isUsableToken(token);
    const isJson = jsonOf(response) !== undefined;
    yield {
      step: "token",
      ok: usable,
      found: usable
        ? `a token of ${token.length} characters`
        : `the response has no usable token${isJson ? "" : `: ${said}`}`,
      ...(usable ? {} : { advice: `POST /auth/token must answer with {"token": "…"}.${isJson ? "" : ` ${gateway}`}` }),
    };
    return usable ? token : "";
  }
  if (status >= 500 || isThrottling(response)) {
    yield {
      step: "key",
      ok: false,
      found: said,
      advice: `The server is in trouble or busy; the key was neither accepted nor refused.${isOfApi(response) ? "" : ` ${gateway}`}`,
    };
    return "";
  }
  yield {
    step: "key",
    ok: false,
    stops: true,
    found: `POST /auth/token answered ${said}`,
    advice: refusalAdvice(response),
  };
  return undefined;
}

const refusalAdvice = (response: ReceivedResponse): string => {
  const { status } = response;
  if (status >= 300 && status < 400) {
    return `Redirects are not followed: put the address that it leads to into --base-url. ${gateway}`;
  }
  if (!isOfApi(response)) {
    return `This is not an error of the API. Is the base path of --base-url right? ${gateway}`;
  }
  const first =
    status === 404
      ? "Is the base path of --base-url right? Then check --api-key."
      : "Check --api-key, and that it belongs to this environment.";
  return `${first} ${gateway}`;
};

/** What to do if a gateway before the server responded, and not the server. */
export const gateway =
  'If a gateway before the server sent this and wants a key of its own, add --header "Name: value".';

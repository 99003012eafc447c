import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import type { Sent } from "../../harness/transport/client.ts";
import { isThrottling, pause } from "../../harness/transport/throttling.ts";
import { tokenRequests } from "../../harness/session/session.ts";
import {
  isUsableToken,
  isSuccess,
  jsonOf,
  memberOf,
  type ReceivedResponse,
  type RequestSpec,
} from "../../model/exchange.ts";
import type { Target } from "../../model/target.ts";
import { failed, gateway, isOfApi, passed, stopped, type PreflightStep } from "./explanation.ts";

/** Whether the name of the host, or of the proxy, can be resolved. Undefined if the signal aborts first. */
export const nameStep = async (
  { baseUrl, proxy }: Target,
  timeout: number,
  signal: AbortSignal,
): Promise<PreflightStep | undefined> => {
  const [host, where] = proxy === undefined ? [hostOf(baseUrl), "--base-url"] : [hostOf(proxy.url), proxy.from];
  const onward = proxy === undefined ? "" : `; the proxy looks up ${hostOf(baseUrl)}`;
  if (isIP(host) !== 0) return passed("name", `${host} is an address${onward}`);
  const raced = new AbortController();
  const late = pause(timeout, AbortSignal.any([signal, raced.signal])).then(() => undefined);
  try {
    const found = await Promise.race([lookup(host), late]);
    if (found !== undefined) return passed("name", `${host} is ${found.address}${onward}`);
    if (signal.aborted) return undefined;
    return stopped(
      "name",
      `the name ${host} was not resolved within ${timeout} ms`,
      "Check that the name servers of this machine answer, or raise --timeout.",
    );
  } catch (error) {
    return stopped(
      "name",
      `the name ${host} is not known (${(error as NodeJS.ErrnoException).code ?? "unknown"})`,
      `Check the host in ${where}, and whether this machine resolves names of that network.`,
    );
  } finally {
    raced.abort();
  }
};

const hostOf = (url: string): string => new URL(url).hostname.replace(/^\[|\]$/g, "");

/** Requests a token in every way that the specification allows; a failed connection three times, as servers restart. */
export const keyResponse = async (
  send: (spec: RequestSpec) => Promise<Sent>,
  timeout: number,
  signal: AbortSignal,
): Promise<Sent> => {
  const [plain, ...others] = tokenRequests;
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
    yield passed("key", `accepted with ${status}`);
    const token = memberOf(jsonOf(response), "token");
    if (isUsableToken(token)) {
      yield passed("token", `a token of ${token.length} characters`);
      return token;
    }
    const [words, further] = jsonOf(response) === undefined ? [`: ${said}`, ` ${gateway}`] : ["", ""];
    const advice = `POST /auth/token must answer with {"token": "…"}.${further}`;
    yield failed("token", `the response has no usable token${words}`, advice);
    return "";
  }
  if (status >= 500 || isThrottling(response)) {
    const further = isOfApi(response) ? "" : ` ${gateway}`;
    const advice = `The server is in trouble or busy; the key was neither accepted nor refused.${further}`;
    yield failed("key", said, advice);
    return "";
  }
  yield stopped("key", `POST /auth/token answered ${said}`, `${refusalAdvice(response)} ${gateway}`);
  return undefined;
}

const refusalAdvice = (response: ReceivedResponse): string => {
  const { status } = response;
  if (status >= 300 && status < 400)
    return "Redirects are not followed: put the address that it leads to into --base-url.";
  if (!isOfApi(response)) return "This is not an error of the API. Is the base path of --base-url right?";
  return status === 404
    ? "Is the base path of --base-url right? Then check --api-key."
    : "Check --api-key, and that it belongs to this environment.";
};

import type { Sent } from "../harness/transport/client.ts";
import { createHarRecording, type SentOnce } from "../harness/recording/har-recording.ts";
import type { Redaction } from "../harness/recording/redaction.ts";
import { pause, isThrottling } from "../harness/transport/throttling.ts";
import { httpRequestOf } from "../harness/transport/http-request.ts";
import { isSuccess, jsonOf, memberOf, isUsableToken } from "../model/exchange.ts";
import type { ReceivedResponse, RequestSpec } from "../model/exchange.ts";
import type { Evidence } from "../model/evidence.ts";
import { secretsOf, type Target } from "../model/target.ts";
import { networkOf, wayText } from "../model/network.ts";
import { userAgentOf } from "./version.ts";
import type { RunOptions } from "../model/run-options.ts";
import type { RunControl } from "./options.ts";
import {
  certificateReading,
  problemOf,
  failed,
  gateway,
  passed,
  plainText,
  responseText,
  type PreflightStep,
  isOfApi,
  stopped,
} from "./preflight/explanation.ts";
import type { PreparedWorker } from "./worker.ts";
import { lookup } from "node:dns/promises";
import { isIP, type Socket } from "node:net";
import { tokenRequests } from "../harness/session/session.ts";

interface Beginning {
  readonly runId: string;
  readonly load: () => Pick<PreparedWorker, "begun" | "loaded">;
  readonly take: (evidence: readonly Evidence[]) => void;
}

/** What a run knows before its first scenario: name, connection, TLS, key, token, up to the first step that ends it. */
export const reachability = async (
  options: RunOptions,
  control: RunControl,
  plain: Redaction,
  beginning: Beginning,
) => {
  const { target, settings } = options;
  const { signal = new AbortController().signal, onRecorded = () => undefined } = control;
  const recording = settings.record === true ? createHarRecording(onRecorded, secretsOf(target)) : undefined;
  const redaction = recording?.learning(plain) ?? plain;
  const tokens = new Set<string>();
  const steps: PreflightStep[] = [];
  const tell = (step: PreflightStep): void => {
    const shown = { ...step, found: plainText(redaction.redact(step.found)) };
    steps.push(shown);
    control.onStep?.(shown);
  };
  const onSent = (exchanged: SentOnce): void => {
    beginning.take([{ type: "sent", operation: "createToken", kind: "valid" }]);
    recording?.record(exchanged);
    const token = exchanged.response && memberOf(jsonOf(exchanged.response), "token");
    if (typeof token !== "string") return;
    redaction.add(token, "token");
    tokens.add(token);
  };
  const name = await nameStep(target, settings.timeout, signal);
  if (name !== undefined) tell(name);
  const first = name?.ok === true ? await firstResponse(options, signal, beginning, onSent) : undefined;
  if (first !== undefined) stepsOf(target, first, redaction.redact).forEach(tell);
  // The server may repeat tokens that it issued before the run in any later response.
  return { steps, tokens: [...tokens] };
};

/** Requests a token while the worker loads, each time on a connection of its own. Undefined if the signal aborts. */
const firstResponse = async (
  { target, settings }: RunOptions,
  signal: AbortSignal,
  { runId, load }: Beginning,
  onSent: (exchanged: SentOnce) => void,
) => {
  const { timeout, maxBody, rate = Infinity } = settings;
  const loading = load();
  const isAborted = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  // The modules of the client take long to load: they load while the worker loads too.
  await Promise.race([loading.begun, isAborted]);
  const { createClient } = await import("../harness/transport/client.ts");
  let certificate: ReturnType<typeof certificateReading>;
  const onSocket = (socket: Socket): void => void (certificate ??= certificateReading(socket, target));
  const client = createClient(target, { connections: 1, timeout, maxBody, signal, onSocket });
  let next = performance.now();
  const turn = async (): Promise<void> => {
    await pause(next - performance.now(), signal);
    next = performance.now() + 1000 / rate;
  };
  const send = async (spec: RequestSpec): Promise<Sent> => {
    const { request, sent } = httpRequestOf(spec, target, { userAgent: userAgentOf(runId), serial: 0 });
    await turn();
    const startedAt = Date.now();
    const result = await client.send(request, { fresh: true });
    onSent({ sent, startedAt, ...result });
    return result;
  };
  try {
    await Promise.race([loading.loaded, isAborted]);
    if (signal.aborted) return undefined;
    const sent = await keyResponse(send, timeout, signal);
    // The first request of the run keeps to the rate too.
    if (sent.response !== undefined) await turn();
    return signal.aborted ? undefined : { sent, certificate };
  } finally {
    await client.close();
  }
};

/** What the first response shows of the way to the server, and of the key. */
const stepsOf = (
  target: Target,
  { sent, certificate }: NonNullable<Awaited<ReturnType<typeof firstResponse>>>,
  redact: (text: string) => string,
): readonly PreflightStep[] => {
  const problem = problemOf(target, sent, redact);
  const { protocol, host } = new URL(target.baseUrl);
  const connection = passed("connection", `connected to ${host} ${wayText(networkOf(target))}`);
  if (problem !== undefined) return problem.step === "connection" ? [problem] : [connection, problem];
  const tls = { ...passed("tls", protocol === "https:" ? "TLS" : "plain HTTP"), ...certificate };
  return [connection, tls, ...(sent.response === undefined ? [] : keySteps(sent.response, redact))];
};

/** Whether the name of the host, or of the proxy, can be resolved. Undefined if the signal aborts first. */
const nameStep = async ({ baseUrl, proxy }: Target, timeout: number, signal: AbortSignal) => {
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
const keyResponse = async (send: (spec: RequestSpec) => Promise<Sent>, timeout: number, signal: AbortSignal) => {
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

/** Whether a token was issued. The run itself judges a response without one, unless it is a refusal of the key. */
const keySteps = (response: ReceivedResponse, redact: (text: string) => string): readonly PreflightStep[] => {
  const { status } = response;
  const said = responseText(response, redact);
  if (isSuccess({ response })) {
    const accepted = passed("key", `accepted with ${status}`);
    const token = memberOf(jsonOf(response), "token");
    if (isUsableToken(token)) return [accepted, passed("token", `a token of ${token.length} characters`)];
    const [words, further] = jsonOf(response) === undefined ? [`: ${said}`, ` ${gateway}`] : ["", ""];
    const advice = `POST /auth/token must answer with {"token": "…"}.${further}`;
    return [accepted, failed("token", `the response has no usable token${words}`, advice)];
  }
  if (status >= 500 || isThrottling(response)) {
    const further = isOfApi(response) ? "" : ` ${gateway}`;
    const advice = `The server is in trouble or busy; the key was neither accepted nor refused.${further}`;
    return [failed("key", said, advice)];
  }
  return [stopped("key", `POST /auth/token answered ${said}`, `${refusalAdvice(response)} ${gateway}`)];
};

const refusalAdvice = (response: ReceivedResponse): string => {
  const { status } = response;
  if (status >= 300 && status < 400)
    return "Redirects are not followed: put the address that it leads to into --base-url.";
  if (!isOfApi(response)) return "This is not an error of the API. Is the base path of --base-url right?";
  return status === 404
    ? "Is the base path of --base-url right? Then check --api-key."
    : "Check --api-key, and that it belongs to this environment.";
};

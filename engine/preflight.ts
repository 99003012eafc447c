import type { Sent } from "../harness/transport/client.ts";
import { createHarRecording, type HarRecording } from "../harness/recording/har-recording.ts";
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
import { isIP } from "node:net";
import { tokenRequests } from "../harness/session/session.ts";

export type Loading = Pick<PreparedWorker, "begun" | "loaded">;

interface Beginning {
  readonly runId: string;
  readonly load: () => Loading;
  readonly take: (evidence: readonly Evidence[]) => void;
}

/** What a run knows before its first scenario: name, connection, TLS, key, token, up to the first step that ends it. */
export const reachability = async (
  options: RunOptions,
  control: RunControl,
  plain: Redaction,
  { runId, load, take }: Beginning,
) => {
  const recording =
    options.settings.record === true
      ? createHarRecording(control.onRecorded ?? (() => undefined), secretsOf(options.target))
      : undefined;
  const redaction = recording?.learning(plain) ?? plain;
  const tokens = new Set<string>();
  const steps: PreflightStep[] = [];
  const occasion: Occasion = {
    ...{ runId, load, redact: redaction.redact },
    signal: control.signal ?? new AbortController().signal,
    onSent: ({ operation }, exchanged) => {
      take([{ type: "sent", operation, kind: "valid" }]);
      recording?.record(exchanged);
      const token = operation === "createToken" && exchanged.response && memberOf(jsonOf(exchanged.response), "token");
      if (typeof token !== "string") return;
      redaction.add(token, "token");
      tokens.add(token);
    },
  };
  for await (const step of stepsOf(options, occasion)) {
    const shown: PreflightStep = { ...step, found: plainText(redaction.redact(step.found)) };
    steps.push(shown);
    control.onStep?.(shown);
  }
  // The server may repeat tokens that it issued before the run in any later response.
  return { steps, tokens: [...tokens] };
};

interface Occasion {
  readonly runId: string;
  readonly load: () => Loading;
  readonly signal: AbortSignal;
  readonly redact: (text: string) => string;
  readonly onSent: (spec: RequestSpec, exchanged: Parameters<HarRecording["record"]>[0]) => void;
}

type Steps<T = void> = AsyncGenerator<PreflightStep, T>;

async function* stepsOf(options: RunOptions, occasion: Occasion): Steps {
  const { target, settings } = options;
  const { signal } = occasion;
  const name = await nameStep(target, settings.timeout, signal);
  if (name === undefined) return;
  yield name;
  if (!name.ok) return;
  const loading = occasion.load();
  const isAborted = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  // The modules of the line take long to load: they load while the worker loads too.
  await Promise.race([loading.begun, isAborted]);
  const line = await openLine(options, occasion);
  try {
    await Promise.race([loading.loaded, isAborted]);
    if (signal.aborted) return;
    const first = await keyResponse(line.send, settings.timeout, signal);
    if (signal.aborted) return;
    const response = yield* connectionSteps(options, occasion, first, line.certificate());
    const token = response && (yield* keySteps(response, responseText(response, occasion.redact)));
    // The first request of the run keeps to the rate too.
    if (token !== undefined) await line.turn();
  } finally {
    await line.close();
  }
}

/** Sends requests of the preflight, each on a connection of its own and within the rate. */
const openLine = async ({ target, settings }: RunOptions, { runId, signal, onSent }: Occasion) => {
  const { createClient } = await import("../harness/transport/client.ts");
  let certificate: Pick<PreflightStep, "found" | "certificate"> | undefined;
  const client = createClient(target, {
    connections: 1,
    timeout: settings.timeout,
    maxBody: settings.maxBody,
    signal,
    onSocket: (socket) => (certificate ??= certificateReading(socket, target)),
  });
  const turn = turns(settings.rate, signal);
  return {
    turn,
    certificate: () => certificate,
    send: async (spec: RequestSpec): Promise<Sent> => {
      const { request, sent } = httpRequestOf(spec, target, { userAgent: userAgentOf(runId), serial: 0 });
      await turn();
      const startedAt = Date.now();
      const result = await client.send(request, { fresh: true });
      onSent(spec, { sent, startedAt, ...result });
      return result;
    },
    close: client.close,
  };
};

/** What the first request shows of the way to the server. Returns the response if the server sent it. */
function* connectionSteps(
  { target }: RunOptions,
  { redact }: Occasion,
  sent: Sent,
  certificate: Pick<PreflightStep, "found" | "certificate"> | undefined,
): Generator<PreflightStep, ReceivedResponse | undefined> {
  const problem = problemOf(target, sent, redact);
  const { protocol, host } = new URL(target.baseUrl);
  if (problem?.step !== "connection") yield passed("connection", `connected to ${host} ${wayText(networkOf(target))}`);
  if (problem !== undefined) {
    yield problem;
    return undefined;
  }
  yield { ...passed("tls", protocol === "https:" ? "TLS" : "plain HTTP"), ...certificate };
  return sent.response;
}

const turns = (rate: number | undefined, signal: AbortSignal): (() => Promise<void>) => {
  let next = performance.now();
  return async () => {
    if (rate === undefined) return;
    await pause(next - performance.now(), signal);
    next = performance.now() + 1000 / rate;
  };
};

/** Whether the name of the host, or of the proxy, can be resolved. Undefined if the signal aborts first. */
export const nameStep = async ({ baseUrl, proxy }: Target, timeout: number, signal: AbortSignal) => {
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
export const keyResponse = async (send: (spec: RequestSpec) => Promise<Sent>, timeout: number, signal: AbortSignal) => {
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

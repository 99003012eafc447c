import { isIP, type Socket } from "node:net";
import { issuedToken } from "../../model/token.ts";
import { isSuccess, jsonOf, longestToken } from "../../model/exchange.ts";
import type { ReceivedResponse, Sent } from "../../model/exchange.ts";
import type { RequestSpec } from "../../model/request.ts";
import type { TargetStep } from "../../model/evidence/run-progress.ts";
import { hostOf, networkOf, wayText } from "../../model/network.ts";
import { quotedText, type Target } from "../../model/target.ts";
import { addIssued } from "../../model/evidence/issued-credentials.ts";
import type { Redaction } from "../../model/evidence/redaction.ts";
import { tokenRequests } from "./session.ts";
import { createAttempts, type AttemptParts, isThrottling } from "./attempt.ts";
import { pause } from "./waiting.ts";
import { createClient } from "./client.ts";
import { probeOf } from "./probe.ts";
import { nextRequest, type Scheduler } from "./turns.ts";
import { redirectionAdvice } from "../errors.ts";
import {
  certificateReading,
  problemOf,
  failed,
  gateway,
  passed,
  plainText,
  responseText,
  isOfApi,
  stopped,
} from "./preflight-texts.ts";

interface PreflightParts extends Omit<AttemptParts, "client"> {
  /** Called with the token that the key gets and the request that got it: the session starts with them. */
  readonly onToken: (token: string, request: RequestSpec) => void;
  readonly scheduler: Scheduler;
  readonly redaction: Redaction;
  readonly signal: AbortSignal;
}

/**
 * Checks whether the target can be tested, and reports the steps: name, connection, TLS, key and
 * token. False if a step ends the run, or if the signal aborts before the first response.
 */
export async function isTestable(parts: PreflightParts): Promise<boolean> {
  const { target, recorder, redaction } = parts;
  const { length } = target.apiKey;
  if (length > longestToken) {
    const found = `the API key has ${length} characters, which no header can carry`;
    const advice = `Check --api-key: a header has at most ${longestToken} characters. Nothing was sent.`;
    recorder.progress.step(stopped("key", found, advice));
    return false;
  }
  const first = await firstResponse(parts);
  const token = first?.sent.response && issuedIn(first.sent.response);
  if (first !== undefined && token !== undefined) parts.onToken(token, first.request);
  const steps = first === undefined ? [] : stepsOf(target, first, redaction.redact);
  for (const step of steps)
    recorder.progress.step({ ...step, found: plainText(redaction.redact(step.found)) });
  return first !== undefined && steps.every(({ stops }) => stops !== true);
}

/**
 * The result of the first request, which asks for a token, with the address and certificate of the
 * server. Each attempt has its own connection. Undefined if the signal aborts.
 */
async function firstResponse(parts: PreflightParts) {
  const { target, settings, scheduler, redaction, signal } = parts;
  const { timeout, maxBody } = settings;
  let address: string | undefined;
  let certificate: ReturnType<typeof certificateReading>;
  const onSocket = (socket: Socket): void => {
    address ??= socket.remoteAddress;
    certificate ??= certificateReading(socket, target);
  };
  const client = createClient(target, { connections: 1, timeout, maxBody, signal, onSocket });
  const attempts = createAttempts({ ...parts, client });
  const send = async (spec: RequestSpec): Promise<Sent> => {
    const how = { isFresh: true, isAlone: false, timeout };
    const order = { ...nextRequest, isToken: true };
    const sent = await scheduler.shared.send(order, () => attempts.send(spec, how));
    sent.letGo?.();
    // The token must be redacted, because the server may repeat it in any later response.
    if (sent.response !== undefined) addIssued(sent.response, redaction);
    return sent;
  };
  try {
    const { sent, request } = await keyResponse(send, timeout, signal);
    const probe = sent.failure && (await probeOf(target, sent.failure));
    return signal.aborted ? undefined : { sent, request, address, certificate, probe };
  } finally {
    await client.close();
  }
}

/** What the first response shows of the way to the server and of the key, as steps. */
function stepsOf(
  target: Target,
  { sent, address, certificate, probe }: NonNullable<Awaited<ReturnType<typeof firstResponse>>>,
  redact: (text: string) => string,
): readonly TargetStep[] {
  const problem = problemOf(target, sent, redact, probe);
  const { protocol, host } = new URL(target.baseUrl);
  if (problem !== undefined && problem.step !== "tls") return [problem];
  const name = nameStep(target, address);
  const plainly = protocol === "https:" ? "" : ", plain HTTP";
  const way = `${wayText(networkOf(target))}${plainly}`;
  const connection = passed("connection", `connected to ${host} ${way}`);
  if (problem !== undefined) return [name, connection, problem];
  const tls = protocol === "https:" ? [{ ...passed("tls", "TLS"), ...certificate }] : [];
  return [
    name,
    connection,
    ...tls,
    ...(sent.response === undefined ? [] : keySteps(target, sent.response, redact)),
  ];
}

/** The step which says to what address the name of the host, or of the proxy, was resolved. */
function nameStep({ baseUrl, proxy }: Target, address = "known"): TargetStep {
  const host = hostOf(proxy?.url ?? baseUrl);
  const onward = proxy === undefined ? "" : `; the proxy looks up ${hostOf(baseUrl)}`;
  return passed("name", `${host} is ${isIP(host) === 0 ? address : "an address"}${onward}`);
}

/**
 * Asks for a token in each form that may work, until one succeeds. Returns that success and its
 * request, or else the result of the first form. A failed connection is tried three times, because servers restart.
 */
async function keyResponse(
  send: (spec: RequestSpec) => Promise<Sent>,
  timeout: number,
  signal: AbortSignal,
) {
  const [plain, ...others] = tokenRequests;
  let sent = await send(plain);
  for (const wait of [150, 600]) {
    if (sent.failure === undefined || sent.failure.kind === "tls" || sent.failure.took >= timeout)
      break;
    await pause(wait, signal);
    sent = await send(plain);
  }
  if (sent.response === undefined || isSuccess(sent)) return { sent, request: plain };
  for (const request of others) {
    const other = await send(request);
    if (other.response !== undefined && isSuccess(other)) return { sent: other, request };
  }
  return { sent, request: plain };
}

/** The token of a success, if it fits into a header. */
function issuedIn(response: ReceivedResponse): string | undefined {
  const token = isSuccess({ response }) ? issuedToken(jsonOf(response))?.token : undefined;
  return token !== undefined && token.length <= longestToken ? token : undefined;
}

/**
 * The steps about key and token. If the response has no token but does not refuse the key, the run
 * goes on and judges the response.
 */
function keySteps(
  target: Target,
  response: ReceivedResponse,
  redact: (text: string) => string,
): readonly TargetStep[] {
  const { status } = response;
  const said = responseText(response, redact);
  if (isSuccess({ response })) {
    const accepted = passed("key", `accepted with ${status}`);
    const token = issuedToken(jsonOf(response))?.token;
    if (token !== undefined)
      return [accepted, passed("token", `a token of ${token.length} characters`)];
    const [words, further] =
      jsonOf(response) === undefined ? [`: ${said}`, ` ${gateway}`] : ["", ""];
    const advice = `POST /auth/token must answer with {"token": "…"}.${further}`;
    return [accepted, failed("token", `the response has no usable token${words}`, advice)];
  }
  if (status >= 500 || isThrottling(response)) {
    const further = isOfApi(response) ? "" : ` ${gateway}`;
    const advice = `The server is in trouble or busy; the key was neither accepted nor refused.${further}`;
    return [failed("key", said, advice)];
  }
  const advice = [refusalAdvice(response, target.baseUrl), quotedText(target)];
  return [stopped("key", `POST /auth/token answers with ${said}`, advice.join(" ").trim())];
}

function refusalAdvice(response: ReceivedResponse, baseUrl: string): string {
  const { status } = response;
  if (status >= 300 && status < 400)
    return redirectionAdvice(`${baseUrl.replace(/\/$/, "")}/auth/token`, response);
  const path = `The base URL is ${baseUrl}: is its path right?`;
  if (status === 404) return isOfApi(response) ? `${path} Then check --api-key.` : path;
  return isOfApi(response)
    ? `Check --api-key, and that it belongs to this environment. ${gateway}`
    : `This is not an error of the API. ${path} ${gateway}`;
}

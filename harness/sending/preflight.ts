import { isIP, type Socket } from "node:net";
import { TLSSocket } from "node:tls";
import { defined } from "../../model/defined.ts";
import { cutTo } from "../../model/bounds.ts";
import { plural } from "../../model/plural.ts";
import { memberOf } from "../../spec/json.ts";
import { redirectionAdvice } from "../errors.ts";
import {
  issuedToken,
  isSuccess,
  jsonOf,
  longestToken,
  messageOf,
  type ReceivedResponse,
  type Sent,
} from "../../model/exchange.ts";
import type { RequestSpec } from "../../model/request.ts";
import type { TargetStep } from "../../model/evidence/evidence.ts";
import { hostOf, networkOf, proxyText, wayText } from "../../model/network.ts";
import { quotedText, type Target } from "../../model/target.ts";
import { addIssued } from "../../model/evidence/issued-credentials.ts";
import type { Redaction } from "../../model/evidence/redaction.ts";
import { tokenRequests } from "./credentials.ts";
import { createAttempts, httpRequestOf, isThrottling, type AttemptParts } from "./attempt.ts";
import { pause, resultOf, nextRequest, type Scheduler } from "./turns.ts";
import { createClient } from "./client.ts";
import { aroundProxy, commonName, namesOf, problemOf } from "./contact-texts.ts";
import { look, silence, type Contact } from "./first-contact.ts";

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
  const send = async (spec: RequestSpec, patience = timeout): Promise<Sent> => {
    const how = { isFresh: true, isAlone: false, timeout: patience };
    const order = { ...nextRequest, isToken: true };
    const sent = await scheduler.shared.send(order, () => attempts.send(spec, how));
    sent.letGo?.();
    // The token must be redacted, because the server may repeat it in any later response.
    if (sent.response !== undefined) addIssued(sent.response, redaction);
    return sent;
  };
  try {
    const { sent, request, slept } = await keyResponse(send, parts, () => address !== undefined);
    const contact = await lookedAt(parts, sent, address);
    return signal.aborted
      ? undefined
      : { sent, request, ...defined({ contact, address, certificate, slept }) };
  } finally {
    await client.close();
  }
}

/** What is seen when one looks at the way, if there is no response. */
async function lookedAt(
  { target, settings, userAgent, nextSerial, signal }: PreflightParts,
  { failure }: Sent,
  address: string | undefined,
): Promise<Contact | undefined> {
  if (signal.aborted || failure === undefined) return undefined;
  const isSilent = failure.kind === "timeout" && address !== undefined;
  if (isSilent) return silence(address, patienceFactor * settings.timeout);
  const { request } = httpRequestOf(tokenRequests[0], target, { userAgent, serial: nextSerial() });
  const looking = look(target, request, settings.timeout);
  return resultOf("a look at the way to the server", signal, looking);
}

/** What the first response shows of the way to the server and of the key, as steps. */
function stepsOf(
  target: Target,
  first: NonNullable<Awaited<ReturnType<typeof firstResponse>>>,
  redact: (text: string) => string,
): readonly TargetStep[] {
  const { sent, address, certificate, contact, slept } = first;
  const problem = contact && problemOf(target, contact, sent.failure?.message ?? "", redact);
  const { protocol, host } = new URL(target.baseUrl);
  if (problem !== undefined && problem.step !== "tls") return [problem];
  const name = nameStep(target, address);
  const plainly = protocol === "https:" ? "" : ", plain HTTP";
  const way = `${wayText(networkOf(target))}${plainly}`;
  const connection = { ...passed("connection", `connected to ${host} ${way}`), ...slept };
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
 * request, or else the result of the first form. A failed connection is tried three times, because
 * servers restart; a connection without a response once more, for longer, because servers sleep.
 */
async function keyResponse(
  send: (spec: RequestSpec, patience?: number) => Promise<Sent>,
  { settings: { timeout }, signal, recorder }: PreflightParts,
  isConnected: () => boolean,
) {
  const [plain, ...others] = tokenRequests;
  let sent = await send(plain);
  let slept: Pick<TargetStep, "found" | "advice"> | undefined;
  if (sent.failure?.kind === "timeout" && isConnected()) {
    const patience = patienceFactor * timeout;
    recorder.progress.waits(
      `no response within ${seconds(timeout)}, asking once more for up to ${seconds(patience)}`,
    );
    sent = await send(plain, patience);
    if (sent.response !== undefined) slept = sleptText(timeout, sent.response.took);
  }
  for (const wait of [150, 600]) {
    if (sent.failure === undefined || !mayPass.has(sent.failure.kind)) break;
    await pause(wait, signal);
    sent = await send(plain);
  }
  if (sent.response === undefined || isSuccess(sent)) return { sent, request: plain, slept };
  for (const request of others) {
    const other = await send(request);
    if (other.response !== undefined && isSuccess(other)) return { sent: other, request, slept };
  }
  return { sent, request: plain, slept };
}

/** The failures that a restart of the server or of the proxy explains. */
const mayPass: ReadonlySet<string> = new Set(["connect", "dropped"]);

/** How many times as long as usual a response is waited for that may be the first after a sleep. */
const patienceFactor = 3;

const seconds = (ms: number): string => `${Math.round(ms / 100) / 10} s`;

function sleptText(timeout: number, took: number): Pick<TargetStep, "found" | "advice"> {
  return {
    found: `connected, but no response within ${seconds(timeout)}; the same request again was answered after ${seconds(took)}`,
    advice:
      "A server that sleeps while nobody uses it is slow at first, which is no fault: there is nothing to do. If a run stops because of it, raise --timeout.",
  };
}

/** The token of a success, if it fits into a header. */
function issuedIn(response: ReceivedResponse): string | undefined {
  const token = isSuccess({ response }) ? issuedToken(jsonOf(response))?.token : undefined;
  return token !== undefined && token.length <= longestToken ? token : undefined;
}

/** The server's certificate as a part of the step `tls`. Undefined if the connection has no TLS. */
function certificateReading(
  socket: Socket,
  target: Target,
): Pick<TargetStep, "found" | "certificate"> | undefined {
  if (!(socket instanceof TLSSocket)) return undefined;
  const own = socket.getPeerX509Certificate();
  if (own === undefined) return undefined;
  const name = commonName(own.subject) || namesOf(own);
  const authority = commonName(own.issuer);
  const protocol = socket.getProtocol() ?? "TLS";
  const expires = Date.parse(own.validTo);
  const distrust = target.insecure ? "not verified (--insecure)" : "not trusted";
  const trust = socket.authorized ? "trusted" : distrust;
  const days = plural(Math.floor((expires - Date.now()) / 86_400_000), "day");
  const found = `${protocol}, ${name}, issued by ${authority}, ${trust}, expires in ${days}`;
  // Node cannot read the date of every certificate.
  if (Number.isNaN(expires)) return { found };
  const [shownName = "", issuedBy = ""] = [name, authority].map(plainText);
  const date = new Date(expires).toISOString();
  return { found, certificate: { subject: shownName, issuer: issuedBy, expires: date, protocol } };
}

const passed = (step: TargetStep["step"], found: string): TargetStep => ({ step, ok: true, found });

const failed = (step: TargetStep["step"], found: string, advice: string): TargetStep => ({
  step,
  ok: false,
  found,
  advice,
});

const stopped = (...of: Parameters<typeof failed>): TargetStep => ({
  ...failed(...of),
  stops: true,
});

/** What to do if a gateway responded in place of the server. */
const gateway =
  'If a gateway before the server sent this and wants a key of its own, add --header "Name: value".';

/** What a response says. It is redacted before it is cut, as a part of a secret is not found. */
function saidIn(response: ReceivedResponse, redact: (text: string) => string): string {
  const text = redact(messageOf({ response, json: jsonOf(response) }));
  return cutTo(text.replaceAll(/\s+/g, " "), 200);
}

/**
 * Whether a refusal has the shape of the API's errors. If not, it most likely comes from something
 * in front of the server, such as a gateway.
 */
function isOfApi(response: ReceivedResponse): boolean {
  return typeof memberOf(jsonOf(response), "message") === "string";
}

/** A text of the server with a dot in place of each control character, cut to 400 characters. */
function plainText(text: string): string {
  return text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, "·").slice(0, 400);
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
  const said = saidIn(response, redact);
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
  const advice = [refusalAdvice(response, target), quotedText(target)].join(" ").trim();
  return [stopped("key", `POST /auth/token answers with ${said}`, advice)];
}

function refusalAdvice(response: ReceivedResponse, target: Target): string {
  const { baseUrl, proxy } = target;
  const { status } = response;
  if (status >= 300 && status < 400)
    return redirectionAdvice(`${baseUrl.replace(/\/$/, "")}/auth/token`, response);
  const path =
    new URL(baseUrl).pathname === "/"
      ? `The base URL ${baseUrl} has no path: is the API below one, such as /api?`
      : `The base URL is ${baseUrl}: is its path right?`;
  if (status === 404) return isOfApi(response) ? `${path} Then check --api-key.` : path;
  if (isOfApi(response))
    return `Check --api-key, and that it belongs to this environment. ${gateway}`;
  const onTheWay =
    proxy === undefined
      ? ""
      : `Does ${proxyText(proxy)} let requests to ${new URL(baseUrl).host} pass? ${aroundProxy(target)} `;
  return `The API does not answer so: something on the way to it may have sent this. ${onTheWay}${path} ${gateway}`;
}

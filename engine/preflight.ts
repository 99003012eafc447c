import { lookup } from "node:dns/promises";
import { isIP } from "node:net";
import { connect as connectTls, type TLSSocket } from "node:tls";
import { createGenerators, sampleOf, stamp } from "../generators/index.ts";
import { createClient, trustOf, type Sent } from "../harness/transport/client.ts";
import { isSuccess, jsonOf, memberOf, valid, type ReceivedResponse, type RequestSpec } from "../model/exchange.ts";
import { createRedaction } from "../harness/recording/redaction.ts";
import { requestsOf } from "../harness/transport/permitted-requests.ts";
import { isUsableToken, tokenRequests } from "../harness/session/session.ts";
import type { Target } from "../model/target.ts";
import { isThrottling, pause } from "../harness/transport/throttling.ts";
import { wireOf } from "../harness/transport/wire.ts";
import { bundledContract } from "./contract.ts";
import type { RunControl, RunOptions } from "./options.ts";
import type { PreflightStep } from "./preflight-step.ts";
import { newRunId } from "./run-id.ts";
import { userAgentOf } from "./user-agent.ts";

/** Name, connection, TLS, key, token, one list, and in `full` one operation; ends where nothing further can be asked. */
export const preflight = async (options: RunOptions, control: RunControl = {}): Promise<readonly PreflightStep[]> =>
  (await reached(options, control, newRunId(), true)).steps;

/** What a run knows before its first scenario. */
export interface Reachability {
  readonly steps: readonly PreflightStep[];
  /** Tokens that were issued on the way: a server may repeat them in any later response. */
  readonly tokens: readonly string[];
  /** How many requests were sent. */
  readonly requests: number;
}

/** The same without the list, whose response a run judges by itself. */
export const reachability = (options: RunOptions, control: RunControl, runId: string): Promise<Reachability> =>
  reached(options, control, runId, false);

const reached = async (
  options: RunOptions,
  control: RunControl,
  runId: string,
  whole: boolean,
): Promise<Reachability> => {
  const tokens = new Set<string>();
  let requests = 0;
  const watch = { onToken: (token: string) => void tokens.add(token), onRequest: () => void (requests += 1) };
  const steps = await stepsOf(options, control, { runId, whole, ...watch });
  return { steps, tokens: [...tokens], requests };
};

/** For which run it is, whether it asks for the list and more, and who hears of what goes on. */
interface Occasion {
  readonly runId: string;
  readonly whole: boolean;
  readonly onToken: (token: string) => void;
  readonly onRequest: () => void;
}

const stepsOf = async (
  options: RunOptions,
  control: RunControl,
  occasion: Occasion,
): Promise<readonly PreflightStep[]> => {
  const { target, settings } = options;
  const signal = control.signal ?? new AbortController().signal;
  const redaction = createRedaction(control.onSecret);
  redaction.add(target.apiKey, "API key");
  const steps: PreflightStep[] = [];
  const add = (step: PreflightStep): boolean => {
    const told = { ...step, found: plainText(redaction.redact(step.found)) };
    steps.push(told);
    control.onStep?.(told);
    return step.ok;
  };
  const url = new URL(target.baseUrl);
  const name = await nameStep(url, settings.timeout, signal);
  if (name === undefined || !add(name)) return steps;
  const client = createClient(target, {
    connections: 1,
    timeout: settings.timeout,
    maxBody: settings.maxBody,
    signal,
    only: requestsOf(settings.profile),
  });
  const turn = turns(settings.rate, signal);
  try {
    const send = async (ask: RequestSpec, token?: string): Promise<Sent> => {
      const { wire } = wireOf(ask, target, { token, userAgent: userAgentOf(occasion.runId), serial: 0 });
      await turn();
      occasion.onRequest();
      const sent = await client.send(wire, { fresh: true });
      if (ask.operation !== "createToken" || sent.response === undefined) return sent;
      const issued = memberOf(jsonOf(sent.response), "token");
      if (typeof issued === "string") {
        redaction.add(issued, "token");
        occasion.onToken(issued);
      }
      return sent;
    };
    const first = await keyAnswer(send, settings.timeout, signal);
    if (signal.aborted) return steps;
    const failure = first.failure;
    if (failure !== undefined) {
      const tls = failure.kind === "tls";
      add({
        step: "connection",
        ok: tls,
        found: tls ? `connected to ${url.host}` : `no response from ${target.baseUrl}: ${failure.message}`,
        ...(tls ? {} : { advice: connectionAdvice(url, failure.kind) }),
      });
      if (tls) add({ step: "tls", ok: false, found: failure.message, advice: tlsAdvice(failure.message) });
      return steps;
    }
    add({ step: "connection", ok: true, found: `connected to ${url.host}` });
    const tls = url.protocol === "https:" ? await certificateOf(url, target, settings.timeout, signal) : "plain HTTP";
    if (signal.aborted) return steps;
    add({ step: "tls", ok: true, found: tls });
    const token = judgeKey(first.response, answerText(first.response, redaction.redact), add);
    if (token === undefined) return steps;
    if (!occasion.whole) {
      // What the run sends first keeps to the rate too.
      await turn();
      return steps;
    }
    const listed = await send({ operation: "listBatches", intent: valid }, token);
    if (signal.aborted) return steps;
    add(listStep(listed));
    if (settings.profile !== "full") return steps;
    const operation = await operationStep(options, {
      runId: occasion.runId,
      signal,
      send: (ask) => send(ask, token),
      redact: redaction.redact,
    });
    // What was made is told in any case.
    add(signal.aborted ? { step: operation.step, ok: operation.ok, found: operation.found } : operation);
    return steps;
  } finally {
    await client.close();
  }
};

/** Waits until one more request keeps to the rate. */
const turns = (rate: number | undefined, signal: AbortSignal): (() => Promise<void>) => {
  let next = performance.now();
  return async () => {
    if (rate === undefined) return;
    await pause(next - performance.now(), signal);
    next = performance.now() + 1000 / rate;
  };
};

/** Nothing where the signal ended it. */
const nameStep = async (url: URL, timeout: number, signal: AbortSignal): Promise<PreflightStep | undefined> => {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0) return { step: "name", ok: true, found: `${host} is an address` };
  try {
    const found = await within(lookup(host), timeout, signal);
    if (found !== undefined) return { step: "name", ok: true, found: `${host} is ${found.address}` };
    if (signal.aborted) return undefined;
    return {
      step: "name",
      ok: false,
      found: `the name ${host} was not resolved within ${timeout} ms`,
      advice: "Do the name servers of this machine response? Mend that, or raise --timeout.",
    };
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    return {
      step: "name",
      ok: false,
      found: `the name ${host} is not known (${code})`,
      advice: "Check the host in --base-url, and whether this machine resolves names of that network.",
    };
  }
};

/** What comes of the task; nothing where the time is over or the signal aborts first. */
const within = async <T>(task: Promise<T>, timeout: number, signal: AbortSignal): Promise<T | undefined> => {
  const settled = new AbortController();
  try {
    return await Promise.race([task, pause(timeout, AbortSignal.any([signal, settled.signal])).then(() => undefined)]);
  } finally {
    settled.abort();
  }
};

/** Asks for a token in the ways there are; a connection that fails is tried thrice, as servers restart. */
const keyAnswer = async (
  send: (ask: RequestSpec) => Promise<Sent>,
  timeout: number,
  signal: AbortSignal,
): Promise<Sent> => {
  const [plain, ...others] = tokenRequests;
  if (plain === undefined) throw new Error("there is no way to ask for a token");
  let sent = await send(plain);
  for (const wait of [150, 600]) {
    if (sent.failure === undefined || sent.failure.kind === "tls" || sent.failure.took >= timeout) break;
    await pause(wait, signal);
    sent = await send(plain);
  }
  if (sent.response === undefined || isSuccess(sent)) return sent;
  for (const ask of others) {
    const other = await send(ask);
    if (other.response !== undefined && isSuccess(other)) return other;
  }
  return sent;
};

/** The token; an empty text where a run should look into the response itself; undefined where nothing can be asked. */
const judgeKey = (
  response: ReceivedResponse,
  said: string,
  add: (step: PreflightStep) => boolean,
): string | undefined => {
  const { status } = response;
  if (isSuccess({ response })) {
    add({ step: "key", ok: true, found: `accepted with ${status}` });
    const token = memberOf(jsonOf(response), "token");
    const usable = isUsableToken(token);
    add({
      step: "token",
      ok: usable,
      found: usable ? `a token of ${token.length} characters` : "the response has no usable token",
      ...(usable ? {} : { advice: 'POST /auth/token must response with {"token": "…"}.' }),
    });
    return usable ? token : "";
  }
  if (status >= 500 || isThrottling(response)) {
    add({
      step: "key",
      ok: false,
      found: said,
      advice: "The server is in trouble or busy; the key was neither accepted nor refused.",
    });
    return "";
  }
  add({
    step: "key",
    ok: false,
    found: `POST /auth/token answered ${said}`,
    advice:
      status >= 300 && status < 400
        ? "Redirects are not followed: put the address that it leads to into --base-url."
        : status === 404
          ? "Is the base path of --base-url right? Then check --api-key."
          : "Check --api-key, and that it belongs to this environment.",
  });
  return undefined;
};

const listStep = (sent: Sent): PreflightStep => {
  if (sent.failure !== undefined)
    return { step: "list", ok: false, found: sent.failure.message, advice: "GET /batches gave no response." };
  const ok = isSuccess(sent);
  const batches = memberOf(jsonOf(sent.response), "batches");
  const shown = Array.isArray(batches) ? `, ${batches.length} batches` : "";
  return {
    step: "list",
    ok,
    found: `status ${sent.response.status}${shown}`,
    ...(ok
      ? {}
      : { advice: "GET /batches must response a valid token with success. Is the token good for this customer?" }),
  };
};

/** How the operation step asks, and how it puts what it heard. */
interface Asking {
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly send: (ask: RequestSpec) => Promise<Sent>;
  readonly redact: (text: string) => string;
}

/** Registers one counterparty and creates one operation for it: what a full run does most. */
const operationStep = async (
  { target }: RunOptions,
  { runId, signal, send, redact }: Asking,
): Promise<PreflightStep> => {
  const outcomeOf = ({ response, failure }: Sent): string =>
    response === undefined ? failure.message : answerText(response, redact);
  const generators = createGenerators(await bundledContract(), target);
  const seed = Date.now() | 0;
  const [counterparty = {}] = sampleOf(generators.complete("createCounterparty"), { seed, n: 1 });
  const registered = await send({
    operation: "createCounterparty",
    intent: valid,
    path: { customer_id: target.customerId },
    body: stamp("createCounterparty", counterparty, { runId, serial: 1 }),
  });
  const id = idOf(registered, "id");
  if (id === undefined) {
    const found = `no counterparty could be registered: ${outcomeOf(registered)}`;
    return {
      step: "operation",
      ok: false,
      found,
      advice: "Check --customer-id, and what this server asks of a counterparty.",
    };
  }
  const [body = {}] = sampleOf(generators.complete("createOperation"), { seed, n: 1 });
  const ask: RequestSpec = {
    operation: "createOperation",
    intent: valid,
    body: { ...(body as object), counterparty_id: id },
  };
  let created = await send(ask);
  // What was just registered may need a moment to be known. Only what was refused was surely not created.
  for (let wait = 200; wait <= 1600 && isRefused(created); wait *= 2) {
    await pause(wait, signal);
    created = await send(ask);
  }
  const ok = created.response !== undefined && isSuccess(created);
  // Cut so that both ids are shown, and like all else after it was redacted.
  const shown = (text: string): string => cutTo(redact(text), 100);
  const made = `registered counterparty ${shown(id)}`;
  const operation = idOf(created, "operation_id");
  const advice = "Check --currency-pairs and --amount, and whether the purpose is open to this client.";
  return {
    step: "operation",
    ok,
    found: ok
      ? `${made}, created operation ${operation === undefined ? "without an id" : shown(operation)}`
      : `${made}; its operation was not created: ${outcomeOf(created)}`,
    ...(ok ? {} : { advice }),
  };
};

const isRefused = ({ response }: Sent): boolean =>
  response !== undefined && response.status >= 400 && response.status < 500;

const idOf = ({ response }: Sent, member: string): string | undefined => {
  const id = response === undefined ? undefined : memberOf(jsonOf(response), member);
  return typeof id === "string" ? id : undefined;
};

/** Status and message. Cut after it was redacted, as the beginning of a secret is not found as one. */
const answerText = (response: ReceivedResponse, redact: (text: string) => string): string => {
  const words = memberOf(jsonOf(response), "message");
  return `status ${response.status}${typeof words === "string" ? ` "${cutTo(redact(words), 160)}"` : ""}`;
};

const cutTo = (text: string, most: number): string => (text.length > most ? `${text.slice(0, most)}…` : text);

const certificateOf = async (url: URL, target: Target, timeout: number, signal: AbortSignal): Promise<string> => {
  const host = url.hostname.replace(/^\[|\]$/g, "");
  const socket = connectTls({
    host,
    port: Number(url.port || 443),
    ...(isIP(host) === 0 ? { servername: host } : {}),
    rejectUnauthorized: false,
    secureContext: trustOf(target.ca),
  });
  const read = new Promise<string>((resolve) => {
    socket.on("error", ({ message }) => resolve(message));
    socket.once("secureConnect", () => resolve(certificateText(socket, target)));
  });
  try {
    return (await within(read, timeout, signal)) ?? `the certificate could not be read within ${timeout} ms`;
  } finally {
    socket.destroy();
  }
};

const certificateText = (socket: TLSSocket, target: Target): string => {
  const { subject, issuer, valid_to: until, subjectaltname: names } = socket.getPeerCertificate();
  const days = Math.floor((Date.parse(until) - Date.now()) / 86_400_000);
  const name = one(subject?.CN) || (names ?? "no name");
  const trust = socket.authorized ? "trusted" : target.insecure ? "not verified (--insecure)" : "not trusted";
  return `${socket.getProtocol() ?? "TLS"}, ${name}, issued by ${one(issuer?.CN) || one(issuer?.O) || "itself"}, ${trust}, expires in ${days} days`;
};

const one = (value: string | string[] | undefined): string => (Array.isArray(value) ? (value[0] ?? "") : (value ?? ""));

const connectionAdvice = (url: URL, kind: string): string => {
  if (kind === "protocol")
    return "Something else than an HTTP server answers there. Is the port in --base-url right, and the scheme (http or https)?";
  return `Is the server running, and is ${url.host} right? A server to try: fxconform serve`;
};

const tlsAdvice = (message: string): string => {
  if (/EXPIRED|expired/.test(message)) return "The server's certificate has expired: renew it.";
  if (/NOT_YET_VALID/.test(message))
    return "The server's certificate is not valid yet: check the clocks of both sides.";
  if (/ALTNAME|does not match/.test(message))
    return "The certificate is for another name: use that name in --base-url, or another certificate.";
  if (/SELF_SIGNED|UNABLE_TO|self.signed|unable to/.test(message))
    return "Name the certificate of its authority with --ca, or, to try things out, use --insecure.";
  return "Does the server speak TLS at this port? --base-url begins with https.";
};

/** Text of a server without control characters. */
const plainText = (text: string): string => text.replaceAll(/[\u0000-\u001f\u007f-\u009f]/g, "·").slice(0, 400);

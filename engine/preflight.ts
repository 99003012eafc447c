import type { Sent } from "../harness/transport/client.ts";
import { createHarRecording } from "../harness/recording/har-recording.ts";
import { createRedaction } from "../harness/recording/redaction.ts";
import { requestsOf } from "../harness/transport/permitted-requests.ts";
import { pause } from "../harness/transport/throttling.ts";
import { httpRequestOf } from "../harness/transport/http-request.ts";
import { isSuccess, jsonOf, memberOf, valid, type RequestSpec } from "../model/exchange.ts";
import { secretsOf } from "../model/target-secrets.ts";
import { networkOf, wayText } from "../model/network.ts";
import { plural } from "../model/plural.ts";
import { newRunId, userAgentOf } from "./identity.ts";
import type { RunOptions } from "../model/run-options.ts";
import type { RunControl } from "./options.ts";
import { certificateReading, tlsAdvice } from "./preflight/certificate.ts";
import { certificateDemand } from "./preflight/client-certificate.ts";
import { gateway, judgeKey, keyResponse } from "./preflight/key.ts";
import { nameStep } from "./preflight/name.ts";
import { plainText, responseText } from "./preflight/response-text.ts";
import type { PreflightStep } from "./preflight/step.ts";
import type { PreparedWorker } from "./worker.ts";

/**
 * Checks name, connection, TLS, key, token, one list, and in `full` one operation. Ends at the first step after which
 * nothing more can be tested.
 */
export const preflight = async (options: RunOptions, control: RunControl = {}): Promise<readonly PreflightStep[]> =>
  (await reached(options, control, newRunId(), true)).steps;

/** A worker that loads what the run needs, in a thread of its own. */
export type Loading = Pick<PreparedWorker, "begun" | "loaded">;

/** What a run knows before its first scenario. */
export interface Reachability {
  readonly steps: readonly PreflightStep[];
  /** Tokens that the server issued before the run: it may repeat them in any later response. */
  readonly tokens: readonly string[];
  /** How many requests were sent. */
  readonly requests: number;
}

/**
 * The preflight of a run: without the list, whose response the run itself judges. `load` is called when the name is
 * resolved, and the first request is sent when the worker has loaded.
 */
export const reachability = (
  options: RunOptions,
  control: RunControl,
  runId: string,
  load: () => Loading,
): Promise<Reachability> => reached(options, control, runId, false, load);

const reached = async (
  options: RunOptions,
  control: RunControl,
  runId: string,
  whole: boolean,
  load?: () => Loading,
): Promise<Reachability> => {
  const tokens = new Set<string>();
  let requests = 0;
  const watch = { onToken: (token: string) => void tokens.add(token), onRequest: () => void (requests += 1) };
  const steps = await stepsOf(options, control, { runId, whole, load, ...watch });
  return { steps, tokens: [...tokens], requests };
};

/** The run that the preflight is for, whether it requests the list and more (`whole`), and its callbacks. */
interface Occasion {
  readonly runId: string;
  readonly whole: boolean;
  readonly load: (() => Loading) | undefined;
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
  const secrets = secretsOf(target);
  const recording =
    settings.record === true ? createHarRecording(control.onRecorded ?? (() => undefined), secrets) : undefined;
  const plain = createRedaction(control.onSecret, secrets);
  const redaction = recording?.learning(plain) ?? plain;
  const steps: PreflightStep[] = [];
  const add = (step: PreflightStep): boolean => {
    const shown = { ...step, found: plainText(redaction.redact(step.found)) };
    steps.push(shown);
    control.onStep?.(shown);
    return step.ok;
  };
  const url = new URL(target.baseUrl);
  const connected = `connected to ${url.host} ${wayText(networkOf(target))}`;
  const name = await nameStep(target, settings.timeout, signal);
  if (name === undefined || !add(name)) return steps;
  const loading = occasion.load?.();
  const isAborted = new Promise<void>((resolve) => {
    signal.addEventListener("abort", () => resolve(), { once: true });
  });
  // These modules take long to load: they load while the worker loads too.
  await Promise.race([loading?.begun, isAborted]);
  const [{ createClient }, { proxyFault, proxyResponse }] = await Promise.all([
    import("../harness/transport/client.ts"),
    import("./preflight/proxy.ts"),
  ]);
  let certificate: Pick<PreflightStep, "found" | "certificate"> | undefined;
  const client = createClient(target, {
    connections: 1,
    timeout: settings.timeout,
    maxBody: settings.maxBody,
    signal,
    only: requestsOf(settings.profile),
    onSocket: (socket) => (certificate ??= certificateReading(socket, target)),
  });
  const turn = turns(settings.rate, signal);
  try {
    const send = async (spec: RequestSpec, token?: string): Promise<Sent> => {
      const { request, sent: as } = httpRequestOf(spec, target, {
        token,
        userAgent: userAgentOf(occasion.runId),
        serial: 0,
      });
      await turn();
      occasion.onRequest();
      const startedAt = Date.now();
      const sent = await client.send(request, { fresh: true });
      recording?.record({ sent: as, startedAt, ...sent });
      if (spec.operation !== "createToken" || sent.response === undefined) return sent;
      const issued = memberOf(jsonOf(sent.response), "token");
      if (typeof issued === "string") {
        redaction.add(issued, "token");
        occasion.onToken(issued);
      }
      return sent;
    };
    await Promise.race([loading?.loaded, isAborted]);
    if (signal.aborted) return steps;
    const first = await keyResponse(send, settings.timeout, signal);
    if (signal.aborted) return steps;
    const failure = first.failure;
    const { redact } = redaction;
    if (failure !== undefined) {
      const bounds = { timeout: settings.timeout, signal, redact };
      const known = certificateDemand(target, first, redact) ?? (await proxyFault(target, failure, bounds));
      if (signal.aborted) return steps;
      if (known !== undefined) {
        if (known.step === "tls") add({ step: "connection", ok: true, found: connected });
        add(known);
        return steps;
      }
      const tls = failure.kind === "tls";
      add({
        step: "connection",
        ok: tls,
        ...(tls ? {} : { stops: true as const }),
        found: tls ? connected : `no response from ${target.baseUrl}: ${failure.message}`,
        ...(tls ? {} : { advice: connectionAdvice(url, failure.kind) }),
      });
      if (tls) add({ step: "tls", ok: false, stops: true, found: failure.message, advice: tlsAdvice(failure.code) });
      return steps;
    }
    const inPlace = proxyResponse(target, first.response, redact);
    if (inPlace !== undefined) {
      add(inPlace);
      return steps;
    }
    add({ step: "connection", ok: true, found: connected });
    const demand = certificateDemand(target, first, redact);
    if (demand !== undefined) {
      add(demand);
      return steps;
    }
    add({
      step: "tls",
      ok: true,
      ...(url.protocol === "https:" ? (certificate ?? { found: "TLS" }) : { found: "plain HTTP" }),
    });
    const token = judgeKey(first.response, responseText(first.response, redaction.redact), add);
    if (token === undefined) return steps;
    if (!occasion.whole) {
      // The first request of the run keeps to the rate too.
      await turn();
      return steps;
    }
    const listed = await send({ operation: "listBatches", intent: valid }, token);
    if (signal.aborted) return steps;
    add(listStep(listed, redaction.redact));
    if (settings.profile !== "full") return steps;
    const { operationStep } = await import("./preflight/operation.ts");
    const operation = await operationStep(options, {
      runId: occasion.runId,
      signal,
      send: (spec) => send(spec, token),
      redact: redaction.redact,
    });
    // Report what was created in any case.
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

const listStep = (sent: Sent, redact: (text: string) => string): PreflightStep => {
  if (sent.failure !== undefined)
    return { step: "list", ok: false, found: sent.failure.message, advice: "GET /batches gave no response." };
  const ok = isSuccess(sent);
  const batches = memberOf(jsonOf(sent.response), "batches");
  const shown = Array.isArray(batches) ? `, ${plural(batches.length, "batch", "batches")}` : "";
  return {
    step: "list",
    ok,
    found: ok ? `status ${sent.response.status}${shown}` : responseText(sent.response, redact),
    ...(ok
      ? {}
      : {
          advice: `GET /batches must answer a valid token with success. Is the token good for this customer? ${gateway}`,
        }),
  };
};

const connectionAdvice = (url: URL, kind: string): string => {
  if (kind === "protocol")
    return "What answers there is not an HTTP server. Is the port in --base-url right, and the scheme (http or https)?";
  return `Is the server running, and is ${url.host} right?`;
};

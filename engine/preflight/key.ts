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
  valid,
} from "../../model/exchange.ts";
import { isOfApi, type PreflightStep, cutTo, responseText } from "./step.ts";
import { createGenerators, sampleOf, stamp } from "../../generators/index.ts";
import { bundledContract } from "../../harness/contract.ts";
import type { RunOptions } from "../../model/run-options.ts";

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

/** What the step works with. */
export interface Creation {
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly send: (spec: RequestSpec) => Promise<Sent>;
  readonly redact: (text: string) => string;
}

/** Registers one counterparty and creates one operation for it, as most scenarios of a full run do. */
export const operationStep = async (
  { target }: RunOptions,
  { runId, signal, send, redact }: Creation,
): Promise<PreflightStep> => {
  const outcomeOf = ({ response, failure }: Sent): string =>
    response === undefined ? failure.message : responseText(response, redact);
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
      advice: "Check --customer-id, and what this server requires of a counterparty.",
    };
  }
  const [body = {}] = sampleOf(generators.complete("createOperation"), { seed, n: 1 });
  const spec: RequestSpec = {
    operation: "createOperation",
    intent: valid,
    body: { ...(body as object), counterparty_id: id },
  };
  let created = await send(spec);
  // A new counterparty may need a moment to be known. Only after a refusal is it certain that nothing was created.
  for (let wait = 200; wait <= 1600 && isRefused(created); wait *= 2) {
    await pause(wait, signal);
    created = await send(spec);
  }
  const ok = created.response !== undefined && isSuccess(created);
  // Redacted first and then cut, so that both ids fit.
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

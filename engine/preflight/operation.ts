import { createGenerators, sampleOf, stamp } from "../../generators/index.ts";
import type { Sent } from "../../harness/transport/client.ts";
import { pause } from "../../harness/transport/throttling.ts";
import { isSuccess, jsonOf, memberOf, valid, type RequestSpec } from "../../model/exchange.ts";
import { bundledContract } from "../../harness/contract.ts";
import type { RunOptions } from "../../model/run-options.ts";
import { cutTo, responseText, type PreflightStep } from "./step.ts";

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

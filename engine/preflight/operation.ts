import { createGenerators, sampleOf, stamp } from "../../generators/index.ts";
import type { Sent } from "../../harness/transport/client.ts";
import { pause } from "../../harness/transport/throttling.ts";
import { isSuccess, jsonOf, memberOf, valid, type RequestSpec } from "../../model/exchange.ts";
import type { Target } from "../../model/target.ts";
import { bundledContract } from "../../harness/contract.ts";
import { cutTo, failed, passed, responseText, type PreflightStep } from "./explanation.ts";

interface Creation {
  readonly runId: string;
  readonly signal: AbortSignal;
  readonly send: (spec: RequestSpec) => Promise<Sent>;
  readonly redact: (text: string) => string;
}

/** Registers one counterparty and creates one operation for it, as most scenarios of a full run do. */
export const operationStep = async (
  target: Target,
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
    return failed("operation", found, "Check --customer-id, and what this server requires of a counterparty.");
  }
  const [sample = {}] = sampleOf(generators.complete("createOperation"), { seed, n: 1 });
  const body = { ...(sample as object), counterparty_id: id };
  const create = (): Promise<Sent> => send({ operation: "createOperation", intent: valid, body });
  let created = await create();
  // A new counterparty may need a moment to be known. Only after a refusal is it certain that nothing was created.
  for (let wait = 200; wait <= 1600 && isRefused(created); wait *= 2) {
    await pause(wait, signal);
    created = await create();
  }
  // Redacted first and then cut, so that both ids fit.
  const shown = (text: string): string => cutTo(redact(text), 100);
  const made = `registered counterparty ${shown(id)}`;
  if (created.response === undefined || !isSuccess(created)) {
    const found = `${made}; its operation was not created: ${outcomeOf(created)}`;
    const advice = "Check --currency-pairs and --amount, and whether the purpose is open to this client.";
    return failed("operation", found, advice);
  }
  return passed("operation", `${made}, created operation ${shown(idOf(created, "operation_id") ?? "without an id")}`);
};

const isRefused = ({ response }: Sent): boolean =>
  response !== undefined && response.status >= 400 && response.status < 500;

const idOf = ({ response }: Sent, member: string): string | undefined => {
  const id = response === undefined ? undefined : memberOf(jsonOf(response), member);
  return typeof id === "string" ? id : undefined;
};

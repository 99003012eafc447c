import { createGenerators, type Generators } from "../generators/index.ts";
import { createClient, type Client } from "../harness/client.ts";
import { createConversation, type Conversation } from "../harness/conversation.ts";
import type { Evidence } from "../harness/evidence.ts";
import { createIdentities } from "../harness/identities.ts";
import { createLedger, type Ledger } from "../harness/ledger.ts";
import { createPace, type Pace } from "../harness/pace.ts";
import type { Provided } from "../harness/provided.ts";
import { createRedaction, type Redaction } from "../harness/redaction.ts";
import { requestsOf } from "../harness/requests-of.ts";
import { compileResponseSchemas } from "../harness/response-schemas.ts";

/** Everything that all scenarios of a run share: one pool, one session, one pace, one ledger. */
export interface World extends Provided {
  readonly generators: Generators;
  readonly conversation: Conversation;
  readonly ledger: Ledger;
  readonly pace: Pace;
  readonly redaction: Redaction;
  readonly client: Client;
  readonly signal: AbortSignal;
}

/** The world of a run; `emit` takes its evidence, `signal` ends it. */
export const createWorld = (
  provided: Provided,
  emit: (evidence: readonly Evidence[]) => void,
  signal: AbortSignal,
): World => {
  const { target, manner, document, userAgent, tokens } = provided;
  const redaction = createRedaction((value) => emit([{ type: "secret", value }]));
  redaction.add(target.apiKey, "API key");
  for (const token of tokens) redaction.add(token, "token");
  const ledger = createLedger(emit, redaction);
  const pace = createPace(manner.concurrency, manner.rate);
  const client = createClient(target, {
    connections: manner.concurrency,
    timeout: manner.timeout,
    maxBody: manner.maxBody,
    signal,
    only: requestsOf(manner.profile),
  });
  const knowledge = { schemas: compileResponseSchemas(document), identities: createIdentities() };
  const parts = { target, manner, client, pace, ledger, redaction, knowledge, userAgent, signal };
  const generators = createGenerators(document, target);
  return { ...provided, generators, conversation: createConversation(parts), ledger, pace, redaction, client, signal };
};

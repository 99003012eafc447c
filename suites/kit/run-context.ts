import { createGenerators, type Generators } from "../../generators/index.ts";
import { createClient, type Client } from "../../harness/transport/client.ts";
import { createSender, type Sender } from "../../harness/sender.ts";
import { listRequest, sessionOrigin } from "../../harness/session/session.ts";
import { isSuccess, type Exchange } from "../../model/exchange.ts";
import { secretsOf } from "../../model/target.ts";
import type { Evidence } from "../../model/evidence.ts";
import { createIdentities } from "../../harness/judging/identities.ts";
import { createHarRecording } from "../../harness/recording/har-recording.ts";
import { createRecorder, type Recorder } from "../../harness/recording/recorder.ts";
import { createScheduler, type Scheduler } from "../../harness/transport/scheduler.ts";
import type { WorkerInput } from "../../harness/worker-input.ts";
import { createRedaction, type Redaction } from "../../harness/recording/redaction.ts";
import { requestsOf } from "../../harness/transport/request-bounds.ts";
import type { ResponseSchemas } from "../../harness/judging/response-schemas.ts";
import type { ContractDocument } from "../../spec/contract.ts";
import { createBadCredentials, type BadCredentials } from "./credentials/bad-credentials.ts";
import { createProbes, type Probes } from "./observing.ts";
import { createTargetKnowledge, type TargetKnowledge } from "./target-knowledge.ts";

/** Everything that all scenarios of a run share: one pool, one session, one scheduler, one recorder. */
export interface RunContext extends WorkerInput {
  readonly generators: Generators;
  readonly sender: Sender;
  readonly recorder: Recorder;
  readonly scheduler: Scheduler;
  readonly redaction: Redaction;
  readonly client: Client;
  readonly signal: AbortSignal;
  readonly knowledge: TargetKnowledge;
  readonly probes: Probes;
  readonly badCredentials: BadCredentials;
}

/** The contract, and what judges responses by it. */
export interface Contract {
  readonly document: ContractDocument;
  readonly schemas: ResponseSchemas;
}

/** `emit` takes the evidence of the run, `signal` ends it. */
export const createRunContext = (
  input: WorkerInput,
  { document, schemas }: Contract,
  emit: (evidence: readonly Evidence[]) => void,
  signal: AbortSignal,
): RunContext => {
  const { target, settings, userAgent, tokens } = input;
  const secrets = secretsOf(target);
  const recording =
    settings.record === true ? createHarRecording((entry) => emit([{ type: "recorded", entry }]), secrets) : undefined;
  const plain = createRedaction((value) => emit([{ type: "secret", value }]), secrets);
  const redaction = recording?.learning(plain) ?? plain;
  for (const token of tokens) redaction.add(token, "token");
  const recorder = createRecorder(emit, redaction, target);
  const scheduler = createScheduler(settings.concurrency, settings.rate ?? Infinity, signal);
  const client = createClient(target, {
    connections: settings.concurrency,
    timeout: settings.timeout,
    maxBody: settings.maxBody,
    signal,
    only: requestsOf(settings.profile),
  });
  const known = createTargetKnowledge();
  const probes = createProbes();
  const judged = { schemas, identities: createIdentities(), grace: settings.grace };
  const learn = (exchange: Exchange): void => {
    probes.learn(exchange);
    known.responded(exchange);
  };
  const parts = { target, settings, client, scheduler, recorder, redaction, userAgent, signal, recording };
  const sender = createSender({ ...parts, knowledge: judged, lag: () => known.lag, learn });
  return {
    ...input,
    generators: createGenerators(document, target),
    sender,
    recorder,
    scheduler,
    redaction,
    client,
    signal,
    knowledge: known,
    probes,
    badCredentials: createBadCredentials({
      signs: sender.lockOutSigns,
      control: () => sender.send(listRequest, sessionOrigin).then(isSuccess, () => false),
      most: settings.concurrency,
    }),
  };
};

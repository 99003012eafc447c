import { createServer, type AddressInfo, type Socket } from "node:net";
import { exemptionOf, createJudging } from "../../harness/judging/rules/index.ts";
import type { Judgement } from "../../model/finding.ts";
import { createClient, type Sent } from "../../harness/transport/client.ts";
import type { Evidence } from "../../model/evidence.ts";
import {
  isSuccess,
  jsonOf,
  memberOf,
  messageOf,
  valid,
  type RequestSpec,
  type Exchange,
  isUsableToken,
} from "../../model/exchange.ts";
import { createIdentities } from "../../harness/judging/identities.ts";
import { createRecorder, type Recorder } from "../../harness/recording/recorder.ts";
import { standingObservations } from "../../harness/judging/standing-observations.ts";
import { createRedaction, type Redaction } from "../../harness/recording/redaction.ts";
import type { Target } from "../../model/target.ts";
import { schemas } from "../../harness/testing/contract.ts";
import { sound } from "../../model/testing/exchanges.ts";
import { target as usual } from "../../model/testing/target.ts";
import { isThrottling, waitOf } from "../../harness/transport/throttling.ts";
import { httpRequestOf } from "../../harness/transport/http-request.ts";
import { goodAnswers } from "./answers.ts";
import { diceOf, mutated, type Dice } from "./mutation.ts";

/** What to send, and for how long. */
export interface Fuzzing {
  readonly seed: number;
  /** The first case. @defaultValue 0 */
  readonly from?: number;
  /** True if another case should follow. */
  readonly more: (cases: number) => boolean;
  /** Called with each finding immediately, so that an interruption loses none. */
  readonly onFinding?: (text: string) => void;
}

/** The result. */
export interface Fuzzed {
  readonly cases: number;
  /** The number of cases for each outcome: a response, or a kind of failure. */
  readonly outcomes: Readonly<Record<string, number>>;
  /** What must not happen, with the case that shows it. */
  readonly findings: readonly string[];
}

const timeout = 250;
const atOnce = 8;

/** Sends mutated responses to the client, and passes the exchanges to the checks and the recorder. */
export const fuzz = async ({ seed, from = 0, more, onFinding }: Fuzzing): Promise<Fuzzed> => {
  const outcomes: Record<string, number> = {};
  const findings: string[] = [];
  const server = await servingCases(seed);
  const judge = createJudge(server.target);
  let next = from;
  const worker = async (): Promise<void> => {
    while (more(next - from)) {
      const index = next++;
      const { operation } = caseOf(seed, index);
      const spec: RequestSpec = { operation, intent: valid, path: { customer_id: "c", operation_id: `case-${index}` } };
      try {
        const outcome = await judge({ ...spec, query: `?case=${index}`, ...bodyOf(spec) });
        outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      } catch (error) {
        const text = error instanceof Error ? (error.stack ?? error.message) : String(error);
        findings.push(`seed ${seed}, case ${index}, ${operation}: ${text}`);
        onFinding?.(findings.at(-1) ?? "");
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, worker));
  await judge.close();
  await server.close();
  return { cases: next - from, outcomes, findings };
};

interface Case {
  readonly operation: RequestSpec["operation"];
  readonly bytes: Buffer;
  readonly dice: Dice;
}

const caseOf = (seed: number, index: number): Case => {
  const dice = diceOf(seed, index);
  const answer = goodAnswers[dice(goodAnswers.length)];
  const other = goodAnswers[dice(goodAnswers.length)];
  if (answer === undefined || other === undefined) throw new Error("there are no good answers");
  return { operation: answer.operation, bytes: mutated(answer.bytes, other.bytes, dice), dice };
};

const bodyOf = ({ operation }: RequestSpec): Pick<RequestSpec, "body"> => {
  const { sent } = sound[operation];
  return sent === undefined ? {} : { body: sent };
};

/** A TCP server that answers each request with the bytes of its case, at once or in pieces. */
const servingCases = async (seed: number): Promise<{ target: Target; close: () => Promise<void> }> => {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy()).on("close", () => sockets.delete(socket));
    socket.on("data", (request: Buffer) => {
      const index = Number(/\?case=(\d+)/.exec(request.toString("latin1"))?.[1]);
      if (Number.isNaN(index)) return;
      const { bytes, dice } = caseOf(seed, index);
      const cut = dice(4) === 0 ? dice(bytes.length + 1) : bytes.length;
      socket.write(bytes.subarray(0, cut));
      const staysOpen = dice(40) === 0;
      setImmediate(() => {
        if (socket.destroyed) return;
        if (cut < bytes.length) socket.write(bytes.subarray(cut));
        if (!staysOpen) socket.end();
      });
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const { port } = server.address() as AddressInfo;
  const target = { ...usual, baseUrl: `http://127.0.0.1:${port}`, apiKey: "fuzz-key-0123456789", customerId: "c" };
  return {
    target,
    close: async () => {
      const closed = new Promise((resolve) => server.close(resolve));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
};

interface Judge {
  (spec: RequestSpec): Promise<string>;
  readonly close: () => Promise<void>;
}

/** Sends, judges and records as a run does. Throws if the result is one that must not happen. */
const createJudge = (target: Target): Judge => {
  const client = createClient(target, {
    connections: atOnce,
    timeout,
    maxBody: 100_000,
    signal: new AbortController().signal,
  });
  const redaction = createRedaction();
  const emit = (evidence: readonly Evidence[]): void => void structuredClone(evidence);
  let serial = 0;
  const clock = createClock();
  // Replaced from time to time, so that it holds no more than that of a usual run.
  let recorder = createRecorder(emit, redaction);
  let rules = createJudging({ schemas, identities: createIdentities(), grace: 5000 });

  const judge = async (spec: RequestSpec): Promise<string> => {
    serial += 1;
    if (serial % 1000 === 0) {
      recorder.flush();
      recorder = createRecorder(emit, redaction);
      rules = createJudging({ schemas, identities: createIdentities(), grace: 5000 });
    }
    const { request, sent } = httpRequestOf(spec, target, { token: "token-0123456789", userAgent: "fuzzing", serial });
    const began = clock.lived();
    const result = await client.send(request, { fresh: serial % 3 === 0 });
    mustBe(clock.lived() - began < timeout + 5000, "it took longer than the time-out and five seconds");
    if (result.failure !== undefined) return failureKind(result);
    const { response } = result;
    const { operation, intent } = spec;
    const exchange: Exchange = {
      id: serial,
      operation,
      intent,
      scenario: "fuzzing",
      request: sent,
      response,
      at: 0,
      json: jsonOf(response),
      exemptBy: exemptionOf({ operation, request: sent, response }),
    };
    rules.learn(exchange);
    examine(exchange, rules.judge(exchange), recorder, redaction);
    return response.defect === undefined ? `${Math.floor(response.status / 100)}xx` : response.defect.kind;
  };

  return Object.assign(judge, {
    close: async () => {
      clock.stop();
      recorder.flush();
      await client.close();
    },
  });
};

/** Records an exchange with what was judged of it, and throws if a text is missing. */
const examine = (
  exchange: Exchange,
  judgements: readonly Judgement[],
  recorder: Recorder,
  redaction: Redaction,
): void => {
  mustBe(judgements.length > 0, "no check had anything to say");
  for (const { violation } of judgements) {
    if (violation === undefined) continue;
    for (const text of [violation.message, violation.expected, violation.actual]) mustBe(text !== "", "empty words");
  }
  recorder.record(exchange, { id: "fuzzing", name: "fuzzing" }, judgements);
  for (const { question, case: inCase, answer } of standingObservations(exchange))
    recorder.observe(question, inCase, answer);
  mustBe(typeof messageOf(exchange) === "string", "no words for the answer");
  if (isThrottling(exchange.response))
    mustBe(waitOf(exchange.response, Date.now()) >= 0, "a wait of less than nothing");
  const token = exchange.operation === "createToken" ? memberOf(exchange.json, "token") : undefined;
  if (isSuccess(exchange) && isUsableToken(token)) redaction.add(token, "token");
};

/** Counts milliseconds while this process runs. Time in which the machine runs others says nothing about the client. */
const createClock = (): { readonly lived: () => number; readonly stop: () => void } => {
  const tick = 50;
  let lived = 0;
  const timer = setInterval(() => (lived += tick), tick);
  return { lived: () => lived, stop: () => clearInterval(timer) };
};

const failureKind = ({ failure }: Sent): string => {
  mustBe(failure !== undefined && failure.message !== "", "a failure without words");
  return failure?.kind ?? "";
};

function mustBe(held: boolean, otherwise: string): void {
  if (!held) throw new Error(otherwise);
}

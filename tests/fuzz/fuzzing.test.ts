import { createServer } from "node:net";
import * as fc from "fast-check";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createExemptions } from "../../harness/judging/rules/exemptions.ts";
import { createJudging } from "../../harness/judging/judge.ts";
import { createKnownIds } from "../../harness/judging/known-ids.ts";
import { standingObservations } from "../../harness/judging/observations.ts";
import { createRecorder } from "../../model/evidence/recorder.ts";
import { createRedaction } from "../../model/evidence/redaction.ts";
import { schemas } from "../../harness/testing/contract.ts";
import { createClient } from "../../harness/sending/client.ts";
import { httpRequestOf, isThrottling, waitOf } from "../../harness/sending/attempt.ts";
import {
  isSuccess,
  isUsableToken,
  jsonOf,
  messageOf,
  type Exchange,
} from "../../model/exchange.ts";
import { memberOf } from "../../spec/json.ts";
import { valid } from "../../model/request.ts";
import { sound } from "../../model/testing/exchanges.ts";
import { windowed } from "../../suites/run/concurrency.ts";
import { listening } from "../../model/testing/listening.ts";
import { target as usual } from "../../model/testing/target.ts";
import { brokenResponse, type BrokenResponse } from "./responses.ts";

const minutes = Number(process.env["FXCONFORM_FUZZ_MINUTES"] ?? 0);
const seed = Number(process.env["FXCONFORM_FUZZ_SEED"] ?? 1);
const atOnce = 8;
const responses = fc.array(brokenResponse, { minLength: 1, maxLength: 400, size: "max" });

const printed = vi.fn<(...said: readonly unknown[]) => void>();
beforeEach(() => {
  for (const method of ["log", "info", "warn", "error", "debug"] as const)
    vi.spyOn(console, method).mockImplementation(printed);
  process.on("warning", printed);
});
afterEach(() => {
  process.off("warning", printed);
  vi.restoreAllMocks();
});

/**
 * Starts a TCP server that answers a request for `?case=3` with the bytes of case 3. Returns its
 * address.
 */
async function serving(cases: readonly BrokenResponse[]): Promise<string> {
  const server = createServer((socket) => {
    socket.on("data", (request: Buffer) => {
      const one = cases[Number(/\?case=(\d+)/.exec(request.toString("latin1"))?.[1])];
      if (one === undefined) return;
      socket.write(one.bytes.subarray(0, one.cut));
      setImmediate(() => {
        if (socket.destroyed) return;
        socket.write(one.bytes.subarray(one.cut));
        if (!one.staysOpen) socket.end();
      });
    });
  });
  return `http://127.0.0.1:${await listening(server)}`;
}

/** Sends, judges and records as a run does. Throws if the result must not happen. */
function createJudge(baseUrl: string) {
  const target = { ...usual, baseUrl, apiKey: "fuzz-key-0123456789", customerId: "c" };
  const bounds = {
    connections: atOnce,
    timeout: 250,
    maxBody: 100_000,
    signal: new AbortController().signal,
  };
  const client = createClient(target, bounds);
  const redaction = createRedaction();
  const recorder = createRecorder({
    redaction,
    replayCommand: "",
  });
  const rules = createJudging({ schemas, ids: createKnownIds(), grace: 5000 });

  const judge = async ({ operation }: BrokenResponse, serial: number): Promise<string> => {
    const { sent: body } = sound[operation];
    const path = { customer_id: "c", operation_id: `case-${serial}` };
    const spec = { operation, intent: valid, path, query: `?case=${serial}`, body };
    const signature = { token: "token-0123456789", userAgent: "fuzzing", serial };
    const { request, sent } = httpRequestOf(spec, target, signature);
    const { failure, response } = await client.send(request, { isFresh: serial % 3 === 0 });
    if (failure !== undefined) {
      expect(failure.message).not.toBe("");
      return failure.kind;
    }
    const seen = { operation, intent: valid, request: sent, response };
    const exemptBy = createExemptions().of({
      ...seen,
      path: Object.values(path),
      statesRefusal: false,
    });
    const exchange: Exchange = {
      ...seen,
      id: serial,
      scenario: "fuzzing",
      at: 0,
      json: jsonOf(response),
      exemptBy,
    };
    rules.learn(exchange);
    const judgements = rules.judge(exchange);
    expect(judgements).not.toEqual([]);
    for (const { violation } of judgements)
      if (violation !== undefined)
        expect([violation.message, violation.expected, violation.actual]).not.toContain("");
    recorder.record(exchange, { id: "fuzzing", name: "fuzzing" }, judgements);
    for (const { question, case: inCase, answer } of standingObservations(exchange))
      recorder.observe(question, inCase, answer);
    expect(messageOf(exchange)).toEqual(expect.any(String));
    if (isThrottling(response)) expect(waitOf(response, Date.now())).toBeGreaterThanOrEqual(0);
    const token = operation === "createToken" ? memberOf(exchange.json, "token") : undefined;
    if (isSuccess(exchange) && isUsableToken(token)) redaction.add(token, "token");
    return response.defect?.kind ?? `${Math.floor(response.status / 100)}xx`;
  };
  const { close } = client;
  return { judge, close };
}

test(
  "whatever bytes come back, the client and the checks have a word for them",
  async () => {
    const met = new Set<string>();
    const cases: BrokenResponse[] = [];
    const baseUrl = await serving(cases);
    const property = fc.asyncProperty(responses, async (all) => {
      cases.splice(0, cases.length, ...all);
      const { judge, close } = createJudge(baseUrl);
      try {
        await windowed(all, atOnce, async (one, serial) => void met.add(await judge(one, serial)));
      } finally {
        await close();
      }
    });
    const long = { numRuns: 1_000_000, interruptAfterTimeLimit: minutes * 60_000 };
    await fc.assert(property, { seed, ...(minutes > 0 ? long : { numRuns: 6 }) });
    expect(printed.mock.calls).toEqual([]);
    // The drawn mistakes lead to every kind of outcome.
    expect([...met]).toEqual(
      expect.arrayContaining(["2xx", "4xx", "protocol", "cut", "coding", "timeout"]),
    );
  },
  Math.max(120_000, minutes * 60_000 + 60_000),
);

import { expect, test } from "vitest";
import type { SentRequest } from "./exchange.ts";
import { createHarRecording, type HarEntry } from "./har.ts";
import { responseOf } from "./testing/exchanges.ts";
import { createRedaction } from "./evidence/redaction.ts";

const key = "key-0123456789abcdef";
const token = "token-of-this-run-000001";

function sent(over: Partial<SentRequest> = {}): SentRequest {
  return {
    method: "POST",
    url: "https://fx.test/auth/token",
    headers: [],
    body: undefined,
    json: undefined,
    ...over,
  };
}

function recorded() {
  const entries: HarEntry[] = [];
  const known = [{ value: key, label: "API key", kind: "key" }] as const;
  const redaction = createRedaction(undefined, known);
  const recording = createHarRecording(
    (entry) => entries.push(JSON.parse(entry) as HarEntry),
    redaction,
  );
  return { entries, recording, redaction };
}

test("key and token are pseudonyms from the exchange on that shows them", () => {
  const { entries, recording } = recorded();
  recording.record({
    sent: sent({ headers: [["x-api-key", key]] }),
    startedAt: 0,
    response: responseOf({ json: { token } }),
  });
  recording.record({
    sent: sent({
      method: "GET",
      url: "https://fx.test/batches",
      headers: [["Authorization", `Bearer ${token}`]],
    }),
    startedAt: 5,
    response: responseOf({ status: 400, json: { message: Buffer.from(token).toString("base64") } }),
  });
  expect(JSON.stringify(entries)).not.toContain(token);
  expect(entries.map(({ request }) => request.headers.map(({ value }) => value))).toEqual([
    ["[key 1]"],
    ["Bearer [token 1]"],
  ]);
  expect(entries.map(({ response: { content } }) => content.text)).toEqual([
    '{"token":"[token 1]"}',
    '{"message":"[token 1]"}',
  ]);
});

test("no response has the status 0, and a body that is too long is left out with its size", () => {
  const { entries, recording } = recorded();
  recording.record({
    sent: sent(),
    startedAt: 0,
    failure: { kind: "dropped", message: "other side closed", took: 4 },
  });
  recording.record({
    sent: sent(),
    startedAt: 0,
    response: responseOf({ body: Buffer.alloc(9 * 2 ** 20, " ") }),
  });
  expect(entries[0]).toMatchObject({
    time: 4,
    response: { status: 0 },
    _error: "other side closed",
  });
  expect(entries[1]?.response.content).toEqual({ size: 9 * 2 ** 20, mimeType: "application/json" });
});

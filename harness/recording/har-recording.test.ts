import { expect, test } from "vitest";
import type { ReceivedResponse, SentRequest } from "../../model/exchange.ts";
import type { HarEntry } from "../../model/har.ts";
import { createHarRecording } from "./har-recording.ts";
import { asHeaderWords, createRedaction } from "./redaction.ts";

const key = "key-0123456789abcdef";
const token = "token-of-this-run-000001";

const sent = (over: Partial<SentRequest> = {}): SentRequest => ({
  method: "POST",
  url: "https://fx.test/auth/token",
  headers: [],
  body: undefined,
  json: undefined,
  ...over,
});

const response = (body: string | Uint8Array, over: Partial<ReceivedResponse> = {}): ReceivedResponse => ({
  status: 200,
  statusText: "OK",
  headers: [["Content-Type", "application/json"]],
  body: typeof body === "string" ? Buffer.from(body) : body,
  waited: 2,
  took: 3,
  ...over,
});

const dropped = { startedAt: 0, failure: { message: "dropped", took: 1 } };

const recorded = () => {
  const entries: HarEntry[] = [];
  const known = [{ value: key, label: "API key", kind: "key" }] as const;
  const recording = createHarRecording((entry) => entries.push(JSON.parse(entry) as HarEntry), known);
  const redaction = recording.learning(createRedaction(undefined, known));
  return { entries, recording, redaction };
};

test("key and token are pseudonyms from the exchange on that shows them", () => {
  const { entries, recording } = recorded();
  recording.record({
    sent: sent({ headers: [["x-api-key", key]] }),
    startedAt: 0,
    response: response(`{"token":"${token}"}`),
  });
  recording.record({
    sent: sent({ method: "GET", url: "https://fx.test/batches", headers: [["Authorization", `Bearer ${token}`]] }),
    startedAt: 5,
    response: response(`{"message":"${Buffer.from(token).toString("base64")}"}`, { status: 400 }),
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

test("equal secrets share a name and others do not", () => {
  const { entries, recording, redaction } = recorded();
  for (const value of [token, `${token}x`, token]) {
    redaction.add(value, "token");
    recording.record({ ...dropped, sent: sent({ headers: [["Authorization", `Bearer ${value}`]] }) });
  }
  const values = entries.map(({ request }) => request.headers[0]?.value);
  expect(values).toEqual(["Bearer [token 1]", "Bearer [token 2]", "Bearer [token 1]"]);
});

test("a key that was made of the right one has the name of a key", () => {
  const { entries, recording, redaction } = recorded();
  redaction.add(`${key}x`, "key: with a tail", "key");
  recording.record({ ...dropped, sent: sent({ headers: [["x-api-key", `${key}x`]] }) });
  expect(entries[0]?.request.headers[0]?.value).toBe("[key 2]");
});

test("the name of a token that no header can carry cannot be carried either", () => {
  const { entries, recording } = recorded();
  for (const value of [token, "two words and more"])
    recording.record({ sent: sent(), startedAt: 0, response: response(JSON.stringify({ token: value })) });
  const shown = entries.map(({ response: { content } }) => asHeaderWords(content.text ?? ""));
  expect(shown).toEqual(['{"token":"token-1"}', '{"token":"[unusable token 1]"}']);
});

test("bytes that are not UTF-8 are kept in base64, without the secrets in them", () => {
  const { entries, recording } = recorded();
  const bytes = Buffer.concat([Buffer.from([0xff, 0x22]), Buffer.from(key)]);
  recording.record({ sent: sent({ body: bytes }), startedAt: 0, response: response(bytes) });
  const [entry] = entries;
  expect(entry?.response.content.encoding).toBe("base64");
  for (const text of [entry?.response.content.text, entry?.request.postData?.text])
    expect(Buffer.from(text ?? "", "base64").toString("latin1")).toBe('ÿ"[key 1]');
});

test("no response has the status 0, and a body that is too long is left out with its size", () => {
  const { entries, recording } = recorded();
  recording.record({ sent: sent(), startedAt: 0, failure: { message: "other side closed", took: 4 } });
  recording.record({ sent: sent(), startedAt: 0, response: response(Buffer.alloc(9 * 2 ** 20, " ")) });
  expect(entries[0]).toMatchObject({ time: 4, response: { status: 0 }, _error: "other side closed" });
  expect(entries[1]?.response.content).toEqual({ size: 9 * 2 ** 20, mimeType: "application/json" });
});

import { expect, test } from "vitest";
import type { Sent } from "../../model/exchange.ts";
import { invalid, valid, type RequestSpec } from "../../model/request.ts";
import { settings, target } from "../../model/testing/target.ts";
import { createRecorder } from "../../model/evidence/recorder.ts";
import { createRedaction } from "../../model/evidence/redaction.ts";
import {
  createAttempts,
  createBounds,
  createSerials,
  isBadCredential,
  mostRequests,
} from "./attempt.ts";
import type { HttpRequest } from "./client.ts";

const list: RequestSpec = { operation: "listBatches", intent: valid };
const bad = invalid("with a bad credential");

test.each<[string, RequestSpec, boolean]>([
  ["the session's token", list, false],
  ["an older token that is good", { ...list, authorization: "Bearer older" }, false],
  ["no token", { ...list, intent: bad, authorization: null }, true],
  ["no key", { operation: "createToken", intent: bad, apiKey: null }, true],
  [
    "a broken body",
    { operation: "createBatch", intent: invalid("with a broken body"), body: {} },
    false,
  ],
])("%s", (_, spec, wanted) => {
  expect(isBadCredential(spec)).toBe(wanted);
});

test("counts bad credentials alone, and ends at the bound", () => {
  const { take } = createBounds({ ...settings, maxBadCredentials: 2 });
  const spec = { ...list, intent: bad, authorization: null };
  for (const one of [spec, list, spec, list, list]) take(one, "ordinary");
  for (const _ of [1, 2])
    expect(() => take(spec, "credentials")).toThrow(/--max-bad-credentials allows 2/);
  expect(() => createBounds(settings).take(spec, "credentials")).not.toThrow();
});

test("a run sends no more requests than it announced, whatever they are", () => {
  const { take } = createBounds({ ...settings, runs: 25 });
  for (let nth = 0; nth < 1500; nth += 1) take(list, "ordinary");
  const said = "not sent: this run has sent as many requests as it announced at most (1500)";
  expect(() => take(list, "ordinary")).toThrow(said);
  expect(() => take({ operation: "createToken", intent: valid }, "ordinary")).toThrow(said);
  expect(mostRequests({ runs: 1 })).toBe(1500);
  expect(mostRequests({ runs: 100 })).toBe(2100);
});

test.each<[number, RequestSpec["intent"], boolean]>([
  [400, valid, true],
  [500, valid, true],
  [201, valid, true],
  [408, valid, false],
  [409, valid, false],
  [422, bad, false],
  [500, bad, true],
  [201, bad, true],
])(
  "a creation that gets %i counts if it was to succeed or may exist: %o",
  (status, intent, counts) => {
    const spec: RequestSpec = { operation: "createBatch", intent };
    const { take, giveBack, isSpent } = createBounds({
      ...settings,
      runs: -100,
      selection: ["BATCH-01"],
    });
    expect(isSpent("proof")).toBe(false);
    const response = {
      status,
      statusText: "",
      headers: [],
      body: new Uint8Array(),
      waited: 0,
      took: 0,
    };
    for (let nth = 0; nth < 40; nth += 1) {
      take(spec, "proof");
      giveBack(spec, "proof", response);
    }
    expect(isSpent("proof")).toBe(counts);
  },
);

test("with the profile smoke, only a token and the list are requested: anything else is an internal error", async () => {
  const sent: string[] = [];
  const send = async ({ method, path }: HttpRequest): Promise<Sent> => {
    sent.push(`${method} ${path}`);
    return { failure: { kind: "dropped", message: "", took: 0 } };
  };
  const client = { send, close: async () => undefined };
  const recorder = createRecorder({
    redaction: createRedaction(),
    replayCommand: "",
  });
  const smoke = { ...settings, profile: "smoke" } as const;
  const attempts = createAttempts({
    target,
    settings: smoke,
    client,
    recorder,
    userAgent: "",
    nextSerial: createSerials(),
  });
  const how = { isFresh: false, isAlone: false, timeout: 1000 };
  await attempts.send({ operation: "createToken", intent: valid }, how);
  await attempts.send({ ...list, query: "?limit=1" }, how);
  for (const spec of [
    { ...list, operation: "createBatch" },
    { ...list, method: "DELETE" },
  ] as const) {
    await expect(attempts.send(spec, how)).rejects.toThrow("the profile smoke does not allow");
    await expect(attempts.send(spec, { ...how, isPlain: true })).rejects.toThrow(
      "the profile smoke does not allow",
    );
  }
  expect(sent).toEqual(["POST /api/auth/token", "GET /api/batches?limit=1"]);
});

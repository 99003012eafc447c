import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { mostCreations } from "./delivery.ts";
import { invalid, unusual, valid, type RequestSpec, type Intent } from "../../model/exchange.ts";
import type { Origin } from "../recording/recorder.ts";
import { conversationWith, inTime, type Seen } from "../testing/sender.ts";
import { settings } from "../testing/target.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] }));
afterEach(() => void vi.useRealTimers());

const origin: Origin = { name: "test", requirements: ["OPER-02"] };
const create: RequestSpec = { operation: "createBatch", intent: valid, body: { currency_pair: "USDBRL" } };
const list: RequestSpec = { operation: "listBatches", intent: valid };
const token: RequestSpec = { operation: "createToken", intent: valid };

const isBatch = ({ operation }: Seen): boolean => operation === "createBatch";

describe("a dropped connection (ruling 4)", () => {
  test("is asked again on a fresh one, and is no fault", async () => {
    const talk = conversationWith((seen) => (isBatch(seen) && seen.nth === 1 ? "dropped" : undefined));
    await inTime(talk.sender.ask(create, origin));
    expect(talk.seen.filter(isBatch).map(({ fresh }) => fresh)).toEqual([false, true]);
    expect(talk.broken()).not.toContain("HTTP-05");
    expect(talk.held("HTTP-05")).toBe(2);
  });

  test("twice is asked a third time, alone", async () => {
    const talk = conversationWith((seen) => (isBatch(seen) && seen.nth <= 2 ? "dropped" : undefined));
    await inTime(talk.sender.ask(create, origin));
    expect(talk.seen.filter(isBatch).map(({ fresh }) => fresh)).toEqual([false, true, true]);
    expect(talk.broken()).not.toContain("HTTP-05");
  });

  test("now and then is chance, though it comes three times in a row", async () => {
    const talk = conversationWith((seen) => (isBatch(seen) && seen.nth <= 4 ? "dropped" : undefined));
    await inTime(talk.sender.ask(create, origin));
    expect(talk.seen.filter(isBatch).map(({ fresh }) => fresh)).toEqual([false, true, true, true, true]);
    expect(talk.broken()).not.toContain("HTTP-05");
  });

  test.each([
    [valid, /to a valid request/],
    [unusual("long name"), /to an? unusual request/],
    [invalid("without currency_pair"), /to a request without currency_pair/],
  ] as const)("alone too, while a control is answered, accuses: %j", async (intent: Intent, words) => {
    const talk = conversationWith((seen) => (isBatch(seen) ? "dropped" : undefined));
    await expect(inTime(talk.sender.ask({ ...create, intent }, origin))).rejects.toMatchObject({
      name: "Inconclusive",
      message: "POST /batches gave no response: dropped by script",
    });
    expect(talk.asked()).toEqual(["createToken", ...Array<string>(5).fill("createBatch token-1"), "createToken"]);
    expect(talk.evidence()).toContainEqual({
      type: "finding",
      finding: expect.objectContaining({
        requirement: "HTTP-05",
        message: expect.stringMatching(words),
        expected: "a response to every request",
        actual: "dropped by script; alone and on a fresh connection too, while another request was answered",
        operation: "createBatch",
        scenario: ["OPER-02"],
        curl: expect.stringContaining("https://fx.example:8443/api/batches"),
      }),
    });
  });

  test("the control of the token endpoint is the list", async () => {
    const talk = conversationWith((seen) => (seen.operation === "createToken" && seen.nth > 1 ? "dropped" : undefined));
    await inTime(talk.sender.ask(list, origin));
    await expect(inTime(talk.sender.ask(token, origin))).rejects.toThrow("POST /auth/token gave no response");
    expect(talk.asked().at(-1)).toBe("listBatches token-1");
    expect(talk.broken()).toEqual(["HTTP-05"]);
  });

  test("a control that is refused is a response, and issues no token", async () => {
    const talk = conversationWith((seen) =>
      isBatch(seen)
        ? "dropped"
        : seen.operation === "createToken" && seen.nth > 1
          ? { status: 403, json: { token: "no" } }
          : undefined,
    );
    await expect(inTime(talk.sender.ask(create, origin))).rejects.toThrow("gave no response");
    expect(talk.broken()).toEqual(["HTTP-05"]);
    expect(talk.sender.session.current()).toBe("token-1");
  });

  test("a token that a control was given is the current one, and a secret", async () => {
    const talk = conversationWith((seen) => (isBatch(seen) ? "dropped" : undefined));
    await expect(inTime(talk.sender.ask(create, origin))).rejects.toThrow("gave no response");
    expect(talk.sender.session.current()).toBe("token-2");
    expect(talk.redaction.redact("token-2")).toBe("[token]");
  });

  test("is looked into three times for an operation, then only told", async () => {
    const talk = conversationWith((seen) => (isBatch(seen) ? "dropped" : undefined));
    for (let i = 0; i < 5; i += 1)
      await expect(inTime(talk.sender.ask(create, origin))).rejects.toThrow("gave no response");
    expect(talk.seen.filter(isBatch)).toHaveLength(3 * 5 + 2 * 2);
    expect(talk.evidence()).toContainEqual({
      type: "occurrences",
      counts: { "HTTP-05 createBatch POST /batches gives no response to a valid request.": 3 },
    });
  });
});

describe("no response in time", () => {
  test("is asked again once, alone and on a fresh connection", async () => {
    const talk = conversationWith((seen) => (isBatch(seen) && seen.nth === 1 ? "timeout" : undefined));
    await inTime(talk.sender.ask(create, origin));
    expect(talk.seen.filter(isBatch).map(({ fresh }) => fresh)).toEqual([false, true]);
    expect(talk.broken()).not.toContain("HTTP-05");
    const failures = talk
      .evidence()
      .flatMap((one) => (one.type === "timeline" ? one.entries.filter(([, , , status]) => status === 0) : []));
    expect(failures).toHaveLength(1);
  });

  test("alone too, while a control is answered, accuses", async () => {
    const talk = conversationWith((seen) => (isBatch(seen) ? "timeout" : undefined));
    await expect(inTime(talk.sender.ask(create, origin))).rejects.toThrow("timeout by script");
    expect(talk.seen.filter(isBatch)).toHaveLength(2);
    expect(talk.broken()).toEqual(["HTTP-05"]);
  });
});

describe("a response cut short", () => {
  const cut = { body: "[", defect: { kind: "cut", text: "the body ended early" } } as const;

  test("is asked for again, and is no fault when whole", async () => {
    const talk = conversationWith((seen) =>
      isBatch(seen) && seen.nth === 1 ? { ...cut, status: 201 } : { status: 201 },
    );
    await inTime(talk.sender.ask(create, origin));
    expect(talk.seen.filter(isBatch).map(({ fresh }) => fresh)).toEqual([false, true]);
    expect(talk.broken()).toEqual([]);
  });

  test("twice is asked for once more, alone, and is no fault when whole", async () => {
    const talk = conversationWith((seen) =>
      isBatch(seen) && seen.nth <= 2 ? { ...cut, status: 201 } : { status: 201 },
    );
    await inTime(talk.sender.ask(create, origin));
    expect(talk.seen.filter(isBatch).map(({ fresh }) => fresh)).toEqual([false, true, true]);
    expect(talk.broken()).toEqual([]);
  });

  test("alone too, while a control is answered, is how this server answers", async () => {
    const talk = conversationWith((seen) => (isBatch(seen) ? { ...cut, status: 201 } : undefined));
    await inTime(talk.sender.ask(create, origin));
    expect(talk.asked()).toEqual(["createToken", ...Array<string>(3).fill("createBatch token-1"), "createToken"]);
    expect(talk.broken()).toEqual(["HTTP-02"]);
  });

  test("is looked into three times for an operation", async () => {
    const talk = conversationWith((seen) => (isBatch(seen) ? { ...cut, status: 201 } : undefined));
    for (let i = 0; i < 5; i += 1) await inTime(talk.sender.ask(create, origin));
    expect(talk.seen.filter(isBatch)).toHaveLength(3 * 3 + 2 * 2);
    expect(talk.broken()).toEqual(["HTTP-02"]);
  });

  test("of the token endpoint needs no control as long as there is no token", async () => {
    const talk = conversationWith((seen) => (seen.operation === "createToken" ? cut : undefined));
    await inTime(talk.sender.ask(token, origin));
    expect(talk.asked()).toEqual(Array<string>(3).fill("createToken"));
    expect(talk.broken()).toEqual(["HTTP-02"]);
  });

  test("of a target that dies accuses nobody", async () => {
    const dies = conversationWith((seen) =>
      isBatch(seen) && seen.nth <= 2 ? { ...cut, status: 201 } : seen.n > 1 ? "dropped" : undefined,
    );
    await expect(inTime(dies.sender.ask(create, origin))).rejects.toThrow("stopped answering");
    expect(dies.broken()).toEqual([]);
    const cuts = conversationWith((seen) =>
      isBatch(seen) ? { ...cut, status: 201 } : seen.n > 1 ? "dropped" : undefined,
    );
    await expect(inTime(cuts.sender.ask(create, origin))).rejects.toThrow(
      "POST /batches cut its response short, and the target answered nothing else meanwhile",
    );
    expect(cuts.broken()).toEqual([]);
  });
});

describe("a target that is silent as a whole", () => {
  test("is waited for, then given up, and no requirement fails", async () => {
    const talk = conversationWith(({ n }) => (n > 1 ? "dropped" : undefined));
    const words = /^the target stopped answering \d+ s into the run: dropped by script$/;
    await expect(inTime(talk.sender.ask(create, origin))).rejects.toThrow(words);
    expect(talk.broken()).toEqual([]);
    expect(talk.evidence()).toContainEqual({ type: "untestable", reason: expect.stringMatching(words) });
    expect(talk.evidence()).toContainEqual({
      type: "waiting",
      text: "the target does not response (dropped by script), waiting for it to come back",
    });
    const { length } = talk.seen;
    const before = performance.now();
    await expect(inTime(talk.sender.ask(list, origin))).rejects.toThrow(words);
    await expect(inTime(talk.sender.delivery.direct(list))).rejects.toThrow(words);
    expect(talk.seen).toHaveLength(length);
    expect(performance.now() - before).toBeLessThan(200);
  });

  test("is waited for as long as a time-out and a grace period, and asked ever more rarely", async () => {
    const talk = conversationWith(({ n }) => (n > 1 ? "dropped" : undefined), { timeout: 10_000, grace: 5000 });
    const before = performance.now();
    await expect(inTime(talk.sender.ask(create, origin))).rejects.toThrow("stopped answering");
    const took = performance.now() - before;
    expect(took).toBeGreaterThan(15_000);
    expect(took).toBeLessThan(18_000);
    expect(talk.seen.length).toBeLessThan(35);
  });

  test("and comes back is asked again", async () => {
    let back = Infinity;
    const talk = conversationWith(({ n }) => (n > 1 && performance.now() < back ? "dropped" : undefined));
    back = performance.now() + 900;
    const { response } = await inTime(talk.sender.ask(create, origin));
    expect(response.status).toBe(200);
    expect(talk.broken()).toEqual(["BATCH-03"]);
    expect(talk.evidence().filter(({ type }) => type === "untestable")).toEqual([]);
    await inTime(talk.sender.ask(list, origin));
  });

  test("and comes back without this response was in trouble", async () => {
    let back = Infinity;
    const talk = conversationWith((seen) =>
      seen.n > 1 && (isBatch(seen) || performance.now() < back) ? "dropped" : undefined,
    );
    back = performance.now() + 900;
    await expect(inTime(talk.sender.ask(create, origin))).rejects.toThrow(
      "the target was in trouble and did not response POST /batches: dropped by script",
    );
    expect(talk.broken()).toEqual([]);
    await inTime(talk.sender.ask(list, origin));
  });

  test("from the first token request on cannot be tested", async () => {
    const talk = conversationWith(() => "connect");
    await expect(inTime(talk.sender.ask(list, origin))).rejects.toThrow("connect by script");
    expect(talk.broken()).toEqual([]);
    expect(talk.evidence()).toContainEqual({
      type: "untestable",
      reason: expect.stringContaining("connect by script"),
    });
  });
});

describe("a run that is stopped", () => {
  test("asks nothing more", async () => {
    const talk = conversationWith(() => undefined);
    talk.stop.abort();
    await expect(talk.sender.ask(list, origin)).rejects.toThrow("the run was stopped before this was asked");
    await expect(talk.sender.delivery.deliver(list, origin)).rejects.toThrow(
      "the run was stopped before this was answered",
    );
    expect(talk.seen).toEqual([]);
  });

  test.each(["aborted", "dropped", "timeout"] as const)("accuses nobody of what was %s", async (kind) => {
    const talk = conversationWith((seen) => {
      if (!isBatch(seen)) return undefined;
      talk.stop.abort();
      return kind;
    });
    await expect(inTime(talk.sender.ask(create, origin))).rejects.toThrow(
      "the run was stopped before this was answered",
    );
    expect(talk.broken()).toEqual([]);
  });

  test("while it waits for the target ends at once", async () => {
    const talk = conversationWith(({ n }) => {
      if (n === 6) talk.stop.abort();
      return n > 1 ? "dropped" : undefined;
    });
    await expect(inTime(talk.sender.ask(create, origin))).rejects.toThrow("the run was stopped");
    expect(talk.evidence().filter(({ type }) => type === "untestable")).toEqual([]);
  });
});

describe("what a run may create", () => {
  test.each([
    [{ ...settings, profile: "smoke" as const }, 0],
    [{ ...settings, runs: 25 }, 650],
    [{ ...settings, runs: 100 }, 1400],
  ])("%#", (settings, wanted) => {
    expect(mostCreations(settings)).toBe(wanted);
  });

  test("is kept to: what is refused does not count, what fails does", async () => {
    const talk = conversationWith(
      (seen) => (isBatch(seen) && seen.nth <= 10 ? { status: 422, json: { message: "no" } } : { status: 201 }),
      { runs: -39 },
    );
    for (let i = 0; i < 20; i += 1) await inTime(talk.sender.ask(create, origin));
    await expect(inTime(talk.sender.ask(create, origin))).rejects.toThrow(
      "this run has created as much as it announced (10); raise --runs or select less",
    );
    await inTime(talk.sender.ask(list, origin));
    expect(talk.seen.filter(isBatch)).toHaveLength(20);
  });

  test("is for the client to refuse in smoke", async () => {
    const talk = conversationWith(() => undefined, { profile: "smoke" });
    await inTime(talk.sender.ask(create, origin));
    expect(talk.asked()).toEqual(["createToken", "createBatch token-1"]);
  });
});

describe("past the rateLimiter", () => {
  test("direct: one try, with the session's token", async () => {
    const talk = conversationWith(({ n }) => (n === 3 ? "dropped" : undefined));
    await inTime(talk.sender.ask(list, origin));
    await expect(inTime(talk.sender.delivery.direct(list))).rejects.toThrow(
      "GET /batches gave no response: dropped by script",
    );
    const { response, at, sent } = await inTime(talk.sender.delivery.direct(list));
    expect([response.status, sent.method, at > 0]).toEqual([200, "GET", true]);
    expect(talk.sender.delivery.requests()).toBe(4);
  });

  test("plain: as it is, unjudged", async () => {
    const talk = conversationWith(({ plain }) => (plain ? "connect" : undefined));
    const { failure } = await inTime(talk.sender.delivery.deliverPlain(list));
    expect(failure?.kind).toBe("connect");
    expect(talk.seen.map(({ plain }) => plain)).toEqual([true]);
    expect(talk.sender.delivery.requests()).toBe(1);
    expect(talk.evidence()).toEqual([]);
  });
});

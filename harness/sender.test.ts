import { describe, expect, test, vi } from "vitest";
import { fieldOf, invalid, unusual, valid, type RequestSpec } from "../model/exchange.ts";
import { longestToken } from "../model/token.ts";
import { senderWith, inTime, type Seen, create, list, token, origin, useFakeTime } from "./testing/sender.ts";

useFakeTime();

const no = (status: number, ...headers: readonly (readonly [string, string])[]) => ({
  status,
  json: { message: "no" },
  headers,
});
/** What is observed of limits, without the answer. */
const limit = { type: "observation", question: "OPEN-27", case: "any request", count: 1 } as const;
const isToken = ({ operation }: Seen): boolean => operation === "createToken";

describe("a response", () => {
  test("is judged and recorded", async () => {
    const scripted = senderWith(() => undefined);
    const exchange = await scripted.send(create);
    expect(exchange).toMatchObject({ id: 2, operation: "createBatch", scenario: "test" });
    expect(exchange.json).toMatchObject({ id: "b-1" });
    expect(scripted.sender.violationsOf(exchange).map(({ requirement }) => requirement)).toEqual(["BATCH-03"]);
    expect(scripted.sender.specOf(exchange)).toBe(create);
    expect(scripted.evidence()).toEqual(
      expect.arrayContaining([
        { type: "succeeded", operation: "createToken" },
        { type: "succeeded", operation: "createBatch" },
        { type: "created", kind: "batch", id: "b-1" },
        { type: "observation", question: "OPEN-12", case: "a success", answer: "200", count: 1 },
      ]),
    );
    expect(["AUTH-01", "HTTP-05", "AUTH-04", "BATCH-01"].map(scripted.held)).toEqual([1, 2, 1, 1]);
  });

  test("says of each requirement and place one thing", async () => {
    const scripted = senderWith((seen) =>
      isToken(seen) ? undefined : { json: { operation_id: 7, status: 7, batch_id: 7 } },
    );
    const exchange = await scripted.send({ operation: "createOperation", intent: valid, body: {} });
    const places = scripted.sender
      .violationsOf(exchange)
      .map(({ requirement, violation }) => `${requirement} ${violation?.pointer}`);
    expect(places.sort()).toEqual(["OPER-02 /status", "OPER-03 /batch_id", "OPER-05 /operation_id"]);
    expect(scripted.held("OPER-05")).toBe(1);
  });

  test("of an ACAM item names the operation that it was added to", async () => {
    const scripted = senderWith(() => undefined);
    await scripted.send({ operation: "addAcamItem", intent: valid, path: { operation_id: "o/1 é" }, body: {} });
    expect(scripted.evidence()).toContainEqual({ type: "created", kind: "acam item", id: "o/1 é" });
  });

  test("to an invalid or unusual request does not prove that the operation works, and what it made is nobody's", async () => {
    const scripted = senderWith((seen) => (isToken(seen) ? undefined : { status: 201 }));
    const other = { ...create, body: { currency_pair: "EURBRL" } };
    await scripted.send({ ...create, intent: invalid("with a digit") });
    expect(scripted.evidence().filter(({ type }) => type === "succeeded")).toHaveLength(1);
    expect(scripted.evidence().filter(({ type }) => type === "created")).toHaveLength(1);
    expect(scripted.held("AUTH-04")).toBe(0);
    await scripted.send({ ...other, intent: unusual("odd") });
    expect(scripted.broken()).toEqual(["BATCH-02"]);
    await scripted.send(create);
    expect(scripted.broken()).toEqual(["BATCH-02", "BATCH-06"]);
  });

  test("to another method is judged for 5xx alone", async () => {
    const scripted = senderWith((seen) => (isToken(seen) ? undefined : { status: 405, body: "<p>no" }));
    const exchange = await scripted.send({ ...list, method: "DELETE" });
    expect(exchange.exemptBy).toBe("INT-38");
    expect(scripted.broken()).toEqual([]);
  });
});

describe("a token (INT-14 and INT-16)", () => {
  test("of any issue becomes the current one, and a secret", async () => {
    const scripted = senderWith(() => undefined);
    await scripted.send(list);
    await scripted.send(token);
    await scripted.send(list);
    expect(scripted.sent()).toEqual(["createToken", "listBatches token-1", "createToken", "listBatches token-2"]);
    expect(scripted.redaction.redact("token-2")).toBe("[token]");
  });

  test.each([401, 403])(
    "an older one that is refused with %i: the request goes out again with the current",
    async (status) => {
      const scripted = senderWith((seen) => (seen.token === "token-1" ? no(status) : undefined));
      const first = scripted.sender.send(list, origin);
      const second = scripted.sender.send(token, origin);
      const [exchange] = await inTime(Promise.all([first, second]));
      expect(exchange.response.status).toBe(200);
      expect(scripted.sent()).toEqual(["createToken", "createToken", "listBatches token-1", "listBatches token-2"]);
    },
  );

  test("that was replaced while the request was under way is not renewed", async () => {
    const scripted = senderWith((seen) =>
      seen.token === "token-1" && seen.operation === "listBatches" ? no(401) : undefined,
    );
    await inTime(scripted.sender.session.token());
    const listing = scripted.sender.send(list, origin);
    scripted.sender.session.adopt("token-x");
    await inTime(listing);
    expect(scripted.sent()).toEqual(["createToken", "listBatches token-x"]);
  });

  test("revoked by the next: refused under way, sent again with the current", async () => {
    const scripted = senderWith((seen) => (seen.operation === "listBatches" && seen.nth === 1 ? no(401) : undefined));
    await inTime(scripted.sender.session.token());
    const listing = scripted.sender.send(list, origin);
    await vi.advanceTimersByTimeAsync(5);
    scripted.sender.session.adopt("token-x");
    expect((await inTime(listing)).response.status).toBe(200);
    expect(scripted.sent()).toEqual(["createToken", "listBatches token-1", "listBatches token-x"]);
  });

  test("that lapsed is renewed once for all who met that", async () => {
    const scripted = senderWith((seen) => (seen.token === "token-1" ? no(401) : undefined));
    await inTime(Promise.all([list, list, list].map((spec) => scripted.sender.send(spec, origin))));
    expect(scripted.sent()).toEqual([
      "createToken",
      ...Array.from({ length: 3 }, () => "listBatches token-1"),
      "createToken",
      ...Array.from({ length: 3 }, () => "listBatches token-2"),
    ]);
    expect(scripted.broken()).toEqual([]);
  });

  test("just issued and refused twice blames", async () => {
    const scripted = senderWith((seen) => (isToken(seen) ? undefined : no(401)));
    const { response } = await scripted.send(list);
    expect(response.status).toBe(401);
    expect(scripted.sent()).toEqual([1, 2, 3, 4].flatMap((n) => ["createToken", `listBatches token-${n}`]));
    expect(scripted.evidence()).toContainEqual({
      type: "finding",
      finding: expect.objectContaining({
        requirement: "AUTH-04",
        message: "GET /batches refuses tokens that were just issued.",
        expected: "A token that was just issued is accepted by the other endpoints.",
        actual: 'two fresh tokens in a row were answered with 401 "no"',
        exchange: 8,
      }),
    });
  });

  test("refused for a while blames nobody: lapsed tokens may have led to a lock-out", async () => {
    let until = 0;
    const scripted = senderWith((seen) => {
      if (seen.n === 3) until = Date.now() + 2_500;
      return isToken(seen) || (seen.token !== "token-1" && Date.now() > until) || seen.n < 3 ? undefined : no(401);
    });
    await scripted.send(list);
    expect((await scripted.send(list)).response.status).toBe(200);
    expect(scripted.broken()).toEqual([]);
  });

  test("refused from some time on blames, after one wait for the end of a lock-out", async () => {
    const scripted = senderWith((seen) => (isToken(seen) || seen.n < 3 ? undefined : no(401)));
    await scripted.send(list);
    const before = performance.now();
    await scripted.send(list);
    const waited = performance.now() - before;
    await scripted.send(list);
    expect(waited).toBeGreaterThan(7000);
    expect(performance.now() - before - waited).toBeLessThan(1000);
    expect(scripted.broken()).toEqual(["AUTH-04"]);
  });

  test("that only works while nothing else is in flight blames nobody", async () => {
    const scripted = senderWith((seen) => (isToken(seen) || seen.token === "token-3" ? undefined : no(401)));
    expect((await scripted.send(list)).response.status).toBe(200);
    expect(scripted.broken()).toEqual([]);
    expect(scripted.held("AUTH-04")).toBe(1);
  });

  test.each([429, 503])("a token endpoint that answers %i for a moment blames nobody", async (status) => {
    // Others use up the first two tokens. The third is fetched while nothing else is in flight.
    const scripted = senderWith((seen) => {
      if (isToken(seen)) return seen.nth === 3 || seen.nth === 4 ? no(status) : undefined;
      return seen.token === "token-5" ? undefined : no(401);
    });
    expect((await scripted.send(list)).response.status).toBe(200);
    expect(scripted.broken()).toEqual([]);
  });

  test.each([valid, invalid("without a pair")])("no new token is no refusal of a new one ($kind)", async (intent) => {
    const scripted = senderWith((seen) => (isToken(seen) && seen.nth <= 2 ? undefined : no(isToken(seen) ? 409 : 401)));
    const words = 'POST /batches refused a token, and POST /auth/token gave no new one: 409 "no"';
    await expect(scripted.send({ ...create, intent })).rejects.toMatchObject({ name: "Inconclusive", message: words });
    expect(scripted.broken()).toEqual([]);
  });

  test("a new token that a request without a response used up is no refused one", async () => {
    const scripted = senderWith((seen) => {
      if (isToken(seen)) return undefined;
      const isFirst = scripted.seen.filter(({ token }) => token === seen.token).length === 1;
      return seen.token === "token-3" && isFirst ? "dropped" : no(401);
    });
    const sent = scripted.send({ ...create, intent: invalid("without a pair") });
    await expect(sent).rejects.toThrow("POST /batches gave no response: dropped by script");
    expect(scripted.broken()).toEqual([]);
  });

  test("403 to a valid request is sent again, and is the server's decision", async () => {
    const scripted = senderWith((seen) => (isToken(seen) ? undefined : no(403)));
    expect((await scripted.send(list)).response.status).toBe(403);
    expect(scripted.seen.filter((seen) => !isToken(seen))).toHaveLength(3);
    expect(scripted.broken()).toEqual([]);
  });

  const blocked = { status: 403, json: { message: "blocked" } };
  const badBatch = { ...create, intent: invalid("without a pair") };

  test("403 to everything is waited out", async () => {
    let block = false;
    const scripted = senderWith((seen) => {
      if (seen.operation === "createBatch" && seen.nth === 1) {
        block = true;
        setTimeout(() => (block = false), 2_500);
      }
      return block ? blocked : seen.operation === "createBatch" ? no(422) : undefined;
    });
    await scripted.send(list);
    expect((await scripted.send(badBatch)).response.status).toBe(422);
    expect(scripted.broken()).toEqual([]);
    expect(scripted.evidence()).toContainEqual({
      type: "waiting",
      text: "no token for a key that has worked, waiting 2 s",
    });
  });

  test("a block costs little: what waits is not sent while it lasts, and no token is fetched for each", async () => {
    let until = 0;
    const scripted = senderWith(
      (seen) => {
        if (seen.operation === "createBatch" && seen.nth === 1) until = Date.now() + 1_000;
        if (Date.now() < until) return blocked;
        return seen.operation === "createBatch" ? no(422) : undefined;
      },
      { concurrency: 4 },
    );
    await scripted.send(list);
    const specs = Array.from({ length: 60 }, () => badBatch);
    const exchanges = await inTime(Promise.all(specs.map((spec) => scripted.sender.send(spec, origin))));
    expect(new Set(exchanges.map(({ response }) => response.status))).toEqual(new Set([422]));
    expect(scripted.seen.length).toBeLessThan(60 + 2 * 2 * 4);
    expect(scripted.seen.filter(isToken).length).toBeLessThanOrEqual(3);
    expect(scripted.broken()).toEqual([]);
  });

  test("403 to everything but the key is waited out, and no longer than seven seconds", async () => {
    for (const [lasting, status] of [
      [2_500, 422],
      [60_000, 403],
    ] as const) {
      let until = 0;
      const scripted = senderWith((seen) => {
        if (seen.operation === "createBatch" && seen.nth === 1) until = Date.now() + lasting;
        if (isToken(seen)) return undefined;
        return Date.now() < until ? blocked : seen.operation === "createBatch" ? no(422) : undefined;
      });
      await scripted.send(list);
      const started = Date.now();
      expect((await scripted.send(badBatch)).response.status).toBe(status);
      expect(Date.now() - started).toBeLessThan(8_000);
      expect(scripted.evidence()).toContainEqual({ type: "waiting", text: "403 to everything, waiting 1 s" });
    }
  });

  test("403 is the server's word where the list takes the token, which is tried before another token is fetched", async () => {
    const scripted = senderWith((seen) => (seen.operation === "createBatch" ? blocked : undefined));
    await scripted.send(list);
    await scripted.send(badBatch);
    const requests = ["listBatches token-1", "createBatch token-1", "listBatches token-1"];
    expect(scripted.sent()).toEqual(["createToken", ...requests]);
  });

  test("a long list is fetched a few times, and then 403 is taken for the server's word", async () => {
    const long = { json: { batches: [], count: 0, total: 0, note: "x".repeat(200_000) } };
    const scripted = senderWith((seen) =>
      seen.operation === "createBatch" ? blocked : seen.operation === "listBatches" ? long : undefined,
    );
    await scripted.send(list);
    const controls = [];
    for (let time = 0; time < 5; time += 1) {
      const before = scripted.seen.filter((seen) => seen.operation === "listBatches").length;
      await scripted.send(badBatch);
      controls.push(scripted.seen.filter((seen) => seen.operation === "listBatches").length - before);
    }
    expect(controls).toEqual([1, 1, 1, 0, 0]);
  });

  test("401 to an invalid request is believed where the list takes the token afterwards", async () => {
    const scripted = senderWith((seen) => (seen.operation === "createBatch" ? no(401) : undefined));
    await scripted.send(list);
    expect((await scripted.send({ ...create, intent: invalid("without currency_pair") })).response.status).toBe(401);
    expect(scripted.sent()).toEqual([
      "createToken",
      "listBatches token-1",
      "createBatch token-1",
      "listBatches token-1",
    ]);
    expect(scripted.broken()).toEqual([]);
  });

  test("401 to a valid request is about the token, whatever the list says; 403 is about the request", async () => {
    for (const [status, requests, broken] of [
      // A lock-out would refuse new tokens too, so three more of them are tried.
      [
        401,
        [1, 2, 3, 4, 5, 6, 7].flatMap((n) => [...(n > 1 ? ["createToken"] : []), `createBatch token-${n}`]),
        ["AUTH-04"],
      ],
      [403, ["createBatch token-1", "listBatches token-1"], []],
    ] as const) {
      const scripted = senderWith((seen) => (seen.operation === "createBatch" ? no(status) : undefined));
      await scripted.send(list);
      expect((await scripted.send(create)).response.status).toBe(status);
      expect(scripted.sent().slice(2)).toEqual(requests);
      expect(scripted.broken()).toEqual(broken);
    }
  });

  test("the list is no control of itself: a refused one is sent again with new tokens", async () => {
    const scripted = senderWith((seen) => (seen.request.path.endsWith("?limit=x") ? no(401) : undefined));
    await scripted.send(list);
    const odd = { ...list, query: "?limit=x", intent: invalid("with ?limit=x") };
    expect((await scripted.send(odd)).response.status).toBe(401);
    const requests = [1, 2, 3].flatMap((n) => ["createToken", `listBatches token-${n}`]);
    expect(scripted.sent()).toEqual(["createToken", "listBatches token-1", ...requests.slice(1)]);
    expect(scripted.broken()).toEqual([]);
  });

  test("401 to an invalid request is not explained by what the server may have served before it", async () => {
    // Each token serves three requests, and the server serves the later ones first.
    const taken = (seen: Seen) => scripted.seen.filter(({ token }) => token === seen.token).length;
    const scripted = senderWith((seen) => {
      if (isToken(seen)) return undefined;
      if (seen.operation === "createBatch") return seen.token === "token-1" ? { ...no(401), delay: 50 } : no(422);
      return taken(seen) > 4 ? no(401) : undefined;
    });
    await scripted.send(list);
    const refused = scripted.sender.send({ ...create, intent: invalid("without currency_pair") }, origin);
    await vi.advanceTimersByTimeAsync(5);
    await Promise.all([scripted.send(list), scripted.send(list)]);
    expect((await inTime(refused)).response.status).toBe(422);
    expect(scripted.broken()).toEqual([]);
  });

  test("a control that is in flight when the refusal comes does not explain it", async () => {
    // The first control is slow. Beside it another request uses the token up.
    const scripted = senderWith((seen) => {
      if (isToken(seen)) return undefined;
      if (seen.operation === "createBatch")
        return seen.token === "token-1" ? { ...no(401), delay: seen.nth * 100 } : no(422);
      if (seen.token !== "token-1" || seen.nth === 1) return undefined;
      return seen.nth === 2 ? { delay: 200 } : no(401);
    });
    await scripted.send(list);
    const bad = { ...create, intent: invalid("without currency_pair") };
    const both = [scripted.sender.send(bad, origin)];
    await vi.advanceTimersByTimeAsync(5);
    both.push(scripted.sender.send(bad, origin));
    const [first, second] = await inTime(Promise.all(both));
    expect(first?.response.status).toBe(401);
    expect(second?.response.status).toBe(422);
  });

  test("401 to an invalid request is sent again where the token may have lapsed, and blames nobody", async () => {
    const scripted = senderWith((seen) => (seen.operation === "createBatch" ? no(401) : undefined));
    const { response } = await scripted.send({ ...create, intent: invalid("without a pair") });
    expect(response.status).toBe(401);
    expect(scripted.sent()).toEqual([1, 2, 3].flatMap((n) => ["createToken", `createBatch token-${n}`]));
    expect(scripted.broken()).toEqual([]);
  });

  test("long lists are fetched one at a time, and who waits shares the next", async () => {
    const long = { json: { batches: [], count: 0, total: 0, note: "x".repeat(2_000_000) }, delay: 100 };
    const scripted = senderWith((seen) => (seen.operation === "listBatches" ? long : undefined));
    await scripted.send(list);
    const sent = [1, 2, 3].map(() => scripted.sender.send(list, origin));
    await vi.advanceTimersByTimeAsync(50);
    sent.push(scripted.sender.send(list, origin));
    const unusualOne = scripted.sender.send({ ...list, query: "?limit=1" }, origin);
    const [first, second, third, fourth] = await inTime(Promise.all(sent));
    await inTime(unusualOne);
    // All three are the first; the fourth came while it was in flight.
    expect([second, third]).toEqual([first, first]);
    expect(fourth?.at).toBeGreaterThanOrEqual((first?.at ?? 0) + 100);
    expect(scripted.sent()).toEqual(["createToken", ...Array.from({ length: 4 }, () => "listBatches token-1")]);
    expect((await scripted.send(list)).id).toBe(6);
  });

  test("a long list that fails fails for all who share it, and the next is fetched again", async () => {
    const long = { json: { batches: [], count: 0, total: 0, note: "x".repeat(2_000_000) } };
    const scripted = senderWith((seen) =>
      seen.operation !== "listBatches" ? undefined : seen.nth === 1 ? long : no(501),
    );
    await scripted.send(list);
    const both = await inTime(Promise.all([scripted.sender.send(list, origin), scripted.sender.send(list, origin)]));
    expect(both.map(({ response }) => response.status)).toEqual([501, 501]);
    await scripted.send(list);
    expect(scripted.seen.length).toBe(4);
  });

  test("a header of one's own leaves the session alone", async () => {
    const scripted = senderWith(() => no(401));
    const { response } = await scripted.send({ ...list, authorization: "Bearer made-up" });
    expect(response.status).toBe(401);
    expect(scripted.sent()).toEqual(["listBatches made-up"]);
  });

  test("tokens that never stay the current one end in an examination", async () => {
    const scripted = senderWith((seen) => {
      if (isToken(seen) || seen.token === "token-2") return undefined;
      scripted.sender.session.adopt(`another-${seen.n}`);
      return no(401);
    });
    expect((await scripted.send(list)).response.status).toBe(200);
    expect(scripted.sent().slice(-2)).toEqual(["createToken", "listBatches token-2"]);
    expect(scripted.broken()).toEqual([]);
  });
});

describe("a lock-out after bad credentials (INT-17)", () => {
  const bad: RequestSpec = { ...list, authorization: "Bearer made-up", intent: invalid("with a made-up token") };
  /** A server that refuses every token for so many milliseconds after bad credentials. */
  const lockingOut = (lasting: number) => {
    let until = 0;
    return senderWith((seen) => {
      if (isToken(seen)) return undefined;
      if (seen.token === "made-up") until = Date.now() + lasting;
      return Date.now() < until ? no(401) : undefined;
    });
  };

  test("that ends is waited out, and blames nobody", async () => {
    const scripted = lockingOut(2_500);
    await scripted.send(list);
    expect((await scripted.send(bad)).response.status).toBe(401);
    expect((await scripted.send(list)).response.status).toBe(200);
    expect(scripted.evidence()).toContainEqual({ type: "waiting", text: "401 to new tokens, waiting 1 s" });
    expect(scripted.evidence()).toContainEqual({
      type: "observation",
      question: "OPEN-19",
      case: "any request",
      answer: "a token was refused with 401, and another was fetched",
      count: expect.any(Number) as number,
    });
    expect(scripted.broken()).toEqual([]);
  });

  test("that stays gives no verdict", async () => {
    const scripted = lockingOut(3_600_000);
    await scripted.send(list);
    await scripted.send(bad);
    const began = Date.now();
    await expect(scripted.send(list)).rejects.toMatchObject({
      name: "Inconclusive",
      message: 'after bad credentials GET /batches refuses new tokens too (401 "no"), as a lock-out does',
    });
    expect(Date.now() - began).toBeLessThan(8_000);
    expect(scripted.broken()).toEqual([]);
  });

  test("is no excuse for a server that never took a token", async () => {
    const scripted = senderWith((seen) => (isToken(seen) ? undefined : no(401)));
    await scripted.send(bad);
    expect((await scripted.send(list)).response.status).toBe(401);
    expect(scripted.broken()).toEqual(["AUTH-04"]);
  });

  test("is no excuse where no bad credentials were presented", async () => {
    let takes = true;
    const scripted = senderWith((seen) => (isToken(seen) || takes ? undefined : no(401)));
    await scripted.send(list);
    takes = false;
    expect((await scripted.send(list)).response.status).toBe(401);
    expect(scripted.broken()).toEqual(["AUTH-04"]);
  });
});

describe("a token that is examined alone", () => {
  test.each([429, 502, 503, 504])("says nothing where the target is busy (%i)", async (status) => {
    const scripted = senderWith((seen) => {
      if (isToken(seen)) return undefined;
      return seen.nth > 3 ? no(status) : no(401);
    });
    await expect(scripted.send(list)).rejects.toMatchObject({
      name: "Inconclusive",
      message: `GET /batches answered ${status} to a request that was sent alone`,
    });
    expect(scripted.broken()).toEqual([]);
  });

  test("is fetched in the form that the server takes", async () => {
    const scripted = senderWith((seen) =>
      isToken(seen) ? (fieldOf(seen.request.headers, "content-type") === undefined ? no(400) : undefined) : no(401),
    );
    await scripted.send(list);
    const [first, ...others] = scripted.seen.filter(isToken);
    expect(fieldOf(first?.request.headers ?? [], "content-type")).toBeUndefined();
    expect(others.map(({ request }) => fieldOf(request.headers, "content-type"))).toEqual(
      others.map(() => "application/json"),
    );
    expect(scripted.broken()).toEqual(["AUTH-04"]);
  });

  test("shows that tokens are accepted only by a valid request", async () => {
    for (const [intent, times] of [
      [valid, 1],
      [unusual("odd"), 0],
    ] as const) {
      const scripted = senderWith((seen) => (isToken(seen) || seen.nth > 2 ? undefined : no(401)));
      expect((await scripted.send({ ...list, intent })).response.status).toBe(200);
      expect(scripted.held("AUTH-04")).toBe(times);
    }
  });
});

describe("the token endpoint", () => {
  test("refuses the key: three ways are tried, then the reason is reported", async () => {
    const scripted = senderWith((seen) => (isToken(seen) ? no(401) : undefined));
    const words = 'POST /auth/token gave no usable token: 401 "no". Is the API key right?';
    await expect(scripted.send(list)).rejects.toMatchObject({ name: "Inconclusive", message: words });
    expect(
      scripted.seen.map(({ request }) => [fieldOf(request.headers, "content-type"), request.body?.length]),
    ).toEqual([
      [undefined, undefined],
      ["application/json", undefined],
      ["application/json", 2],
    ]);
    for (let i = 0; i < 5; i += 1) await expect(scripted.send(list)).rejects.toThrow(words);
    expect(scripted.seen).toHaveLength(9);
    expect(scripted.broken()).toEqual([]);
  });

  test("gives a token that no header can carry", async () => {
    for (const [length, works] of [
      [longestToken, true],
      [longestToken + 1, false],
    ] as const) {
      const scripted = senderWith((seen) => (isToken(seen) ? { json: { token: "x".repeat(length) } } : undefined));
      const sent = scripted.send(list).then(({ response }) => response.status);
      if (works) expect(await sent).toBe(200);
      else await expect(sent).rejects.toThrow(`gave a token of ${length} characters, which no header can carry`);
    }
  });

  test("answers without a usable token: no other way is tried", async () => {
    const scripted = senderWith((seen) => (isToken(seen) ? { json: { token: "" } } : undefined));
    await expect(scripted.send(list)).rejects.toThrow('gave no usable token: 200 "{"token":""}"');
    expect(scripted.seen).toHaveLength(1);
    expect(scripted.broken()).toEqual(["AUTH-01"]);
  });

  test("is fetched in the way that worked", async () => {
    const scripted = senderWith((seen) =>
      isToken(seen) && !seen.request.headers.some(([name]) => name === "Content-Type")
        ? no(415)
        : seen.token === "token-2"
          ? no(401)
          : undefined,
    );
    await scripted.send(list);
    const again = ["createToken", "listBatches token-3"];
    expect(scripted.sent()).toEqual(["createToken", "createToken", "listBatches token-2", ...again]);
  });
});

describe("a conflict", () => {
  const both = (scripted: ReturnType<typeof senderWith>) =>
    inTime(Promise.all([scripted.sender.send(create, origin), scripted.sender.send(create, origin)]));

  test.each([409, 423, 425])("with another request under way is sent again alone (%i)", async (conflict) => {
    const began = performance.now();
    let sentAgain = 0;
    const scripted = senderWith((seen) => {
      if (isToken(seen)) return undefined;
      if (seen.nth === 3) sentAgain = performance.now() - began;
      return seen.nth === 2 ? no(conflict) : { delay: 20, json: { id: `b-${seen.nth}`, currency_pair: "USDBRL" } };
    });
    const statuses = (await both(scripted)).map(({ response }) => response.status);
    expect(statuses).toEqual([200, 200]);
    expect(scripted.seen).toHaveLength(4);
    expect(sentAgain).toBeGreaterThanOrEqual(20);
    expect(scripted.evidence()).toContainEqual({ ...limit, answer: `${conflict} while another request was in flight` });
  });

  test("is not another refusal", async () => {
    const scripted = senderWith((seen) => (isToken(seen) ? undefined : no(422)));
    expect((await both(scripted)).map(({ response }) => response.status)).toEqual([422, 422]);
    expect(scripted.seen.filter((seen) => !isToken(seen))).toHaveLength(2);
  });

  test("that stays for a moment is sent again where others were gone", async () => {
    const conflicts = [1, 3, 4, 5];
    const scripted = senderWith((seen) => (!isToken(seen) && conflicts.includes(seen.nth) ? no(409) : undefined));
    for (let times = 0; times < 2; times += 1) expect((await scripted.send(create)).response.status).toBe(200);
    expect(scripted.seen.filter((seen) => !isToken(seen))).toHaveLength(6);
  });

  test("that stays is the response, and after three of them the first response is", async () => {
    const scripted = senderWith((seen) => (isToken(seen) ? undefined : no(409)));
    for (let times = 0; times < 5; times += 1) {
      expect((await scripted.send(create)).response.status).toBe(409);
    }
    expect(scripted.seen.filter((seen) => !isToken(seen))).toHaveLength(8);
  });
});

describe("throttling (INT-13)", () => {
  test.each([
    [no(429), 1000, "429 without Retry-After", 1],
    [no(429, ["Retry-After", "3"]), 3000, "429 with Retry-After", 3],
    [no(429, ["Retry-After", "30"]), 30_000, "429 with Retry-After", 30],
    [no(503, ["Retry-After", "2"]), 2000, "503 with Retry-After", 2],
    [{ status: 429, body: "<p>slow down", headers: [["Retry-After", "0"] as const] }, 0, "429 with Retry-After", 0],
  ])("%j is waited out and never judged", async (reply, wait, value, seconds) => {
    const scripted = senderWith((seen) => (!isToken(seen) && seen.nth === 1 ? reply : undefined));
    const before = performance.now();
    expect((await scripted.send(list)).response.status).toBe(200);
    expect(performance.now() - before).toBeGreaterThanOrEqual(wait);
    expect(performance.now() - before).toBeLessThan(wait + 300);
    expect(scripted.broken()).toEqual([]);
    expect(scripted.evidence()).toContainEqual({ ...limit, answer: value });
    expect(scripted.evidence()).toContainEqual({
      type: "waiting",
      text: `${value.slice(0, 3)} from the target, waiting ${seconds} s`,
    });
  });

  test("with a Retry-After above 30 s is not waited for", async () => {
    const scripted = senderWith((seen) => (isToken(seen) ? undefined : no(429, ["Retry-After", "31"])));
    await expect(scripted.send(list)).rejects.toMatchObject({
      name: "Inconclusive",
      message:
        "GET /batches was throttled with 429 and a wait of 31 s. Raise the server's limit for this client, or lower --rate and --concurrency.",
    });
    expect(scripted.seen).toHaveLength(2);
    expect(scripted.broken()).toEqual([]);
  });

  test("that goes on for 60 s is given up", async () => {
    const scripted = senderWith((seen) => (isToken(seen) ? undefined : no(429, ["Retry-After", "25"])));
    const before = performance.now();
    await expect(scripted.send(list)).rejects.toThrow("was throttled with 429 for more than 60 s.");
    expect(performance.now() - before).toBeLessThan(62_000);
    expect(scripted.seen).toHaveLength(1 + 3);
  });

  test("without any wait is given up, too", async () => {
    const scripted = senderWith((seen) => (isToken(seen) ? undefined : no(429, ["Retry-After", "0"])));
    await expect(scripted.send(list)).rejects.toThrow("for more than 60 s");
    expect(scripted.seen.length).toBeLessThan(400);
  });

  describe("of bad credentials alone", () => {
    const bad: RequestSpec = { ...list, intent: invalid("with a made-up token"), authorization: "Bearer made-up" };
    const badKey: RequestSpec = { ...token, intent: invalid("with a made-up key"), apiKey: "made-up" };
    const isBad = ({ request }: Seen): boolean => request.headers.some(([, value]) => value.includes("made-up"));

    test("is waited out", async () => {
      let times = 0;
      const scripted = senderWith((seen) =>
        isBad(seen) ? ((times += 1) === 1 ? no(429, ["Retry-After", "3"]) : no(401)) : undefined,
      );
      const before = performance.now();
      expect((await scripted.send(bad)).response.status).toBe(401);
      expect(performance.now() - before).toBeGreaterThanOrEqual(3000);
      expect(scripted.evidence()).toContainEqual({ type: "waiting", text: "429 for bad tokens, waiting 3 s" });
    });

    test("for ever is given up once, and says nothing of the target", async () => {
      const scripted = senderWith((seen) => (isBad(seen) ? no(429, ["Retry-After", "25"]) : undefined));
      const words =
        "GET /batches puts bad tokens off with 429. Raise the server's limit of failed attempts for this client.";
      await expect(scripted.send(bad)).rejects.toMatchObject({ name: "Inconclusive", message: words });
      expect(scripted.seen.filter(isBad)).toHaveLength(2);
      const before = performance.now();
      await expect(scripted.send(bad)).rejects.toThrow(words);
      // Both kinds share the longest wait without success.
      await expect(scripted.send(badKey)).rejects.toThrow("puts bad keys off");
      expect(performance.now() - before).toBeLessThan(1_000);
      expect((await scripted.send(list)).response.status).toBe(200);
      expect(scripted.evidence().filter(({ type }) => type === "untestable")).toEqual([]);
      expect(scripted.broken()).toEqual([]);
    });
  });

  test("503 without Retry-After is none", async () => {
    const scripted = senderWith((seen) => (isToken(seen) ? undefined : no(503)));
    expect((await scripted.send(list)).response.status).toBe(503);
    expect(scripted.evidence().filter(({ type }) => type === "waiting")).toEqual([]);
  });
});

describe("a gateway's 502, 503 and 504 (INT-04)", () => {
  test.each([502, 503, 504])("%i is tried again three times, and judged only when it stays", async (status) => {
    const scripted = senderWith((seen) => (!isToken(seen) && seen.nth <= 3 ? no(status) : undefined));
    const before = performance.now();
    expect((await scripted.send(list)).response.status).toBe(200);
    expect(performance.now() - before).toBeGreaterThan(1000);
    expect(scripted.broken()).toEqual([]);
    const stays = senderWith((seen) => (isToken(seen) ? undefined : no(status)));
    expect((await stays.send(list)).response.status).toBe(status);
    expect(stays.seen.filter((seen) => !isToken(seen))).toHaveLength(4);
    expect(stays.broken()).toEqual(["HTTP-04"]);
  });

  test.each([500, 501, 505, 599])("%i is judged at once", async (status) => {
    const scripted = senderWith((seen) => (isToken(seen) ? undefined : no(status)));
    await scripted.send(list);
    expect(scripted.seen).toHaveLength(2);
    expect(scripted.broken()).toEqual(["HTTP-04"]);
  });

  test("after three requests that it ended, an operation is not tried again", async () => {
    const scripted = senderWith((seen) => (seen.operation === "createBatch" ? no(502) : undefined));
    for (let i = 0; i < 5; i += 1) await scripted.send(create);
    expect(scripted.seen.filter(({ operation }) => operation === "createBatch")).toHaveLength(3 * 4 + 2);
  });
});

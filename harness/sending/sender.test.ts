import { describe, expect, test } from "vitest";
import { type RequestSpec, invalid, unusual, valid } from "../../model/request.ts";
import { settings } from "../../model/testing/target.ts";
import type { CreationShare } from "../../model/exchange.ts";
import { requirementIds } from "../../spec/catalogue.ts";
import {
  type SeenRequest,
  altered,
  badToken,
  create,
  inTime,
  isBatch,
  isToken,
  list,
  no,
  origin,
  senderWith,
  token,
  useFakeTime,
} from "../testing/sender.ts";
import { mostCreations } from "./attempt.ts";
import { tokenRequests } from "./credentials.ts";

useFakeTime();

test("an urgent request goes before all others that wait", async () => {
  const { sender, sent } = senderWith(() => ({ delay: 10 }), { concurrency: 1 });
  sender.session.start("t", tokenRequests[0]);
  const urgent: RequestSpec = { ...create, isUrgent: true };
  await inTime(
    Promise.all([list, list, urgent].map((spec) => sender.send(spec, { ...origin, urgency: 9 }))),
  );
  expect(sent()).toEqual(["listBatches t", "createBatch t", "listBatches t"]);
});

test("a quota that good requests have used up is no lock-out, and the reason has the server's words", async () => {
  const isBad = ({ token }: SeenRequest): boolean => token?.startsWith("made-up") === true;
  const scripted = senderWith((seen) => {
    if (isBad(seen)) return no(401);
    const isUsedUp = seen.operation === "listBatches" && seen.nth > 2;
    return isUsedUp ? { status: 403, json: { message: "quota" } } : undefined;
  });
  for (let i = 0; i < 3; i += 1) await scripted.send(list);
  const began = performance.now();
  for (const nth of [1, 2]) {
    const bad: RequestSpec = {
      ...badToken,
      authorization: `Bearer made-up ${nth}`,
      refusal: { requirement: "AUTH-37", form: String(nth) },
    };
    await inTime(scripted.sender.send(bad, origin).catch(() => undefined));
  }
  expect(performance.now() - began).toBeLessThan(5000);
  expect(scripted.seen.filter(isBad)).toHaveLength(1);
  expect(scripted.judged("AUTH-37")).toBe(0);
  const words =
    'not sent: GET /batches refuses good tokens too: 403 "quota". Raise its limits for this client.';
  expect(scripted.sender.openForms().map(({ reason }) => reason)).toEqual([words, words]);
});

test("a token of any issue becomes the current one, and a secret (INT-14 and INT-16)", async () => {
  const scripted = senderWith(() => undefined);
  await scripted.send(list);
  await scripted.send(token);
  await scripted.send(list);
  expect(scripted.sent()).toEqual([
    "createToken",
    "listBatches token-1",
    "createToken",
    "listBatches token-2",
  ]);
  expect(scripted.redaction.redact("token-2")).toBe("[token]");
});

test("what is to go out on the spare connection does, and nothing else", async () => {
  const scripted = senderWith(() => undefined);
  await scripted.send(list);
  await scripted.send({ ...list, spareConnection: "one" });
  expect(scripted.seen.map(({ spare }) => spare)).toEqual([false, false, true]);
});

test("the valid request that goes right before a bad credential goes out once for it", async () => {
  const scripted = senderWith(({ token }) => (token === "made-up" ? no(401) : undefined));
  await scripted.send({ ...badToken, refusal: { requirement: "AUTH-37", after: () => create } });
  expect(scripted.sent()).toEqual([
    "createToken",
    "createBatch token-1",
    "listBatches made-up",
    "listBatches token-1",
  ]);
});

test("a request that must be refused has no verdict where the user allows no more bad credentials", async () => {
  const scripted = senderWith(() => undefined, { maxBadCredentials: 0 });
  await expect(scripted.send(altered)).rejects.toThrow("--max-bad-credentials allows 0");
  expect(scripted.open()).toEqual(["AUTH-38", "BATCH-28"]);
});

describe("a request that must succeed (INT-11)", () => {
  const grace = 5000;
  const operation: RequestSpec = {
    operation: "createOperation",
    intent: valid,
    body: {},
    mustSucceed: true,
  };

  test("is given up after the grace period, and then at once", async () => {
    const scripted = senderWith((seen) => (isToken(seen) ? undefined : no(404)), { grace });
    const words =
      'POST /corporate/operation answered a valid request with 404 "no". Check --currency-pairs';
    await expect(scripted.send(operation)).rejects.toMatchObject({ gap: "refusal" });
    const { length } = scripted.seen;
    expect(length).toBeGreaterThan(5);
    await expect(scripted.send(operation)).rejects.toThrow(words);
    expect(scripted.seen).toHaveLength(length + 1);
    expect(scripted.sender.lag()).toBe(0);
  });

  test("is not sent again for another status than a refusal, or where it names nothing new", async () => {
    const scripted = senderWith((seen) => {
      if (isToken(seen)) return undefined;
      return seen.operation === "createBatch" ? no(422) : no(500);
    });
    await expect(scripted.send({ ...create, mustSucceed: true })).rejects.toThrow(
      "POST /batches answered",
    );
    await expect(scripted.send(operation)).rejects.toThrow('with 500 "no". Check');
    expect(scripted.seen.filter((seen) => !isToken(seen))).toHaveLength(2);
  });
});

describe("a run that is stopped", () => {
  const stopped = /^the run was ended (before there was a response|while it waited for )/;

  test("sends nothing more", async () => {
    const scripted = senderWith(() => undefined);
    scripted.stop.abort();
    await expect(scripted.sender.send(list, origin)).rejects.toThrow(stopped);
    await expect(scripted.sendAlone(list)).rejects.toThrow(stopped);
    expect(scripted.seen).toEqual([]);
  });

  test.each(["aborted", "dropped", "timeout"] as const)(
    "blames nobody of what was %s",
    async (kind) => {
      const scripted = senderWith((seen) => {
        if (!isBatch(seen)) return undefined;
        scripted.stop.abort();
        return kind;
      });
      await expect(scripted.send(create)).rejects.toThrow(stopped);
      expect(scripted.broken()).toEqual([]);
    },
  );
});

test("with the profile smoke, only a token and the list are requested: anything else is an internal error", async () => {
  const scripted = senderWith(() => undefined, { profile: "smoke" });
  await scripted.send({ ...list, query: "?limit=1" });
  for (const spec of [create, { ...list, method: "DELETE" }])
    await expect(scripted.send(spec)).rejects.toThrow("the profile smoke does not allow");
  expect(scripted.seen.map(({ request }) => `${request.method} ${request.path}`)).toEqual([
    "POST /api/auth/token",
    "GET /api/batches?limit=1",
  ]);
});

describe("what a run may create", () => {
  test.each([
    [{ ...settings, profile: "smoke" as const }, 0],
    [{ ...settings, selection: requirementIds, runs: 25 }, 750],
    [{ ...settings, selection: requirementIds, runs: 100 }, 1200],
    [{ ...settings, selection: ["OPER-02" as const], runs: 25 }, 300],
  ])("%#", (settings, wanted) => {
    expect(mostCreations(settings)).toBe(wanted);
  });

  test("is shared out: neither ordinary requests nor proofs take what credentials need", async () => {
    const scripted = senderWith(() => ({ status: 201 }), {
      selection: ["BATCH-01"],
      runs: -22.5,
    });
    const sendFor = (share: CreationShare) =>
      inTime(scripted.sender.send(create, { ...origin, share }));
    for (const [share, most] of [
      ["ordinary", 10],
      ["proof", 40],
      ["credentials", 60],
    ] as const) {
      for (let i = 0; i < most; i += 1) await sendFor(share);
      await expect(sendFor(share), share).rejects.toThrow(
        "this run has sent as many creations as it",
      );
    }
  });

  test("controls of a requirement that was broken before are proofs, as long as there are some", async () => {
    const isWrong = ({ request }: SeenRequest): boolean => String(request.body) === "{}";
    const scripted = senderWith(
      (seen) => (isBatch(seen) && isWrong(seen) ? { status: 302 } : undefined),
      { selection: ["OPER-24"], runs: -20 },
    );
    const wrong: RequestSpec = {
      ...create,
      intent: invalid("without currency_pair"),
      body: {},
      refusal: { requirement: "OPER-24", control: () => create },
    };
    // Each of these requests may have created something, and so may its control.
    for (let i = 0; i < 13; i += 1) await scripted.send(wrong);
    const controls = scripted.seen.filter((seen) => isBatch(seen) && !isWrong(seen));
    expect(controls).toHaveLength(26);
    // 16 of the 20 ordinary requests are used: the first failure took four, with two controls and
    // once more, and the other 12 failures one each, as the rest were proofs. So four are left.
    for (let i = 0; i < 4; i += 1) await scripted.send(create);
    await expect(scripted.send(create)).rejects.toThrow("as many creations as it announced");
  });
});

test("a response to an invalid or unusual request does not prove that the operation works, and what it made is nobody's", async () => {
  const scripted = senderWith((seen) => (isToken(seen) ? undefined : { status: 201 }));
  scripted.progress.plan(1, ["createBatch"]);
  const other = { ...create, body: { currency_pair: "EURBRL" } };
  await scripted.send({ ...create, intent: invalid("with a digit") });
  expect(scripted.found()).toMatchObject({
    neverSucceeded: ["createBatch"],
    created: [{ kind: "batch", id: "b-1" }],
  });
  expect(scripted.judged("AUTH-04")).toBe(0);
  const odd = await scripted.send({ ...other, intent: unusual("odd") });
  expect(scripted.broken()).toEqual(["BATCH-02"]);
  expect(scripted.sender.violationsOf(odd)).toMatchObject([{ requirement: "BATCH-02" }]);
  await scripted.send(create);
  expect(scripted.broken()).toEqual(["BATCH-02", "BATCH-06"]);
});

test("the refusal of a token holds once the token from which it was made is accepted", async () => {
  const scripted = senderWith(({ token }) => (token?.endsWith("x") === true ? no(401) : undefined));
  const refused = await scripted.send(altered);
  expect(scripted.judged("AUTH-38")).toBe(1);
  expect(scripted.sender.violationsOf(refused)).toEqual([]);
  expect(scripted.sent()).toEqual(["createToken", "listBatches token-1x", "listBatches token-1"]);
});

test("what an invalid request may have created is judged nowhere, also before its id is known (INT-40)", async () => {
  const operations = [{ operation_id: "o-1", counterparty_id: "c-1", status: 5 }];
  const pairs = [5, null].map((currency_pair) => ({ id: "b-1", currency_pair, operations }));
  const odd = { batches: pairs, count: 2, total: 2 };
  const scripted = senderWith(({ operation }) => {
    if (operation === "listBatches") return { json: odd };
    return operation === "createToken" ? undefined : no(400);
  });
  for (const [operation, body] of [
    ["createBatch", { currency_pair: 5 }],
    ["createBatch", {}],
    ["createOperation", { counterparty_id: "c-1" }],
  ] as const)
    await scripted.send({ operation, intent: invalid("odd"), body });
  await scripted.send(list);
  expect(scripted.broken()).toEqual([]);
});

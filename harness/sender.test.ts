import { describe, expect, test } from "vitest";
import { invalid, unusual, valid, type RequestSpec } from "../model/exchange.ts";
import { senderWith, type Seen, create, list, token, useFakeTime } from "./testing/sender.ts";

useFakeTime();

const no = (status: number, ...headers: readonly (readonly [string, string])[]) => ({
  status,
  json: { message: "no" },
  headers,
});
const answered = { type: "response", status: 200, took: 10, succeeded: true } as const;
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
        { type: "sent", operation: "createBatch", kind: "valid" },
        { ...answered, operation: "createToken" },
        { ...answered, operation: "createBatch", created: { kind: "batch", id: "b-1" } },
        { type: "answer", question: "OPEN-12", case: "a success", answer: "200" },
      ]),
    );
    expect(["AUTH-01", "HTTP-05", "AUTH-04", "BATCH-01"].map(scripted.judged)).toEqual([1, 2, 1, 1]);
  });

  test("to an invalid or unusual request does not prove that the operation works, and what it made is nobody's", async () => {
    const scripted = senderWith((seen) => (isToken(seen) ? undefined : { status: 201 }));
    const other = { ...create, body: { currency_pair: "EURBRL" } };
    await scripted.send({ ...create, intent: invalid("with a digit") });
    expect(scripted.evidence()).toContainEqual({
      ...{ ...answered, operation: "createBatch", status: 201, succeeded: false },
      created: { kind: "batch", id: "b-1" },
    });
    expect(scripted.judged("AUTH-04")).toBe(0);
    await scripted.send({ ...other, intent: unusual("odd") });
    expect(scripted.broken()).toEqual(["BATCH-02"]);
    await scripted.send(create);
    expect(scripted.broken()).toEqual(["BATCH-02", "BATCH-06"]);
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

  test("just issued and refused twice blames", async () => {
    const scripted = senderWith((seen) => (isToken(seen) ? undefined : no(401)));
    const { response } = await scripted.send(list);
    expect(response.status).toBe(401);
    expect(scripted.sent()).toEqual([1, 2, 3, 4].flatMap((n) => ["createToken", `listBatches token-${n}`]));
    expect(scripted.evidence()).toContainEqual({
      ...{ type: "violated", requirement: "AUTH-04", key: expect.any(String) },
      finding: expect.objectContaining({
        message: "GET /batches refuses tokens that were just issued.",
        expected: "A token that was just issued is accepted by the other endpoints.",
        actual: 'two fresh tokens in a row were answered with 401 "no"',
        exchange: 8,
      }),
    });
  });
});

describe("a request that must be refused", () => {
  const broken: RequestSpec = {
    operation: "createOperation",
    intent: invalid("with null at /currency_amount"),
    body: {},
    refusal: {
      requirement: "OPER-24",
      status: 400,
      control: () => ({ operation: "createOperation", intent: valid, body: { currency_amount: 1 } }),
    },
  };
  /** What is found where the server answers the control, and the first and later sendings of the request, so. */
  const refusedWith = async (ofControl: number, ...statuses: readonly number[]) => {
    const left = [...statuses];
    const scripted = senderWith((seen) => {
      if (seen.operation !== "createOperation") return undefined;
      const isControl = String(seen.request.body).includes("1");
      const status = isControl ? ofControl : (left.shift() ?? 0);
      return status === 200 ? undefined : no(status);
    });
    const exchange = await scripted.send(broken);
    return {
      status: exchange.response.status,
      violated: scripted.sender.violationsOf(exchange).map(({ requirement }) => requirement),
      judged: scripted.judged("OPER-24"),
      sent: scripted.seen.filter(({ operation }) => operation === "createOperation").length,
      open: scripted.evidence().some((one) => one.type === "inconclusive" && one.requirement === "OPER-24"),
    };
  };

  test.each([
    [200, [400], { status: 400, violated: [], judged: 1, sent: 1, open: false }],
    [200, [422, 400], { status: 400, violated: [], judged: 1, sent: 3, open: false }],
    [200, [422, 422], { status: 422, violated: ["OPER-24"], judged: 1, sent: 3, open: false }],
    [422, [422], { status: 422, violated: [], judged: 0, sent: 2, open: true }],
    [200, [500, 400], { status: 400, violated: [], judged: 1, sent: 2, open: false }],
  ])("with %i for a valid one and %j for it", async (ofControl, statuses, found) => {
    expect(await refusedWith(ofControl, ...statuses)).toEqual(found);
  });

  const altered: RequestSpec = {
    ...{ ...list, intent: invalid("with an altered token"), authorization: "Bearer token-1x" },
    refusal: { requirement: "AUTH-38", derivedFrom: "token-1" },
  };
  test("for a token holds once the token that it is derived from is accepted", async () => {
    const scripted = senderWith(({ token }) => (token === "token-1x" ? no(401) : undefined));
    await scripted.send(altered);
    expect(scripted.judged("AUTH-38")).toBe(0);
    await scripted.send({ ...list, authorization: "Bearer token-1" });
    expect(scripted.judged("AUTH-38")).toBe(1);
  });

  test("has no verdict where the user allows no more bad credentials", async () => {
    const scripted = senderWith(() => undefined, { maxBadCredentials: 0 });
    await expect(scripted.send(altered)).rejects.toThrow("--max-bad-credentials allows 0");
    const open = scripted.evidence().flatMap((one) => (one.type === "inconclusive" ? [one.requirement] : []));
    expect(open).toEqual(["AUTH-38", "BATCH-28"]);
  });
});

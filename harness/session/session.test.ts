import { describe, expect, test } from "vitest";
import { createSession, tokenRequests } from "./session.ts";
import { isUsableToken } from "../../model/token.ts";

type Issued = { token: string } | { reason: string };

/** A session whose tokens come from a list; the last entry stays. */
const sessionOf = (...issued: readonly (Issued | Error)[]) => {
  const calls = { count: 0, atOnce: 0, most: 0, holds: 0 };
  const hold = () => {
    calls.holds += 1;
    return () => void (calls.holds -= 1);
  };
  const session = createSession(async () => {
    const next = issued[Math.min(calls.count, issued.length - 1)];
    calls.count += 1;
    calls.atOnce += 1;
    calls.most = Math.max(calls.most, calls.atOnce);
    await new Promise((resolve) => setTimeout(resolve, 1));
    calls.atOnce -= 1;
    if (next === undefined || next instanceof Error) throw next ?? new Error("nothing to issue");
    return next;
  }, hold);
  return { session, calls };
};

describe("one session serves the run (INT-16)", () => {
  test("fetches a token once, however many callers need one", async () => {
    const { session, calls } = sessionOf({ token: "a" }, { token: "b" });
    expect(session.current()).toBeUndefined();
    expect(await Promise.all([session.token(), session.token(), session.token()])).toEqual(["a", "a", "a"]);
    expect(await session.token()).toBe("a");
    expect(session.current()).toBe("a");
    expect(calls.count).toBe(1);
  });

  test("renews a refused token once, however many met the refusal", async () => {
    const { session, calls } = sessionOf({ token: "a" }, { token: "b" }, { token: "c" });
    await session.token();
    expect(await Promise.all([session.renew("a"), session.renew("a"), session.renew("a")])).toEqual(["b", "b", "b"]);
    expect(await session.renew("a")).toBe("b");
    expect(calls.count).toBe(2);
    expect(await session.renew("b")).toBe("c");
  });

  test("holds all requests while a token is renewed, and no longer", async () => {
    const { session, calls } = sessionOf({ token: "a" }, { token: "b" }, { reason: "no key" });
    await session.token();
    const renewals = [session.renew("a"), session.renew("a")];
    expect(calls.holds).toBe(2);
    await session.renewed();
    expect(session.current()).toBe("b");
    await Promise.all(renewals);
    expect(calls.holds).toBe(0);
    await expect(session.renew("b")).rejects.toThrow("no key");
    expect(calls.holds).toBe(0);
    await session.renewed();
  });

  test("takes up every token that was issued", async () => {
    const { session, calls } = sessionOf({ token: "a" });
    session.adopt("x");
    expect(await session.token()).toBe("x");
    session.adopt("y");
    expect(await session.renew("x")).toBe("y");
    expect(calls.count).toBe(0);
  });

  test("a token that comes again is the one in use", async () => {
    const { session, calls } = sessionOf({ token: "a" });
    await session.token();
    expect(await session.renew("a")).toBe("a");
    expect(calls.count).toBe(2);
  });
});

describe("refusals", () => {
  test("are reported, and after three in a row the key is not tried again", async () => {
    const { session, calls } = sessionOf({ reason: "first" }, { reason: "second" }, { reason: "third" });
    for (const reason of ["first", "second", "third", "third", "third"]) {
      await expect(session.token()).rejects.toMatchObject({ name: "Inconclusive", message: reason, requirements: [] });
    }
    expect(calls.count).toBe(3);
  });

  test("are forgotten with the next token, fetched or adopted", async () => {
    const no = { reason: "no" };
    const { session, calls } = sessionOf(no, no, { token: "a" }, no, no, no, { token: "b" });
    await expect(session.token()).rejects.toThrow("no");
    await expect(session.token()).rejects.toThrow("no");
    expect(await session.token()).toBe("a");
    await expect(session.renew("a")).rejects.toThrow("no");
    await expect(session.renew("a")).rejects.toThrow("no");
    session.adopt("x");
    await expect(session.renew("x")).rejects.toThrow("no");
    expect(await session.renew("x")).toBe("b");
    expect(calls.count).toBe(7);
  });

  test("an internal error passes through and blocks nothing else", async () => {
    const { session } = sessionOf(new Error("ours"), { token: "a" });
    await expect(session.token()).rejects.toThrow("ours");
    expect(await session.token()).toBe("a");
  });
});

describe("order", () => {
  test("token requests go one at a time, in turn", async () => {
    const { session, calls } = sessionOf({ token: "a" });
    const finished: string[] = [];
    const slow = session.inOrder(async () => {
      await new Promise((resolve) => setTimeout(resolve, 5));
      finished.push("slow");
      return 1;
    });
    const failing = session.inOrder(async () => {
      finished.push("failing");
      throw new Error("no");
    });
    const quick = session.inOrder(async () => void finished.push("quick"));
    const token = session.token();
    expect(await slow).toBe(1);
    await expect(failing).rejects.toThrow("no");
    await quick;
    await token;
    expect(finished).toEqual(["slow", "failing", "quick"]);
    expect(calls.most).toBe(1);
  });
});

test("a token is a text that a header can carry", () => {
  const unusable = ["", " a", "a ", "ä", "a\r\nb", 7, null, undefined];
  expect(["a", "!~", ...unusable].filter(isUsableToken)).toEqual(["a", "!~"]);
});

test("a token is requested without a body first, with and without Content-Type", () => {
  expect(tokenRequests).toEqual([
    { operation: "createToken", intent: { kind: "valid" }, contentType: null },
    { operation: "createToken", intent: { kind: "valid" }, contentType: "application/json" },
    { operation: "createToken", intent: { kind: "unusual", what: "with a body" }, body: {} },
  ]);
});

import { describe, expect, test } from "vitest";
import { mostCreations } from "./transport/attempt.ts";
import { invalid, unusual, valid, type Intent } from "../model/exchange.ts";
import { senderWith, type Seen, create, list, origin, useFakeTime } from "./testing/sender.ts";
import { settings } from "../model/testing/target.ts";
import { requirementIds } from "../spec/catalogue.ts";

useFakeTime();

const isBatch = ({ operation }: Seen): boolean => operation === "createBatch";

/** Which requests for a batch went out on a connection of their own. */
const freshIn = ({ seen }: { readonly seen: readonly Seen[] }): readonly boolean[] =>
  seen.filter(isBatch).map(({ fresh }) => fresh);

describe("a dropped connection (INT-04)", () => {
  test.each([
    ["once: is sent again on a fresh one", 1],
    ["twice: is sent a third time, alone", 2],
    ["now and then is chance, though it comes three times in a row", 4],
  ])("%s, and is not a violation", async (_, times) => {
    const scripted = senderWith((seen) => (isBatch(seen) && seen.nth <= times ? "dropped" : undefined));
    await scripted.send(create);
    expect(freshIn(scripted)).toEqual([false, ...Array<boolean>(times).fill(true)]);
    expect(scripted.broken()).not.toContain("HTTP-05");
    expect(scripted.judged("HTTP-05")).toBe(2);
  });

  test.each([
    [valid, /to a valid request/],
    [unusual("with a long name"), /to a request with a long name/],
    [invalid("without currency_pair"), /to a request without currency_pair/],
  ] as const)("alone too, while a control is answered, blames: %j", async (intent: Intent, words) => {
    const scripted = senderWith((seen) => (isBatch(seen) ? "dropped" : undefined));
    await expect(scripted.send({ ...create, intent })).rejects.toMatchObject({
      name: "Inconclusive",
      message: "POST /batches gave no response: dropped by script",
    });
    expect(scripted.sent()).toEqual(["createToken", ...Array<string>(5).fill("createBatch token-1"), "createToken"]);
    expect(scripted.evidence()).toContainEqual({
      ...{ type: "violated", requirement: "HTTP-05", key: expect.any(String) },
      finding: expect.objectContaining({
        message: expect.stringMatching(words),
        expected: "a response to every request",
        actual: "dropped by script; alone and on a fresh connection too, while another request was answered",
        operation: "createBatch",
        scenario: origin.id,
        curl: expect.stringContaining("https://fx.example:8443/api/batches"),
      }),
    });
  });
});

describe("a target that is silent as a whole", () => {
  test("is given up, and no requirement fails", async () => {
    const scripted = senderWith(({ n }) => (n > 1 ? "dropped" : undefined));
    for (let n = 0; n < 2; n += 1)
      await expect(scripted.send(create)).rejects.toThrow(
        "the target was in trouble and did not respond to POST /batches: dropped by script",
      );
    const words = /^the target stopped responding \d+ s into the run: dropped by script$/;
    await expect(scripted.send(create)).rejects.toThrow(words);
    expect(scripted.broken()).toEqual([]);
    expect(scripted.evidence()).toContainEqual({
      type: "note",
      kind: "untestable",
      text: expect.stringMatching(words),
    });
    const { length } = scripted.seen;
    await expect(scripted.send(list)).rejects.toThrow(words);
    await expect(scripted.sendAlone(list)).rejects.toThrow(words);
    expect(scripted.seen).toHaveLength(length);
  });
});

describe("a run that is stopped", () => {
  test("sends nothing more", async () => {
    const scripted = senderWith(() => undefined);
    scripted.stop.abort();
    await expect(scripted.sender.send(list, origin)).rejects.toThrow("the run was stopped before there was a response");
    await expect(scripted.sendAlone(list)).rejects.toThrow("the run was stopped before there was a response");
    expect(scripted.seen).toEqual([]);
  });

  test.each(["aborted", "dropped", "timeout"] as const)("blames nobody of what was %s", async (kind) => {
    const scripted = senderWith((seen) => {
      if (!isBatch(seen)) return undefined;
      scripted.stop.abort();
      return kind;
    });
    await expect(scripted.send(create)).rejects.toThrow("the run was stopped before there was a response");
    expect(scripted.broken()).toEqual([]);
  });
});

describe("what a run may create", () => {
  test.each([
    [{ ...settings, profile: "smoke" as const }, 0],
    [{ ...settings, selection: requirementIds, runs: 25 }, 650],
    [{ ...settings, selection: requirementIds, runs: 100 }, 1400],
    [{ ...settings, selection: ["OPER-02" as const], runs: 25 }, 200],
  ])("%#", (settings, wanted) => {
    expect(mostCreations(settings)).toBe(wanted);
  });

  test("is kept to: what is refused does not count, what fails does", async () => {
    const scripted = senderWith(
      (seen) => (isBatch(seen) && seen.nth <= 10 ? { status: 422, json: { message: "no" } } : { status: 201 }),
      { selection: ["BATCH-01"], runs: -22.5 },
    );
    for (let i = 0; i < 20; i += 1) await scripted.send(create);
    await expect(scripted.send(create)).rejects.toThrow(
      "this run has created as much as it announced (10); raise --runs",
    );
    await scripted.send(list);
    expect(scripted.seen.filter(isBatch)).toHaveLength(20);
  });
});

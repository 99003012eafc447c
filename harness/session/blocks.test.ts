import { expect, test, vi } from "vitest";
import type { Evidence } from "../../model/evidence.ts";
import { exchangeOf, type ExchangeOverrides } from "../../model/testing/exchanges.ts";
import { createRecorder } from "../recording/recorder.ts";
import { createRedaction } from "../recording/redaction.ts";
import { useFakeTime } from "../testing/sender.ts";
import { createBlocks } from "./blocks.ts";
import { createCredentialFacts } from "./credential-facts.ts";

useFakeTime();

const refused = { status: 403, json: { message: "blocked" } };

/** Blocks of a server whose control is answered so; the list was read before, and the key has worked if it says so. */
const blocksOf = (answers: readonly ExchangeOverrides[], { keyWorked = true, listWasRead = true } = {}) => {
  const facts = createCredentialFacts();
  if (keyWorked) facts.learn(exchangeOf("createToken"));
  if (listWasRead) facts.learn(exchangeOf("listBatches"));
  const emitted: Evidence[] = [];
  const recorder = createRecorder((evidence) => void emitted.push(...evidence), createRedaction());
  const left = [...answers];
  let controls = 0;
  const direct = async () => {
    controls += 1;
    return exchangeOf("listBatches", left.shift() ?? {});
  };
  const blocks = createBlocks({ recorder, signal: new AbortController().signal, facts, direct });
  return { blocks, emitted, recorder, controls: () => controls };
};

test("each wait is counted and reported", async () => {
  const { blocks, emitted, recorder } = blocksOf([]);
  for (const wait of [1000, 2000]) {
    const waited = blocks.waitOut(wait, "403 to everything");
    await vi.advanceTimersByTimeAsync(wait);
    await waited;
  }
  recorder.flush();
  expect(blocks.waits()).toBe(2);
  expect(emitted.filter(({ type }) => type === "waiting")).toEqual([
    { type: "waiting", text: "403 to everything, waiting 1 s" },
    { type: "waiting", text: "403 to everything, waiting 2 s" },
  ]);
});

test("a refusal of a key that has worked is a block, without a control", async () => {
  const one = blocksOf([refused]);
  expect(await one.blocks.isBlocked(exchangeOf("createToken", refused))).toBe(true);
  expect(one.controls()).toBe(0);
  const other = blocksOf([{}], { keyWorked: false });
  expect(await other.blocks.isBlocked(exchangeOf("createToken", refused))).toBe(false);
  expect(other.controls()).toBe(1);
});

test("otherwise the list decides, and three that are accepted in a row decide for the rest of the run", async () => {
  const { blocks, controls } = blocksOf([]);
  for (let n = 0; n < 5; n += 1) expect(await blocks.isBlocked(exchangeOf("createToken"))).toBe(false);
  expect(controls()).toBe(3);
});

test("after a block, the list is always tried", async () => {
  const { blocks, controls } = blocksOf([refused, {}, {}, {}, {}, refused]);
  const found = [];
  for (let n = 0; n < 6; n += 1) found.push(await blocks.isBlocked(undefined));
  expect(found).toEqual([true, false, false, false, false, true]);
  expect(controls()).toBe(6);
});

test("nothing is known where the list was never read", async () => {
  const { blocks, controls } = blocksOf([refused], { listWasRead: false });
  expect(await blocks.isBlocked(undefined)).toBe(false);
  expect(controls()).toBe(0);
});

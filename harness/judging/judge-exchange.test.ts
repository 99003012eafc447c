import { expect, test } from "vitest";
import { invalid, type Json } from "../../model/exchange.ts";
import { batch, exchangeOf, sound } from "../../model/testing/exchanges.ts";
import { brokenIn, nothingKnown } from "../testing/judgements.ts";
import { judgeExchange } from "../testing/judgements.ts";

const notModified = exchangeOf("listBatches", { status: 304, body: "" });

test("an unconditional 304 means the list that was read before, and only that (INT-34)", () => {
  const known = nothingKnown();
  judgeExchange(exchangeOf("createBatch"), known);
  judgeExchange(exchangeOf("listBatches", { status: 500, json: { message: "no" } }), known);
  expect(brokenIn(notModified, known)).not.toContain("HTTP-06");
  judgeExchange(exchangeOf("listBatches"), known);
  expect(brokenIn(notModified, known)).toContain("HTTP-06");
});

test("an id that only an invalid request received is nobody's; a valid one keeps it", () => {
  const known = nothingKnown();
  const created = { intent: invalid("wrong"), json: { ...batch, id: "b-9" } as Json };
  judgeExchange(exchangeOf("createBatch", created), known);
  expect([known.identities.isTainted("batch", "b-9"), known.identities.known("batch", "b-9")]).toEqual([true, false]);

  const again = nothingKnown();
  judgeExchange(exchangeOf("createBatch", { json: { ...batch, id: "b-9" } as Json }), again);
  judgeExchange(exchangeOf("createBatch", created), again);
  expect([again.identities.isTainted("batch", "b-9"), again.identities.known("batch", "b-9")]).toEqual([false, true]);
});

test("one violation for each requirement and place, and none that also holds", () => {
  const { response } = sound.listBatches;
  const listed = (response as { batches: readonly Json[] }).batches;
  const bare = { ...(listed[0] as object), status: 7 } as Json;
  const judgements = judgeExchange(
    exchangeOf("listBatches", { json: { ...(response as object), batches: [bare, bare] } as Json }),
    nothingKnown(),
  );
  const keys = judgements.map(({ requirement, violation }) => `${requirement} ${violation?.pointer ?? ""}`);
  expect(new Set(keys).size).toBe(keys.length);
  const violated = judgements.filter(({ violation }) => violation !== undefined);
  expect(violated.map(({ violation }) => violation?.pointer)).toEqual(
    expect.arrayContaining(["/batches/0/status", "/batches/1/status"]),
  );
  const broken = new Set(violated.map(({ requirement }) => requirement));
  expect(judgements.filter(({ requirement, violation }) => violation === undefined && broken.has(requirement))).toEqual(
    [],
  );
});

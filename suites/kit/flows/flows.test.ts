import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exchangeOf } from "../../../model/testing/exchanges.ts";
import { memberOf, type Json } from "../../../model/exchange.ts";
import type { Context } from "../context.ts";
import { contextWith } from "../../testing/context.ts";
import { validBatch } from "./batches.ts";
import { registerCounterparty } from "./counterparties.ts";
import { addItem, itemBody } from "./items.ts";
import { createOperation } from "./operations.ts";

const [person, company] = ["52998224725", "11444777000161"] as const;
const items = () => fc.constantFrom(...[person, company].map((tax_id) => ({ tax_id, merchant: "m" })));

/** The context with these bodies to draw from. */
const drawing = (context: Context, bodies: () => fc.Arbitrary<Json>): Context =>
  ({ ...context, generators: { complete: bodies, valid: bodies }, seed: 1 }) as unknown as Context;

/** A context on a target that accepts so many counterparties. */
const targetThatAccepts = (most: number) => {
  let taken = 0;
  const { context, sent } = contextWith(() =>
    taken < most
      ? exchangeOf("createCounterparty", { status: 201, json: { id: `c-${(taken += 1)}` } })
      : exchangeOf("createCounterparty", { status: 403, json: { message: "enough" } }),
  );
  return { context: drawing(context, () => fc.constant({ name: "a" })), sent };
};

describe("a counterparty of the scenario's own", () => {
  test("is another each time", async () => {
    const { context, sent } = targetThatAccepts(3);
    expect((await registerCounterparty(context)).id).toBe("c-1");
    expect((await registerCounterparty(context)).id).toBe("c-2");
    expect(sent).toHaveLength(2);
  });

  test("is the first of the run where the target accepts no more, and that is found once", async () => {
    const { context, sent } = targetThatAccepts(2);
    await registerCounterparty(context);
    await registerCounterparty(context);
    expect((await registerCounterparty(context)).id).toBe("c-1");
    expect(sent).toHaveLength(2 + 3);
    expect((await registerCounterparty(context)).id).toBe("c-1");
    expect(sent).toHaveLength(2 + 3 + 1);
  });

  test("is inconclusive where the target accepts none", async () => {
    const { context } = targetThatAccepts(0);
    await expect(registerCounterparty(context)).rejects.toMatchObject({
      name: "Inconclusive",
      message: expect.stringContaining("enough"),
    });
  });
});

describe("an ACAM item", () => {
  const targetThatNeeds = (wanted: (taxId: Json | undefined) => boolean) => {
    const { context, sent } = contextWith(({ body }) =>
      wanted(typeof body === "function" ? undefined : memberOf(body, "tax_id"))
        ? exchangeOf("addAcamItem")
        : exchangeOf("addAcamItem", { status: 422, json: { message: "no" } }),
    );
    return { context: drawing(context, items), sent };
  };
  const amounts = [10, 20, 30, 40, 50, 60];

  test.each([person, company])("may be for people or for companies alone: %s", async (taken) => {
    const { context, sent } = targetThatNeeds((taxId) => taxId === taken);
    for (const amount of amounts) await addItem(context, "o-1", amount);
    expect(sent.length).toBeLessThanOrEqual(amounts.length + 2);
    expect(context.knowledge.taxIdLength ?? taken.length).toBe(taken.length);
  });

  test("has either kind of tax id where both are accepted", () => {
    const { context } = targetThatNeeds(() => true);
    const taxIds = amounts.map((amount) => itemBody(context, amount)["tax_id"]);
    expect(new Set(taxIds)).toEqual(new Set([person, company]));
  });

  test("is inconclusive where neither is accepted", async () => {
    const { context, sent } = targetThatNeeds(() => false);
    await expect(addItem(context, "o-1", 10)).rejects.toThrow("refused");
    expect(context.knowledge.taxIdLength).toBeUndefined();
    const first = sent.length;
    await expect(addItem(context, "o-2", 20)).rejects.toThrow("refused");
    // Variations were in vain once and are not sent again.
    expect(sent).toHaveLength(first + 1);
  });
});

test("an item is added at once where an operation takes none a moment later", async () => {
  let isNew = false;
  const { context, sent } = contextWith(({ operation, path }) => {
    const wasNew = isNew && path?.["operation_id"] === "o-new";
    isNew = operation === "createOperation";
    if (isNew) return exchangeOf("createOperation", { json: { operation_id: "o-new" } });
    return exchangeOf("addAcamItem", wasNew ? {} : { status: 409, json: { message: "in a batch" } });
  });
  const made = { id: "c-1", exchange: exchangeOf("createCounterparty"), body: {} };
  context.knowledge.counterpartyCreated(made, {});
  const own = drawing(context, () => fc.constant({ tax_id: person, merchant: "m" }));
  expect((await addItem(own, "o-1", 10)).response.status).toBeLessThan(300);
  const first = sent.length;
  expect((await addItem(own, "o-2", 20)).response.status).toBeLessThan(300);
  // From then on nothing else is tried before.
  expect(sent).toHaveLength(first + 2);
});

describe("a target with narrow limits", () => {
  const targetThatTakes = (problem: (body: Json) => string | undefined) => {
    const { context, sent } = contextWith(({ operation, body }) => {
      const words = problem(typeof body === "function" ? null : (body ?? null));
      if (words !== undefined)
        return exchangeOf(operation, { status: 422, json: { message: words }, sent: body as Json });
      return exchangeOf(operation, { sent: body as Json });
    });
    return { context: drawing(context, items), sent };
  };
  const amountIn = (body: Json): number =>
    Number(memberOf(body, "local_currency_amount") ?? memberOf(body, "currency_amount"));
  const sentLast = (sent: readonly { readonly body?: unknown }[]): Json => (sent.at(-1)?.body ?? null) as Json;
  const decimalsOf = (amount: number): number => /\.(\d+)$/.exec(String(amount))?.[1]?.length ?? 0;

  test.each<[string, (amount: number) => boolean]>([
    ["far below the operation", (amount) => amount <= 3],
    ["whole", (amount) => Number.isInteger(amount)],
    ["multiples of a hundred", (amount) => amount % 100 === 0],
    ["below one", (amount) => amount < 1],
    ["far below the operation, and whole", (amount) => amount <= 7 && Number.isInteger(amount)],
  ])("items that are %s are found once", async (_, fits) => {
    const { context, sent } = targetThatTakes((body) => (fits(amountIn(body)) ? undefined : "not this amount"));
    await addItem(context, "o-1", 505.55);
    const found = sent.length;
    expect(found).toBeLessThan(15);
    for (const amount of [110.7, 505.5, 990]) await addItem(context, "o-2", amount);
    expect(sent).toHaveLength(found + 3);
    expect(amountIn(itemBody(context, 505.5))).toBeLessThanOrEqual(505.5);
  });

  test("an item has two limits at once", async () => {
    const { context, sent } = targetThatTakes((body) =>
      (memberOf(body, "tax_id") as string).length !== 14
        ? "companies only"
        : amountIn(body) > 5
          ? "above the limit"
          : undefined,
    );
    for (const amount of [500.5, 600.5, 700.5]) await addItem(context, "o-1", amount);
    expect(memberOf(sentLast(sent), "tax_id")).toHaveLength(14);
    expect(sent.length).toBeLessThan(20);
  });

  test.each<[string, (amount: number) => boolean]>([
    ["small", (amount) => amount <= 20],
    ["large", (amount) => amount >= 900],
    ["multiples of a hundred", (amount) => amount % 100 === 0],
    ["whole", (amount) => Number.isInteger(amount)],
    ["small multiples of fifty", (amount) => amount <= 300 && amount % 50 === 0],
  ])("operations whose amounts are %s", async (_, fits) => {
    const { context, sent } = targetThatTakes((body) => (fits(amountIn(body)) ? undefined : "not this amount"));
    await createOperation(context, { counterparty: "c-1", amount: 505.55 });
    const found = sent.length;
    expect(found).toBeLessThan(12);
    for (const amount of [10, 110.7, 505.5, 1000]) await createOperation(context, { counterparty: "c-1", amount });
    expect(sent).toHaveLength(found + 4);
    expect(decimalsOf(amountIn(sentLast(sent)))).toBeLessThanOrEqual(2);
  });

  test("operations have one pair, and are not for EFX: batches are in that pair too", async () => {
    const { context, sent } = targetThatTakes((body) =>
      memberOf(body, "currency_pair") !== "EURBRL"
        ? "no such pair here"
        : memberOf(body, "operation_purpose") === "EFX"
          ? "no such purpose here"
          : undefined,
    );
    Object.assign(context, { target: { ...context.target, otherPurposes: ["IMPORT"] } });
    await createOperation(context, { counterparty: "c-1", amount: 20 });
    const found = sent.length;
    await createOperation(context, { counterparty: "c-1", amount: 30, pair: "USDBRL" });
    expect(sent).toHaveLength(found + 1);
    expect(sentLast(sent)).toMatchObject({ currency_pair: "EURBRL", operation_purpose: "IMPORT" });
    expect((await validBatch(context, "USDBRL")).body).toEqual({ currency_pair: "EURBRL" });
    await expect(createOperation(context, { counterparty: "c-1", amount: 30, purpose: "EFX" })).rejects.toThrow(
      "refused",
    );
    await expect(addItem(context, "o-1", 30)).rejects.toThrow("EFX");
  });
});

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exchangeOf } from "../../../model/testing/exchanges.ts";
import { memberOf, type Json } from "../../../model/exchange.ts";
import { createTargetKnowledge } from "../target-knowledge.ts";
import type { Context } from "../context.ts";
import { contextWith } from "../../testing/context.ts";
import { registerCounterparty } from "./counterparties.ts";
import { addItem, itemBody } from "./items.ts";

/** A context on a target that accepts so many counterparties. */
const targetThatAccepts = (most: number) => {
  let taken = 0;
  const { context, sent } = contextWith(() =>
    taken < most
      ? exchangeOf("createCounterparty", { status: 201, json: { id: `c-${(taken += 1)}` } })
      : exchangeOf("createCounterparty", { status: 403, json: { message: "enough" } }),
  );
  const bodies = () => fc.constant({ name: "a" });
  const more = { knowledge: createTargetKnowledge(), generators: { complete: bodies, valid: bodies }, seed: 1 };
  return { context: { ...context, ...more } as unknown as Context, sent };
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
  const [person, company] = ["52998224725", "11444777000161"];
  const targetThatNeeds = (wanted: (taxId: Json | undefined) => boolean) => {
    const { context, sent } = contextWith(({ body }) =>
      wanted(typeof body === "function" ? undefined : memberOf(body, "tax_id"))
        ? exchangeOf("addAcamItem")
        : exchangeOf("addAcamItem", { status: 422, json: { message: "no" } }),
    );
    const items = () => fc.constantFrom(...[person, company].map((tax_id) => ({ tax_id, merchant: "m" })));
    const more = { knowledge: createTargetKnowledge(), generators: { complete: items }, seed: 1 };
    return { context: { ...context, ...more } as unknown as Context, sent };
  };
  const amounts = [10, 20, 30, 40, 50, 60];

  test.each([person, company])("may be for people or for companies alone: %s", async (taken) => {
    const { context, sent } = targetThatNeeds((taxId) => taxId === taken);
    for (const amount of amounts) await addItem(context, "o-1", amount);
    expect(sent.length).toBeLessThanOrEqual(amounts.length + 1);
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
    expect(sent).toHaveLength(2);
    expect(context.knowledge.taxIdLength).toBeUndefined();
  });
});

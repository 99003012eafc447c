import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exchangeOf } from "../harness/testing/exchanges.ts";
import { memberOf, type Json } from "../harness/exchange.ts";
import { createCommon } from "./common.ts";
import type { Stage } from "./stage.ts";
import { acamBody, addItem, registerCounterparty } from "./steps.ts";
import { stageWith } from "./testing/stage.ts";

/** A stage on a target that takes so many counterparties. */
const stageThatTakes = (most: number) => {
  let taken = 0;
  const { stage, asked } = stageWith(() =>
    taken < most
      ? exchangeOf("createCounterparty", { status: 201, json: { id: `c-${(taken += 1)}` } })
      : exchangeOf("createCounterparty", { status: 403, json: { message: "enough" } }),
  );
  const bodies = () => fc.constant({ name: "a" });
  const more = { common: createCommon(), generators: { complete: bodies, valid: bodies }, seed: 1 };
  return { stage: { ...stage, ...more } as unknown as Stage, asked };
};

describe("a counterparty of the scenario's own", () => {
  test("is another each time", async () => {
    const { stage, asked } = stageThatTakes(3);
    expect((await registerCounterparty(stage)).id).toBe("c-1");
    expect((await registerCounterparty(stage)).id).toBe("c-2");
    expect(asked).toHaveLength(2);
  });

  test("is the first of the run where the target takes no more, and that is found out once", async () => {
    const { stage, asked } = stageThatTakes(2);
    await registerCounterparty(stage);
    await registerCounterparty(stage);
    expect((await registerCounterparty(stage)).id).toBe("c-1");
    expect(asked).toHaveLength(2 + 3);
    expect((await registerCounterparty(stage)).id).toBe("c-1");
    expect(asked).toHaveLength(2 + 3 + 1);
  });

  test("is inconclusive where the target takes none", async () => {
    const { stage } = stageThatTakes(0);
    await expect(registerCounterparty(stage)).rejects.toMatchObject({
      name: "Inconclusive",
      message: expect.stringContaining("enough"),
    });
  });
});

describe("an ACAM item", () => {
  const [person, company] = ["52998224725", "11444777000161"];
  const stageThatWants = (wanted: (taxId: Json | undefined) => boolean) => {
    const { stage, asked } = stageWith(({ body }) =>
      wanted(typeof body === "function" ? undefined : memberOf(body, "tax_id"))
        ? exchangeOf("addAcamItem")
        : exchangeOf("addAcamItem", { status: 422, json: { message: "no" } }),
    );
    const items = () => fc.constantFrom(...[person, company].map((tax_id) => ({ tax_id, merchant: "m" })));
    const more = { common: createCommon(), generators: { complete: items }, seed: 1 };
    return { stage: { ...stage, ...more } as unknown as Stage, asked };
  };
  const amounts = [10, 20, 30, 40, 50, 60];

  test.each([person, company])("may be for people or for companies alone: %s", async (taken) => {
    const { stage, asked } = stageThatWants((taxId) => taxId === taken);
    for (const amount of amounts) await addItem(stage, "o-1", amount);
    expect(asked.length).toBeLessThanOrEqual(amounts.length + 1);
    expect(stage.common.acam.taxIdLength ?? taken.length).toBe(taken.length);
  });

  test("has either kind of tax id where both are taken", () => {
    const { stage } = stageThatWants(() => true);
    const taxIds = amounts.map((amount) => acamBody(stage, amount)["tax_id"]);
    expect(new Set(taxIds)).toEqual(new Set([person, company]));
  });

  test("is inconclusive where neither is taken", async () => {
    const { stage, asked } = stageThatWants(() => false);
    await expect(addItem(stage, "o-1", 10)).rejects.toThrow("refused");
    expect(asked).toHaveLength(2);
    expect(stage.common.acam.taxIdLength).toBeUndefined();
  });
});

import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { exchangeOf } from "../harness/testing/exchanges.ts";
import { createCommon } from "./common.ts";
import type { Stage } from "./stage.ts";
import { registerCounterparty } from "./steps.ts";
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

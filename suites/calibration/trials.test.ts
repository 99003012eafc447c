import { expect, test } from "vitest";
import { exchangeOf } from "../../model/testing/exchanges.ts";
import { acceptedVariation } from "./steps.ts";

interface Terms {
  readonly kind: "person" | "company";
  readonly amount: number;
}

/**
 * Tries variations of 500 for a person on a server that takes at most 3 for a company and refuses
 * with these messages.
 */
async function vary(messageFor: (terms: Terms) => string) {
  const sent: Terms[] = [];
  const send = async (terms: Terms) => {
    sent.push(terms);
    return terms.kind === "company" && terms.amount <= 3
      ? exchangeOf("addAcamItem")
      : exchangeOf("addAcamItem", { status: 422, json: { message: messageFor(terms) } });
  };
  const first: Terms = { kind: "person", amount: 500 };
  const found = await acceptedVariation(
    { value: first, exchange: await send(first) },
    [
      ["kind", ["company"]],
      ["amount", [100, 10, 1]],
    ],
    send,
  );
  return { sent: sent.length, value: found?.value };
}

const wanted: Terms = { kind: "company", amount: 1 };

test("one message for two limits: both are varied, after each alone", async () => {
  expect(await vary(() => "companies only, and at most 3")).toEqual({ sent: 8, value: wanted });
});

import { describe, expect, it } from "vitest";
import { isQuestionId } from "../../spec/questions.ts";
import { authorized, clientOf } from "../testing/client.ts";
import { areCompatible, variants } from "./index.ts";

describe("the table of variants", () => {
  const ids = variants.map(({ id }) => id);

  it("has unique ids in kebab case, a sentence for each, and existing questions", () => {
    expect(new Set(ids).size).toBe(ids.length);
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
    expect(variants.filter(({ about }) => !/^\S.*\.$/.test(about))).toEqual([]);
    expect(
      variants.flatMap(({ answers }) => answers ?? []).filter((id) => !isQuestionId(id)),
    ).toEqual([]);
  });

  it("excludes only existing variants of other slots", () => {
    for (const { excludes = [], slot } of variants)
      for (const id of excludes) {
        const other = variants.find((variant) => variant.id === id);
        expect(other, id).toBeDefined();
        expect(slot === undefined || other?.slot !== slot, id).toBe(true);
      }
  });
});

const bank = { bank_name: "M", swift_code: "DEUTDEFF", bank_country: "DE" };
const account = { ...bank, account_number: "532013000", iban: "DE89370400440532013000" };
const full = {
  name: "Ana",
  counterparty_address: { country: "DE" },
  bank_account: account,
  external_id: "E",
};
const within = (change: object) => ({ ...full, bank_account: { ...account, ...change } });

it.each([
  ["unknown-members-refused", { ...full, other: 1 }, 400],
  ["bic-checked", within({ swift_code: "COBA" }), 422],
  ["iban-checked", within({ iban: "DE88370400440532013000" }), 422],
  ["iban-of-country", within({ bank_country: "FR" }), 422],
  ["routing-number-checked", within({ aba_routing_number: "021000022" }), 422],
  ["markup-refused", { ...full, name: "<b>" }, 403],
  ["counterparty-complete", { ...full, intermediary_bank: bank, external_id: undefined }, 400],
  ["counterparty-anything", { name: 1, bank_account: {} }, 201],
])("the variant %s decides on a counterparty", async (id, body, status) => {
  const { change } = variants.find((one) => one.id === id) ?? expect.fail(`no variant ${id}`);
  const send = clientOf(change);
  const { response } = await send("createCounterparty", await authorized(send), {
    body: JSON.stringify(body),
  });
  expect(response?.status).toBe(status);
});

it.each([
  ["amount-from-50", "operations-up-to-20"],
  ["amount-up-to-800", "operations-from-900"],
])("%s and %s leave no amount, so that they are incompatible", (one, other) => {
  const [first, second] = [one, other].map((id) => variants.find((variant) => variant.id === id));
  expect(first && second && areCompatible(first, second)).toBe(false);
});

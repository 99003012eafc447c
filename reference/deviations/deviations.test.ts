import { describe, expect, it } from "vitest";
import { catalogue, requirementIds, type RequirementId } from "../../spec/catalogue.ts";
import { authorized, clientOf } from "../testing/client.ts";
import { areCompatible, deviations, faults, variants, type Fault } from "./index.ts";

const musts = requirementIds.filter((id) => catalogue[id].level === "MUST");

function faultsOf(id: RequirementId): readonly Fault[] {
  return faults.filter(({ breaks }) => breaks === id);
}

describe("the catalogue of deviations", () => {
  it("has unique ids in kebab case, and a sentence for each", () => {
    const ids = deviations.map(({ id }) => id);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
    expect(ids.filter((id) => !/^[a-z0-9]+(-[a-z0-9]+)*$/.test(id))).toEqual([]);
    expect(deviations.filter(({ about }) => !/^\S.*\.$/.test(about))).toEqual([]);
  });

  it("breaks every requirement", () => {
    expect(requirementIds.filter((id) => faultsOf(id).length === 0)).toEqual([]);
  });

  /** Requirements about one place and condition: at once, another operation, plain HTTP, or what a client makes up. */
  const ofOneKind = new Set<RequirementId>([
    "CPTY-11",
    "CPTY-13",
    "OPER-16",
    "OPER-45",
    "ACAM-05",
    "BATCH-07",
    "BATCH-45",
    "HTTP-07",
  ]);

  it("has two faults for each MUST that differ in their endpoint or their condition", () => {
    const kindOf = ({ operation, when }: Fault): string => `${operation} ${when}`;
    const alike = musts.filter((id) => new Set(faultsOf(id).map(kindOf)).size < 2);
    expect(alike.filter((id) => !ofOneKind.has(id))).toEqual([]);
  });

  it("has a fault for each MUST that shows only under a condition, but for HTTP-07", () => {
    const plain = musts.filter((id) => faultsOf(id).every(({ when }) => when === undefined));
    expect(plain).toEqual(["HTTP-07"]);
  });

  it("has no fault of a SHOULD that also breaks a MUST, except CPTY-11", () => {
    const wrong = faults.filter(({ breaks, also = [] }) => {
      const broken = also.filter((id) => catalogue[id].level === "MUST" && id !== "CPTY-11");
      return catalogue[breaks].level === "SHOULD" && broken.length > 0;
    });
    expect(wrong.map(({ id }) => id)).toEqual([]);
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
  ["USDXCG", 201],
  ["USDZWG", 201],
  ["USDQQQ", 400],
  ["USDUSD", 400],
])("a batch of the pair %s gets %i", async (currency_pair, status) => {
  const send = clientOf(() => ({}));
  const { response } = await send("createBatch", await authorized(send), {
    body: { currency_pair },
  });
  expect(response?.status).toBe(status);
});

it("two variants that share a group leave nothing to a run, so that they are incompatible", () => {
  const [one, other, third] = ["operations-from-900", "operations-up-to-20", "list-shuffled"].map(
    (id) => variants.find((variant) => variant.id === id) ?? expect.fail(`no variant ${id}`),
  );
  expect(one && other && areCompatible(one, other)).toBe(false);
  expect(one && third && areCompatible(one, third)).toBe(true);
});

import { describe, expect, test } from "vitest";
import { operationTitle } from "../../../spec/operations.ts";
import type { Exchange, Json } from "../../../model/exchange.ts";
import { exchangeOf, type ExchangeOverrides } from "../../../model/testing/exchanges.ts";
import { nothingKnown, said } from "../../testing/judgements.ts";
import { createdBy, creations, identity } from "./identity.ts";

type Creation = keyof typeof creations;
const makers = Object.keys(creations) as readonly Creation[];

const created = (name: Creation, id: Json, sent: Json, overrides: ExchangeOverrides = {}): Exchange =>
  exchangeOf(name, { json: { [creations[name].member]: id }, sent, ...overrides });

/** What the check says of exchanges that come one after the other. */
const inTurn = (...exchanges: readonly Exchange[]): readonly string[] => {
  const known = nothingKnown();
  return exchanges.flatMap((exchange) => {
    const lines = said(identity, exchange, known);
    const made = createdBy(exchange);
    if (made !== undefined) known.identities.remember(made.kind, made.id, made.data);
    return lines;
  });
};

const two = { counterparty_id: "c-2", currency_pair: "EURBRL", bank_account: { account_number: "2" } };
const one = { counterparty_id: "c-1", currency_pair: "USDBRL", bank_account: { account_number: "1" } };

const operationData = ({ counterparty_id, currency_pair }: typeof one): string =>
  JSON.stringify({ counterparty_id, currency_pair });

describe("ids within a kind (INT-21)", () => {
  test.each(makers)("%s: different data, different ids", (name) => {
    const { requirement } = creations[name];
    expect(inTurn(created(name, "a", one), created(name, "b", two))).toEqual([
      `${requirement} holds`,
      `${requirement} holds`,
    ]);
  });

  test.each(makers)("%s: the same data may be merged", (name) => {
    const { requirement } = creations[name];
    expect(inTurn(created(name, "a", one), created(name, "a", one))).toEqual([
      `${requirement} holds`,
      `${requirement} holds`,
    ]);
  });

  test.each([
    ["createOperation", "operations", operationData(one), operationData(two)],
    ["createBatch", "batches", '"USDBRL"', '"EURBRL"'],
  ] as const)("%s: one id for different data is reported", (name, kind, first, second) => {
    const { requirement, member } = creations[name];
    expect(inTurn(created(name, "a", one), created(name, "a", two)).at(-1)).toBe(
      `${requirement} ${operationTitle(name)}: two different ${kind} have one id. | an id of its own for ${second} | /${member} = "a", which was given before to ${first} | /${member}`,
    );
  });

  test("a batch is its pair: what else was sent does not matter", () => {
    const lines = inTurn(
      created("createBatch", "a", { currency_pair: "USDBRL", n: 1 }),
      created("createBatch", "a", { currency_pair: "USDBRL", n: 2 }),
    );
    expect(lines).toEqual(["BATCH-06 holds", "BATCH-06 holds"]);
  });

  test("an operation is its four members, in whatever order: others make it nothing else", () => {
    const lines = inTurn(
      created("createOperation", "a", { currency_pair: "USDBRL", currency_amount: 5 }),
      created("createOperation", "a", { currency_amount: 5, currency_pair: "USDBRL", n: 2 }),
      created("createOperation", "a", { currency_amount: 6, currency_pair: "USDBRL" }),
    );
    expect(lines.map((line) => line.includes("two different"))).toEqual([false, false, true]);
    expect(createdBy(created("createOperation", "a", [1]))).toMatchObject({ data: "[1]" });
    expect(createdBy(created("createOperation", "a", "text"))).toMatchObject({ data: JSON.stringify("text") });
  });

  describe("a counterparty is its account (INT-35)", () => {
    const { requirement } = creations.createCounterparty;
    const body = { name: "Acme", external_id: "x-1", bank_account: { account_number: "1", bank_name: "Bank" } };
    const other = { ...body, external_id: "x-2", bank_account: { account_number: "2", bank_name: "Bank" } };
    const isBlamed = (first: Json, second: Json): boolean =>
      !inTurn(created("createCounterparty", "a", first), created("createCounterparty", "a", second))
        .at(-1)
        ?.endsWith(`${requirement} holds`);

    test.each([
      ["another account, the same name", body, other, true],
      [
        "another account, no external id",
        { ...body, external_id: undefined },
        { ...other, external_id: undefined },
        true,
      ],
      ["another account, the same external id", body, { ...other, external_id: "x-1" }, false],
      ["the same account, another name", body, { ...body, name: "Other", external_id: "x-2" }, false],
      ["the same in all", body, body, false],
      ["another name of the bank", body, { ...body, bank_account: { account_number: "1", bank_name: "Other" } }, false],
    ])("%s", (_, first, second, wanted) => {
      const clean = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json;
      expect(isBlamed(clean(first), clean(second))).toBe(wanted);
    });
  });

  test("kinds may share ids", () => {
    const lines = inTurn(...makers.map((name, n) => created(name, "1", { currency_pair: "USDBRL", n })));
    expect(lines.every((line) => line.endsWith(" holds"))).toBe(true);
  });

  test("the first owner of an id stays its owner", () => {
    const lines = inTurn(
      created("createOperation", "a", one),
      created("createOperation", "a", two),
      created("createOperation", "a", one),
    );
    expect(lines.map((line) => line.includes("two different"))).toEqual([false, true, false]);
  });

  test("an empty id is an id", () => {
    expect(inTurn(created("createOperation", "", one), created("createOperation", "", two)).at(-1)).toContain(
      "two different",
    );
  });
});

describe("what created something", () => {
  test("names it with the data it was made from", () => {
    expect(createdBy(created("createOperation", "o", one))).toEqual({
      kind: "operation",
      id: "o",
      data: operationData(one),
    });
    expect(createdBy(created("createCounterparty", "c", one))).toMatchObject({ kind: "counterparty", id: "c" });
    expect(createdBy(created("createBatch", "b", one))).toEqual({ kind: "batch", id: "b", data: '"USDBRL"' });
    expect(createdBy(created("createBatch", "b", {}))).toMatchObject({ data: "null" });
  });

  test.each([
    ["a refusal", created("createOperation", "o", one, { status: 409 })],
    ["another method", created("createOperation", "o", one, { method: "GET" })],
    ["an id that is not a string", created("createOperation", 7, one)],
    ["no id", exchangeOf("createOperation", { json: {} })],
    ["an operation that makes nothing", exchangeOf("listBatches", { json: { id: "b" } })],
    ["an ACAM item, which has no id", exchangeOf("addAcamItem", { json: { id: "b" } })],
  ])("is not %s", (_, exchange) => {
    expect(createdBy(exchange)).toBeUndefined();
    expect(said(identity, exchange)).toEqual([]);
  });
});

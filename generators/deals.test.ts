import { describe, expect, test } from "vitest";
import { dealsFor, type Domain } from "./deals.ts";
import { payeeRows } from "./payees.ts";
import { countries } from "./places.ts";
import { domain } from "./testing/contract.ts";
import { pairsIn } from "./testing/pairs.ts";

const domains: readonly (readonly [string, Domain])[] = [
  ["two pairs and two purposes", domain],
  ["one pair and one purpose", { ...domain, currencyPairs: ["USDBRL"], otherPurposes: [] }],
  ["amounts without decimals", { ...domain, amount: { min: 3, max: 7, decimals: 0 } }],
  ["one amount", { ...domain, amount: { min: 10, max: 10, decimals: 2 } }],
];

describe.each(domains)("%s", (_, target) => {
  const { operations, operationDesign, items, itemDesign, amounts } = dealsFor(target);

  test("every possible pair of operations and of items occurs", () => {
    const pairs = [pairsIn(operationDesign, operations), pairsIn(itemDesign, items)];
    for (const { of, covered } of pairs) expect(covered).toBe(of);
  });

  test("an item belongs to the operation of the same place", () => {
    for (const [index, { tax_id: _taxId, part: _part, ...operation }] of items.entries())
      expect(operations[index]).toEqual({ ...operation, bank_country: expect.any(String) });
  });

  test("an operation has the attributes of its payee", () => {
    for (const operation of operations)
      expect(operation).toMatchObject(payeeRows()[Number(operation["payee"])] ?? { none: "none" });
  });

  test("amounts are in the range, and are the ends where the row says so", () => {
    const { min, max } = target.amount;
    for (const share of [0, 0.5, 0.999])
      for (const [index, amount] of amounts(share).entries()) {
        expect(amount).toBeGreaterThanOrEqual(min);
        expect(amount).toBeLessThanOrEqual(max);
        const size = operations[index]?.["size"];
        if (size !== "between") expect(amount).toBe(size === "least" ? min : max);
      }
  });
});

test("each country occurs with each pair and each purpose, if there are two", () => {
  const countriesWith = (target: Domain, name: string, value: string) => {
    const rows = dealsFor(target).operations.filter((row) => row[name] === value);
    return new Set(rows.map((row) => row["bank_country"])).size;
  };
  const two = { ...domain, currencyPairs: ["USDBRL", "EURBRL"], otherPurposes: ["IMPORT"] };
  for (const pair of two.currencyPairs)
    expect(countriesWith(two, "currency_pair", pair)).toBe(countries.length);
  for (const purpose of ["EFX", "IMPORT"])
    expect(countriesWith(two, "operation_purpose", purpose)).toBe(countries.length);
  // Three purposes would need an operation more for each country.
  const three = { ...two, otherPurposes: ["IMPORT", "EXPORT"] };
  expect(countriesWith(three, "operation_purpose", "EXPORT")).toBeLessThan(countries.length);
  expect(countriesWith(three, "currency_pair", "EURBRL")).toBe(countries.length);
});

test("operations that are there for the country come last, those that can take an item first", () => {
  const { further, items, operations } = dealsFor({ ...domain, otherPurposes: ["IMPORT"] });
  const first = operations.length - further.length;
  expect(first).toBeGreaterThan(items.length);
  expect(further.toSorted((a, b) => a - b)).toEqual(further.map((_, nth) => first + nth));
  const canTakeItem = further.map((index) => operations[index]?.["operation_purpose"] === "EFX");
  expect(canTakeItem.slice(0, 10)).toEqual(Array.from({ length: 10 }, () => true));
  expect(canTakeItem.lastIndexOf(true)).toBeLessThan(canTakeItem.indexOf(false));
});

test("amounts between the ends have the decimals of their row, and differ", () => {
  const { operations, amounts } = dealsFor(domain);
  const between = amounts(0.3).filter((_, index) => operations[index]?.["size"] === "between");
  expect(new Set(between).size).toBe(between.length);
  for (const [index, amount] of amounts(0.3).entries())
    if (operations[index]?.["size"] === "between")
      expect(`${amount}`.split(".")[1]?.length ?? 0).toBe(Number(operations[index]["decimals"]));
  // Another share moves what neither a row nor an edge decides.
  expect(amounts(0.9)).not.toEqual(amounts(0.3));
});

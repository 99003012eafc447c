import * as fc from "fast-check";
import { amountEdges, amountOf, amountUnits } from "./amounts.ts";
import type { AmountRange } from "../spec/amount-range.ts";
import { coveringArray, type Design, type Row } from "./covering-array.ts";
import { payeeDesign, payeeRows } from "./payees.ts";
import type { Json } from "../spec/json.ts";
import { taxIdsOf, words } from "./texts.ts";

/** The values that are valid on the target, as the configuration of the run sets them. */
export interface Domain {
  readonly currencyPairs: readonly string[];
  readonly otherPurposes: readonly string[];
  readonly amount: AmountRange;
}

/** The purpose that every server accepts (specification, Operation). */
const efx = "EFX";

/** The rows of the operations and of the items of a run, and what they were made from. */
export type Deals = ReturnType<typeof newDeals>;

/** Kinds of tax id: of a person and of a company. */
export type TaxIdKind = keyof typeof taxIdsOf;

/** Draws an item of this amount with a tax id of this kind. */
export function itemArbitrary(kind: TaxIdKind, amount: number): fc.Arbitrary<ItemBody> {
  return fc
    .record({ tax_id: taxIdsOf[kind], merchant: words })
    .map((drawn) => ({ local_currency_amount: amount, ...drawn }));
}

interface ItemBody {
  readonly local_currency_amount: number;
  readonly tax_id: string;
  readonly merchant: string;
  readonly [name: string]: Json;
}

/**
 * The operations and items of a run against a target with these values: each possible pair of two
 * attributes occurs, the region of the bank among them, and each country, in operations with each
 * pair and with each purpose if there are two. `usualPurpose`: that of operations with items.
 */
export function dealsFor(domain: Domain, usualPurpose = efx): Deals {
  const { currencyPairs, otherPurposes, amount } = domain;
  const key = JSON.stringify([currencyPairs, otherPurposes, amount, usualPurpose]);
  const deals = known.get(key) ?? newDeals(domain, usualPurpose);
  known.set(key, deals);
  return deals;
}

const known = new Map<string, Deals>();

/**
 * The attributes of an item that occur in pairs: its own, and those of its operation that a server
 * of items sees.
 */
const ofItems = ["region", "account", "address", "external_id", "currency_pair", "tax_id", "part"];

/** With more values than these, there are too many pairs of each with a country. */
const fewValues = 2;

/** Sizes of amounts whose decimals the configuration decides: they count as amounts without. */
const ends = ["least", "most"];

function newDeals({ currencyPairs, otherPurposes, amount }: Domain, usualPurpose: string) {
  const { bank_country: bankCountry, ...ofPayee } = payeeDesign.attributes;
  const decimals = [...new Set([Math.max(0, amount.decimals), 1, 0])].filter(
    (one) => one <= Math.max(0, amount.decimals),
  );
  const pairs = [...new Set(currencyPairs)];
  const purposes = [...new Set([usualPurpose, ...otherPurposes])];
  const from = payeeRows().map((row, payee) => ({
    ...row,
    payee: String(payee),
  }));
  const amounts = { size: ["between", ...ends], decimals: decimals.map(String) };
  const excluded = [
    ...payeeDesign.excluded,
    { size: ends, decimals: decimals.slice(0, -1).map(String) },
  ];
  const common = { ...ofPayee, currency_pair: pairs, ...amounts };
  const itemDesign: Design = {
    attributes: {
      ...common,
      operation_purpose: [usualPurpose],
      tax_id: Object.keys(taxIdsOf),
      part: ["whole", "less"],
    },
    groups: [ofItems],
    excluded,
    settled: ["size"],
    from,
  };
  const withRegions: Design = {
    attributes: { bank_country: bankCountry, ...common, operation_purpose: purposes },
    excluded,
    settled: ["size"],
    groups: [
      [...Object.keys(common), "operation_purpose"],
      ["bank_country", "region"],
    ],
    from,
  };
  const items = coveringArray(itemDesign);
  const given = items.map(({ tax_id: _taxId, part: _part, ...operation }) => operation);
  const first = coveringArray({ ...withRegions, given });
  const operationDesign = withCountries(withRegions);
  const operations = coveringArray({ ...operationDesign, given: first });
  const further = operations.map((_, index) => index).slice(first.length);
  const canTakeItem = (index: number): boolean =>
    operations[index]?.["operation_purpose"] === usualPurpose &&
    operations[index]["size"] === "between";
  let last: { readonly share: number; readonly amounts: readonly number[] } | undefined;
  return {
    /**
     * Operations, each for the payee of a row of `payeeRows`, whose index is under `payee`. Those
     * with an item come first.
     */
    operations,
    operationDesign,
    /**
     * The indexes of the last operations, which are there for the country of the bank with pair and
     * purpose. Nearly all are for a payee that has an operation already. Those that can take an item
     * come first.
     */
    further: [...further.filter(canTakeItem), ...further.filter((index) => !canTakeItem(index))],
    /**
     * The amount of each operation. `share`: where in its part of the range an amount lies that
     * neither the row nor an edge of the range decides, from 0 to below 1.
     */
    amounts: (share: number): readonly number[] => {
      if (last?.share !== share) last = { share, amounts: amountsOf(operations, amount, share) };
      return last.amounts;
    },
    /** The items of the first operations. */
    items,
    itemDesign,
  };
}

/** The same design, but each country occurs with each pair and with each purpose, if these are few. */
function withCountries(design: Design): Design {
  const { attributes, groups = [] } = design;
  const few = ["currency_pair", "operation_purpose"].filter(
    (name) => (attributes[name]?.length ?? 0) <= fewValues,
  );
  return { ...design, groups: [...groups, ...few.map((name) => ["bank_country", name])] };
}

/**
 * An amount for each row, distinct as long as the range has more: the ends of the range, amounts
 * that servers often treat wrongly, and amounts from all over the range.
 */
function amountsOf(rows: readonly Row[], range: AmountRange, share: number): readonly number[] {
  const units = amountUnits(range);
  const taken = new Set<number>();
  const edges = amountEdges(range).slice(2);
  const between = (index: number, decimals: number): number => {
    const width = units.last - units.first;
    const unit = units.first + Math.floor(((index + share) / rows.length) * width);
    const step = 10 ** Math.max(0, units.decimals - decimals);
    for (let round = Math.ceil(unit / step) * step; round <= units.last; round += step) {
      const one = amountOf(round, units);
      if (decimalsOf(one) === decimals && !taken.has(one)) return one;
    }
    return amountOf(unit, units);
  };
  return rows.map((row, index) => {
    if (row["size"] === "least") return range.min;
    if (row["size"] === "most") return range.max;
    const decimals = Number(row["decimals"]);
    const edge = edges.find((one) => decimalsOf(one) === decimals && !taken.has(one));
    const amount = edge ?? between(index, decimals);
    taken.add(amount);
    return amount;
  });
}

function decimalsOf(amount: number): number {
  return /\.(\d+)$/.exec(String(amount))?.[1]?.length ?? 0;
}

import { oddTexts, type OddText } from "../../../generators/index.ts";
import { asPlainText, derived, scenario, type Value } from "../../kit/index.ts";
import { joinedTables, oddTextsAt } from "../../tables/texts.ts";

export const invalidItemTexts = scenario({
  id: "acam/invalid/texts",
  title: "odd texts in an ACAM item",
  checks: ["ACAM-06"],
  drawsTheSame: true,
  phase: "beside",
  run: async ({ create, draw, itemFor, observed, payeeWithItem, together }) => {
    const operation = await create({ counterparty: await payeeWithItem() });
    const table = draw(joinedTables("texts of an item", [oddMerchants, oddTaxIds], 1));
    await together(
      table.map((odd) => observed(itemFor(operation), odd, "OPEN-28", `${acam} ${odd.what}`)),
    );
  },
});

const acam = "POST /corporate/operation/{operation_id}/acam";

/** The long text comes first: a merchant is often stored in a column of bounded length. */
const isLong = ({ id }: OddText): boolean => id === "2000 characters";
const oddMerchants = oddTextsAt("/merchant", 6, {
  texts: [...oddTexts.filter(isLong), ...oddTexts.filter((odd) => !isLong(odd))],
});

/**
 * Odd texts behind a right tax id, whose digits a server may pick out. With the text, the value is
 * no tax id of any kind.
 */
const oddTaxIds = oddTextsAt("/tax_id", 3, {
  value: (text) => (text === "" ? "" : behindRightValue(text)),
  mayBeAltered: () => true,
});

function behindRightValue(text: string): Value {
  return derived("the right value and an odd text", (right) => `${asPlainText(right)}${text}`);
}

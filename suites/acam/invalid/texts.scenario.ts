import { oddTexts, type OddText } from "../../../generators/index.ts";
import { asPlainText, derived, scenario, type Value } from "../../kit/index.ts";
import { oddTextsAt } from "../../tables/texts.ts";
import { observedItems } from "./one-after-another.ts";

export const invalidItemTexts = scenario({
  id: "acam/invalid/texts",
  title: "odd texts in an ACAM item",
  checks: ["ACAM-06"],
  drawsTheSame: true,
  phase: "beside",
  run: (context) =>
    observedItems(
      context,
      "items with odd texts",
      [...oddMerchants, ...oddTaxIds].map((odd) => ({
        ...odd,
        question: "OPEN-28",
        inCase: `${acam} ${odd.what}`,
      })),
    ),
});

const acam = "POST /corporate/operation/{operation_id}/acam";

/**
 * A merchant is often stored in a column of bounded length, and put into statements and messages, so
 * these texts come first. The second has the quotes of SQL and of JSON.
 */
const likeliest = ["2000 characters", "what programs read as code", "what programs substitute"];
const isLikely = ({ id }: OddText): boolean => likeliest.includes(id);
const hasQuoteOfSql = ({ id }: OddText): boolean => id === "a quote as in SQL";
const isOther = (odd: OddText): boolean => !isLikely(odd) && !hasQuoteOfSql(odd);
const oddMerchants = oddTextsAt("/merchant", 7, {
  texts: [isLikely, isOther, hasQuoteOfSql].flatMap((isMeant) => oddTexts.filter(isMeant)),
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

import { asPlainText, derived, scenario, type Change, type Value } from "../../kit/index.ts";
import { observedItems } from "./one-after-another.ts";

export const invalidItemMembers = scenario({
  id: "acam/invalid/members",
  title: "each member of an ACAM item is changed once",
  checks: ["ACAM-06"],
  drawsTheSame: true,
  phase: "beside",
  run: (context) => observedItems(context, wrongMembers),
});

const at = (place: string, values: readonly Value[]): readonly Change[] =>
  values.map((value) => ({ with: { [place]: value } }));

const asText = derived("the right value as a string", asPlainText);
/** The digits of a tax id, if they are no number with a zero in front. */
const asNumber = derived("the right value as a number", (right) =>
  /^[1-9]\d{0,14}$/.test(asPlainText(right)) ? Number(right) : 12345,
);
const inObject = derived("the right value in an object", (value) => ({ value }));
const inArray = derived("the right value in an array", (value) => [value]);

/** What stands at a member in place of the right value. */
const wrongMembers: readonly Change[] = [
  ...at("/local_currency_amount", [null, asText, true, inObject, inArray]),
  ...at("/tax_id", [null, asNumber, true, inObject, inArray]),
  ...at("/merchant", [null, 12345, true, inObject, inArray]),
];

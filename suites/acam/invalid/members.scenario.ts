import { scenario, type Change } from "../../kit/index.ts";
import { asNumber, asText, at, inArray, inObject } from "../../tables/values.ts";
import { observedItems } from "./one-after-another.ts";

export const invalidItemMembers = scenario({
  id: "acam/invalid/members",
  title: "each member of an ACAM item is changed once",
  checks: ["ACAM-06"],
  drawsTheSame: true,
  phase: "beside",
  run: (context) => observedItems(context, "items with other members", wrongMembers),
});

/** Items with a wrong value for one member. */
const wrongMembers: readonly Change[] = [
  ...at("/local_currency_amount", [null, asText, true, inObject, inArray]),
  ...at("/tax_id", [null, asNumber, true, inObject, inArray]),
  ...at("/merchant", [null, 12345, true, inObject, inArray]),
];

import { scenario, type Change } from "../../kit/index.ts";
import { hopelessBodies } from "../../tables/hopeless.ts";
import { observedItems } from "./one-after-another.ts";

export const invalidItemBodies = scenario({
  id: "acam/invalid/bodies",
  title: "bodies that are not an ACAM item",
  checks: ["ACAM-06"],
  drawsTheSame: true,
  phase: "beside",
  run: (context) =>
    observedItems(context, "items with other bodies", [beyondDoubles, ...hopelessBodies]),
});

/** A well-formed number that no double can hold (RFC 8259, 6). A server may accept or refuse it. */
const beyondDoubles: Change = {
  what: "with the number 1e400 at /local_currency_amount",
  text: '{"local_currency_amount":1e400,…}',
};

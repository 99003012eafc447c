import type { Json } from "../../../spec/json.ts";
import { leftOut, scenario, type Change } from "../../kit/index.ts";
import { declaredAs, withUnknownMember } from "../../tables/tolerated.ts";
import { observedItems, type ObservedItem } from "../invalid/one-after-another.ts";

/**
 * Items that break no stated rule, although a server may ask more of an item (INT-22 and INT-24).
 */
export const doubtfulItems = scenario({
  id: "acam/add/doubtful",
  title: "an ACAM item with members left out, unknown or doubtful",
  checks: ["ACAM-06"],
  drawsTheSame: true,
  phase: "beside",
  run: (context) =>
    observedItems(context, "doubtful items", [
      ...["/local_currency_amount", "/tax_id", "/merchant"].map(without),
      ...doubtful,
      { ...withUnknownMember, question: "OPEN-35", inCase: acam },
      { ...declaredAs(form), question: "OPEN-36", inCase: `${acam} declared as ${form}` },
    ]),
});

const form = "application/x-www-form-urlencoded";
const acam = "POST /corporate/operation/{operation_id}/acam";

function without(place: string): ObservedItem {
  return {
    question: "OPEN-05",
    what: `without ${place}`,
    with: { [place]: leftOut },
    case: "a body without a member",
    breaksNoRule: true,
  };
}

function odd(what: string, place: string, value: Json): Change {
  return {
    what: `with ${what}`,
    with: { [place]: value },
    breaksNoRule: true,
  };
}

const [amount, taxId, merchant] = ["/local_currency_amount", "/tax_id", "/merchant"] as const;

const doubtful: readonly Change[] = [
  odd("an amount of zero", amount, 0),
  odd("a negative amount", amount, -1),
  odd("a huge amount", amount, 1e20),
  odd("an amount of many decimals", amount, 1.123456789),
  odd("a tax id of 30 digits", taxId, "529982247255299822472552998224"),
  odd("a tax id that is too short", taxId, "123"),
  odd("a tax id with punctuation", taxId, "529.982.247-25"),
  odd("an empty merchant", merchant, ""),
];

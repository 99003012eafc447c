import { edit } from "../change.ts";
import { has, reads } from "../faults/raw-body.ts";
import { refusing } from "../variants/variant.ts";
import { amountsIn, at, crash, crashes, legal, spelt, type BlindClass } from "./blind.ts";

function amount(id: string, about: string, change: (amount: number) => unknown) {
  const shown = at.operation.shows(edit("foreign_currency_amount", change));
  return at.operation.fault(id, ["OPER-06", "OPER-10"], about, shown);
}

const english = new Intl.NumberFormat("en-US", { minimumFractionDigits: 2 });

/** The number with four decimals. A number with more than four stays as it is. */
function withFourDecimals(text: string): string {
  const fixed = Number(text).toFixed(4);
  return Number(fixed) === Number(text) ? fixed : text;
}

function integersAsDecimals(text: string): string {
  const whole = /("(?:foreign_currency_amount|operation_count|count|total)":)(\d+)(?=[,}])/g;
  return text.replaceAll(whole, "$1$2.0");
}

export const numbers: BlindClass = {
  faults: [
    amount("float32", "An amount is kept as a float of 32 bits.", Math.fround),
    amount(
      "cents-truncated",
      "An amount is cut to cents in binary arithmetic.",
      (it) => Math.trunc(it * 100) / 100,
    ),
    amount("decimal-as-text", "An amount with decimals is a text.", (it) =>
      Number.isInteger(it) ? it : String(it),
    ),
    amount("thousands-separator", "Amounts from 1,000 are texts with separators.", (it) =>
      it >= 1_000 ? english.format(it) : it,
    ),
    at.operation.fault(
      "no-leading-zero",
      "HTTP-02",
      "An amount below 1 begins with the point.",
      at.operation.writes(amountsIn((it) => it.replace(/^0\./, "."))),
    ),
    at.list.fault(
      "total-as-text",
      "BATCH-22",
      "The total is a text, as the database driver returns it.",
      at.list.shows(edit("total", String)),
    ),
    at.batch.fault(
      "operation-count-as-text",
      "BATCH-04",
      "The operation_count of a created batch is a text.",
      at.batch.shows(edit("operation_count", String)),
    ),
    amount(
      "fee-deducted",
      "A fee of half a percent is deducted from an amount.",
      (it) => Math.round(it * 99.5) / 100,
    ),
    at.operation.fault(
      "zero-amount-500",
      ["HTTP-04", "OPER-40"],
      "An amount of zero is divided by: a 500.",
      at.operation.refuses("amount", (answer, call) =>
        has("currency_amount", (value) => value === 0)(call) ? crash : answer,
      ),
    ),
    at.operation.fault(
      "overflow-500",
      "HTTP-04",
      "An amount above 10 to the 15th overflows: a 500.",
      crashes(
        has("currency_amount", (value) => value > 1e15),
        "createOperation",
      ),
    ),
    at.operation.fault(
      "exponent-500",
      "HTTP-04",
      "An amount with an exponent gets a 500.",
      crashes(reads(/"currency_amount"\s*:\s*-?[\d.]+[eE]/), "createOperation"),
    ),
    amount("rounded-from-a-million", "Amounts from a million lose their decimals.", (it) =>
      it >= 1_000_000 ? Math.round(it) : it,
    ),
  ],
  variants: [
    legal(
      "exponent-amounts",
      "Amounts are written with an exponent.",
      spelt(amountsIn((it) => Number(it).toExponential().toUpperCase())),
    ),
    legal("decimals-everywhere", "Integers are written with a decimal.", spelt(integersAsDecimals)),
    legal("trailing-zeros", "Amounts have four decimals.", spelt(amountsIn(withFourDecimals))),
    legal(
      "upper-limit",
      "Amounts above 100,000 get a 422.",
      refusing(
        "createOperation",
        "The amount is above the limit",
        (body) => Number(body["currency_amount"]) > 100_000,
      ),
    ),
  ],
};

import { areRandom, scenario, unknownLike } from "../../kit/index.ts";

/**
 * Values that good practice refuses, although the specification does not say so. Any 4xx counts as
 * a refusal (INT-20).
 */
export const invalidValues = scenario({
  id: "operation/invalid/values",
  title: "values that no operation should have",
  checks: ["OPER-40", "OPER-41", "OPER-42", "OPER-43", "OPER-44"],
  run: async ({ controlOperation, refused, registered, runId, target, together }) => {
    const control = await controlOperation();
    const known = control.body.counterparty_id;
    const { id: another } = await registered();
    await together([
      refused(control, { with: { "/currency_amount": 0 } }, "OPER-40"),
      refused(control, { with: { "/currency_amount": -target.amount.max } }, "OPER-41"),
      refused(
        control,
        { with: { "/currency_amount": -(10 ** -target.amount.decimals) } },
        "OPER-41",
      ),
      refused(control, { with: { "/currency_pair": "dollars" } }, "OPER-42"),
      refused(control, { with: { "/currency_pair": "" } }, "OPER-42"),
      refused(control, { with: { "/currency_pair": "USD" } }, "OPER-42"),
      refused(control, { with: { "/currency_pair": "QQQZZZ" } }, "OPER-43"),
      refused(
        control,
        { what: nobody, with: { "/counterparty_id": `nobody-${runId}` } },
        "OPER-44",
      ),
      ...["", "null", "undefined", "nobody".repeat(40)].map((id) =>
        refused(control, { with: { "/counterparty_id": id } }, "OPER-44"),
      ),
      // If ids are numbers, a counterparty may have the id 0 (INT-39).
      !/^\d+$/.test(known) && refused(control, { with: { "/counterparty_id": "0" } }, "OPER-44"),
      // Only if ids are random is it certain that no counterparty has the made-up id (INT-39).
      areRandom(known, another) &&
        refused(
          control,
          { what: likeAnother, with: { "/counterparty_id": unknownLike(known) } },
          "OPER-44",
        ),
    ]);
  },
});

const nobody = "with a counterparty that does not exist";
const likeAnother = "with an id like a counterparty's that none has";

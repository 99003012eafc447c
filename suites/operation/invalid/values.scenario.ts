import { isRefusal } from "../../../model/exchange.ts";
import { areRandom, idsNear, scenario, unknownLike, type Change } from "../../kit/index.ts";

/**
 * Values that good practice refuses, although the specification does not say so. Any 4xx counts as
 * a refusal (INT-20).
 */
export const invalidValues = scenario({
  id: "operation/invalid/values",
  title: "values that no operation should have",
  checks: ["OPER-40", "OPER-41", "OPER-42", "OPER-43", "OPER-44"],
  run: async ({ controlOperation, refused, registered, runId, send, ...context }) => {
    const { isGiven, target, together } = context;
    const control = await controlOperation();
    const known = control.body.counterparty_id;
    const { id: another } = await registered();
    const unknown = `nobody-${runId}`;
    const beyond = async (): Promise<void> => {
      const answer = await refused(
        control,
        { what: nobody, with: { "/counterparty_id": unknown } },
        "OPER-44",
      );
      const isRefused = answer !== undefined && isRefusal(answer);
      await send(control, isRefused ? beyondDoublesOf(unknown) : beyondDoubles);
    };
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
      beyond(),
      ...["", "null", "undefined", "nobody".repeat(40)]
        .filter((id) => !isGiven(id))
        .map((id) => refused(control, { with: { "/counterparty_id": id } }, "OPER-44")),
      // If ids are numbers, a counterparty may have the id 0 (INT-39).
      !/^\d+$/.test(known) && refused(control, { with: { "/counterparty_id": "0" } }, "OPER-44"),
      // Only if ids are random is it certain that no counterparty has the made-up id (INT-39).
      ...(areRandom(known, another) ? [unknownLike(known), ...idsNear(known)] : []).map((id) =>
        refused(control, { what: likeAnother, with: { "/counterparty_id": id } }, "OPER-44"),
      ),
    ]);
  },
});

const nobody = "with a counterparty that does not exist";
const likeAnother = "with an id like a counterparty's that none has";

/**
 * A number that no double can hold (RFC 8259, 6), in a request that a server refuses for something
 * else. A server that accepted it could show it in its lists for ever, as null or as Infinity, which
 * is no JSON, and later runs would meet it there (INT-40). A server that refuses an unknown
 * counterparty often looks at the amount before. Others get null as the purpose, which must be
 * refused.
 */
function beyondDoublesOf(counterparty: string): Change {
  return {
    what: "with the number 1e400 at /currency_amount and a counterparty that does not exist",
    text: `{"currency_amount":1e400,"counterparty_id":${JSON.stringify(counterparty)},…}`,
  };
}

const beyondDoubles: Change = {
  what: "with the number 1e400 at /currency_amount and null at /operation_purpose",
  text: '{"currency_amount":1e400,"operation_purpose":null,…}',
};

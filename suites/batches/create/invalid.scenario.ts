import { scenario, type Change, type Table } from "../../kit/index.ts";
import { hopelessBodies } from "../../tables/hopeless.ts";
import { joinedTables, oddTextsAt } from "../../tables/texts.ts";
import { declaredAs, withUnknownMember } from "../../tables/tolerated.ts";
import { asReference, at, halved, inArray, inObject, operator } from "../../tables/values.ts";
import { concurrentBatches } from "./concurrent.scenario.ts";
import { listedBatch } from "./listed.scenario.ts";

/** A server may accept or refuse these requests, but never crashes (INT-27 and INT-30). */
export const invalidBatches = scenario({
  id: "batches/create/invalid",
  title: "bodies that are not a batch",
  checks: ["BATCH-08"],
  after: [listedBatch, concurrentBatches],
  drawsTheSame: true,
  run: async (context) => {
    const { answered, batchFor, draw, earlierBatch, observed, send, target, together } = context;
    // What the endpoint does with wrong batches counts only if it works: if no other scenario has
    // sent a valid batch, one comes first.
    if (earlierBatch() === undefined) await send(await batchFor());
    const [pair, other] = new Set(target.currencyPairs);
    const sendWithPairInQuery = async () => {
      if (other !== undefined) await send(await batchFor(pair), withPairInQuery(other));
    };
    const control = await batchFor();
    const [unknown] = await together([
      observed(control, withUnknownMember, "OPEN-35", title),
      sendWithPairInQuery(),
      ...["text/plain", null]
        .map(declaredAs)
        .map((change) => observed(control, change, "OPEN-36", `${title} ${change.what}`)),
      observed(control, unknownPair, "OPEN-39"),
      ...draw(wrongBatches).map((change) => observed(control, change, "OPEN-39")),
      ...draw(oddPairs).map((odd) => observed(control, odd, "OPEN-28", `${title} ${odd.what}`)),
    ]);
    answered("OPEN-14", "an unknown member", unknown);
  },
});

const title = "POST /batches";

/** Puts another pair into the query. The batch must be of the pair in the body (INT-44). */
function withPairInQuery(pair: string): Change {
  return {
    what: "with another pair in the query",
    query: `?currency_pair=${pair}`,
    breaksNoRule: true,
  };
}

const unknownPair: Change = {
  what: "with a pair of unknown currencies",
  with: { "/currency_pair": "QQQZZZ" },
};

const wrongPairs: Table<Change> = {
  name: "changes of a batch",
  always: at("/currency_pair", [null, 12345, true, inObject, inArray]),
  sometimes: at("/currency_pair", [0, false, {}, [], 1, halved, operator, asReference]),
};

const wrongBatches = joinedTables(
  "bodies that are no batch",
  [hopelessBodies("createBatch", "currency_pair"), wrongPairs],
  1,
);

/**
 * The name of this table differs from the name of the table for pairs of operations, so that the
 * run draws other texts.
 */
const oddPairs = {
  ...oddTextsAt("/currency_pair", 4, { mayBeAltered: () => true }),
  name: "texts in /currency_pair of a batch",
};

import { scenario, type Change } from "../../kit/index.ts";
import { hopelessBodies } from "../../tables/hopeless.ts";
import { oddTextsAt } from "../../tables/texts.ts";
import { declaredAs, withUnknownMember } from "../../tables/tolerated.ts";
import { at, inArray, inObject } from "../../tables/values.ts";
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
    const { answered, batchFor, earlierBatch, observed, send, target, together } = context;
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
      ...wrongBatches.map((change) => observed(control, change, "OPEN-39")),
      ...oddPairs.map((odd) => observed(control, odd, "OPEN-28", `${title} ${odd.what}`)),
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

const wrongBatches: readonly Change[] = [
  ...hopelessBodies,
  ...at("/currency_pair", [null, 12345, true, inObject, inArray]),
];

const oddPairs = oddTextsAt("/currency_pair", 4, { mayBeAltered: () => true });

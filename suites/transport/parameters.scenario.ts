import { batchesIn } from "../../harness/judging/observations.ts";
import { isSuccess, type Exchange } from "../../model/exchange.ts";
import { answerOf, scenario, type Change } from "../kit/index.ts";

/**
 * Requests for the list with query parameters. A server may read, ignore or refuse them, but never
 * crashes (INT-10 and INT-38).
 */
export const listParameters = scenario({
  id: "transport/parameters",
  uses: ["listBatches"],
  title: "the list with parameters that nobody states",
  checks: ["HTTP-04"],
  phase: "beside",
  run: async ({ listRequest, mostListed, observe, observed, send, together }) => {
    const [limited] = await together([
      send(listRequest, withQuery("?limit=1")),
      ...parameters.map((change) => observed(listRequest, change, "OPEN-18", change.query)),
    ]);
    // A list of one batch does not show whether it was limited.
    if (isSuccess(limited) && mostListed() < 2) return;
    const shown = countIn(limited) > 1 ? "more than one batch" : "one batch";
    observe("OPEN-18", "?limit=1", isSuccess(limited) ? shown : answerOf(limited));
  },
});

const countIn = ({ json }: Exchange): number => batchesIn(json)?.length ?? 0;

interface QueryChange extends Change {
  readonly query: string;
}

function withQuery(query: string): QueryChange {
  return { what: `with ${query}`, query, breaksNoRule: true };
}

/**
 * A query with brackets, or with bytes that are not UTF-8. Proxies and HTTP servers refuse such
 * queries before the API gets them.
 */
function withFragileQuery(query: string): QueryChange {
  return { ...withQuery(query), exemptBy: "INT-38" };
}

/**
 * Parameters with values that break careless code. A server that divides the list into pages knows
 * one or two of these names.
 */
const parameters: readonly QueryChange[] = [
  withQuery("?limit=abc"),
  withFragileQuery("?status=%00&currency_pair=%ff&from=%00"),
  withQuery("?page=-1&offset=-1"),
  withQuery("?cursor=none&limit=-1&limit=-2"),
  withQuery("?page=abc&offset=abc&page_size=abc"),
  withQuery(
    "?limit=99999999999999999999&page=99999999999999999999&offset=99999999999999999999&page_size=99999999999999999999",
  ),
  withQuery("?status=none&currency_pair=none&sort=none"),
  withQuery("?page=0&page_size=0&per_page=0&size=0"),
  withQuery(
    "?currency_pair=USD'BRL&from=2026-02-30&to=none&created_at=none&start_date=none&end_date=none",
  ),
  withFragileQuery("?limit[]=1&page[a]=1&page=2"),
  withFragileQuery(`?page${"[a]".repeat(150)}=1`),
  withQuery("?limit=9223372036854775807&offset=1"),
];

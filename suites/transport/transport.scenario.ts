import {
  isObject,
  isSuccess,
  fieldOf,
  jsonOf,
  memberOf,
  messageOf,
  unusual,
  valid,
  type RequestSpec,
} from "../../model/exchange.ts";
import { isUsableToken } from "../../harness/session/session.ts";
import { Inconclusive } from "../../harness/scenario-errors.ts";
import { isLoopback } from "../../model/target.ts";
import { operationNames, operations, operationTitle } from "../../spec/operations.ts";
import { scenario } from "../kit/scenario.ts";
import type { Context } from "../kit/context.ts";
import { listRequest } from "../kit/steps.ts";

/** What goes across the wire beneath the API (specification, introduction; rulings 10 and 32). */
export const transport = [
  scenario(
    "the API is not served over plain HTTP",
    { requirements: ["HTTP-07"], operations: ["createToken", "listBatches"], profiles: ["smoke", "full"] },
    async (context) => {
      const { target } = context;
      if (!target.baseUrl.startsWith("https:"))
        throw new Inconclusive("the base URL is plain HTTP, so HTTPS could not be looked at");
      if (!isLoopback(new URL(target.baseUrl).hostname) && !target.allowHttp) {
        throw new Inconclusive(
          "key and token go out in clear only to a loopback address; --allow-http asks for it elsewhere",
        );
      }
      const served = (
        await Promise.all(
          [{ operation: "createToken", intent: valid } as const, listRequest].map((ask) => servedPlainly(context, ask)),
        )
      ).filter((found) => found !== undefined);
      const [first] = served;
      if (first === undefined) return context.holds("HTTP-07");
      context.violated("HTTP-07", {
        message: "The port of the HTTPS address serves the API over plain HTTP too.",
        expected: "a refusal, a redirect or no response",
        actual: first,
      });
    },
  ),
  scenario(
    "other methods and parameters",
    { requirements: ["HTTP-04"], questions: ["OPEN-18", "OPEN-37"], operations: operationNames },
    async (context) => {
      const paths = { customer_id: context.target.customerId, operation_id: `nothing-${context.run.runId}` };
      // GET alone: RFC 9110 has 501 for methods that a server does not know, and every server knows GET. On the path of
      // the batches it is the list.
      const method = "GET";
      for (const operation of ["createToken", "createCounterparty", "createOperation", "addAcamItem"] as const) {
        const exchange = await context.ask({
          operation,
          intent: unusual(`with the method ${method}`),
          path: paths,
          method,
        });
        const allow = fieldOf(exchange.response.headers, "allow") === undefined ? "without Allow" : "with Allow";
        context.observe("OPEN-37", `${method} ${operations[operation].path}`, `${exchange.response.status} ${allow}`);
      }
      for (const query of oddQueries) {
        const odd = await context.ask({ ...listRequest, query, intent: unusual(`with ${query}`) });
        context.observe("OPEN-18", query, isSuccess(odd) ? "accepted" : `refused with ${odd.response.status}`);
      }
      const limited = await context.ask({ ...listRequest, query: "?limit=1", intent: unusual("with limit=1") });
      const batches = memberOf(limited.json, "batches");
      context.observe(
        "OPEN-18",
        "?limit=1",
        `${isSuccess(limited) ? `${Array.isArray(batches) ? Math.min(batches.length, 2) : "no"} ${Array.isArray(batches) && batches.length > 1 ? "or more " : ""}shown` : messageOf(limited)}`,
      );
    },
  ),
];

/** Parameters that nobody stated, with values that are easily computed with by mistake: a server that pages has one or two. */
const oddQueries = [
  "?limit=abc",
  "?page=-1&offset=-1",
  "?cursor=none&limit=0",
  "?limit=-1",
  "?page=abc&offset=abc&page_size=abc",
  "?page=0",
  "?status=none&currency_pair=none&sort=none",
];

/** What a plain request got, where that is the API itself; an HTML page or an error is no API. */
const servedPlainly = async (context: Context, ask: RequestSpec): Promise<string | undefined> => {
  const { response } = await context.run.sender.sendPlain(ask);
  if (response === undefined || !isSuccess({ response })) return undefined;
  const json = jsonOf(response);
  const token = memberOf(json, "token");
  if (isUsableToken(token)) {
    context.run.redaction.add(token, "token");
    context.run.sender.session.adopt(token);
  }
  return isObject(json) ? `${operationTitle(ask.operation)} answered ${response.status} over plain HTTP` : undefined;
};

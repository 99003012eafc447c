import { isUsableToken } from "../../model/token.ts";
import { Inconclusive } from "../../harness/scenario-errors.ts";
import {
  fieldOf,
  isObject,
  isSuccess,
  jsonOf,
  memberOf,
  unusual,
  valid,
  type RequestSpec,
} from "../../model/exchange.ts";
import { proxyText } from "../../model/network.ts";
import { isLoopback } from "../../model/target.ts";
import { operations, operationTitle } from "../../spec/operations.ts";
import { listedBatch } from "../batches/create.scenario.ts";
import { answerOf } from "../kit/answer.ts";
import type { Context } from "../kit/context.ts";
import { listRequest } from "../kit/requests.ts";
import { scenario } from "../kit/scenario.ts";

/** HTTP beneath the API (specification, introduction; INT-10 and INT-32). */
export const transport = [
  scenario(
    "transport/plain-http",
    "the API is not served over plain HTTP",
    { requirements: ["HTTP-07"], operations: [], cost: 2, profiles: ["smoke", "full"] },
    async (context) => {
      const { target } = context;
      if (!target.baseUrl.startsWith("https:"))
        throw new Inconclusive("the base URL is plain HTTP, so HTTPS was not checked");
      if (!isLoopback(new URL(target.baseUrl).hostname) && !target.allowHttp) {
        throw new Inconclusive(
          "key and token go out in clear only to a loopback address; --allow-http sends them elsewhere too",
        );
      }
      if (target.proxy !== undefined) {
        throw new Inconclusive(
          `plain HTTP on the port of HTTPS needs a direct connection, and the way leads through ${proxyText(target.proxy)}`,
        );
      }
      const served = (
        await Promise.all(
          [{ operation: "createToken", intent: valid } as const, listRequest].map((spec) =>
            servedPlainly(context, spec),
          ),
        )
      ).filter((found) => found !== undefined);
      const [first] = served;
      if (first === undefined) return context.holds("HTTP-07");
      context.violated("HTTP-07", {
        message: "The port of the HTTPS address serves the API over plain HTTP too.",
        expected: "a refusal, a redirect or no response",
        actual: first,
        cause: { expected: "no success over plain HTTP", actual: "a success over plain HTTP" },
      });
    },
  ),
  scenario(
    "transport/methods",
    "GET on the other paths",
    {
      requirements: ["HTTP-04"],
      questions: ["OPEN-37"],
      operations: [],
      cost: 4,
    },
    async (context) => {
      const path = { customer_id: context.target.customerId, operation_id: `nothing-${context.run.runId}` };
      // GET alone: RFC 9110 has 501 for methods that a server does not know, and every server knows GET. On the path of
      // the batches it is the list.
      const posted = ["createToken", "createCounterparty", "createOperation", "addAcamItem"] as const;
      await Promise.all(
        posted.map(async (operation) => {
          const intent = unusual("with the method GET");
          const exchange = await context.send({ operation, intent, path, method: "GET" });
          const { response } = exchange;
          const allow = fieldOf(response.headers, "allow") === undefined ? "without Allow" : "with Allow";
          const what = `GET ${operations[operation].path}`;
          context.observeAnswer("OPEN-37", what, exchange, `${response.status} ${allow}`);
        }),
      );
    },
  ),
  scenario(
    "transport/parameters",
    "the list with parameters that nobody states",
    {
      requirements: ["HTTP-04"],
      questions: ["OPEN-18"],
      operations: ["listBatches"],
      cost: 8,
      after: [listedBatch],
    },
    async (context) => {
      await Promise.all(
        oddQueries.map(async (query) => {
          const odd = await context.send({ ...listRequest, query, intent: unusual(`with ${query}`) });
          context.observeAnswer("OPEN-18", query, odd);
        }),
      );
      const limited = await context.send({ ...listRequest, query: "?limit=1", intent: unusual("with ?limit=1") });
      const batches = memberOf(limited.json, "batches");
      // A list of one batch does not show whether it was limited.
      if (isSuccess(limited) && (!Array.isArray(batches) || context.knowledge.mostListed < 2)) return;
      const shown = Array.isArray(batches) && batches.length > 1 ? "more than one batch" : "one batch";
      context.observe("OPEN-18", "?limit=1", isSuccess(limited) ? shown : answerOf(limited));
    },
  ),
];

/** Parameters with values that code easily computes with by mistake: a server that pages has one or two of them. */
const oddQueries = [
  "?limit=abc",
  "?page=-1&offset=-1",
  "?cursor=none&limit=0",
  "?limit=-1",
  "?page=abc&offset=abc&page_size=abc",
  "?page=0",
  "?status=none&currency_pair=none&sort=none",
];

/** The response over plain HTTP, where it comes from the API itself rather than an HTML page or an error. */
const servedPlainly = async (context: Context, spec: RequestSpec): Promise<string | undefined> => {
  const { response } = await context.run.sender.sendPlain(spec);
  if (response === undefined || !isSuccess({ response })) return undefined;
  const json = jsonOf(response);
  const token = memberOf(json, "token");
  if (isUsableToken(token)) {
    context.run.redaction.add(token, "token");
    context.run.sender.session.adopt(token);
  }
  return isObject(json) ? `${operationTitle(spec.operation)} answered ${response.status} over plain HTTP` : undefined;
};

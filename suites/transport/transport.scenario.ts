import {
  isObject,
  isSuccess,
  fieldOf,
  jsonOf,
  memberOf,
  messageOf,
  unusual,
  valid,
  type Ask,
} from "../../harness/exchange.ts";
import { isUsableToken } from "../../harness/session.ts";
import { Inconclusive } from "../../harness/verdicts.ts";
import { isLoopback } from "../../harness/target.ts";
import { operationNames, operations, operationTitle } from "../../spec/operations.ts";
import { scenario } from "../define.ts";
import type { Stage } from "../stage.ts";
import { listAsk } from "../steps.ts";

/** What goes across the wire beneath the API (specification, introduction; rulings 10 and 32). */
export const transport = [
  scenario(
    "the API is not served over plain HTTP",
    { requirements: ["HTTP-07"], operations: ["createToken", "listBatches"], profiles: ["smoke", "full"] },
    async (stage) => {
      const { target } = stage;
      if (!target.baseUrl.startsWith("https:"))
        throw new Inconclusive("the base URL is plain HTTP, so HTTPS could not be looked at");
      if (!isLoopback(new URL(target.baseUrl).hostname) && !target.allowHttp) {
        throw new Inconclusive(
          "key and token go out in clear only to a loopback address; --allow-http asks for it elsewhere",
        );
      }
      const served = (
        await Promise.all(
          [{ operation: "createToken", intent: valid } as const, listAsk].map((ask) => servedPlainly(stage, ask)),
        )
      ).filter((found) => found !== undefined);
      const [first] = served;
      if (first === undefined) return stage.holds("HTTP-07");
      stage.violated("HTTP-07", {
        message: "The port of the HTTPS address serves the API over plain HTTP too.",
        expected: "a refusal, a redirect or no answer",
        actual: first,
      });
    },
  ),
  scenario(
    "other methods and parameters",
    { requirements: ["HTTP-04"], questions: ["OPEN-18", "OPEN-37"], operations: operationNames },
    async (stage) => {
      const paths = { customer_id: stage.target.customerId, operation_id: `nothing-${stage.world.runId}` };
      // GET alone: RFC 9110 has 501 for methods that a server does not know, and every server knows GET. On the path of
      // the batches it is the list.
      const method = "GET";
      for (const operation of ["createToken", "createCounterparty", "createOperation", "addAcamItem"] as const) {
        const exchange = await stage.ask({
          operation,
          intent: unusual(`with the method ${method}`),
          path: paths,
          method,
        });
        const allow = fieldOf(exchange.answer.headers, "allow") === undefined ? "without Allow" : "with Allow";
        stage.observe("OPEN-37", `${method} ${operations[operation].path}: ${exchange.answer.status} ${allow}`);
      }
      for (const query of oddQueries) {
        const odd = await stage.ask({ ...listAsk, query, intent: unusual(`with ${query}`) });
        stage.observe("OPEN-18", `${query}: ${isSuccess(odd) ? "accepted" : `refused with ${odd.answer.status}`}`);
      }
      const limited = await stage.ask({ ...listAsk, query: "?limit=1", intent: unusual("with limit=1") });
      const batches = memberOf(limited.json, "batches");
      stage.observe(
        "OPEN-18",
        `limit=1: ${isSuccess(limited) ? `${Array.isArray(batches) ? Math.min(batches.length, 2) : "no"} ${Array.isArray(batches) && batches.length > 1 ? "or more " : ""}shown` : messageOf(limited)}`,
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
const servedPlainly = async (stage: Stage, ask: Ask): Promise<string | undefined> => {
  const { answer } = await stage.world.conversation.delivery.deliverPlain(ask);
  if (answer === undefined || !isSuccess({ answer })) return undefined;
  const json = jsonOf(answer);
  const token = memberOf(json, "token");
  if (isUsableToken(token)) {
    stage.world.redaction.add(token, "token");
    stage.world.conversation.session.adopt(token);
  }
  return isObject(json) ? `${operationTitle(ask.operation)} answered ${answer.status} over plain HTTP` : undefined;
};

import { other } from "../../model/mistake.ts";
import { isSuccess, jsonOf } from "../../model/exchange.ts";
import { proxyText } from "../../model/network.ts";
import { valid } from "../../model/request.ts";
import { isLoopback, type Target } from "../../model/target.ts";
import { isObject } from "../../spec/json.ts";
import { operationTitle } from "../../spec/operations.ts";
import { Inconclusive, scenario, type Context, type Request } from "../kit/index.ts";

/**
 * Sends requests over plain HTTP to the port of the HTTPS address (specification, introduction;
 * INT-10).
 */
export const plainHttp = scenario({
  id: "transport/plain-http",
  title: "the API is not served over plain HTTP",
  checks: ["HTTP-07"],
  profiles: ["smoke", "full"],
  run: async (context) => {
    const { holds, listRequest, target, together, violated } = context;
    const reason = uncheckedBecause(target);
    if (reason !== undefined) throw new Inconclusive(reason, "https");
    const requests = [{ operation: "createToken", intent: valid } as const, listRequest];
    const served = await together(requests.map((request) => servedPlainly(context, request)));
    const first = served.find((found) => found !== undefined);
    if (first === undefined) {
      holds("HTTP-07");
      return;
    }
    violated("HTTP-07", {
      message: "The port of the HTTPS address serves the API over plain HTTP too.",
      expected: "a refusal, a redirect or no response",
      actual: first,
      mistake: other("", "no success over plain HTTP", "a success over plain HTTP"),
    });
  },
});

function uncheckedBecause({ baseUrl, allowHttp, proxy }: Target): string | undefined {
  if (!baseUrl.startsWith("https:")) return "the base URL is plain HTTP, so HTTPS was not checked";
  if (!isLoopback(new URL(baseUrl).hostname) && !allowHttp)
    return "key and token go out in clear only to a loopback address; --allow-http sends them elsewhere too";
  if (proxy === undefined) return undefined;
  return `plain HTTP on the port of HTTPS needs a direct connection, and the way leads through ${proxyText(proxy)}`;
}

/**
 * Sends a request over plain HTTP. Resolves to the answer in words if it is a success with a JSON
 * object, and so comes from the API, or else to undefined.
 */
async function servedPlainly(
  { sendPlainly }: Context,
  request: Request,
): Promise<string | undefined> {
  const response = await sendPlainly(request);
  if (response === undefined || !isSuccess({ response }) || !isObject(jsonOf(response)))
    return undefined;
  return `${operationTitle(request.operation)} answered ${response.status} over plain HTTP`;
}

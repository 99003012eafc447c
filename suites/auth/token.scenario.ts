import { issuedToken } from "../../model/token.ts";
import { isSuccess, messageOf, isUsableToken, longestToken } from "../../model/exchange.ts";
import { memberOf } from "../../spec/json.ts";
import { unusual, valid, type RequestSpec } from "../../model/request.ts";
import type { Exchange } from "../../model/exchange.ts";
import { Inconclusive } from "../../harness/errors.ts";
import { pause } from "../../harness/sending/attempt.ts";
import type { Core } from "../kit/context.ts";
import { observing } from "../kit/observing.ts";
import { orNothing } from "../kit/concurrency.ts";
import { listRequest } from "../kit/requests.ts";
import { scenario } from "../kit/scenario.ts";

const plain = { operation: "createToken", intent: valid, contentType: null } as const;
const declared = { operation: "createToken", intent: valid, contentType: "application/json" } as const;

/** Getting a token (specification, Endpoints, 1 and Authentication; INT-14). */
export const token = [
  scenario(
    "auth/token/issued",
    "tokens are issued with and without a Content-Type, and each is accepted",
    {
      requirements: ["AUTH-01", "AUTH-02", "AUTH-03", "AUTH-04"],
      operations: ["createToken", "listBatches"],
      profiles: ["smoke", "full"],
    },
    async (context) => {
      const tokens: string[] = [];
      const issue = async (spec: RequestSpec): Promise<Exchange> => {
        const exchange = await context.send(spec);
        const token = issuedToken(exchange.json)?.token;
        // The session reports a token that fits no header.
        if (!isSuccess(exchange) || token === undefined || token.length > longestToken) return exchange;
        tokens.push(token);
        if (context.wants("AUTH-04")) await judgeFresh(context, spec, token);
        return exchange;
      };
      const ways = [
        { requirement: "AUTH-02", spec: plain, way: "without a Content-Type" },
        { requirement: "AUTH-03", spec: declared, way: "with Content-Type: application/json" },
      ] as const;
      const attempts = [];
      for (const row of ways) attempts.push({ ...row, exchange: await issue(row.spec) });
      const refused = !attempts.some(({ exchange }) => isSuccess(exchange));
      if (refused && !(await worksWithBody(context))) {
        const words = attempts.map(({ way, exchange }) => `${way} ${messageOf(exchange)}`).join(", ");
        throw new Inconclusive(`the token endpoint refused the configured key: ${words}. Check --api-key.`);
      }
      for (const { requirement, way, exchange } of attempts) {
        if (isSuccess(exchange)) {
          context.holds(requirement, exchange);
          continue;
        }
        const violation = {
          message: `The token call does not work ${way}.`,
          expected: "a token, as the same key gets with another request",
          actual: `status ${messageOf(exchange)}`,
          cause: { expected: `a token ${way}`, actual: `status ${exchange.response.status}` },
        };
        context.violated(requirement, violation, { exchange, again: (other) => !isSuccess(other) });
      }
      const [first, second] = tokens;
      if (second !== undefined)
        context.observe("OPEN-20", "a second token", first === second ? "the same token" : "a new token");
      if (!context.wants("AUTH-04")) return;
      const { spec } = attempts.find(({ exchange }) => isSuccess(exchange)) ?? {};
      if (spec !== undefined) for (let n = tokens.length; n < issued; n += 1) await issue(spec);
      if (first !== undefined && first !== tokens.at(-1))
        await context.send(observing(withToken(first), "OPEN-21", "the oldest of several tokens"));
    },
  ),
];

/** How many tokens are issued one after another and used at once: some faults show only in every second or third. */
const issued = 3;

/** Uses a new token. Others may use it up (INT-16), so one that is used alone must be refused too. */
const judgeFresh = async (context: Core, spec: RequestSpec, token: string): Promise<void> => {
  if ((await lastRefusal(context, token)) === undefined) return;
  const another = await orNothing(context.alone((send) => refusedAtOnce(send, spec)));
  const refusal = another === undefined ? undefined : await lastRefusal(context, another);
  if (refusal === undefined) return;
  context.violated(
    "AUTH-04",
    {
      message: "GET /batches refuses a token that was just issued.",
      expected: "a fresh token is accepted",
      actual: `status ${messageOf(refusal)}, each time within ${context.settings.grace} ms`,
      cause: { expected: "a fresh token is accepted", actual: `status ${refusal.response.status}` },
    },
    { exchange: refusal },
  );
};

/** Milliseconds that a token lives at least (INT-16). */
const shortestLife = 1000;

/** The first new token that is refused too soon to have lapsed. One that was issued before is not new. */
const refusedAtOnce = async (send: Core["send"], spec: RequestSpec): Promise<string | undefined> => {
  let before = memberOf((await send(spec)).json, "token");
  let wasRefused = false;
  for (let n = 0; n < issued; n += 1) {
    const exchange = await send(spec);
    const token = memberOf(exchange.json, "token");
    if (!isSuccess(exchange) || !isUsableToken(token)) return undefined;
    const use = await send(withToken(token));
    const isSoon = use.at + use.response.took - exchange.at < shortestLife;
    const isRefused = use.response.status === 401 && isSoon;
    if (isRefused && (token !== before || wasRefused)) return token;
    wasRefused = isRefused;
    before = token;
  }
  return undefined;
};

/** The last refusal of a token that is sent at once and again within the grace period (INT-14); none after a success. */
const lastRefusal = async (context: Core, token: string): Promise<Exchange | undefined> => {
  const until = performance.now() + context.settings.grace;
  for (let wait = 0; ; wait = Math.min(wait * 2 + 100, 1000)) {
    const exchange = await context.send(withToken(token));
    if (isSuccess(exchange)) context.holds("AUTH-04", exchange);
    if (exchange.response.status !== 401) return undefined;
    if (performance.now() + wait > until) return exchange;
    await pause(wait, context.run.signal);
  }
};

const withToken = (token: string): RequestSpec => ({ ...listRequest, authorization: `Bearer ${token}` });

/** If a call with a body is accepted, the key is right, so the server refused the other calls for something else. */
const worksWithBody = async (context: Core): Promise<boolean> =>
  isSuccess(await context.send({ operation: "createToken", intent: unusual("with a body"), body: {} }));

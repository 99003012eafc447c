import { newTokenRefused, other, type Violation } from "../../model/mistake.ts";
import {
  isSuccess,
  isUsableToken,
  longestToken,
  messageOf,
  type Exchange,
  issuedToken,
} from "../../model/exchange.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { tokenRequests } from "../../harness/sending/credentials.ts";
import { memberOf } from "../../spec/json.ts";
import { Inconclusive, scenario, type Context, type Request } from "../kit/index.ts";

/** Getting a token (specification, Endpoints, 1 and Authentication; INT-14). */
export const token = scenario({
  id: "auth/token/issued",
  isFirst: true,
  uses: ["createToken", "listBatches"],
  title: "tokens are issued with and without a Content-Type, and each is accepted",
  checks: ["AUTH-01", "AUTH-02", "AUTH-03", "AUTH-04"],
  profiles: ["smoke", "full"],
  run: async (context) => {
    const { answered, holds, listRequest, observe, send, together, wants } = context;
    const tokens: string[] = [];
    const issue = async (request: Request): Promise<Exchange> => {
      const exchange = await send(request);
      const issued = issuedToken(exchange.json)?.token;
      // A token that fits into no header is not used here, because the session reports it.
      if (!isSuccess(exchange) || issued === undefined || issued.length > longestToken)
        return exchange;
      tokens.push(issued);
      if (wants("AUTH-04")) await judgeFresh(context, request, issued);
      return exchange;
    };
    const attempts: (TokenWay & { readonly exchange: Exchange })[] = [];
    for (const way of ways) attempts.push({ ...way, exchange: await issue(way.request) });
    const accepted = attempts.find(({ exchange }) => isSuccess(exchange));
    // If the server accepts the call with a body, the key is right, and the other calls were
    // refused for something else.
    if (accepted === undefined && !isSuccess(await send(withBody))) {
      const words = attempts
        .map(({ what, exchange }) => `${what} ${messageOf(exchange)}`)
        .join(", ");
      throw new Inconclusive(
        `the token endpoint refused the configured key: ${words}. Check --api-key.`,
      );
    }
    for (const { exchange, ...way } of attempts) {
      if (isSuccess(exchange)) holds(way.requirement, exchange);
      else await judgeRefused(context, way, accepted?.request ?? withBody);
    }
    const [first, second] = tokens;
    if (second !== undefined) {
      observe("OPEN-20", "a second token", first === second ? "the same token" : "a new token");
    }
    if (!wants("AUTH-04")) return;
    if (accepted !== undefined)
      // The last one is issued beside another one.
      for (let n = tokens.length; n < inARow; n += 1)
        await together([
          issue(accepted.request),
          ...(n === inARow - 1 ? [send(accepted.request)] : []),
        ]);
    if (first !== undefined && first !== tokens.at(-1)) {
      const answer = await send({ ...listRequest, authorization: `Bearer ${first}` });
      const isRevoked = answer.response?.status === 401 || answer.response?.status === 403;
      if (isSuccess(answer) || isRevoked) observe("OPEN-21", oldest, isRevoked ? "yes" : "no");
      else answered("OPEN-21", oldest, answer);
    }
  },
});

const oldest = "the oldest of several tokens";
const [undeclared, declared, withBody] = tokenRequests;

interface TokenWay {
  readonly requirement: RequirementId;
  /** How the token is asked for, in words that follow "a request". */
  readonly what: string;
  readonly request: Request;
}

const ways: readonly TokenWay[] = [
  { requirement: "AUTH-02", what: "without a Content-Type", request: undeclared },
  { requirement: "AUTH-03", what: "with Content-Type: application/json", request: declared },
];

/**
 * Judges a way to ask for a token that was refused although another one is accepted. What refuses
 * every request for a while, such as a firewall, explains the refusal, too. So it only counts if it
 * shows again while nothing else is sent, between two successes of the accepted way.
 */
async function judgeRefused(
  { alone, attempt, holds, inconclusive, succeed, violated }: Context,
  { requirement, what, request }: TokenWay,
  accepted: Request,
): Promise<void> {
  const inTurn = await attempt(
    succeed(accepted).then(() =>
      alone(async (send) => [await send(accepted), await send(request), await send(accepted)]),
    ),
  );
  const [before, exchange, after] = inTurn ?? [];
  if (exchange !== undefined && isSuccess(exchange)) holds(requirement, exchange);
  else if (exchange === undefined || ![before, after].every((one) => one && isSuccess(one)))
    inconclusive(
      requirement,
      `POST /auth/token refused a request ${what}, and then refused one that it had accepted before`,
    );
  else
    violated(requirement, doesNotWork(what, exchange), {
      exchange,
      again: (other) => !isSuccess(other),
    });
}

function doesNotWork(what: string, exchange: Exchange): Violation {
  return {
    message: `POST /auth/token gives no token to a request ${what}.`,
    expected: "a token, which the same key gets with another request",
    actual: `status ${messageOf(exchange)}`,
    mistake: other("createToken", `a token ${what}`, `status ${exchange.response.status}`),
  };
}

/**
 * How many tokens are issued one after another, each of which is used right away. Some faults show
 * only in every second or third token.
 */
const inARow = 3;

/**
 * Uses a new token. Tokens that are issued meanwhile may revoke it (INT-16), so its refusal is a
 * violation only if another new token is refused too, while no other request is sent.
 */
async function judgeFresh(context: Context, request: Request, issued: string): Promise<void> {
  const { alone, attempt, listRequest, settings, violated } = context;
  if ((await lastRefusal(context, issued)) === undefined) return;
  const another = await attempt(alone((send) => refusedAtOnce(send, request, listRequest)));
  const refusal = another === undefined ? undefined : await lastRefusal(context, another);
  if (refusal === undefined) return;
  const violation = {
    message: "GET /batches refuses a token that was just issued.",
    expected: "a fresh token is accepted",
    actual: `status ${messageOf(refusal)}, each time within ${settings.grace} ms`,
    mistake: newTokenRefused(refusal.response.status),
  };
  violated("AUTH-04", violation, { exchange: refusal });
}

/** The least time that a token must live, in milliseconds (INT-16). */
const shortestLife = 1000;

/**
 * Gets new tokens and returns the first that is refused too soon to have expired, or undefined. A
 * token that is issued a second time counts only if it was refused the first time, too.
 */
async function refusedAtOnce(
  send: Context["send"],
  request: Request,
  list: Request,
): Promise<string | undefined> {
  let before = memberOf((await send(request)).json, "token");
  let wasRefused = false;
  for (let n = 0; n < inARow; n += 1) {
    const exchange = await send(request);
    const issued = memberOf(exchange.json, "token");
    if (!isSuccess(exchange) || !isUsableToken(issued)) return undefined;
    const use = await send({ ...list, authorization: `Bearer ${issued}` });
    const isSoon = use.at + use.response.took - exchange.at < shortestLife;
    const isRefused = use.response.status === 401 && isSoon;
    if (isRefused && (issued !== before || wasRefused)) return issued;
    wasRefused = isRefused;
    before = issued;
  }
  return undefined;
}

/**
 * Uses a new token at once and, while the response is 401, again until the grace period ends
 * (INT-14). Returns the last 401, or undefined after any other response.
 */
async function lastRefusal(
  { holds, listRequest, pause, send, settings }: Context,
  issued: string,
): Promise<Exchange | undefined> {
  const until = performance.now() + settings.grace;
  for (let wait = 0; ; wait = Math.min(wait * 2 + 100, 1000)) {
    const exchange = await send({ ...listRequest, authorization: `Bearer ${issued}` });
    if (isSuccess(exchange)) holds("AUTH-04", exchange);
    if (exchange.response.status !== 401) return undefined;
    if (performance.now() + wait > until) return exchange;
    await pause(wait);
  }
}

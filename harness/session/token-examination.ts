import { requirementOf } from "../../spec/catalogue.ts";
import { operationTitle } from "../../spec/operations.ts";
import { isSuccess, messageOf, type Exchange, type Origin, type RequestSpec } from "../../model/exchange.ts";
import type { Violation } from "../../model/finding.ts";
import { Inconclusive } from "../scenario-errors.ts";
import { isGatewayError } from "../transport/gateway-errors.ts";
import type { Delivered, Send } from "../transport/send.ts";
import { blockWaits } from "./blocks.ts";
import type { SessionParts } from "./session-parts.ts";
import { sessionOrigin } from "./session-requests.ts";
import { tokenRequests } from "./session.ts";

/**
 * Sends with a fresh token while nothing else is in flight, because other requests may use a token up or revoke it. If
 * two fresh tokens in a row are refused, AUTH-04 fails (INT-14), unless a lock-out explains it.
 */
export const createTokenExamination = (
  parts: SessionParts,
): ((spec: RequestSpec, origin: Origin, refused: string) => Promise<Exchange>) => {
  const { recorder, rateLimiter, session, facts, blocks, signs, direct, directUnlessBusy } = parts;

  /** Whether new tokens were refused for longer than lock-outs last, before any bad credential was sent. */
  let waitedInVain = false;

  const issue = async (): Promise<Exchange | undefined> => {
    const spec = facts.tokenRequest() ?? tokenRequests[0];
    return spec === undefined ? undefined : direct(spec, sessionOrigin);
  };

  return (spec, origin, refused) =>
    rateLimiter.alone(async () => {
      const left = [...blockWaits];
      // A token that was fetched while this request waited is tried before another is fetched.
      let fetches = session.current() === refused;
      for (let refusals = 0; ;) {
        const issued = fetches ? await issue() : undefined;
        const exchange = await directUnlessBusy(spec, origin);
        const { status } = exchange.response;
        if (isSuccess(exchange) && spec.intent.kind === "valid") recorder.holds("AUTH-04", exchange);
        const wasFetched = fetches;
        fetches = true;
        const wait = status === 403 && (await blocks.isBlocked(issued)) ? left.shift() : undefined;
        if (wait !== undefined) {
          await blocks.waitOut(wait, "403 to everything");
          continue;
        }
        if (status === 401 && !wasFetched) continue;
        if (status === 401 && issued !== undefined && !isSuccess(issued)) {
          // There was no new token, so this was the old one again.
          const again = signs.isProvoked() ? left.shift() : undefined;
          if (again === undefined) throw noToken(spec, issued);
          await blocks.waitOut(again, "no new token");
          continue;
        }
        if (status !== 401 || spec.intent.kind !== "valid") return exchange;
        refusals += 1;
        if (refusals < 2) continue;
        // A server that never took a token does not lock out. Others may take lapsed tokens for bad credentials.
        if (facts.listLength() !== undefined && (signs.isProvoked() || !waitedInVain)) {
          const again = left.shift();
          if (again !== undefined) {
            await blocks.waitOut(again, "401 to new tokens");
            continue;
          }
          if (signs.isProvoked()) throw lockedOut(spec, exchange);
          waitedInVain = true;
        }
        recorder.violated("AUTH-04", origin, { ...refusedToken(spec, exchange), exchange });
        return exchange;
      }
    });
};

/** Throws Inconclusive if the target throttles or a gateway answers with an error, instead of waiting. */
export const unlessBusy =
  (next: Send<Delivered>): Send<Delivered> =>
  async (spec, origin) => {
    const delivered = await next(spec, origin);
    const { status } = delivered.response;
    if (status !== 429 && !isGatewayError(status)) return delivered;
    throw new Inconclusive(`${operationTitle(spec.operation)} answered ${status} to a request that was sent alone`);
  };

const noToken = ({ operation }: RequestSpec, issued: Exchange): Inconclusive =>
  new Inconclusive(
    `${operationTitle(operation)} refused a token, and POST /auth/token gave no new one: ${messageOf(issued)}`,
  );

/** Bad credentials were sent before, and servers may lock out a client that sends them (INT-17). */
const lockedOut = ({ operation }: RequestSpec, exchange: Exchange): Inconclusive =>
  new Inconclusive(
    `after bad credentials ${operationTitle(operation)} refuses new tokens too (${messageOf(exchange)}), as a lock-out does`,
  );

const refusedToken = ({ operation }: RequestSpec, exchange: Exchange): Violation => ({
  message: `${operationTitle(operation)} refuses tokens that were just issued.`,
  expected: requirementOf("AUTH-04").statement,
  actual: `two fresh tokens in a row were answered with ${messageOf(exchange)}`,
  cause: { expected: "a fresh token is accepted", actual: `status ${exchange.response.status}` },
});

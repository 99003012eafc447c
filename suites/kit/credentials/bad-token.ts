import { statusCause } from "../../../harness/judging/status-cause.ts";
import { pause } from "../../../harness/transport/throttling.ts";
import {
  invalid,
  isRedirection,
  isRefusal,
  isSuccess,
  messageOf,
  saysTheSame,
  valid,
  type Exchange,
  type RequestSpec,
} from "../../../model/exchange.ts";
import type { RequirementId } from "../../../spec/catalogue.ts";
import { inputKinds } from "../../../spec/refusals.ts";
import { operationTitle } from "../../../spec/operations.ts";
import type { Context } from "../context.ts";
import { listRequest } from "../requests.ts";

/** A request with a good token, and whether the server accepts it. */
export type Guarded = RequestSpec & { readonly accepted?: boolean };

/** A token that was accepted a moment ago. */
export const liveToken = async (context: Context): Promise<string> => {
  await context.succeed(listRequest);
  return context.run.sender.session.token();
};

/** A token made from a live one, and what must become of it. */
export interface Altered {
  readonly requirement: RequirementId;
  readonly what: string;
  readonly alter: (token: string) => string;
  /** @defaultValue Bearer */
  readonly scheme?: string;
  readonly exactly?: 401 | undefined;
}

/** How often the tokens may lapse in the middle before the check gives up. */
const mostTries = 3;

/**
 * Altered tokens must be refused while the unaltered one is accepted, before and after: a lapsed token would prove
 * nothing. If the unaltered one is refused afterwards, each altered token is sent again, derived from a new token.
 */
export const judgeAltered = async (context: Context, guarded: Guarded, rows: readonly Altered[]): Promise<void> => {
  if (rows.length === 0) return;
  if (context.knowledge.alteredTokensEndOthers) {
    for (const row of rows) await judgeAlteredAlone(context, guarded, row);
    return;
  }
  const { isAlive, responses } = await sendAltered(context, guarded, rows);
  if (!isAlive) context.run.badCredentials.changed();
  for (const { row, exchange } of responses) {
    const judge = (): Promise<void> => judgeBadToken(context, row, exchange, guarded.accepted);
    if (isAlive) await context.withBadCredentials(row.requirement, judge);
  }
  if (isAlive) return;
  for (const { row } of responses) await judgeAlteredAlone(context, guarded, row);
};

/**
 * A server may revoke a token when it sees an altered copy: the refusal still counts, because the token worked before.
 */
const judgeAlteredAlone = async (context: Context, guarded: Guarded, row: Altered): Promise<void> => {
  const most = context.knowledge.alteredTokensEndOthers ? 1 : mostTries;
  for (let tries = 1; tries <= most; tries += 1) {
    const { isAlive, responses } = await sendAltered(context, guarded, [row], most > 1);
    const [response] = responses;
    if (response === undefined) return;
    if (tries === mostTries && !isAlive) context.knowledge.tokenEnded();
    if (isAlive || tries === most) return judgeBadToken(context, row, response.exchange, guarded.accepted);
  }
};

interface AlteredResponses {
  /** Whether the unaltered token was accepted afterwards, or an altered one was. */
  readonly isAlive: boolean;
  readonly responses: readonly { readonly row: Altered; readonly exchange: Exchange }[];
}

/** Without a control, the unaltered token counts as alive. */
const sendAltered = (
  context: Context,
  guarded: Guarded,
  rows: readonly Altered[],
  isControlled = true,
): Promise<AlteredResponses> =>
  context.run.badCredentials.section(async () => {
    const { accepted: _, ...spec } = guarded;
    const token = await liveToken(context);
    const presented = rows.flatMap((row) => {
      const altered = row.alter(token);
      if (row.scheme === undefined && (altered === token || altered.length < 4)) {
        context.inconclusive(row.requirement, `no request ${row.what} can be made of a token of this kind`);
        return [];
      }
      context.run.redaction.add(altered, `token: ${row.what}`);
      return [{ row, authorization: `${row.scheme ?? "Bearer"} ${altered}` }];
    });
    const sent = await context.run.badCredentials.each(presented, async ({ row, authorization }) => {
      const request = { ...spec, intent: invalid(row.what, inputKinds.credentials), authorization };
      const exchange = await context.withBadCredentials(row.requirement, () => context.send(request));
      return exchange === undefined ? [] : [{ row, exchange }];
    });
    const responses = sent.flat();
    const accepted = !isControlled || responses.some(({ exchange }) => isSuccess(exchange));
    const control: RequestSpec = { ...listRequest, authorization: `Bearer ${token}` };
    return { isAlive: accepted || isSuccess(await context.send(control)), responses };
  });

/** What is judged: the requirement, the request in words, and the one status if there is one. */
export type Judged = Pick<Altered, "requirement" | "what" | "exactly">;

/**
 * Judges the response to a bad token, with a control wherever something else may explain it. `accepted` is false where
 * the server refuses the request with a good token too: then only 401 is about the token.
 */
export const judgeBadToken = async (
  context: Context,
  judged: Judged,
  exchange: Exchange,
  accepted = true,
  times = 1,
): Promise<void> => {
  const { requirement, what, exactly } = judged;
  const { status } = exchange.response;
  const title = operationTitle(exchange.operation);
  const isRight = exactly === undefined ? isRefusal(exchange) : status === exactly;
  const holds = (): void => {
    context.observe("OPEN-23", `${title} ${what}`, String(status));
    context.holds(requirement, exchange);
  };
  if (isRight && (accepted || status === 401)) return holds();
  const { specOf, waits } = context.run.sender;
  const before = waits();
  const mayBeAboutAll = isRefusal(exchange) ? !accepted || exactly !== undefined : isRedirection(exchange);
  if (mayBeAboutAll && (await isAnsweredAlike(context, exchange))) {
    return context.inconclusive(
      requirement,
      `the server answers this request alike with a good token (${messageOf(exchange)}), so the status says nothing of the token`,
    );
  }
  if (isRight) return holds();
  if (isRefusal(exchange) && (await isLockedOut(context)))
    return context.inconclusive(requirement, lockedOut(exchange));
  const spec = specOf(exchange);
  // A control that had to wait shows that good tokens were refused as well.
  if (isRefusal(exchange) && waits() > before) {
    if (spec === undefined || times === mostTries) return context.inconclusive(requirement, lockedOut(exchange));
    return judgeBadToken(context, judged, await context.send(spec), accepted, times + 1);
  }
  // The refusal is not about the token either if one of several nodes did not know a new resource yet.
  if (isRefusal(exchange) && context.knowledge.lag > 0 && spec !== undefined && times === 1) {
    await pause(context.settings.grace, context.run.signal);
    return judgeBadToken(context, judged, await context.send(spec), accepted, mostTries);
  }
  const expected = exactly === undefined ? "a 4xx status" : `status ${exactly}`;
  context.violated(
    requirement,
    {
      message: `${title} answers a request ${what} with ${status}.`,
      expected: exactly === undefined ? "a refusal: a 4xx status" : expected,
      actual: `status ${messageOf(exchange)}`,
      cause: statusCause(expected, status),
    },
    { exchange },
  );
};

const lockedOut = (exchange: Exchange): string =>
  `after bad credentials the server refuses good ones too (${messageOf(exchange)}), so the status says nothing of the token`;

/**
 * Whether the same request gets the same response with a good token: a server may check a limit before the token. If
 * all requests are redirected, the base URL is the cause (INT-34).
 */
const isAnsweredAlike = async (context: Context, exchange: Exchange): Promise<boolean> => {
  const { authorization: _, ...spec } = context.run.sender.specOf(exchange) ?? listRequest;
  const control = await context.send({ ...spec, intent: valid });
  return saysTheSame(control, exchange);
};

const isLockedOut = async (context: Context): Promise<boolean> => !isSuccess(await context.send(listRequest));

import {
  invalid,
  isRefusal,
  isSuccess,
  messageOf,
  saysTheSame,
  valid,
  type RequestSpec,
  type Exchange,
} from "../../model/exchange.ts";
import { pause } from "../../harness/transport/throttling.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { operationTitle } from "../../spec/operations.ts";
import type { Context } from "../kit/context.ts";
import { listRequest } from "../kit/steps.ts";
import type { Guard } from "./guarded.ts";

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

/** Times that tokens may lapse in the middle before it is given up. */
const mostTries = 3;

/**
 * Altered tokens are refused while the unaltered one is accepted, before and after: a lapsed token would prove nothing.
 * Where it is dead afterwards, each is asked with a live token of its own.
 */
export const judgeAltered = async (context: Context, guard: Guard, rows: readonly Altered[]): Promise<void> => {
  if (rows.length === 0) return;
  const { isAlive, answers } = await askAltered(context, guard, rows);
  for (const { row, exchange } of answers) if (isAlive) await settle(context, row, exchange, guard.taken);
  if (isAlive) return;
  for (const { row } of answers) await judgeAlteredAlone(context, guard, row);
};

/** A server may end a token of which it has seen an altered one: then its death explains nothing, for it was alive before. */
const judgeAlteredAlone = async (context: Context, guard: Guard, row: Altered): Promise<void> => {
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const { isAlive, answers } = await askAltered(context, guard, [row]);
    const [response] = answers;
    if (response === undefined) return;
    if (isAlive || tries === mostTries) return settle(context, row, response.exchange, guard.taken);
  }
};

interface AlteredAnswers {
  /** Whether the unaltered token was accepted afterwards, or an altered one was. */
  readonly isAlive: boolean;
  readonly answers: readonly { readonly row: Altered; readonly exchange: Exchange }[];
}

const askAltered = async (context: Context, guard: Guard, rows: readonly Altered[]): Promise<AlteredAnswers> => {
  const { taken: _, ...ask } = guard;
  const token = await liveToken(context);
  const answers = [];
  for (const row of rows) {
    const altered = row.alter(token);
    if (row.scheme === undefined && (altered === token || altered.length < 4)) {
      context.inconclusive(row.requirement, `no request ${row.what} can be made of a token of this kind`);
      continue;
    }
    context.run.redaction.add(altered, `token: ${row.what}`);
    const authorization = `${row.scheme ?? "Bearer"} ${altered}`;
    answers.push({ row, exchange: await context.ask({ ...ask, intent: invalid(row.what), authorization }) });
  }
  const accepted = answers.some(({ exchange }) => isSuccess(exchange));
  const control: RequestSpec = { ...listRequest, authorization: `Bearer ${token}` };
  return { isAlive: accepted || isSuccess(await context.ask(control)), answers };
};

/** What is judged: the requirement, the request in words, and the one status where there is one. */
export type Judged = Pick<Altered, "requirement" | "what" | "exactly">;

/** Judges the response to a bad token, with a control wherever something else may explain it. */
export const settle = async (
  context: Context,
  judged: Judged,
  exchange: Exchange,
  taken = true,
  times = 1,
): Promise<void> => {
  const { requirement, what, exactly } = judged;
  const { status } = exchange.response;
  if (isRefusal(exchange)) context.observe("OPEN-23", operationTitle(exchange.operation), String(status));
  const isRight = exactly === undefined ? isRefusal(exchange) : status === exactly;
  if (isRight && (taken || status === 401)) return context.holds(requirement);
  const { specOf, waits } = context.run.sender;
  const before = waits();
  if (isRefusal(exchange) && (!taken || exactly !== undefined) && (await isRefusedAnyway(context, exchange))) {
    return context.inconclusive(
      requirement,
      `the server refuses this request with a good token too (${messageOf(exchange)}), so the refusal says nothing of the token`,
    );
  }
  if (isRight) return context.holds(requirement);
  if (isRefusal(exchange) && (await isLockedOut(context)))
    return context.inconclusive(requirement, lockedOut(exchange));
  const ask = specOf(exchange);
  // A control that had to wait did so because good tokens were refused as well.
  if (isRefusal(exchange) && waits() > before) {
    if (ask === undefined || times === mostTries) return context.inconclusive(requirement, lockedOut(exchange));
    return settle(context, judged, await context.ask(ask), taken, times + 1);
  }
  // Nor is it about the token where one of several nodes did not know yet what the request names.
  const { lag } = context.knowledge;
  if (isRefusal(exchange) && lag.longest > 0 && ask !== undefined && times === 1) {
    await pause(context.settings.grace, context.run.signal);
    return settle(context, judged, await context.ask(ask), taken, mostTries);
  }
  context.violated(
    requirement,
    {
      message: `${operationTitle(exchange.operation)} answers a request ${what} with ${status}.`,
      expected: exactly === undefined ? "a refusal: a 4xx status" : `status ${exactly}`,
      actual: `status ${messageOf(exchange)}`,
    },
    exchange,
  );
};

const lockedOut = (exchange: Exchange): string =>
  `after bad credentials the server refuses good ones too (${messageOf(exchange)}), so the status says nothing of the token`;

/** Whether the same request gets the same response with a good token: a limit may be looked at before the token is. */
const isRefusedAnyway = async (context: Context, exchange: Exchange): Promise<boolean> => {
  const { authorization: _, ...question } = context.run.sender.specOf(exchange) ?? listRequest;
  const control = await context.ask({ ...question, intent: valid });
  return saysTheSame(control, exchange);
};

const isLockedOut = async (context: Context): Promise<boolean> => !isSuccess(await context.ask(listRequest));

import {
  invalid,
  isRefusal,
  isSuccess,
  messageOf,
  saysTheSame,
  valid,
  type Ask,
  type Exchange,
} from "../../harness/exchange.ts";
import { pause } from "../../harness/waiting.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { operationTitle } from "../../spec/operations.ts";
import type { Stage } from "../stage.ts";
import { listAsk } from "../steps.ts";
import type { Guard } from "./guarded.ts";

/** A token that was accepted a moment ago. */
export const liveToken = async (stage: Stage): Promise<string> => {
  await stage.succeed(listAsk);
  return stage.world.conversation.session.token();
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
export const judgeAltered = async (stage: Stage, guard: Guard, rows: readonly Altered[]): Promise<void> => {
  if (rows.length === 0) return;
  const { isAlive, answers } = await askAltered(stage, guard, rows);
  for (const { row, exchange } of answers) if (isAlive) await settle(stage, row, exchange, guard.taken);
  if (isAlive) return;
  for (const { row } of answers) await judgeAlteredAlone(stage, guard, row);
};

/** A server may end a token of which it has seen an altered one: then its death explains nothing, for it was alive before. */
const judgeAlteredAlone = async (stage: Stage, guard: Guard, row: Altered): Promise<void> => {
  for (let tries = 1; tries <= mostTries; tries += 1) {
    const { isAlive, answers } = await askAltered(stage, guard, [row]);
    const [answer] = answers;
    if (answer === undefined) return;
    if (isAlive || tries === mostTries) return settle(stage, row, answer.exchange, guard.taken);
  }
};

interface AlteredAnswers {
  /** Whether the unaltered token was accepted afterwards, or an altered one was. */
  readonly isAlive: boolean;
  readonly answers: readonly { readonly row: Altered; readonly exchange: Exchange }[];
}

const askAltered = async (stage: Stage, guard: Guard, rows: readonly Altered[]): Promise<AlteredAnswers> => {
  const { taken: _, ...ask } = guard;
  const token = await liveToken(stage);
  const answers = [];
  for (const row of rows) {
    const altered = row.alter(token);
    if (row.scheme === undefined && (altered === token || altered.length < 4)) {
      stage.inconclusive(row.requirement, `no request ${row.what} can be made of a token of this kind`);
      continue;
    }
    stage.world.redaction.add(altered, `token: ${row.what}`);
    const authorization = `${row.scheme ?? "Bearer"} ${altered}`;
    answers.push({ row, exchange: await stage.ask({ ...ask, intent: invalid(row.what), authorization }) });
  }
  const accepted = answers.some(({ exchange }) => isSuccess(exchange));
  const control: Ask = { ...listAsk, authorization: `Bearer ${token}` };
  return { isAlive: accepted || isSuccess(await stage.ask(control)), answers };
};

/** What is judged: the requirement, the request in words, and the one status where there is one. */
export type Judged = Pick<Altered, "requirement" | "what" | "exactly">;

/** Judges the answer to a bad token, with a control wherever something else may explain it. */
export const settle = async (
  stage: Stage,
  judged: Judged,
  exchange: Exchange,
  taken = true,
  times = 1,
): Promise<void> => {
  const { requirement, what, exactly } = judged;
  const { status } = exchange.answer;
  if (isRefusal(exchange)) stage.observe("OPEN-23", `${operationTitle(exchange.operation)}: ${status}`);
  const isRight = exactly === undefined ? isRefusal(exchange) : status === exactly;
  if (isRight && (taken || status === 401)) return stage.holds(requirement);
  const { askOf, waits } = stage.world.conversation;
  const before = waits();
  if (isRefusal(exchange) && (!taken || exactly !== undefined) && (await isRefusedAnyway(stage, exchange))) {
    return stage.inconclusive(
      requirement,
      `the server refuses this request with a good token too (${messageOf(exchange)}), so the refusal says nothing of the token`,
    );
  }
  if (isRight) return stage.holds(requirement);
  if (isRefusal(exchange) && (await isLockedOut(stage))) return stage.inconclusive(requirement, lockedOut(exchange));
  const ask = askOf(exchange);
  // A control that had to wait did so because good tokens were refused as well.
  if (isRefusal(exchange) && waits() > before) {
    if (ask === undefined || times === mostTries) return stage.inconclusive(requirement, lockedOut(exchange));
    return settle(stage, judged, await stage.ask(ask), taken, times + 1);
  }
  // Nor is it about the token where one of several nodes did not know yet what the request names.
  const { lag } = stage.common;
  if (isRefusal(exchange) && lag.longest > 0 && ask !== undefined && times === 1) {
    await pause(stage.manner.grace, stage.world.signal);
    return settle(stage, judged, await stage.ask(ask), taken, mostTries);
  }
  stage.violated(
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

/** Whether the same request gets the same answer with a good token: a limit may be looked at before the token is. */
const isRefusedAnyway = async (stage: Stage, exchange: Exchange): Promise<boolean> => {
  const { authorization: _, ...question } = stage.world.conversation.askOf(exchange) ?? listAsk;
  const control = await stage.ask({ ...question, intent: valid });
  return saysTheSame(control, exchange);
};

const isLockedOut = async (stage: Stage): Promise<boolean> => !isSuccess(await stage.ask(listAsk));

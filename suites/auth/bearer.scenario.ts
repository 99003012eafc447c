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
import { Inconclusive } from "../../harness/verdicts.ts";
import type { Scenario } from "../../harness/scenario.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { operationTitle, type OperationName } from "../../spec/operations.ts";
import { scenario } from "../define.ts";
import type { Stage } from "../stage.ts";
import {
  acamAsk,
  acamBody,
  plainAmounts,
  batchAsk,
  counterpartyAsk,
  createOperation,
  firstPair,
  listAsk,
  operationAsk,
  operationBody,
  registerCounterparty,
  untilKnown,
} from "../steps.ts";
import { inOtherCase, ofTheSameShape, truncated, withOneCharacterReplaced, withTail } from "./altered.ts";

/** What an endpoint must do with each kind of bad Authorization header. */
interface Guarded {
  readonly operation: OperationName;
  readonly missing: RequirementId;
  readonly madeUp: RequirementId;
  readonly tampered: RequirementId;
  readonly malformed: RequirementId;
  /** The one status that the specification states for missing and invalid tokens. */
  readonly exactly?: 401;
  /** The shape of its errors, where nothing but these refusals shows it. */
  readonly errors?: RequirementId;
  /**
   * A request that is valid but for its header, since a server may look at body and path first. Where `taken` is false
   * the server refuses it with a good token too, and only 401 and 403 speak of the token.
   */
  readonly ask: (stage: Stage) => Promise<Guard>;
  readonly needs: readonly OperationName[];
}

const guarded: readonly Guarded[] = [
  {
    operation: "createOperation",
    missing: "AUTH-20",
    madeUp: "AUTH-21",
    tampered: "AUTH-22",
    malformed: "AUTH-23",
    exactly: 401,
    ask: async (stage) => {
      const { id } = await registerCounterparty(stage);
      const [amount = stage.target.amount.min, next = amount] = plainAmounts(stage, 2);
      const control = await orNothing(createOperation(stage, { counterparty: id, amount }));
      const ask = operationAsk(operationBody(stage, { counterparty: id, amount: next }));
      return { ...ask, taken: control !== undefined };
    },
    needs: ["createCounterparty", "createOperation"],
  },
  {
    operation: "createCounterparty",
    missing: "AUTH-24",
    madeUp: "AUTH-25",
    tampered: "AUTH-26",
    malformed: "AUTH-27",
    ask: async (stage) => counterpartyAsk(stage, (await registerCounterparty(stage)).body),
    needs: ["createCounterparty"],
  },
  {
    operation: "addAcamItem",
    missing: "AUTH-28",
    madeUp: "AUTH-29",
    tampered: "AUTH-30",
    malformed: "AUTH-31",
    ask: async (stage) => {
      const { id: counterparty } = await registerCounterparty(stage);
      const [amount = stage.target.amount.min] = plainAmounts(stage, 1);
      const made = await orNothing(createOperation(stage, { counterparty, amount }));
      await untilKnown(stage);
      // Where no more operations are taken, an earlier one has to do, which need not take a further item.
      const { lastOperation } = stage.common;
      if (made === undefined && lastOperation === undefined) throw new Inconclusive("no operation could be created");
      return { ...acamAsk(made?.id ?? lastOperation ?? "", acamBody(stage, amount)), taken: made !== undefined };
    },
    needs: ["createCounterparty", "createOperation", "addAcamItem"],
  },
  {
    operation: "createBatch",
    missing: "AUTH-32",
    madeUp: "AUTH-33",
    tampered: "AUTH-34",
    malformed: "AUTH-35",
    ask: async (stage) => {
      const control = await stage.ask(batchAsk(firstPair(stage)));
      // A second batch for a pair may be refused whoever asks for it (ruling 27).
      return { ...batchAsk(firstPair(stage)), taken: isSuccess(control) };
    },
    needs: ["createBatch"],
  },
  {
    operation: "listBatches",
    missing: "AUTH-36",
    madeUp: "AUTH-37",
    tampered: "AUTH-38",
    malformed: "AUTH-39",
    errors: "BATCH-28",
    ask: async () => listAsk,
    needs: ["listBatches"],
  },
];

type Guard = Ask & { readonly taken?: boolean };

/** Servers take so many operations a day: with a bad token, one that is refused tells something all the same. */
const orNothing = async <T>(making: Promise<T>): Promise<T | undefined> => {
  try {
    return await making;
  } catch (error) {
    if (error instanceof Inconclusive) return undefined;
    throw error;
  }
};

/** Tokens that are no tokens: a few, one at a time, after everything else (specification, Authentication; rulings 16 and 17). */
export const bearer: readonly Scenario<Stage>[] = [
  ...guarded.map((row) =>
    scenario(
      `${operationTitle(row.operation)} refuses bad tokens`,
      {
        requirements: [
          row.missing,
          row.madeUp,
          row.tampered,
          row.malformed,
          ...(row.errors === undefined ? [] : [row.errors]),
        ],
        questions: ["OPEN-23", "OPEN-25"],
        operations: row.needs,
        phase: "last",
        profiles: row.operation === "listBatches" ? ["smoke", "full"] : ["full"],
      },
      (stage) => refusesBadTokens(stage, row),
    ),
  ),
  scenario(
    "tokens in another letter case, and without a scheme",
    {
      requirements: ["AUTH-40"],
      questions: ["OPEN-24"],
      operations: ["listBatches"],
      phase: "last",
      profiles: ["smoke", "full"],
    },
    async (stage) => {
      await judgeAltered(stage, listAsk, [
        { requirement: "AUTH-40", what: "with the token in the other letter case", alter: inOtherCase },
      ]);
      const raw = await stage.ask({
        ...listAsk,
        intent: invalid("with a token without a scheme"),
        authorization: await liveToken(stage),
      });
      stage.observe("OPEN-24", isSuccess(raw) ? "accepted" : `refused with ${raw.answer.status}`);
    },
  ),
];

const refusesBadTokens = async (stage: Stage, row: Guarded): Promise<void> => {
  const selected = new Set(stage.manner.selection);
  if (row.errors !== undefined && selected.has(row.errors)) selected.add(row.missing);
  const ask = await row.ask(stage);
  const shape = ofTheSameShape(await liveToken(stage));
  stage.world.redaction.add(shape, "made-up token of the same shape");
  const rows: readonly {
    requirement: RequirementId;
    what: string;
    authorization: string | null;
    exactly?: 401 | undefined;
  }[] = [
    { requirement: row.missing, what: "without an Authorization header", authorization: null, exactly: row.exactly },
    {
      requirement: row.madeUp,
      what: "with a made-up token",
      authorization: "Bearer fxconform-made-up-token",
      exactly: row.exactly,
    },
    {
      requirement: row.madeUp,
      what: "with a made-up token of the right shape",
      authorization: `Bearer ${shape}`,
      exactly: row.exactly,
    },
    {
      requirement: row.madeUp,
      what: "with the word null for a token",
      authorization: "Bearer null",
      exactly: row.exactly,
    },
    { requirement: row.malformed, what: "with the scheme Bearer and no token", authorization: "Bearer" },
  ];
  const { taken, ...question } = ask;
  for (const { authorization, ...judged } of rows) {
    if (!selected.has(judged.requirement)) continue;
    const exchange = await stage.ask({ ...question, intent: invalid(judged.what), authorization });
    await settle(stage, judged, exchange, taken);
  }
  await judgeAltered(
    stage,
    ask,
    [
      {
        requirement: row.tampered,
        what: "with a token in which one character is replaced",
        alter: (token: string) => withOneCharacterReplaced(token),
        exactly: row.exactly,
      },
      // Signatures stand near the end. Asked where the status is stated, and nowhere else, for bad tokens are dear.
      ...(row.exactly === undefined ? [] : [row.exactly]).map((exactly) => ({
        requirement: row.tampered,
        what: "with a token in which one character near its end is replaced",
        alter: (token: string) => withOneCharacterReplaced(token, nearTheEnd),
        exactly,
      })),
      {
        requirement: row.tampered,
        what: "with a token with characters appended",
        alter: withTail,
        exactly: row.exactly,
      },
      { requirement: row.madeUp, what: "with a truncated token", alter: truncated, exactly: row.exactly },
      {
        requirement: row.malformed,
        what: "with a good token and the scheme Basic",
        alter: (token: string) => token,
        scheme: "Basic",
      },
      {
        requirement: row.malformed,
        what: "with a good token and the scheme Token",
        alter: (token: string) => token,
        scheme: "Token",
      },
    ].filter(({ requirement }) => selected.has(requirement)),
  );
};

/** As a share of the token's length. */
const nearTheEnd = 0.85;

/** A token that was accepted a moment ago. */
const liveToken = async (stage: Stage): Promise<string> => {
  await stage.succeed(listAsk);
  return stage.world.conversation.session.token();
};

interface Altered {
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
const judgeAltered = async (stage: Stage, guard: Guard, rows: readonly Altered[]): Promise<void> => {
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
type Judged = Pick<Altered, "requirement" | "what" | "exactly">;

const settle = async (stage: Stage, judged: Judged, exchange: Exchange, taken = true, times = 1): Promise<void> => {
  const { requirement, what, exactly } = judged;
  const { status } = exchange.answer;
  if (isRefusal(exchange)) stage.observe("OPEN-23", `${operationTitle(exchange.operation)}: ${status}`);
  const isRight = exactly === undefined ? isRefusal(exchange) : status === exactly;
  if (isRight && (taken || status === 401)) return stage.holds(requirement);
  const started = performance.now();
  if (isRefusal(exchange) && (!taken || exactly !== undefined) && (await isRefusedAnyway(stage, exchange))) {
    return stage.inconclusive(
      requirement,
      `the server refuses this request with a good token too (${messageOf(exchange)}), so the refusal says nothing of the token`,
    );
  }
  if (isRight) return stage.holds(requirement);
  if (isRefusal(exchange) && (await isLockedOut(stage))) return stage.inconclusive(requirement, lockedOut(exchange));
  // A control that had to wait did so because good tokens were refused as well.
  if (isRefusal(exchange) && performance.now() - started >= shortestBlock) {
    const ask = stage.world.conversation.askOf(exchange);
    if (ask === undefined || times === mostTries) return stage.inconclusive(requirement, lockedOut(exchange));
    return settle(stage, judged, await stage.ask(ask), taken, times + 1);
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

/** Milliseconds that a control waits at least where the server refuses everything for a while. */
const shortestBlock = 1000;

const lockedOut = (exchange: Exchange): string =>
  `after bad credentials the server refuses good ones too (${messageOf(exchange)}), so the status says nothing of the token`;

/** Whether the same request gets the same answer with a good token: a limit may be looked at before the token is. */
const isRefusedAnyway = async (stage: Stage, exchange: Exchange): Promise<boolean> => {
  const { authorization: _, ...question } = stage.world.conversation.askOf(exchange) ?? listAsk;
  const control = await stage.ask({ ...question, intent: valid });
  return saysTheSame(control, exchange);
};

const isLockedOut = async (stage: Stage): Promise<boolean> => !isSuccess(await stage.ask(listAsk));

import { invalid, isSuccess } from "../../model/exchange.ts";
import type { Scenario } from "../../harness/scenario.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import { operationTitle } from "../../spec/operations.ts";
import { scenario } from "../kit/scenario.ts";
import type { Context } from "../kit/context.ts";
import { listRequest } from "../kit/steps.ts";
import { inOtherCase, ofTheSameShape, truncated, withOneCharacterReplaced, withTail } from "../kit/altered-secret.ts";
import { judgeAltered, liveToken, settle } from "./bad-token.ts";
import { guarded, type Guarded } from "./guarded.ts";

/** Tokens that are no tokens: a few, one at a time, after everything else (specification, Authentication; rulings 16 and 17). */
export const bearer: readonly Scenario<Context>[] = [
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
      (context) => refusesBadTokens(context, row),
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
    async (context) => {
      await judgeAltered(context, listRequest, [
        { requirement: "AUTH-40", what: "with the token in the other letter case", alter: inOtherCase },
      ]);
      const raw = await context.ask({
        ...listRequest,
        intent: invalid("with a token without a scheme"),
        authorization: await liveToken(context),
      });
      context.observe("OPEN-24", "GET /batches", isSuccess(raw) ? "accepted" : `refused with ${raw.response.status}`);
    },
  ),
];

const refusesBadTokens = async (context: Context, row: Guarded): Promise<void> => {
  const selected = new Set(context.settings.selection);
  if (row.errors !== undefined && selected.has(row.errors)) selected.add(row.missing);
  const ask = await row.ask(context);
  const shape = ofTheSameShape(await liveToken(context));
  context.run.redaction.add(shape, "made-up token of the same shape");
  const rows: readonly {
    requirement: RequirementId;
    what: string;
    authorization: string | null;
    exactly?: 401 | undefined;
  }[] = [
    { requirement: row.missing, what: "without an Authorization header", authorization: null, exactly: row.exactly },
    {
      requirement: row.madeUp,
      // A property that every object of some languages has: tokens that are looked up as one are found.
      what: "with the word constructor for a token",
      authorization: "Bearer constructor",
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
    const exchange = await context.ask({ ...question, intent: invalid(judged.what), authorization });
    await settle(context, judged, exchange, taken);
  }
  await judgeAltered(
    context,
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

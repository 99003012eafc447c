import { isSuccess, memberOf, messageOf, unusual, valid } from "../../harness/exchange.ts";
import { isUsableToken } from "../../harness/session.ts";
import { Inconclusive } from "../../harness/verdicts.ts";
import { pause } from "../../harness/waiting.ts";
import { scenario } from "../define.ts";
import type { Stage } from "../stage.ts";
import { listAsk } from "../steps.ts";

const plain = { operation: "createToken", intent: valid, contentType: null } as const;
const declared = { operation: "createToken", intent: valid, contentType: "application/json" } as const;

/** How a token is come by (specification, Endpoints, 1 and Authentication; ruling 14). */
export const token = [
  scenario(
    "a token is issued with and without a Content-Type",
    {
      requirements: ["AUTH-01", "AUTH-02", "AUTH-03"],
      questions: ["OPEN-20"],
      operations: ["createToken"],
      phase: "before",
      profiles: ["smoke", "full"],
    },
    async (stage) => {
      const asked = [
        { requirement: "AUTH-02", ask: plain, way: "without a Content-Type" },
        { requirement: "AUTH-03", ask: declared, way: "with Content-Type: application/json" },
      ] as const;
      const answers = [];
      for (const row of asked) answers.push({ ...row, exchange: await stage.ask(row.ask) });
      const refused = !answers.some(({ exchange }) => isSuccess(exchange));
      if (refused && !(await worksWithBody(stage))) {
        const words = answers.map(({ way, exchange }) => `${way} ${messageOf(exchange)}`).join(", ");
        throw new Inconclusive(`the token endpoint refused the configured key: ${words}. Check --api-key.`);
      }
      for (const { requirement, way, exchange } of answers) {
        if (isSuccess(exchange)) stage.holds(requirement);
        else {
          const violation = {
            message: `The token call does not work ${way}.`,
            expected: "a token, as the same key gets when it is asked for otherwise",
            actual: `status ${messageOf(exchange)}`,
          };
          stage.violated(requirement, violation, exchange);
        }
      }
      const tokens = answers.map(({ exchange }) => memberOf(exchange.json, "token")).filter(isUsableToken);
      if (tokens.length === 2) stage.observe("OPEN-20", tokens[0] === tokens[1] ? "the same token" : "a new token");
    },
  ),
  scenario(
    "each token that is issued is accepted",
    {
      requirements: ["AUTH-04"],
      questions: ["OPEN-21"],
      operations: ["createToken", "listBatches"],
      phase: "before",
      profiles: ["smoke", "full"],
    },
    async (stage) => {
      const tokens: string[] = [];
      for (let n = 0; n < issued; n += 1) {
        await issueAnother(stage);
        const token = await stage.world.conversation.session.token();
        await judgeFresh(stage, token);
        tokens.push(token);
      }
      const [first = "", last = first] = [tokens[0], tokens.at(-1)];
      if (first === last) return;
      const older = await stage.ask({ ...listAsk, authorization: `Bearer ${first}` });
      stage.observe(
        "OPEN-21",
        isSuccess(older) ? "an older token is still accepted" : `an older token is refused with ${older.answer.status}`,
      );
    },
  ),
];

/** Tokens that are issued one after another and used at once: some faults show in every second or third only. */
const issued = 4;

/**
 * Uses a token that was just issued, while nothing else is in flight. Where it is refused it is sent again, at once and
 * later within the grace period, as it may need a moment to be known; refused to the last, it is none (ruling 14).
 */
const judgeFresh = async (stage: Stage, token: string): Promise<void> => {
  const until = performance.now() + stage.manner.grace;
  for (let wait = 0; ; wait = Math.min(wait * 2 + 100, 1000)) {
    const exchange = await stage.ask({ ...listAsk, authorization: `Bearer ${token}` });
    if (isSuccess(exchange)) return stage.holds("AUTH-04");
    if (exchange.answer.status !== 401) return;
    if (performance.now() + wait > until) {
      stage.violated(
        "AUTH-04",
        {
          message: "GET /batches refuses a token that was just issued.",
          expected: "a fresh token is accepted",
          actual: `status ${messageOf(exchange)}, each time within ${stage.manner.grace} ms`,
        },
        exchange,
      );
      return;
    }
    await pause(wait, stage.world.signal);
  }
};

/** The key is known, and only a call with a body is taken: then it is not the key that was refused. */
const worksWithBody = async (stage: Stage): Promise<boolean> =>
  isSuccess(await stage.ask({ operation: "createToken", intent: unusual("with a body"), body: {} }));

const issueAnother = async (stage: Stage): Promise<void> => {
  const exchange = await stage.ask(plain);
  if (!isSuccess(exchange)) await stage.ask(declared);
};

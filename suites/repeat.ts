import type { Exchange } from "../harness/exchange.ts";
import type { Suspect } from "../harness/ledger.ts";
import { Inconclusive } from "../harness/verdicts.ts";
import { usesSession } from "../harness/wire.ts";
import type { RequirementId } from "../spec/catalogue.ts";
import type { World } from "./world.ts";

/** Findings that are asked again, and how often each was asked in the end. */
const most = 10;
const times = 3;

/** What one request cannot show again by itself: it takes several, or time. */
const ofSeveral: ReadonlySet<RequirementId> = new Set([
  "AUTH-04",
  "CPTY-10",
  "CPTY-11",
  "OPER-15",
  "OPER-16",
  "ACAM-05",
  "BATCH-06",
  "BATCH-07",
  "BATCH-24",
  "BATCH-27",
  "HTTP-05",
  "HTTP-07",
]);

/** Asks the requests behind the findings again, one at a time, and tells how often each fault was there. */
export const repeatFindings = async (world: World): Promise<void> => {
  if (!world.pace.wasThrottled()) world.ledger.observe("OPEN-27", "none was met");
  if (!world.conversation.session.wasRenewed()) world.ledger.observe("OPEN-19", "no token lapsed during the run");
  for (const suspect of world.ledger
    .suspects()
    .filter((one) => isRepeatable(world, one))
    .slice(0, most)) {
    try {
      const seen = 1 + (await seenAgain(world, suspect));
      world.ledger.tell({ type: "repeated", key: suspect.key, text: `${seen} of ${times}` });
    } catch (error) {
      if (!(error instanceof Inconclusive)) throw error;
    }
  }
};

/** An item that was added cannot be added again, and bad credentials are dear. */
const isRepeatable = (world: World, { requirement, exchange }: Suspect): boolean => {
  const ask = world.conversation.askOf(exchange);
  if (ask === undefined || ofSeveral.has(requirement) || exchange.operation === "addAcamItem") return false;
  return exchange.operation === "createToken" ? ask.apiKey === undefined : usesSession(ask);
};

const seenAgain = async (world: World, { requirement, exchange, asker, again }: Suspect): Promise<number> => {
  const { conversation } = world;
  const ask = conversation.askOf(exchange);
  if (ask === undefined) return 0;
  const shows = (answer: Exchange): boolean =>
    again?.(answer) ?? conversation.violationsOf(answer).some((found) => found.requirement === requirement);
  let seen = 0;
  for (let i = 1; i < times; i += 1) if (shows(await conversation.ask(ask, asker))) seen += 1;
  return seen;
};

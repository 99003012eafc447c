import { ofListed, ofOperations } from "../../../harness/judging/rules/batch-list.ts";
import { isSuccess, type Exchange } from "../../../model/exchange.ts";
import { memberOf } from "../../../spec/json.ts";
import {
  answerOf,
  createdIn,
  inTurn,
  scenario,
  type Change,
  type Context,
  type Request,
} from "../../kit/index.ts";
import { withoutOptionalMembers } from "../../tables/tolerated.ts";
import { listUntilSeen, observeList, showsAll } from "../following.ts";

/**
 * Creates batches and looks for them in the list (specification, Endpoints, 5 and 6; INT-27). Other
 * scenarios create batches only later, which could push the batches of this one out of the list.
 */
export const listedBatch = scenario({
  id: "batches/create/listed",
  uses: ["createCounterparty", "createOperation", "addAcamItem", "createBatch", "listBatches"],
  title: "a created batch is listed",
  checks: ["BATCH-01", "BATCH-02", "BATCH-24", ...ofListed, ...ofOperations],
  isFirst: true,
  drawsTheSame: true,
  run: async (context) => {
    const pairs = followedPairs(context);
    try {
      await operationsThatWait(context, pairs);
    } finally {
      await followBatches(context, pairs);
    }
  },
});

/**
 * The pairs whose batches are looked for: the first pairs and the last one, as a server may treat
 * each pair in its own way.
 */
function followedPairs({ target }: Context): readonly string[] {
  const pairs = [...new Set(target.currencyPairs)];
  return [...new Set([...pairs.slice(0, 3), ...pairs.slice(-1)])];
}

/**
 * Creates operations that a batch could contain, if this server fills batches by itself: for each
 * pair one of a complete counterparty, and for the first pair one of a counterparty without optional
 * members. All else of this scenario waits for them, so they take as few steps as possible.
 */
async function operationsThatWait(context: Context, pairs: readonly string[]): Promise<void> {
  const { add, attempt, create, newCounterparty, registered, send, target, together } = context;
  const forComplete = async (): Promise<void> => {
    const counterparty = await registered();
    const [first, ...others] = pairs.map((pair) => create({ counterparty, pair }));
    // In a batch, an operation that has an item is shown as the others are (INT-30).
    const withItem = async (): Promise<void> => {
      const operation = await first;
      if (operation !== undefined && target.batchMembers === undefined)
        await attempt(add(operation));
    };
    await together([withItem(), ...others]);
  };
  const forPlain = async (): Promise<void> => {
    const plain = createdIn(await send(newCounterparty(), withoutOptionalMembers));
    const counterparty = plain ?? (await registered());
    await create({ counterparty, pair: pairs[0] });
  };
  await together([forComplete(), forPlain()]);
}

/**
 * How many batches are looked for: fewer than a page has, and more than a faulty list shows that
 * ends after the first few.
 */
const followed = 7;

const further: Change = { what: "for a pair that has a batch", breaksNoRule: true };

/**
 * Creates a few batches, waits until they are listed, and then does the same with more, because a
 * faulty list may show only the first few.
 */
async function followBatches(context: Context, pairs: readonly string[]): Promise<void> {
  const { attempt, batchFor, listRequest, send, together } = context;
  const created = await firstBatches(context, pairs);
  const [first] = created;
  if (first === undefined) return;
  // This pair has a batch already. If the server refuses another batch for it, no more batches are
  // created, because the server would refuse those too.
  const inARow = (await attempt(createTwoInARow(context, pairOf(first)))) ?? [];
  created.push(...inARow);
  let isOpen = inARow.every(
    (exchange, index) => index > 0 || isSuccess(exchange) || isLapsed(exchange),
  );
  const again = async (request: Request): Promise<boolean> => {
    const exchange = await send(request, further);
    created.push(exchange);
    return isSuccess(exchange);
  };
  const later = Array.from({ length: followed - 2 - pairs.length }, (_, index) =>
    inTurn(pairs, index),
  );
  // The first batches are created one after another, so that their order is known, and the last
  // three at once, because a faulty server may lose one of them.
  for (const pair of later.slice(0, -3)) isOpen &&= await again(await batchFor(pair));
  // Meanwhile the list is asked: it must show a batch as a whole, or not at all.
  if (isOpen) {
    const atOnce = await together(later.slice(-3).map((pair) => batchFor(pair)));
    await together([...atOnce.map(again), send(listRequest)]);
  }
  observeList(context, await listUntilSeen(context, created), created);
}

/**
 * Creates a batch for each pair, and looks for the first one while there is no other. Returns the
 * successes, or none if neither the first batch nor, later, all batches are listed. Throws
 * Inconclusive if the server refuses all batches.
 */
async function firstBatches(context: Context, pairs: readonly string[]): Promise<Exchange[]> {
  const { attempt, batchFor, succeed, together } = context;
  const make = async (pair: string): Promise<Exchange> => succeed(await batchFor(pair));
  const [first = "", ...others] = pairs;
  const creation = make(first);
  const one = await attempt(creation);
  const isListed = one !== undefined && showsAll(await listUntilSeen(context, [one]), [one]);
  // A server may refuse batches for some pairs, or may refuse more batches today. One created batch
  // is enough.
  const answers = await together(others.map((pair) => attempt(make(pair))));
  const created = [one, ...answers].filter((exchange) => exchange !== undefined);
  if (created.length === 0) await creation;
  const isSeen = isListed || showsAll(await listUntilSeen(context, created), created);
  return isSeen ? created : [];
}

function pairOf(exchange: Exchange): string {
  const pair = memberOf(exchange.request.json, "currency_pair");
  return typeof pair === "string" ? pair : "";
}

/**
 * Creates two more batches for a pair, with no operation between them: if a batch takes all
 * operations, the second one is empty.
 */
async function createTwoInARow(context: Context, pair: string): Promise<readonly Exchange[]> {
  const { batchFor, observe, send, withoutOperations } = context;
  const one = await batchFor(pair);
  const other = await batchFor(pair);
  const [first, second] = await withoutOperations(
    async () => [await send(one, further), await send(other, further)] as const,
  );
  if (!isLapsed(second)) observe("OPEN-32", "a second batch for a pair", answerTo(first, second));
  return [first, second];
}

function answerTo(first: Exchange, second: Exchange): string {
  if (!isSuccess(second)) return answerOf(second);
  return memberOf(first.json, "id") === memberOf(second.json, "id")
    ? "the first one again"
    : "a new batch";
}

/** Whether the token has expired. Then the refusal is not about the batch. */
const isLapsed = ({ response }: Exchange): boolean => response.status === 401;

import { pageSize } from "../../../harness/judging/rules/batch-list.ts";
import { batchesIn, cursorsOf } from "../../../harness/judging/observations.ts";
import { isSuccess } from "../../../model/exchange.ts";
import { memberOf, type Json } from "../../../spec/json.ts";
import { unusual, valid, type Intent, type RequestSpec } from "../../../model/request.ts";
import type { Exchange } from "../../../model/exchange.ts";
import { amountSupply, pairsInUse } from "../amounts.ts";
import { orNothing } from "../concurrency.ts";
import type { Core } from "../context.ts";
import { answerOnRepetition } from "../observing.ts";
import { listRequest } from "../requests.ts";
import { registerCounterparty } from "./counterparties.ts";
import { createOperation } from "./operations.ts";

export const batchRequest = (body: Json, intent: Intent = valid): RequestSpec => ({
  operation: "createBatch",
  intent,
  body,
});

export const validBatch = async (context: Core, pair: string, intent: Intent = valid): Promise<RequestSpec> =>
  batchRequest(await batchBody(context, pair), intent);

const placeholder = "{operation_id}";

/** The body of a valid batch. An operation that the configured members name is a new one: it is in one batch. */
export const batchBody = async (context: Core, pair: string): Promise<Readonly<Record<string, Json>>> => {
  const members = JSON.stringify(context.target.batchMembers ?? {});
  const id = members.includes(placeholder) ? JSON.stringify(await waitingOperation(context, pair)).slice(1, -1) : "";
  return { currency_pair: pair, ...JSON.parse(members.replaceAll(placeholder, () => id)) };
};

/** A new operation with this pair, which is in no batch yet. Returns its id. */
export const waitingOperation = async (context: Core, pair: string): Promise<string> => {
  const { counterparty, amount } = await context.knowledge.once("operations of batches", async () => ({
    counterparty: (await registerCounterparty(context)).id,
    amount: amountSupply(context, 40, 3),
  }));
  return (await createOperation(context, { counterparty, amount: amount(), pair })).id;
};

/** How many batches are looked for: fewer than a page, and more than a list of only the first few. */
const followed = 7;

/** Lists batches until the created ones are seen; then the same with more, as a list may show the first few only. */
export const listCreated = async (context: Core): Promise<void> => {
  const pairs = followedPairs(context);
  const creations = pairs.map(async (pair) => context.succeed(await validBatch(context, pair)));
  // A server may refuse batches for some pairs, or more batches today: one created batch is enough.
  const created = (await Promise.all(creations.map(orNothing))).filter((exchange) => exchange !== undefined);
  const [first] = created;
  if (first === undefined) return void (await creations[0]);
  if (!showsAll(await listUntilSeen(context, created), created)) return;
  // A pair that has a batch. If the server refuses another batch for it, it refuses more.
  const inARow = (await orNothing(createTwoInARow(context, pairOf(first)))) ?? [];
  created.push(...inARow);
  let isOpen = inARow.every((exchange, index) => index > 0 || isSuccess(exchange) || isLapsed(exchange));
  const again = async (pair: string): Promise<boolean> => {
    const exchange = await context.send(await furtherBatch(context, pair));
    created.push(exchange);
    return isSuccess(exchange);
  };
  const further = Array.from({ length: followed - 2 - pairs.length }, (_, n) => pairs[n % pairs.length] ?? "");
  // One after another, so that their order is known; then two at once, because a faulty server may lose one.
  for (const pair of further.slice(0, -2)) isOpen &&= await again(pair);
  if (isOpen) await Promise.all(further.slice(-2).map(again));
  observeList(context, await listUntilSeen(context, created), created);
};

const pairOf = (exchange: Exchange): string => {
  const pair = memberOf(exchange.request.json, "currency_pair");
  return typeof pair === "string" ? pair : "";
};

const furtherBatch = (context: Core, pair: string): Promise<RequestSpec> =>
  validBatch(context, pair, unusual("for a pair that has a batch"));

/** Two more batches for a pair, without an operation between them: if a batch takes all, the second is empty. */
const createTwoInARow = async (context: Core, pair: string): Promise<readonly Exchange[]> => {
  const specs = [await furtherBatch(context, pair), await furtherBatch(context, pair)] as const;
  const [first, second] = await context.alone(async (send) => [await send(specs[0]), await send(specs[1])] as const);
  const isSame = memberOf(first.json, "id") === memberOf(second.json, "id");
  const answer = answerOnRepetition(second, isSame, "a new batch");
  if (!isLapsed(second)) context.observe("OPEN-32", "a second batch for a pair", answer);
  return [first, second];
};

/** Whether the token lapsed: then the refusal is not about the batch. */
const isLapsed = ({ response }: Exchange): boolean => response.status === 401;

/** The first pairs and the last one: each may be treated in its own way. */
export const followedPairs = (context: Core): readonly string[] => {
  const pairs = pairsInUse(context);
  return [...new Set([...pairs.slice(0, 3), ...pairs.slice(-1)])];
};

/** Lists batches until all that these requests created are shown, or the grace period is over. Returns the last list. */
export const listUntilSeen = (context: Core, created: readonly Exchange[]): Promise<Exchange> => {
  const until = Math.max(...created.map(({ at, response }) => at + response.took)) + context.settings.grace;
  return context.succeed({ ...listRequest, awaits: { isShown: (list) => showsAll(list, created), until } });
};

const showsAll = (list: Pick<Exchange, "json">, created: readonly Exchange[]): boolean => {
  const shown = new Set(batchesIn(list.json)?.map((batch) => memberOf(batch, "id")));
  return created.filter(isSuccess).every(({ json }) => shown.has(memberOf(json, "id")));
};

/** How many created batches show the order of the list rather than chance. */
const ordered = 6;

/** Observes what the list counts and its order, while no other scenario creates batches, if the list is not a page. */
export const observeList = (context: Core, list: Exchange, created: readonly Exchange[]): void => {
  const batches = batchesIn(list.json) ?? [];
  const ids = batches.map((batch) => memberOf(batch, "id"));
  // A second batch for a pair may be the first one again (INT-27).
  const made = created.filter(isSuccess).toReversed();
  const places = [...new Map(made.map((exchange) => [ids.indexOf(memberOf(exchange.json, "id")), exchange]))];
  if (places.length >= ordered && places.every(([place]) => place !== -1))
    context.observe("OPEN-17", "batches of a run", orderOf(places));
  if (batches.length >= pageSize) return;
  for (const name of ["count", "total"])
    context.observe("OPEN-16", `${name} of a short list`, relationOf(memberOf(list.json, name), batches.length));
  context.observe("OPEN-18", "a short list", cursorsOf(list).join(", ") || "nothing looks like a cursor");
};

/** The order of a list in which created batches have these places. Those of the same time have none. */
const orderOf = (batches: readonly (readonly [place: number, created: Exchange])[]): string => {
  const steps = batches.flatMap(([place, { at, response }]) =>
    batches.filter(([, later]) => later.at >= at + response.took).map(([other]) => other - place),
  );
  if (steps.every((step) => step > 0)) return "oldest first";
  return steps.every((step) => step < 0) ? "newest first" : "neither by age";
};

const relationOf = (value: Json | undefined, shown: number): string => {
  if (typeof value !== "number") return "no number";
  if (value === shown) return "the batches shown";
  return value > shown ? "more than the batches shown" : "fewer than the batches shown";
};

import { batchesIn, cursorsOf } from "../../harness/judging/observations.ts";
import { thatTake } from "../../spec/needs.ts";
import { pageSize } from "../../harness/judging/rules/batch-list.ts";
import { isSuccess, type Exchange } from "../../model/exchange.ts";
import { escaped, memberOf, type Json } from "../../spec/json.ts";
import type { QuestionId } from "../../spec/questions.ts";
import { type Context, createdIn, inTurn, leftOut, scenario, type Change } from "../kit/index.ts";
import {
  withoutOptionalMembers,
  declaredAs,
  withMadeUpMembers,
  withUnknownMember,
} from "../tables/tolerated.ts";
import { hopelessBodies, at, inArray, inObject } from "../tables/bodies.ts";
import { oddTextsAt, tryTexts } from "../tables/texts.ts";

/**
 * Asks for the list until it shows all batches that these requests created, or until the grace
 * period is over. Returns the response with the last list.
 */
export function listUntilSeen(
  { listRequest, settings, succeed }: Context,
  created: readonly Exchange[],
): Promise<Exchange> {
  const until = Math.max(...created.map(({ at, response }) => at + response.took)) + settings.grace;
  return succeed({ ...listRequest, awaits: { isShown: (list) => showsAll(list, created), until } });
}

/** Whether a list shows all batches that these requests created. */
export function showsAll(list: Pick<Exchange, "json">, created: readonly Exchange[]): boolean {
  const shown = new Set(batchesIn(list.json)?.map((batch) => memberOf(batch, "id")));
  return created.filter(isSuccess).every(({ json }) => shown.has(memberOf(json, "id")));
}

/** How many created batches show the order of the list. With fewer, the order may be chance. */
const ordered = 6;

/**
 * Observes how the list is ordered and, unless it may be only a page, what it counts. No other
 * scenario may create batches meanwhile, because that would change both.
 */
export function observeList(
  { observe }: Pick<Context, "observe">,
  list: Exchange,
  created: readonly Exchange[],
): void {
  const batches = batchesIn(list.json) ?? [];
  const ids = batches.map((batch) => memberOf(batch, "id"));
  // Each batch counts once, because a second batch for a pair may be the first one again (INT-27).
  const made = created.filter(isSuccess).toReversed();
  const places = [
    ...new Map(made.map((exchange) => [ids.indexOf(memberOf(exchange.json, "id")), exchange])),
  ];
  if (places.length >= ordered && places.every(([place]) => place !== -1))
    observe("OPEN-17", "batches of a run", orderOf(places));
  if (batches.length >= pageSize) return;
  for (const name of ["count", "total"])
    observe(
      "OPEN-16",
      `${name} of a short list`,
      relationOf(memberOf(list.json, name), batches.length),
    );
  observe("OPEN-18", "a short list", cursorsOf(list).join(", ") || "nothing looks like a cursor");
}

/**
 * Returns the order of the list, given the places of the created batches in it. Two batches whose
 * requests overlapped are not compared.
 */
function orderOf(batches: readonly (readonly [place: number, created: Exchange])[]): string {
  const steps = batches.flatMap(([place, { at, response }]) =>
    batches.filter(([, later]) => later.at >= at + response.took).map(([other]) => other - place),
  );
  if (steps.every((step) => step > 0)) return "oldest first";
  return steps.every((step) => step < 0) ? "newest first" : "neither by age";
}

function relationOf(value: Json | undefined, shown: number): string {
  if (typeof value !== "number") return "no number";
  if (value === shown) return "the batches shown";
  return value > shown ? "more than the batches shown" : "fewer than the batches shown";
}

/**
 * Creates batches and looks for them in the list (specification, Endpoints, 5 and 6; INT-27). Other
 * scenarios create batches only later, which could push the batches of this one out of the list.
 */
export const listedBatch = scenario({
  id: "batches/create/listed",
  uses: ["createCounterparty", "createOperation", "addAcamItem", "createBatch", "listBatches"],
  title: "a created batch is listed",
  checks: [
    "BATCH-01",
    "BATCH-02",
    "BATCH-24",
    "BATCH-42",
    ...thatTake("a listed batch", "an own batch in the list"),
    ...thatTake("an operation in a batch", "an own operation in a batch"),
  ],
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
  return [...new Set([...pairs.slice(0, 2), ...pairs.slice(-1)])];
}

/**
 * Creates operations that a batch could contain, if this server fills batches by itself: for each
 * pair one of a complete counterparty, and for the first pair one of a counterparty without optional
 * members. All else of this scenario waits for them, so they take as few steps as possible.
 */
async function operationsThatWait(context: Context, pairs: readonly string[]): Promise<void> {
  const { add, attempt, counterpartyLike, create, registered, send, target, together } = context;
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
    const complete = await registered();
    const plain = await send(counterpartyLike(complete), withoutOptionalMembers);
    const counterparty = createdIn(plain) ?? complete;
    await create({ counterparty, pair: pairs[0] });
  };
  await together([forComplete(), forPlain()]);
}

const further: Change = { what: "for a pair that has a batch", breaksNoRule: true };

/**
 * Creates a few batches, waits until they are listed, and then does the same with more, because a
 * faulty list may show only the first few. The list is observed while it is shorter than a page.
 */
async function followBatches(context: Context, pairs: readonly string[]): Promise<void> {
  const { attempt } = context;
  const created = await firstBatches(context, pairs);
  const [first] = created;
  if (first === undefined) return;
  // This pair has a batch already. If the server refuses another batch for it, no more batches are
  // created, because the server would refuse those too.
  const inARow = (await attempt(createTwoInARow(context, pairOf(first)))) ?? [];
  created.push(...inARow);
  const isOpen = inARow.slice(0, 1).every(isSuccess);
  if (isOpen) created.push(...(await batchesAtOnce(context, pairOf(first))));
  observeList(context, await listUntilSeen(context, created), created);
  if (!isOpen) return;
  const more = await batchesAtOnce(context, pairOf(first));
  await listUntilSeen(context, [...created, ...more]);
}

/**
 * Creates four batches of a pair at once, while an operation waits for one: a faulty server may lose
 * one of the batches, or put an operation into several.
 */
async function batchesAtOnce(
  { attempt, batchFor, create, listRequest, registered, send, target, together }: Context,
  pair: string,
): Promise<readonly Exchange[]> {
  if (target.batchMembers === undefined)
    await attempt(create({ counterparty: await registered(), pair }));
  const request = await batchFor(pair);
  const batches = Array.from({ length: 4 }, () => send(request, further));
  // Meanwhile the list is asked: it must show a batch as a whole, or not at all.
  const [made] = await together([together(batches), send(listRequest)]);
  return made;
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
  const { alone, answered, batchFor } = context;
  const one = await batchFor(pair);
  const other = await batchFor(pair);
  const [first, second] = await alone(
    async (send) => [await send(one, further), await send(other, further)] as const,
  );
  const isFirst = memberOf(first.json, "id") === memberOf(second.json, "id");
  const made = isFirst ? "the first one again" : "a new batch";
  answered("OPEN-32", "a second batch for a pair", second, isSuccess(second) ? made : undefined);
  return [first, second];
}

export const concurrentBatches = scenario({
  id: "batches/create/concurrent",
  title: "batches are created at the same time as others, and as operations that they may take",
  uses: ["createCounterparty", "createOperation", "createBatch", "listBatches"],
  checks: ["BATCH-03", "BATCH-06", "BATCH-07", "BATCH-24", "BATCH-27", "OPER-16"],
  after: [listedBatch],
  run: async (context) => {
    const { attempt, batchFor, create, operationFor, payee, ...more } = context;
    const { register, send, succeed, target, together } = more;
    const pairs = [...new Set(target.currencyPairs)].slice(0, 6);
    const atOnce = async (n: number): Promise<readonly Exchange[]> => {
      const requests = await together(pairs.slice(0, n).map((pair) => batchFor(pair)));
      const exchanges = await together(requests.map((request) => send(request)));
      return exchanges.filter(isSuccess);
    };
    const operationsThatWait = async (): Promise<void> => {
      const counterparty = await register();
      await together(pairs.map((pair) => create({ counterparty, pair })));
    };
    // The server knows this counterparty already, so that these creations can succeed at once.
    const counterparty = await attempt(payee());
    const operations =
      counterparty === undefined
        ? []
        : [0, 1, 2, 3].map((nth) => operationFor({ counterparty, pair: inTurn(pairs, nth) }));
    // Only two batches: of many more, the list may show only a page (INT-29). The response to an
    // operation must show no batch, even if a batch takes the operation at once (OPER-03).
    const [first] = await together([
      atOnce(2),
      ...operations.map((operation) => send(operation, meanwhile)),
    ]);
    if (pairs.length < 2) return;
    // A server may make a batch only if operations wait for one.
    if (first.length < 2) await attempt(operationsThatWait());
    const made = first.length < 2 ? [...first, ...(await atOnce(pairs.length))] : first;
    if (made.length > 0) await listUntilSeen(context, made);
    // If there are no two batches, the server's refusal is given as the reason for no verdict.
    if (made.length < 2) await succeed(await batchFor(pairs[1]));
    // Two requests at once are few, so batches for all these pairs are sent at once. The server may
    // refuse a second batch for a pair.
    if (pairs.length > 2) await atOnce(pairs.length);
  },
});

/** What a list shows must not change with the age of a batch (INT-68). */
export const oldBatches = scenario({
  id: "batches/list/old",
  title: "the list when the first batches are old",
  uses: ["listBatches"],
  checks: ["BATCH-24"],
  after: [listedBatch],
  run: async ({ listRequest, old, send }) => {
    await old({ at: Date.now() });
    await send(listRequest, { what: "when the first batches are old", breaksNoRule: true });
  },
});

const meanwhile: Change = { what: "while POST /batches was in flight", breaksNoRule: true };

/** A server may accept or refuse these requests, but never crashes (INT-27 and INT-30). */
export const invalidBatches = scenario({
  id: "batches/create/invalid",
  uses: ["createBatch"],
  title: "bodies that are not a batch",
  checks: ["BATCH-08", "BATCH-45", "BATCH-46"],
  after: [listedBatch, concurrentBatches],
  drawsTheSame: true,
  run: async (context) => {
    const { answered, attempt, batchFor, earlierBatch, observed, runId, send, target, together } =
      context;
    // What the endpoint does with wrong batches counts only if it works: if no other scenario has
    // sent a valid batch, one comes first.
    if (earlierBatch() === undefined) await send(await batchFor());
    const [pair, other] = new Set(target.currencyPairs);
    const sendWithPairInQuery = async () => {
      if (other !== undefined) await send(await batchFor(pair), withPairInQuery(other));
    };
    const first = await batchFor();
    // A batch that is accepted may use up the operation that it names.
    const control = async () => (await attempt(batchFor())) ?? first;
    const seen = async (change: Change, question: QuestionId, inCase?: string) =>
      observed(await control(), change, question, inCase);
    const [unknown] = await together([
      seen(withUnknownMember, "OPEN-35", title),
      seen(withMadeUpMembers(runId), "OPEN-35", `${title} with members of responses`),
      sendWithPairInQuery(),
      ...Object.keys(target.batchMembers ?? {}).flatMap((name) =>
        otherMember(name).map(async (change) => send(await control(), change)),
      ),
      ...["text/plain", null]
        .map(declaredAs)
        .map((change) => seen(change, "OPEN-36", `${title} ${change.what}`)),
      ...[...unknownPairs, ...wrongBatches].map((change) => seen(change, "OPEN-39")),
      tryTexts(context, {
        operation: "createBatch",
        texts: oddTextsAt("/currency_pair"),
        rest: () => ({ mayBeAltered: true }),
        send: async (change) => send(await control(), change),
      }),
    ]);
    answered("OPEN-14", "an unknown member", unknown);
  },
});

const title = "POST /batches";

/** Puts another pair into the query. The batch must be of the pair in the body (INT-44). */
function withPairInQuery(pair: string): Change {
  return {
    what: "with another pair in the query",
    query: `?currency_pair=${pair}`,
    breaksNoRule: true,
  };
}

/**
 * A member of --batch-members left out, and with another value. A server may take either: then a
 * batch may be empty.
 */
function otherMember(name: string): readonly Change[] {
  const place = `/${escaped(name)}`;
  return [
    { with: { [place]: leftOut }, breaksNoRule: true },
    { with: { [place]: "none" }, breaksNoRule: true },
  ];
}

const unknownPairs: readonly Change[] = [
  { what: "with a pair of unknown currencies", with: { "/currency_pair": "QQQZZZ" } },
  { what: "with a pair of two letters", with: { "/currency_pair": "US" } },
];

const wrongBatches: readonly Change[] = [
  ...hopelessBodies,
  ...at("/currency_pair", [null, 12345, true, inObject, inArray]),
];

/** The list before the run changes anything (specification, Endpoints, 6; INT-28). */
export const listBefore = scenario({
  id: "batches/list/before",
  title: "the list before anything is created",
  checks: ["BATCH-20", "BATCH-21", "BATCH-22", "BATCH-23"],
  phase: "before",
  profiles: ["smoke", "full"],
  run: async ({ listRequest, showInstead, succeed }) => {
    showInstead(await succeed(listRequest));
  },
});

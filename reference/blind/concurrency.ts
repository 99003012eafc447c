import type { OperationName } from "../../spec/operations.ts";
import { around, crowded, newIds, pause, problem, remembering, succeeded } from "../change.ts";
import type { Answer, Call, Change } from "../policy.ts";
import { anywhere, at, crash, legal, type BlindClass } from "./blind.ts";

/** Wraps every call of one endpoint in `change`. */
function aroundEach(
  operation: OperationName,
  change: (call: Call, next: () => Promise<Answer>) => Promise<Answer>,
): Change {
  return around(async (call, next) =>
    call.operation === operation ? change(call, () => next(call)) : next(call),
  );
}

/**
 * Reads all batches, waits a little, and writes them back with the new one. A batch that was stored
 * meanwhile is lost.
 */
const lostUpdate: Change = aroundEach("createBatch", async ({ store: { batches } }, next) => {
  const before = [...batches];
  await pause(10);
  const answer = await next();
  const own = succeeded(answer) ? batches.slice(-1) : [];
  batches.splice(0, batches.length, ...before, ...own);
  return answer;
});

/**
 * Keeps each answer in one shared variable before sending it, so that concurrent requests all get
 * the latest answer.
 */
const sharedAnswer: Change = remembering(() => {
  let latest: Answer | undefined;
  return aroundEach("createOperation", async (_call, next) => {
    const own = await next();
    latest = own;
    await pause(10);
    return succeeded(own) ? latest : own;
  });
});

const countedApart: Change = remembering(() => {
  let last = 0;
  return newIds("operation", async () => {
    const own = last + 1;
    await pause(10);
    last = own;
    return `op-${own}`;
  });
});

const maximumPlusOne: Change = newIds("counterparty", async ({ store }) => {
  const own = store.counterparties.size + 1;
  await pause(10);
  return `payee-${own}`;
});

/**
 * Answers 500 to a call that `counts` selects while at least `most` other such calls are in flight.
 */
function crashAbove(most: number, counts: (call: Call) => boolean): Change {
  return crowded(counts, async (inFlight, next) => {
    if (inFlight() > most) return crash;
    await pause(10);
    return next();
  });
}

const lockedByList: Change = remembering(() => {
  let lists = 0;
  return around(async (call, next) => {
    if (call.operation === "createBatch" && lists > 0) return crash;
    if (call.operation !== "listBatches") return next(call);
    lists += 1;
    await pause(20);
    lists -= 1;
    return next(call);
  });
});

const halfMade: Change = remembering(() => {
  let making = 0;
  return around(async (call, next) => {
    if (call.operation === "createBatch") {
      making += 1;
      await pause(20);
      making -= 1;
    }
    const answer = await next(call);
    if (call.operation !== "listBatches" || !succeeded(answer) || making === 0) return answer;
    const body = answer.body as { readonly batches: readonly unknown[] };
    return { ...answer, body: { ...body, batches: [{ id: "new" }, ...body.batches] } };
  });
});

const later = problem(429, "Too many requests at once", { "retry-after": "1" });
const locked = problem(423, "This is still being processed");

const momentLocked: Change = around(async (call, next) => {
  const { store, operation, parameter } = call;
  const ownOperation = operation === "addAcamItem" ? store.operations.get(parameter) : undefined;
  const payee = operation === "createOperation" ? payeeIn(call.bytes) : "";
  const since = ownOperation?.createdAt.getTime() ?? store.registered.get(payee) ?? 0;
  return Date.now() - since < 300 ? locked : next(call);
});

function payeeIn(bytes: Buffer): string {
  return /"counterparty_id"\s*:\s*"([^"]*)"/.exec(bytes.toString())?.[1] ?? "";
}

const oneAtATime: Change = remembering(() => {
  let last: Promise<unknown> = Promise.resolve();
  return around(async (call, next) => {
    const own = afterwards(last, async () => next(call));
    last = own;
    return own;
  });
});

async function afterwards<T>(before: Promise<unknown>, task: () => Promise<T>): Promise<T> {
  await Promise.allSettled([before]);
  await pause(30);
  return task();
}

export const concurrency: BlindClass = {
  faults: [
    at.list.fault(
      "lost-update",
      "BATCH-24",
      "Of two batches that are created at once, one is lost.",
      lostUpdate,
    ),
    at.operation.fault(
      "response-of-the-other",
      ["OPER-16", "OPER-15", "OPER-06", "OPER-07", "OPER-08", "OPER-09"],
      "Of two operations at once, both get the response to the later one.",
      sharedAnswer,
    ),
    at.operation.fault(
      "counter-race",
      ["OPER-16", "OPER-15"],
      "Two operations at once get the same id.",
      countedApart,
    ),
    at.counterparty.fault(
      "counterparty-max-plus-one",
      ["CPTY-11", "CPTY-10"],
      "Two counterparties at once get the same id.",
      maximumPlusOne,
    ),
    at.counterparty.fault(
      "deadlock-500",
      "HTTP-04",
      "The second of two registrations at once gets a 500.",
      crashAbove(1, ({ operation }) => operation === "createCounterparty"),
    ),
    at.batch.fault(
      "locked-database-500",
      "HTTP-04",
      "A batch that is created while the list is read gets a 500.",
      lockedByList,
    ),
    anywhere.fault(
      "pool-of-two-500",
      "HTTP-04",
      "A third request in flight gets a 500.",
      crashAbove(2, () => true),
    ),
    at.list.fault(
      "half-made-batch-listed",
      ["BATCH-23", "BATCH-25"],
      "A batch that is being created is listed without operations.",
      halfMade,
    ),
  ],
  variants: [
    legal(
      "two-in-flight",
      "A third request in flight gets a 429.",
      crowded(
        () => true,
        async (inFlight, next) => {
          if (inFlight() > 2) return later;
          await pause(5);
          return next();
        },
      ),
    ),
    legal("moment-locked", "What was just created is locked for 300 ms.", momentLocked),
    legal("one-at-a-time", "Requests are answered one after the other.", oneAtATime),
  ],
};

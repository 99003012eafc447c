import { batchesIn, listOf } from "../../harness/judging/observations.ts";
import { waits } from "../../model/bounds.ts";
import { isSuccess, type Exchange } from "../../model/exchange.ts";
import { defaultRuns, isLoopback } from "../../model/target.ts";
import { scenario, type Change, type Request, derived, type Derived } from "../kit/index.ts";
import { oddTextsAt, tryTexts } from "../tables/texts.ts";
import { declaredAs, toleratedAt } from "../tables/tolerated.ts";
import { jsonSpellings } from "../../generators/index.ts";

/** Ways to write the right body that differ from `JSON.stringify`. */
const spellings = jsonSpellings.map(({ id, spell }) => ({
  what: `written with ${id}`,
  text: spell,
  breaksNoRule: true as const,
}));

/**
 * A number that no double can hold (RFC 8259, 6) in an otherwise valid operation. A server that
 * stores it may show it in its lists for ever, as null or as Infinity, which is no JSON (INT-40). So
 * it comes after all else, and only to a server on this machine, or in a run with more samples than
 * the default. Then a batch and the list may show it, and all other odd operations of the run.
 */
export const beyondDoubles = scenario({
  id: "operation/odd/beyond-doubles",
  title: "a number beyond doubles in an operation, and a batch and the list after all odd ones",
  checks: ["OPER-17"],
  uses: ["createOperation", "createBatch", "listBatches"],
  drawsTheSame: true,
  phase: "end",
  run: async (context) => {
    const { listRequest, makeBatch, operationFor, send, servingPayee } = context;
    const { settings } = context;
    const isOnThisMachine = isLoopback(new URL(context.target.baseUrl).hostname);
    if (isOnThisMachine || settings.runs > defaultRuns)
      await send(operationFor({ counterparty: await servingPayee() }), inAmount);
    const isMade = (await makeBatch()) !== undefined;
    const list = await send(listRequest, { what: "after all odd operations", breaksNoRule: true });
    if (!isMade || !isSuccess(list) || holdsOperations(list)) return;
    // A server may put operations into a batch a moment after it created the batch (INT-43).
    await context.pause(waits.usualLag);
    await send(listRequest, { what: "a while after the last batch", breaksNoRule: true });
  },
});

/** Whether any batch of a list has operations. */
function holdsOperations({ json }: Pick<Exchange, "json">): boolean {
  return batchesIn(json)?.some((batch) => listOf(batch, "operations").length > 0) === true;
}

const inAmount: Change = {
  what: "with the number 1e400 at /currency_amount",
  text: '{"currency_amount":1e400,…}',
  mayBeAltered: true,
};

/**
 * Operations in unusual spellings of JSON. A server may refuse them, but must not crash on them
 * (INT-02 and INT-31).
 */
export const spelledOperations = scenario({
  id: "operation/odd/spellings",
  title: "the same operation in other spellings of JSON",
  checks: ["OPER-06", "OPER-07", "OPER-08", "OPER-09"],
  drawsTheSame: true,
  phase: "beside",
  run: async ({ further, observed, operationFor, servingPayee, together }) => {
    const designed = await further("other spellings", spellings.length);
    await together(
      spellings.map(async (spelling, nth) => {
        const written = (request: Request) =>
          observed(request, spelling, "OPEN-28", `POST /corporate/operation ${spelling.what}`);
        const create = designed[nth];
        if (create !== undefined) await create(written);
        else await written(operationFor({ counterparty: await servingPayee() }));
      }),
    );
  },
});

/**
 * Odd values in an operation. A server may accept or refuse them, but never crashes (INT-02, INT-04
 * and INT-31).
 */
export const oddValues = scenario({
  id: "operation/odd/values",
  title: "odd texts and amounts in an operation",
  checks: ["OPER-17"],
  drawsTheSame: true,
  phase: "beside",
  run: async (context) => {
    const { amount, observed, operationFor, send, servingPayee, target, together } = context;
    const operation = async (of = amount()) =>
      operationFor({ counterparty: await servingPayee(), amount: of });
    const first = amount();
    await tryTexts(context, {
      operation: "createOperation",
      texts: [...oddPurposes, ...oddTextsAt("/currency_pair"), ...oddTextsAt("/counterparty_id")],
      // What is neither a pair nor an id is not judged when it comes back (INT-12).
      rest: (texts) =>
        texts.every(({ place }) => place === "/operation_purpose")
          ? { breaksNoRule: true }
          : { mayBeAltered: true },
      send: async (change) => send(await operation(first), change),
    });
    const second = amount();
    await together([
      ...mediaTypes.map(async (declared) => send(await operation(second), declared)),
      ...oddAmounts(target.amount.max).map(async ({ id, ...odd }) =>
        observed(await operation(first), odd, "OPEN-29", id),
      ),
      ...toleratedAt("POST /corporate/operation").map(async ([change, question, inCase]) =>
        observed(await operation(), change, question, inCase),
      ),
    ]);
  },
});

/**
 * Any text may be a purpose. A server that accepts a purpose must return it as it was sent
 * (INT-18). UTF-8 cannot express half of a character, so that a server has to alter it.
 */
const oddPurposes = oddTextsAt("/operation_purpose", {
  isAlterable: ({ text }) => text === "" || !text.isWellFormed(),
});

/**
 * A parameter of the media type is legal, but a server may refuse it. It may refuse or read a body
 * that is not declared as JSON, too.
 */
const mediaTypes: readonly Change[] = [
  declaredAs("application/json; charset=utf-8"),
  ...[
    null,
    "multipart/form-data",
    "application/json; charset=",
    "application/json; charset=x-unknown",
  ].map((contentType) => ({ what: declaredAs(contentType).what, contentType })),
];

interface OddAmount extends Change {
  /** The name of the case under which the answer is recorded, such as `2^31`. */
  readonly id: string;
}

/**
 * An amount that a server may refuse. A server that accepts the amount must return it as it was
 * sent (INT-09), unless it is extreme: then it need not store it so.
 */
function oddAmount(
  value: number | Derived,
  id = JSON.stringify(value),
  rest: Change = { breaksNoRule: true },
): OddAmount {
  return { id, what: `with an amount of ${id}`, with: { "/currency_amount": value }, ...rest };
}

function withDecimals(decimals: number): Derived {
  return derived(`the right value and ${decimals}`, (right) => Number(right) + decimals);
}

const extreme: Change = { mayBeAltered: true };

/** Odd amounts. `max`: the largest configured amount. */
function oddAmounts(max: number): readonly OddAmount[] {
  return [
    oddAmount(withDecimals(0.123456789), "nine decimals"),
    oddAmount(withDecimals(0.1234567890123456), "as many digits as a double holds"),
    oddAmount(31_415_926.53),
    oddAmount(2 ** 31, "2^31"),
    oddAmount(2 ** 53, "2^53"),
    oddAmount(1e20, "10^20, an integer beyond 64 bits", extreme),
    oddAmount(1e15 + 0.5),
    oddAmount(max * 10, "ten times the largest configured amount"),
    oddAmount(1e-9, "1e-9", extreme),
    oddAmount(1e308, "1e+308", extreme),
    oddAmount(-0, "-0", extreme),
  ];
}

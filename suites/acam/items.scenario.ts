import { type Exchange } from "../../model/exchange.ts";
import type { QuestionId } from "../../spec/questions.ts";
import {
  operationIn,
  type Change,
  type Context,
  type Request,
  leftOut,
  scenario,
  areRandom,
  cannotCoincide,
  idsNear,
  unknownLike,
  withLettersBehind,
} from "../kit/index.ts";
import type { Json } from "../../spec/json.ts";
import { declaredAs, withMadeUpMembers, withUnknownMember } from "../tables/tolerated.ts";
import { hopelessBodies, asNumber, asText, at, inArray, inObject } from "../tables/bodies.ts";
import { nearToItem } from "../tables/near.ts";
import { behindRightValue, oddTextsAt, tryTexts, type SentText } from "../tables/texts.ts";
import { concurrentBatches, listedBatch } from "../batches/batches.scenario.ts";
import { inputKinds } from "../../spec/refusals.ts";

/** A change of an item, and the open question that the response answers. */
interface ObservedItem extends Change {
  /** The open question. @defaultValue OPEN-06, on wrong members */
  readonly question?: QuestionId;
  /** The case of the open question. @defaultValue the words of the change */
  readonly inCase?: string;
}

/**
 * Returns a function that makes a valid item, unlike the others: for the operation of the shared
 * payee, or each for a new one where the server takes one item of an operation alone, so that a
 * refusal is about the body.
 */
async function itemsOf(context: Context): Promise<() => Promise<Request>> {
  const { amount, create, itemFor, partialItemFor, payeeWithItem, takesSecondItem } = context;
  const counterparty = await payeeWithItem();
  const takesMore = await takesSecondItem();
  let nth = 1;
  return async () => {
    if (!takesMore) return itemFor(await create({ counterparty, amount: amount() }));
    nth += 1;
    return partialItemFor(counterparty.operation, nth);
  };
}

/**
 * Items that a server may refuse or accept, but on which it never crashes: some break no stated rule,
 * although a server may ask more of an item (INT-22 and INT-24).
 */
export const doubtfulItems = scenario({
  id: "acam/add/doubtful",
  title: "bodies that are no ACAM item, and items with members left out, unknown or wrong",
  checks: ["ACAM-06"],
  drawsTheSame: true,
  phase: "beside",
  run: async (context) => {
    const next = await itemsOf(context);
    const members = withMadeUpMembers(context.runId);
    const changes: readonly ObservedItem[] = [
      ...["/local_currency_amount", "/tax_id", "/merchant"].map(without),
      ...doubtful,
      { ...withUnknownMember, question: "OPEN-35", inCase: acam },
      { ...members, question: "OPEN-35", inCase: `${acam} with members of responses` },
      { ...declaredAs(form), question: "OPEN-36", inCase: `${acam} declared as ${form}` },
      beyondDoubles,
      ...hopelessBodies,
      ...wrongMembers,
    ];
    await context.together(
      changes.map(async ({ question = "OPEN-06", inCase, ...change }) =>
        context.observed(await next(), change, question, inCase),
      ),
    );
  },
});

const form = "application/x-www-form-urlencoded";
const acam = "POST /corporate/operation/{operation_id}/acam";

function without(place: string): ObservedItem {
  return {
    question: "OPEN-05",
    what: `without ${place}`,
    with: { [place]: leftOut },
    case: "a body without a member",
    breaksNoRule: true,
  };
}

function odd(what: string, value: Json): Change {
  return {
    what: `with ${what}`,
    with: { "/local_currency_amount": value },
    breaksNoRule: true,
  };
}

const doubtful: readonly Change[] = [
  odd("an amount of zero", 0),
  odd("a negative amount", -1),
  odd("a huge amount", 1e20),
  odd("an amount of many decimals", 1.123456789),
];

/** ACAM items for operations that accept them (specification, Endpoints, 4; INT-22 and INT-24). */
export const validItems = scenario({
  id: "acam/add/valid",
  title: "an ACAM item is added to an EFX operation",
  checks: ["ACAM-01", "ACAM-02"],
  run: async ({ forAll, items, sendItem, takesSecondItem }) => {
    await takesSecondItem();
    await forAll({ requirements: ["ACAM-01", "ACAM-02"], samples: items(), send: sendItem });
  },
});

/** A well-formed number that no double can hold (RFC 8259, 6). A server may accept or refuse it. */
const beyondDoubles: Change = {
  what: "with the number 1e400 at /local_currency_amount",
  text: '{"local_currency_amount":1e400,…}',
};

/** Items with a wrong value for one member. */
const wrongMembers: readonly Change[] = [
  ...at("/local_currency_amount", [null, asText, true, inObject, inArray]),
  ...at("/tax_id", [null, asNumber, true, inObject, inArray]),
  ...at("/merchant", [null, 12345, true, inObject, inArray]),
];

/**
 * Odd texts in an item, those of the tax id behind a right one, whose digits a server may pick out:
 * it is no tax id of any kind then.
 */
export const invalidItemTexts = scenario({
  id: "acam/invalid/texts",
  title: "odd texts in an ACAM item",
  checks: ["ACAM-06"],
  drawsTheSame: true,
  phase: "beside",
  run: async (context) => {
    const next = await itemsOf(context);
    const sendItem = async (change?: Change): Promise<Exchange> =>
      context.send(await next(), change);
    const first = await sendItem();
    await tryTexts(context, {
      operation: "addAcamItem",
      texts: [
        written,
        ...oddTextsAt("/merchant"),
        ...oddTextsAt("/tax_id", {
          value: ({ text, isLike }) => (isLike === undefined ? behindRightValue(text) : text),
        }),
        // Merchants and tax ids that are nearly those of another item.
        ...nearToItem(first.request.json ?? null),
      ],
      send: sendItem,
    });
  },
});

/** A tax id as people write it. */
const written: SentText = {
  kind: "punctuation",
  place: "/tax_id",
  value: "529.982.247-25",
  isAlterable: true,
};

/** ACAM items are for operations that exist (specification, Endpoints, 4). */
export const unknownOperation = scenario({
  id: "acam/purpose/unknown-operation",
  uses: ["createOperation", "addAcamItem"],
  title: "an ACAM item for an operation that does not exist",
  checks: ["ACAM-04"],
  isFirst: true,
  run: async ({ attempt, create, earlierOperation, itemFor, payeeWithItem, ...context }) => {
    const { isGiven, refused, registered, runId, send, together } = context;
    // The control: the endpoint accepts such an item, so that a refusal is about the operation.
    const control = payeeWithItem();
    const payee = await attempt(control);
    const counterparty = payee ?? (await registered());
    // One new operation is enough: its id and the id of the control's operation show whether this
    // server makes random ids.
    const creation = furtherOperation(context).then((one) => one ?? create({ counterparty }));
    const created = await attempt(creation);
    // If the server accepts no more operations, an earlier operation shows what ids look like, and
    // an earlier item is the control. If there is no earlier operation, the server's refusal is
    // given as the reason for no verdict.
    if (created !== undefined) await control;
    const operation = created ?? earlierOperation() ?? (await creation);
    const { id: known, amount } = operation;
    const ids = [known, payee?.operation.id ?? known] as const;
    const unknown = [
      `nothing-${runId}`,
      `nothing-${runId}'--`,
      `nothing.${runId}`,
      "00000000-0000-4000-8000-000000000000",
      "nothing".repeat(30),
      "null",
      // If ids are numbers, an operation may have the id 0 (INT-39).
      ...(/^\d+$/.test(known) ? [] : ["0"]),
      "constructor",
      withLettersBehind(known),
      // If ids are random, no operation has an id that resembles a known one or is a part of it.
      ...(areRandom(...ids)
        ? [unknownLike(known), known.slice(0, -4), known.slice(4), ...idsNear(known)]
        : []),
    ];
    const nobodys = [
      ...unknown.filter((id) => !isGiven(id)),
      // If ids of operations cannot be those of counterparties, none has the id of this one.
      ...[counterparty.id].filter((id) => cannotCoincide(ids, id)),
    ];
    const item = (id: string, members = {}) => itemFor({ id, amount, at: 0 }, members);
    await together([
      send(item(`nothing [${runId}] é 100%`), oddInPath),
      // The body names an operation that exists, but only the operation in the path counts.
      refused(item(`nothing-${runId}`, { operation_id: known }), namedInBody, "ACAM-04"),
      ...nobodys.map((id) => refused(item(id), doesNotExist, "ACAM-04")),
    ]);
    await refused(
      item(`nothing-${runId}`),
      { what: "for an operation that did not exist before either" },
      "ACAM-04",
    );
  },
});

/** The id of a batch names no operation, if the ids of this server cannot coincide. */
export const batchForOperation = scenario({
  id: "acam/purpose/batch",
  uses: ["createOperation", "addAcamItem", "createBatch"],
  title: "an ACAM item for the id of a batch",
  checks: ["ACAM-04"],
  after: [listedBatch, concurrentBatches],
  isFirst: true,
  run: async ({ earlierOperation, itemFor, makeBatch, payeeWithItem, refused }) => {
    // The control: the endpoint accepts such an item for an operation.
    const { operation } = await payeeWithItem();
    const ids = [operation.id, earlierOperation()?.id ?? operation.id] as const;
    const batch = await makeBatch();
    if (batch !== undefined && cannotCoincide(ids, batch.id))
      await refused(itemFor({ ...operation, id: batch.id, at: 0 }), doesNotExist, "ACAM-04");
  },
});

/** A new operation that the design asks for anyway. Undefined if the target refuses it. */
async function furtherOperation({ further }: Pick<Context, "further">) {
  const [create] = await further("unknown operation", 1);
  return create && operationIn(await create());
}

const doesNotExist: Change = {
  what: "for an operation that does not exist",
  case: "an operation that does not exist",
};

const namedInBody: Change = {
  ...doesNotExist,
  what: "for an operation that does not exist, with another in its body",
};

/**
 * HTTP servers refuse such a path by themselves, with responses of any form. So only a crash or a
 * success is judged (INT-38).
 */
const oddInPath: Change = {
  what: "for an operation whose id has brackets, an accent, a space and a percent sign",
  input: inputKinds.unknown,
  exemptBy: "INT-38",
};

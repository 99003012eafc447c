import { invalid, isSuccess, type Json } from "../../model/exchange.ts";
import { plainAmounts } from "../kit/amounts.ts";
import {
  beyondDoubles,
  changedBodies,
  hopelessBodies,
  observeBody,
  sendDrawn,
  type BrokenBody,
} from "../kit/bodies/invalid-bodies.ts";
import { oddIntent, probeTexts, textPool } from "../kit/bodies/odd-texts.ts";
import type { Context } from "../kit/context.ts";
import { draw } from "../kit/draw.ts";
import { registerCounterparty } from "../kit/flows/counterparties.ts";
import { untilKnown } from "../kit/flows/created.ts";
import { addItem, itemBody } from "../kit/flows/items.ts";
import { createOperation } from "../kit/flows/operations.ts";
import { itemRequest } from "../kit/requests.ts";
import { scenario } from "../kit/scenario.ts";

const plan = {
  requirements: ["ACAM-06"],
  operations: ["createCounterparty", "createOperation", "addAcamItem"],
  drawsTheSame: true,
} as const;

/** Wrong and odd items: a server may accept or refuse them, but it never crashes (INT-24). */
export const invalidItems = [
  scenario(
    "acam/invalid/members",
    "each member of an ACAM item is changed once",
    { ...plan, questions: ["OPEN-06", "OPEN-11"], cost: 35, chain: 20 },
    async (context) => {
      const fresh = await freshOperations(context);
      const bodies = changedBodies(context, "addAcamItem", fresh.body);
      await inTurn(
        context,
        fresh,
        bodies.filter(({ mutation }) => !mutation.rare),
      );
    },
  ),
  scenario(
    "acam/invalid/bodies",
    "bodies that are not an ACAM item",
    { ...plan, questions: ["OPEN-06", "OPEN-11"], cost: 35, chain: 20 },
    async (context) => {
      const fresh = await freshOperations(context);
      await inTurn(context, fresh, [beyondDoubles(fresh.body, "local_currency_amount")]);
      const pool = hopelessBodies("addAcamItem", fresh.body);
      for (const drawn of draw(context, pool)) {
        const spec = itemRequest(await fresh.id(), fresh.body);
        if (isSuccess(await sendDrawn(context, "OPEN-06", spec, pool, drawn))) fresh.used();
      }
    },
  ),
  scenario(
    "acam/invalid/texts",
    "odd texts in an ACAM item",
    { ...plan, questions: ["OPEN-28"], cost: 24 },
    async (context) => {
      const { body, id: idOf } = await freshOperations(context);
      const id = await idOf();
      await probeTexts(context, "/merchant", textPool("/merchant", 7, 3), (odd) =>
        itemRequest(id, { ...body, merchant: odd.text }, oddIntent(odd, "/merchant")),
      );
      // Not a tax id of any kind.
      await probeTexts(context, "/tax_id", textPool("/tax_id", 3, 2), (odd) =>
        itemRequest(id, { ...body, tax_id: odd.text }, invalid(`with ${odd.id} in /tax_id`)),
      );
    },
  ),
];

/** An EFX operation without an item, and another as soon as one was used up: a refusal must be about the body. */
interface FreshOperations {
  readonly id: () => Promise<string>;
  readonly used: () => void;
  /** A valid item for each of them. */
  readonly body: Readonly<Record<string, Json>>;
}

const freshOperations = async (context: Context): Promise<FreshOperations> => {
  const counterparty = await registerCounterparty(context);
  const [control = context.target.amount.min, ...amounts] = plainAmounts(context, 60);
  const smallest = Math.min(...amounts, control);
  // The control: the endpoint accepts items for operations like these.
  const { id: taken } = await createOperation(context, { counterparty: counterparty.id, amount: control });
  await addItem(context, taken, control);
  const create = async (): Promise<string> => {
    const { id } = await createOperation(context, {
      counterparty: counterparty.id,
      amount: amounts.shift() ?? smallest,
    });
    await untilKnown(context);
    return id;
  };
  let current: Promise<string> | undefined;
  return {
    id: () => (current ??= create()),
    used: () => {
      current = undefined;
    },
    body: itemBody(context, smallest),
  };
};

/** One after another, since each needs an operation that no item was added to. */
const inTurn = async (context: Context, fresh: FreshOperations, bodies: readonly BrokenBody[]): Promise<void> => {
  for (const broken of bodies) {
    const exchange = await observeBody(context, "OPEN-06", itemRequest(await fresh.id(), fresh.body), broken);
    if (isSuccess(exchange)) fresh.used();
  }
};

import { invalid, isRefusal, isSuccess, type Json } from "../../model/exchange.ts";
import { plainAmounts } from "../kit/amounts.ts";
import { classicTexts } from "../kit/bodies/chosen.ts";
import {
  beyondDoubles,
  brokenRequest,
  changedBodies,
  hopelessBodies,
  nested,
  observeAnswerTo,
  observeBody,
  type BrokenBody,
} from "../kit/bodies/invalid-bodies.ts";
import { oddIntent, probeTexts } from "../kit/bodies/odd-texts.ts";
import type { Context } from "../kit/context.ts";
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
    { ...plan, questions: ["OPEN-06", "OPEN-11"], cost: 35, chain: 5 },
    async (context) => {
      const fresh = await freshOperations(context);
      const bodies = changedBodies(context, "addAcamItem", fresh.body);
      await judgeBodies(
        context,
        fresh,
        bodies.filter(({ mutation }) => !mutation.rare),
      );
    },
  ),
  scenario(
    "acam/invalid/bodies",
    "bodies that are not an ACAM item",
    { ...plan, questions: ["OPEN-06", "OPEN-11"], cost: 35, chain: 5 },
    async (context) => {
      const fresh = await freshOperations(context);
      await judgeBodies(context, fresh, hopelessBodies(fresh.body));
      // These are legal JSON, and may be accepted.
      for (const legal of [nested(fresh.body), beyondDoubles(fresh.body, "local_currency_amount")])
        await judgeBodies(context, fresh, [legal]);
    },
  ),
  scenario(
    "acam/invalid/texts",
    "odd texts in an ACAM item",
    { ...plan, questions: ["OPEN-28"], cost: 24, chain: 6 },
    async (context) => {
      const { body, id: idOf } = await freshOperations(context);
      const id = await idOf();
      await probeTexts(context, "/merchant", (odd) =>
        itemRequest(id, { ...body, merchant: odd.text }, oddIntent(odd, "/merchant")),
      );
      // Not a tax id of any kind.
      await probeTexts(
        context,
        "/tax_id",
        (odd) => itemRequest(id, { ...body, tax_id: odd.text }, invalid(`with ${odd.id} in /tax_id`)),
        classicTexts.filter((_, index) => index % 2 === 0),
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

/**
 * All of them for one operation at first. Where an item was accepted, the operation explains the refusals of others:
 * these are sent again, each for an operation that no item was added to.
 */
const judgeBodies = async (context: Context, fresh: FreshOperations, bodies: readonly BrokenBody[]): Promise<void> => {
  const spec = itemRequest(await fresh.id(), fresh.body);
  const sent = await Promise.all(
    bodies.map(async (broken) => ({ broken, exchange: await context.send(brokenRequest(spec, broken)) })),
  );
  const isUsed = sent.some(({ exchange }) => isSuccess(exchange));
  if (isUsed) fresh.used();
  for (const { broken, exchange } of sent) {
    if (!isUsed || !isRefusal(exchange)) {
      observeAnswerTo(context, "OPEN-06", broken, exchange);
      continue;
    }
    const again = await observeBody(context, "OPEN-06", itemRequest(await fresh.id(), fresh.body), broken);
    if (isSuccess(again)) fresh.used();
  }
};

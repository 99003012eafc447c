import { isSuccess, type Json, invalid } from "../../model/exchange.ts";
import { scenario } from "../kit/scenario.ts";
import {
  beyondDoubles,
  brokenRequest,
  changedBodies,
  emptyBodies,
  nonObjects,
  oddIntent,
  outcomeOf,
  plainChanges,
  probeTexts,
  tellingMalformed,
  tellingTexts,
  withoutMembers,
  type BrokenBody,
} from "../kit/invalid-bodies.ts";
import type { Context } from "../kit/context.ts";
import {
  acamRequest,
  acamBody,
  addItem,
  plainAmounts,
  createOperation,
  registerCounterparty,
  untilKnown,
} from "../kit/steps.ts";

const touches = { operations: ["createCounterparty", "createOperation", "addAcamItem"] } as const;

/** Items that are no items: open what a server makes of them, but it never crashes (ruling 24). */
export const invalidItems = [
  scenario(
    "each member of an ACAM item is changed once",
    { requirements: ["ACAM-06"], questions: ["OPEN-06", "OPEN-11"], ...touches },
    async (context) => {
      const fresh = await freshOperations(context);
      await inTurn(context, fresh, plainChanges(changedBodies(context, "addAcamItem", await fresh.body())));
    },
  ),
  scenario(
    "bodies that are no ACAM item",
    { requirements: ["ACAM-06"], questions: ["OPEN-06"], ...touches },
    async (context) => {
      const fresh = await freshOperations(context);
      await inTurn(context, fresh, [
        ...nonObjects,
        ...emptyBodies,
        withoutMembers,
        ...tellingMalformed(await fresh.body()),
        beyondDoubles(await fresh.body(), "local_currency_amount"),
      ]);
    },
  ),
  scenario(
    "odd texts in an ACAM item",
    { requirements: ["ACAM-06"], questions: ["OPEN-28"], ...touches },
    async (context) => {
      const fresh = await freshOperations(context);
      const body = (await fresh.body()) as Readonly<Record<string, Json>>;
      const id = await fresh.id();
      await probeTexts(
        context,
        (text, what) => acamRequest(id, { ...body, merchant: text }, oddIntent(what, "/merchant")),
        "/merchant",
      );
      // Whatever it is, it is no tax id.
      await probeTexts(
        context,
        (text, what) => acamRequest(id, { ...body, tax_id: text }, invalid(`with ${what} in /tax_id`)),
        "/tax_id",
        tellingTexts.filter((_, index) => index % 2 === 0),
      );
    },
  ),
];

/** An EFX operation without an item, and another as soon as one was used up: a refusal must be about the body. */
interface FreshOperations {
  readonly id: () => Promise<string>;
  readonly used: () => void;
  readonly body: () => Promise<Json>;
}

const freshOperations = async (context: Context): Promise<FreshOperations> => {
  const counterparty = await registerCounterparty(context);
  const [control = context.target.amount.min, ...amounts] = plainAmounts(context, 60);
  const smallest = Math.min(...amounts, control);
  // The control: the endpoint takes items for operations like these.
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
    body: async () => acamBody(context, smallest),
  };
};

/** One after another, since each needs an operation that no item was added to. */
const inTurn = async (context: Context, fresh: FreshOperations, bodies: readonly BrokenBody[]): Promise<void> => {
  const complete = await fresh.body();
  for (const broken of bodies) {
    const exchange = await context.ask(brokenRequest(acamRequest(await fresh.id(), complete), broken));
    if (isSuccess(exchange)) fresh.used();
    context.observe("OPEN-06", broken.change, outcomeOf(exchange));
  }
};

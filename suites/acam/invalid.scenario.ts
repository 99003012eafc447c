import { invalid, isSuccess, memberOf, type Exchange, type Json, type RequestSpec } from "../../model/exchange.ts";
import { plainAmounts } from "../kit/amounts.ts";
import { beyondDoubles, changedBodies, hopelessBodies, observeBody, sendDrawn } from "../kit/bodies/invalid-bodies.ts";
import { oddIntent, probeTexts, textPool } from "../kit/bodies/odd-texts.ts";
import type { Context } from "../kit/context.ts";
import { draw } from "../kit/draw.ts";
import { registerCounterparty } from "../kit/flows/counterparties.ts";
import { untilKnown } from "../kit/flows/created.ts";
import { addItem, itemBody } from "../kit/flows/items.ts";
import { createOperation } from "../kit/flows/operations.ts";
import { itemRequest } from "../kit/requests.ts";
import { scenario } from "../kit/scenario.ts";
import { windowed } from "../kit/windowed.ts";

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
    { ...plan, questions: ["OPEN-06", "OPEN-11"], cost: 35, chain: 11 },
    async (context) => {
      const { body, judge } = await freshOperations(context);
      const bodies = changedBodies(context, "addAcamItem", body).filter(({ mutation }) => !mutation.rare);
      await windowed(bodies, lanes, async (broken) => judge((spec) => observeBody(context, "OPEN-06", spec, broken)));
    },
  ),
  scenario(
    "acam/invalid/bodies",
    "bodies that are not an ACAM item",
    { ...plan, questions: ["OPEN-06", "OPEN-11"], cost: 35, chain: 12 },
    async (context) => {
      const { judge } = await freshOperations(context);
      const wide = beyondDoubles("local_currency_amount");
      const pool = hopelessBodies("addAcamItem");
      const ways = [
        (spec: RequestSpec) => observeBody(context, "OPEN-06", spec, wide),
        ...draw(context, pool).map((drawn) => (spec: RequestSpec) => sendDrawn(context, "OPEN-06", spec, drawn)),
      ];
      await windowed(ways, lanes, judge);
    },
  ),
  scenario(
    "acam/invalid/texts",
    "odd texts in an ACAM item",
    { ...plan, questions: ["OPEN-28"], cost: 24, chain: 8 },
    async (context) => {
      const { body, create } = await freshOperations(context);
      const id = await create();
      await probeTexts(context, "/merchant", textPool("/merchant", 7, 1), (odd) =>
        itemRequest(id, { ...body, merchant: odd.text }, oddIntent(odd, "/merchant")),
      );
      // Behind the digits of a good one, which a server may pick out; no tax id of any kind.
      const good = memberOf(body, "tax_id");
      await probeTexts(context, "/tax_id", textPool("/tax_id", 3, 1), ({ id: what, text }) => {
        const written = text === "" || typeof good !== "string" ? text : `${good}${text}`;
        return itemRequest(id, { ...body, tax_id: written }, invalid(`with ${what} in /tax_id`));
      });
    },
  ),
];

/** How many requests of a scenario are in flight at once: each has its own operation. */
const lanes = 3;

/** EFX operations without an item: a refusal must be about the body. */
interface FreshOperations {
  /** Creates one. */
  readonly create: () => Promise<string>;
  /** Sends an item for an operation without an item. An operation whose item was refused is used again. */
  readonly judge: (send: (spec: RequestSpec) => Promise<Exchange>) => Promise<void>;
  /** A valid item for each of them. */
  readonly body: Readonly<Record<string, Json>>;
}

const freshOperations = async (context: Context): Promise<FreshOperations> => {
  const counterparty = await registerCounterparty(context);
  const [control = context.target.amount.min, ...amounts] = plainAmounts(context, 60);
  const smallest = Math.min(...amounts, control);
  // The control: the endpoint accepts items for such operations.
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
  const body = itemBody(context, smallest);
  const unused: string[] = [];
  return {
    create,
    judge: async (send) => {
      const id = unused.pop() ?? (await create());
      if (!isSuccess(await send(itemRequest(id, body)))) unused.push(id);
    },
    body,
  };
};

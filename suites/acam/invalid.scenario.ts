import { invalid, isSuccess, memberOf, type Json, type RequestSpec } from "../../model/exchange.ts";
import { plainAmounts } from "../kit/amounts.ts";
import { beyondDoubles, changedBodies, doubtfulRequest, hopelessBodies } from "../kit/bodies/invalid-bodies.ts";
import { oddIntent, oddText, textPool } from "../kit/bodies/odd-texts.ts";
import type { Context } from "../kit/context.ts";
import { drawRequests, sendEach } from "../kit/draw.ts";
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
    { ...plan, questions: ["OPEN-06", "OPEN-11"], chain: 11 },
    async (context) => {
      const { body, item, judge } = await freshOperations(context);
      const bodies = changedBodies(context, "addAcamItem", body).filter(({ mutation }) => !mutation.rare);
      await windowed(bodies.map(doubtfulRequest(item, "OPEN-06")), lanes, judge);
    },
  ),
  scenario(
    "acam/invalid/bodies",
    "bodies that are not an ACAM item",
    { ...plan, questions: ["OPEN-06", "OPEN-11"], chain: 12 },
    async (context) => {
      const { item, judge } = await freshOperations(context);
      const doubtful = doubtfulRequest(item, "OPEN-06");
      const bodies = drawRequests(context, hopelessBodies("addAcamItem"), doubtful).map(({ spec }) => spec);
      await windowed([doubtful(beyondDoubles("local_currency_amount")), ...bodies], lanes, judge);
    },
  ),
  scenario(
    "acam/invalid/texts",
    "odd texts in an ACAM item",
    { ...plan, questions: ["OPEN-28"], chain: 8 },
    async (context) => {
      const { body, create } = await freshOperations(context);
      const id = await create();
      await sendEach(context, textPool("/merchant", 7), (odd) =>
        oddText(itemRequest(id, { ...body, merchant: odd.text }, oddIntent(odd, "/merchant")), odd, "/merchant"),
      );
      // Behind the digits of a good one, which a server may pick out; no tax id of any kind.
      const good = memberOf(body, "tax_id");
      await sendEach(context, textPool("/tax_id", 3), (odd) => {
        const written = odd.text === "" || typeof good !== "string" ? odd.text : `${good}${odd.text}`;
        const spec = itemRequest(id, { ...body, tax_id: written }, invalid(`with ${odd.id} in /tax_id`));
        return oddText(spec, odd, "/tax_id");
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
  readonly judge: (item: RequestSpec) => Promise<void>;
  /** A valid item for each of them, and a request for it that names no operation yet. */
  readonly body: Readonly<Record<string, Json>>;
  readonly item: RequestSpec;
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
    judge: async (item) => {
      const id = unused.pop() ?? (await create());
      if (!isSuccess(await context.send({ ...item, path: { operation_id: id } }))) unused.push(id);
    },
    body,
    item: itemRequest("", body),
  };
};

import { invalid, isSuccess, memberOf, type RequestSpec } from "../../model/exchange.ts";
import { amountSupply, plainAmounts } from "../kit/amounts.ts";
import {
  beyondDoubles,
  changedBodies,
  doubtfulRequest,
  hopelessBodies,
  oddIntent,
  oddText,
  textPool,
} from "../kit/bodies.ts";
import type { Context } from "../kit/context.ts";
import { drawRequests, sendEach } from "../kit/sampling.ts";
import { registerCounterparty } from "../kit/flows/counterparties.ts";
import { addItem, itemBody } from "../kit/flows/items.ts";
import { createOperation } from "../kit/flows/operations.ts";
import { itemRequest } from "../kit/requests.ts";
import { scenario } from "../kit/scenario.ts";
import { windowed } from "../kit/concurrency.ts";

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
    { ...plan, chain: 11 },
    async (context) => {
      const { body, doubtful, judge } = await freshOperations(context);
      const bodies = changedBodies(context, "addAcamItem", body).filter(({ mutation }) => !mutation.rare);
      await windowed(bodies.map(doubtful), lanes, judge);
    },
  ),
  scenario("acam/invalid/bodies", "bodies that are not an ACAM item", { ...plan, chain: 12 }, async (context) => {
    const { doubtful, judge } = await freshOperations(context);
    const bodies = drawRequests(context, hopelessBodies("addAcamItem"), doubtful).map(({ spec }) => spec);
    await windowed([doubtful(beyondDoubles("local_currency_amount")), ...bodies], lanes, judge);
  }),
  scenario("acam/invalid/texts", "odd texts in an ACAM item", { ...plan, chain: 8 }, async (context) => {
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
  }),
];

/** How many requests of a scenario are in flight at once: each has its own operation. */
const lanes = 3;

/** EFX operations without an item: a refusal must be about the body. */
const freshOperations = async (context: Context) => {
  const { id: counterparty } = await registerCounterparty(context);
  const amounts = plainAmounts(context, 60);
  const next = amountSupply(context, 60);
  // The control: the endpoint accepts items for such operations.
  const control = next();
  await addItem(context, (await createOperation(context, { counterparty, amount: control })).id, control);
  const create = async (): Promise<string> => {
    const { id } = await createOperation(context, { counterparty, amount: next() });
    await context.untilKnown();
    return id;
  };
  /** A valid item for each of them. */
  const body = itemBody(context, Math.min(...amounts));
  const unused: string[] = [];
  return {
    create,
    body,
    /** Sends an item for an operation without an item. An operation whose item was refused is used again. */
    judge: async (item: RequestSpec): Promise<void> => {
      const id = unused.pop() ?? (await create());
      if (!isSuccess(await context.send({ ...item, path: { operation_id: id } }))) unused.push(id);
    },
    /** The item of a broken body, which names no operation yet. */
    doubtful: doubtfulRequest(itemRequest("", body), "OPEN-06"),
  };
};

import { isSuccess, unusual, invalid, memberOf } from "../../model/exchange.ts";
import type { Exchange, Fields, Json, RequestSpec } from "../../model/exchange.ts";
import { amountsAndPairs, plainAmounts, amountSupply } from "../kit/amounts.ts";
import type { Pool } from "../../generators/index.ts";
import { answerOf, observing, observingStatus } from "../kit/observing.ts";
import { drawRequests, chosen, holdsForAll, sendEach } from "../kit/sampling.ts";
import { addItem, itemBody, itemSample, efxOperations, createOperation } from "../kit/flows/operations.ts";
import { itemRequest, observeTolerance, validOperation, beyondDoubles, changedBodies } from "../kit/requests.ts";
import { doubtfulRequest, hopelessBodies, oddIntent, oddText, textPool } from "../kit/requests.ts";
import { scenario } from "../kit/scenario.ts";
import { createdId } from "../kit/target-knowledge.ts";
import type { Context } from "../kit/context.ts";
import { registerCounterparty } from "../kit/flows/counterparties.ts";
import { windowed } from "../kit/concurrency.ts";

/** ACAM items for operations that accept them (specification, Endpoints, 4; INT-22 and INT-24). */
export const add = [
  scenario(
    "acam/add/valid",
    "an ACAM item is added to an EFX operation",
    { requirements: ["ACAM-01", "ACAM-02"], operations: ["addAcamItem"] },
    async (context) => {
      const { counterparty, operations: made } = await efxOperations(context, plainAmounts(context, 1));
      const [first] = made;
      if (first === undefined) return;
      await addItem(context, first.id, first.amount);
      const samples = amountsAndPairs(context, Math.max(3, Math.ceil(context.settings.runs / 4)));
      await holdsForAll(context, {
        requirements: ["ACAM-01", "ACAM-02"],
        samples: chosen(context, samples),
        send: async ({ amount, pair }) => {
          const operation = await context.send(validOperation(context, { counterparty, amount, pair }));
          const id = createdId(operation);
          if (id === undefined) return operation;
          return context.send(itemRequest(id, itemSample(context, amount, Math.round(amount))));
        },
      });
      const addAnother = (salt: number, what: string, headers: Fields = []): Promise<Exchange> =>
        context.send({
          ...itemRequest(first.id, itemBody(context, first.amount, salt), unusual(`as a ${what}`)),
          headers,
        });
      const second = await addAnother(99, "second item of one operation");
      context.observe("OPEN-30", "a second item of one operation", answerOf(second));
      // The text of a success is stated: it is the same in each language.
      const inPortuguese = [["Accept-Language", "pt-BR, pt;q=0.9"]] as const;
      if (isSuccess(second)) await addAnother(98, "third item of one operation, in Portuguese", inPortuguese);
    },
  ),
  scenario(
    "acam/add/doubtful",
    "an ACAM item with members left out, unknown or doubtful",
    { requirements: ["ACAM-06"], operations: ["addAcamItem"], drawsTheSame: true },
    async (context) => {
      const omissions = context.generators.omissions("addAcamItem");
      const drawn = drawRequests(context, doubtful, ([what, values]) =>
        observing(itemRequest("", values, unusual(`with ${what}`)), "OPEN-06", `with ${what}`),
      );
      const amounts = plainAmounts(context, omissions.length + drawn.length + 2);
      const { operations: made } = await efxOperations(context, amounts);
      const body = (index: number): Readonly<Record<string, Json>> =>
        itemBody(context, made[index]?.amount ?? 0, index);
      const idAt = (index: number): string => made[index]?.id ?? "";
      const without = omissions.map(({ pointer, apply }, index) => {
        const spec = itemRequest(idAt(index), apply(body(index)), unusual(`without ${pointer}`));
        return observingStatus(observing(spec, "OPEN-05", `without ${pointer}`), "a body without a member");
      });
      const odd = drawn.map(({ spec }, offset) => {
        const index = omissions.length + offset;
        return { ...spec, path: { operation_id: idAt(index) }, body: { ...body(index), ...(spec.body as object) } };
      });
      await Promise.all([...without, ...odd].map(context.send));
      const last = omissions.length + drawn.length;
      const [extended, undeclared] = [last, last + 1].map((index) => itemRequest(idAt(index), body(index)));
      if (extended && undeclared)
        await observeTolerance(context, extended, undeclared, ["application/x-www-form-urlencoded"]);
    },
  ),
];

const doubtful: Pool<readonly [what: string, values: Readonly<Record<string, Json>>]> = {
  name: "doubtful ACAM items",
  items: [
    ["an amount of zero", { local_currency_amount: 0 }],
    ["a negative amount", { local_currency_amount: -1 }],
    ["a huge amount", { local_currency_amount: 1e20 }],
    ["an amount of many decimals", { local_currency_amount: 1.123456789 }],
    ["a tax id of 30 digits", { tax_id: "529982247255299822472552998224" }],
    ["a tax id that is too short", { tax_id: "123" }],
    ["a tax id with punctuation", { tax_id: "529.982.247-25" }],
    ["an empty merchant", { merchant: "" }],
    ["a tax id of equal digits", { tax_id: "11111111111" }],
    ["a tax id with wrong check digits", { tax_id: "52998224726" }],
    ["a company's tax id with punctuation", { tax_id: "11.222.333/0001-81" }],
    ["a tax id of 13 digits", { tax_id: "1122233300018" }],
    ["a tax id with letters", { tax_id: "12ABC34501DE35" }],
    ["a tax id of zeros", { tax_id: "00000000000" }],
    ["an amount beyond 64 bits", { local_currency_amount: 18_446_744_073_709_552_000 }],
    ["a tiny amount", { local_currency_amount: 1e-300 }],
  ],
  always: 8,
};

const plan = {
  requirements: ["ACAM-06"],
  operations: ["addAcamItem"],
  drawsTheSame: true,
  phase: "beside",
} as const;

/** Wrong and odd items: a server may accept or refuse them, but it never crashes (INT-24). */
export const invalidItems = [
  scenario("acam/invalid/members", "each member of an ACAM item is changed once", plan, async (context) => {
    const { body, doubtful, judge } = await freshOperations(context);
    const bodies = changedBodies(context, "addAcamItem", body).filter(({ mutation }) => !mutation.rare);
    await windowed(bodies.map(doubtful), lanes, judge);
  }),
  scenario("acam/invalid/bodies", "bodies that are not an ACAM item", plan, async (context) => {
    const { doubtful, judge } = await freshOperations(context);
    const bodies = drawRequests(context, hopelessBodies("addAcamItem"), doubtful).map(({ spec }) => spec);
    await windowed([doubtful(beyondDoubles("local_currency_amount")), ...bodies], lanes, judge);
  }),
  scenario("acam/invalid/texts", "odd texts in an ACAM item", plan, async (context) => {
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

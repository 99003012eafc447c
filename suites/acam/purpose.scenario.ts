import { Inconclusive } from "../../harness/errors.ts";
import { invalid, memberOf, unusual, type Exchange, type Json, type RequestSpec } from "../../model/exchange.ts";
import { listedBatch } from "../batches/create.scenario.ts";
import { amountSupply, firstPair } from "../kit/amounts.ts";
import { orNothing, together } from "../kit/concurrency.ts";
import { now, type Context } from "../kit/context.ts";
import { validBatch } from "../kit/flows/batches.ts";
import { registerCounterparty } from "../kit/flows/counterparties.ts";
import { addItem, itemBody, createOperation, otherPurpose } from "../kit/flows/operations.ts";
import { areRandom, cannotCoincide, unknownLike, withLettersBehind } from "../kit/ids.ts";
import { observingStatus } from "../kit/observing.ts";
import { efx, itemRequest, operationBody, operationRequest, validOperation } from "../kit/requests.ts";
import { scenario } from "../kit/scenario.ts";
import { createdId, type Made } from "../kit/target-knowledge.ts";

const wrongItem = (
  context: Context,
  requirement: "ACAM-03" | "ACAM-04" | "ACAM-05",
  { id, amount, of }: { readonly id: string; readonly amount: number; readonly of: string },
  item: Json = itemBody(context, amount),
): RequestSpec => ({ ...itemRequest(id, item, invalid(`for an operation ${of}`)), refusal: { requirement } });

const unknownOperation = scenario(
  "acam/purpose/unknown-operation",
  "an ACAM item for an operation that does not exist",
  { requirements: ["ACAM-04"], operations: ["addAcamItem"], after: [listedBatch] },
  async (context) => {
    const { runId } = context.run;
    const { id: counterparty } = await registerCounterparty(context);
    const next = amountSupply(context, 2);
    const amount = next();
    // One operation is enough: the other, and a batch, show whether ids of this server are random.
    const [first, other, batch] = await together([
      orNothing(createOperation(context, { counterparty, amount })),
      orNothing(createOperation(context, { counterparty, amount: next() })),
      orNothing(validBatch(context, firstPair(context)).then(context.send)),
    ]);
    const operation = first ?? other;
    // The control: the endpoint accepts an item like this one, so a refusal is about the operation. If no more
    // operations are accepted, an earlier one names the shape of ids, and an earlier item is the control.
    if (operation !== undefined) await addItem(context, operation.id, amountOf(operation));
    const known = operation?.id ?? context.knowledge.lastOperation;
    if (known === undefined) throw new Inconclusive("no operation could be created, so no id differs from a known one");
    const ids = [known, other?.id ?? known] as const;
    const unknown = [
      `nothing-${runId}`,
      `nothing-${runId}'--`,
      `nothing.${runId}`,
      "00000000-0000-4000-8000-000000000000",
      "nothing".repeat(12),
      "constructor",
      areRandom(...ids) ? unknownLike(known) : undefined,
      withLettersBehind(known),
      ...(areRandom(...ids) ? [known.slice(0, -cut), known.slice(cut)] : []),
      ...[counterparty, batch && createdId(batch)].filter((id) => id !== undefined && cannotCoincide(ids, id)),
    ].filter((id) => id !== undefined);
    const odd = invalid("for an operation whose id has brackets, a space and a percent sign");
    await together([
      context.send({ ...itemRequest(`nothing [${runId}] 100%`, itemBody(context, amount), odd), exemptBy: "INT-38" }),
      ...unknown.map((id) => {
        const item = wrongItem(context, "ACAM-04", { id, amount, of: "that does not exist" });
        return context.send(observingStatus(item, "an operation that does not exist"));
      }),
    ]);
    const again = { id: `nothing-${runId}`, amount, of: "that did not exist before either" };
    await context.send(wrongItem(context, "ACAM-04", again));
  },
);

const amountOf = ({ body }: Made): number => Number(memberOf(body, "currency_amount"));

/** How many characters are cut off an id: of base64, what is left is another id. */
const cut = 4;

/** Purposes that are tried besides the one that is known to work here. */
const mostFurther = 3;

/** The rule that ACAM items are for EFX operations alone (specification, Endpoints, 4; INT-23). */
export const purpose = [
  unknownOperation,
  scenario(
    "acam/purpose/other",
    "an ACAM item for an operation that is not EFX",
    { requirements: ["ACAM-03"], operations: ["addAcamItem"] },
    async (context) => {
      const { otherPurposes, currencyPairs, amount: range } = context.target;
      const { purpose, pair } = await otherPurpose(context);
      const { id: counterparty } = await registerCounterparty(context);
      const next = amountSupply(context, 3);
      const control = next();
      await addItem(context, (await createOperation(context, { counterparty, amount: control })).id, control);
      const [amount, another] = [next(), next()];
      const own = await createOperation(context, { counterparty, amount, purpose, pair });
      // Only one purpose is known to work, with one pair, for a counterparty with EFX operations: these may be refused.
      const further = otherPurposes.filter((configured) => configured !== purpose).slice(0, mostFurther);
      const otherPair = currencyPairs.findLast((configured) => configured !== pair) ?? pair;
      const { id: without } = await registerCounterparty(context, 13);
      const rows = [
        { counterparty, amount: another, purpose, pair: otherPair },
        ...further.map((one) => ({ counterparty, amount: another, purpose: one, pair })),
        { counterparty: without, amount: range.max, purpose, pair },
      ];
      const refused = (id: string, data: (typeof rows)[number], item?: Json): Promise<Exchange> => {
        const spec = wrongItem(context, "ACAM-03", { id, ...data, of: `with the purpose ${data.purpose}` }, item);
        return context.send(observingStatus(spec, "an operation that is not EFX"));
      };
      /** The refusal must last, and must not depend on the item. */
      const refusedTwice = async (): Promise<void> => {
        const data = { counterparty, amount, purpose, pair };
        const at = now();
        await context.untilKnown();
        await refused(own.id, data);
        await context.old(at);
        await refused(own.id, data, { ...itemBody(context, amount), local_currency_amount: range.min });
      };
      const refusedFor = async (data: (typeof rows)[number]): Promise<void> => {
        const id = createdId(await context.send(validOperation(context, data)));
        if (id === undefined) return;
        await context.untilKnown();
        await refused(id, data);
      };
      await together([refusedTwice(), ...rows.map(refusedFor)]);
    },
  ),
  scenario(
    "acam/purpose/accepted",
    "an ACAM item for an operation with an unknown purpose that the server accepted",
    { requirements: ["ACAM-03"], operations: ["createCounterparty"] },
    async (context) => {
      const { id: counterparty } = await registerCounterparty(context, 21);
      const next = amountSupply(context, 2, 21);
      await together(
        ["NON-EFX", "EFXTRA"].map(async (purpose) => {
          const amount = next();
          const of = `with the purpose ${purpose}`;
          const body = operationBody(context, { counterparty, amount, purpose });
          const exchange = await context.send(operationRequest(body, unusual(of)));
          const id = createdId(exchange);
          // Only a purpose that comes back as it was sent is certainly another than EFX (INT-36).
          if (id === undefined || memberOf(exchange.json, "operation_purpose") !== purpose) return;
          await context.untilKnown();
          await context.send(wrongItem(context, "ACAM-03", { id, amount, of }));
        }),
      );
    },
  ),
  scenario(
    "acam/purpose/alike",
    "an old operation that is not EFX, among later EFX operations, some of the same amount",
    { requirements: ["ACAM-05"], operations: ["addAcamItem"] },
    async (context) => {
      const [{ purpose, pair }, { id: counterparty }] = await together([
        otherPurpose(context),
        registerCounterparty(context, 22),
      ]);
      const next = amountSupply(context, 9, 22);
      const [control, a, b] = [next(), next(), next()];
      const create = async (amount: number, of: string): Promise<string> =>
        (await createOperation(context, { counterparty, amount, purpose: of, pair })).id;
      const makeAlike = async (): Promise<readonly [before: string, after: string]> => {
        const before = await create(a, purpose);
        await together([create(a, efx), create(b, efx)]);
        const after = await create(b, purpose);
        await together(Array.from({ length: 3 }, () => create(next(), efx)));
        return [before, after];
      };
      const addControl = async () => addItem(context, await create(control, efx), control);
      const [[before, after]] = await together([makeAlike(), addControl()]);
      await context.untilKnown();
      const send = (id: string, amount: number, which: string) =>
        context.send(wrongItem(context, "ACAM-05", { id, amount, of: `with the purpose ${purpose}, ${which}` }));
      await together([send(before, a, "older than others"), send(after, b, "like an older one that is EFX")]);
    },
  ),
  scenario(
    "acam/purpose/old",
    "the oldest operation that is not EFX, and the youngest, when all else was sent",
    { requirements: ["ACAM-05"], operations: ["createOperation"] },
    async (context) => {
      const { purpose, pair, counterparty, first, efxBefore } = await otherPurpose(context);
      const { id, amount, at } = first;
      const item = (made: string, of: string) =>
        wrongItem(context, "ACAM-05", { id: made, amount, of: `with the purpose ${purpose}, ${of}` });
      const { min } = context.target.amount;
      const sendYoung = async (): Promise<void> => {
        const data = { counterparty, amount: min, purpose, pair };
        const young = createdId(await context.send(validOperation(context, data)));
        // An item that comes at once may be too early for the server, and is refused in any case.
        if (young !== undefined) await context.send({ ...item(young, "just created"), body: itemBody(context, min) });
      };
      await context.old(at);
      await together([
        sendYoung(),
        id !== undefined && context.send(item(id, "older than all others")),
        context.send(itemRequest(efxBefore.id, itemBody(context, efxBefore.amount))),
      ]);
    },
  ),
  scenario(
    "acam/purpose/path",
    "the operation in the path decides, not the newest one",
    { requirements: ["ACAM-05"], operations: ["addAcamItem"] },
    async (context) => {
      const { purpose, pair } = await otherPurpose(context);
      const inOrder = async (order: readonly string[], salt: number): Promise<void> => {
        const { id: counterparty } = await registerCounterparty(context, salt);
        const next = amountSupply(context, 3, salt);
        const made = [];
        for (const of of order) {
          const amount = next();
          made.push({ of, amount, ...(await createOperation(context, { counterparty, amount, purpose: of, pair })) });
        }
        await context.untilKnown();
        for (const { id, amount, of } of made)
          if (of === efx) await addItem(context, id, amount);
          else await context.send(wrongItem(context, "ACAM-05", { id, amount, of: `with the purpose ${of}` }));
      };
      await together([inOrder([efx, purpose], 11), inOrder([purpose, efx], 12)]);
    },
  ),
];

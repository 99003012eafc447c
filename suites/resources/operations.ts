import { hintOn, Inconclusive, orNothing } from "../../harness/errors.ts";
import { isRefusal, isSuccess, messageOf, type Exchange } from "../../model/exchange.ts";
import { memberOf, type Json } from "../../spec/json.ts";
import { unusual, valid } from "../../model/request.ts";
import { amountSupply, firstPair, floored } from "./amounts.ts";
import { operationRequest, validOperation, type OperationValues, itemRequest } from "./requests.ts";
import type { ScenarioCore } from "../run/context.ts";
import {
  created,
  createdId,
  now,
  type Created,
  type OperationBody,
} from "../run/target-knowledge.ts";
import { freshCounterparty, registerCounterparty } from "./counterparties.ts";
import { itemArbitrary, sampleOf } from "../../generators/index.ts";

/**
 * Creates an operation. If it is refused, creates one for a fresh counterparty. Throws Inconclusive
 * if that is refused too.
 */
export async function createOperation(
  context: ScenarioCore,
  data: OperationValues,
): Promise<Created> {
  const made = created(await operationSuccess(context, data));
  context.knowledge.createdOperation(made);
  return made;
}

/**
 * Sends an operation and resolves to its success. Further operations for a payee wait for its first
 * one, because a refusal may mean that the server takes one operation for each payee only.
 */
async function operationSuccess(context: ScenarioCore, data: OperationValues): Promise<Exchange> {
  const { knowledge } = context;
  const before = knowledge.firstOperationOf(data.counterparty);
  if (before === undefined) {
    const own = onlySuccess(context, data);
    knowledge.serves(data.counterparty, own);
    return own;
  }
  await orNothing(before);
  return furtherSuccess(context, data);
}

function onlySuccess(context: ScenarioCore, data: OperationValues): Promise<Exchange> {
  return context.succeed(validOperation(context, data));
}

/**
 * Sends a further operation of a payee. Servers may bind a payee to one operation, pair or purpose:
 * after a refusal, a fresh payee is tried first (INT-57).
 */
async function furtherSuccess(context: ScenarioCore, data: OperationValues): Promise<Exchange> {
  const { knowledge } = context;
  if (knowledge.payeesServeOnce === true)
    return onlySuccess(context, await withFreshPayee(context, data));
  const first = await context.send(validOperation(context, data));
  if (isSuccess(first)) return first;
  if (!isRefusal(first)) return onlySuccess(context, data);
  if (knowledge.operationsAreFull) throw new Inconclusive(fullText(context, first), "refusal");
  const fresh = await withFreshPayee(context, data);
  await context.knownSince(now());
  const exchange = await context.send(validOperation(context, fresh));
  if (isSuccess(exchange)) {
    await learnService(context, fresh);
    return exchange;
  }
  try {
    return await onlySuccess(context, data);
  } catch (error) {
    if (error instanceof Inconclusive && !(await isRepeatable(context)))
      knowledge.learn({ operationsAreFull: true });
    throw error;
  }
}

async function withFreshPayee(
  context: ScenarioCore,
  data: OperationValues,
): Promise<OperationValues> {
  return {
    ...data,
    counterparty: (await freshCounterparty(context)).id,
  };
}

/**
 * Learns whether a payee serves only once, by sending a second operation like the first. An earlier
 * refusal may have come because the target did not know the payee yet.
 */
async function learnService(context: ScenarioCore, data: OperationValues): Promise<void> {
  const { knowledge } = context;
  if (knowledge.payeesServeOnce !== undefined) return;
  const another = await context.send(validOperation(context, data));
  knowledge.learn({ payeesServeOnce: !isSuccess(another) });
}

/**
 * Sends an operation like the last one for a fresh payee. Resolves to whether the target accepts
 * it; false if there is no earlier operation.
 */
async function isRepeatable(context: ScenarioCore): Promise<boolean> {
  const { lastOperationBody } = context.knowledge;
  if (lastOperationBody === undefined) return false;
  const { id } = await freshCounterparty(context);
  await context.knownSince(now());
  return isSuccess(
    await context.send(operationRequest({ ...lastOperationBody, counterparty_id: id })),
  );
}

function fullText({ knowledge }: ScenarioCore, refusal: Exchange): string {
  const advice =
    knowledge.lastOperationBody === undefined
      ? `. ${hintOn.createOperation}`
      : ", after it had accepted others. Raise the server's limit of operations for this client, or test when it is not reached.";
  return `POST /corporate/operation answered a valid request with ${messageOf(refusal)}${advice}`;
}

/** Purposes to try after the configured ones. */
const guesses = ["IMPORT", "EXPORT", "SERVICES"];

/** A purpose is tried with this many pairs, because a server may accept it for some pairs only. */
const mostPairsOfPurpose = 3;

/**
 * Finds a purpose other than EFX that this target accepts, by creating an operation with it: a
 * configured purpose, or a guess that comes back unchanged (INT-23). Throws Inconclusive if there
 * is none. `before`: an EFX operation without an item. @defaultValue a new one
 *
 * `pair`: with which the server accepts the purpose. `first`: the run's first operation with it, if
 * the response had an id. `efxBefore`: an EFX operation that was created before it.
 */
export function otherPurpose(context: ScenarioCore, before?: Created) {
  return context.knowledge.once("other purpose", async () => {
    const { knowledge } = context;
    const next = amountSupply(context);
    // From here on, the target knows the counterparty and accepts operations, so that a refusal is
    // about the purpose.
    const efxOperation = before ?? (await firstOperation(context, next()));
    const { counterparty_id: counterparty, currency_amount: whole } =
      efxOperation.body as OperationBody;
    const efxBefore = { id: efxOperation.id, amount: whole, at: 0 };
    let words = "";
    // A server may bind a payee to the purpose of its first operation. A payee whose operations
    // were refused is bound to none, so that one fresh payee serves for all tries.
    let fresh: string | undefined;
    for (const { purpose, pair, known } of purposesToTry(context)) {
      const amount = next();
      const intent = known ? valid : unusual(`with the purpose ${purpose}`);
      const send = (payee: string): Promise<Exchange> =>
        context.send({
          ...validOperation(context, { counterparty: payee, amount, purpose, pair }),
          intent,
        });
      const first = await send(counterparty);
      if (isRefusal(first) && fresh === undefined) {
        fresh = (await freshCounterparty(context)).id;
        await context.knownSince(now());
      }
      const exchange = isRefusal(first) && fresh !== undefined ? await send(fresh) : first;
      context.answered(
        "OPEN-02",
        pair === firstPair(context) ? purpose : `${purpose} with ${pair}`,
        exchange,
      );
      if (isSuccess(exchange)) knowledge.serves(payeeOf(exchange, counterparty), Promise.resolve());
      const id = createdId(exchange);
      if (
        isSuccess(exchange) &&
        (known || memberOf(exchange.json, "operation_purpose") === purpose)
      )
        return {
          purpose,
          pair,
          counterparty: { id: payeeOf(exchange, counterparty) },
          efxBefore,
          first: id === undefined ? undefined : { id, amount, at: now() },
        };
      words = messageOf(exchange);
    }
    throw new Inconclusive(
      `no purpose other than EFX is known to work on this server (the last one tried was answered with ${words}). Name one with --other-purposes.`,
      "other purpose",
    );
  });
}

async function firstOperation(context: ScenarioCore, amount: number): Promise<Created> {
  const { id: counterparty } = await registerCounterparty(context, 7001);
  return createOperation(context, { counterparty, amount });
}

function payeeOf({ request }: Exchange, otherwise: string): string {
  const payee = memberOf(request.json, "counterparty_id");
  return typeof payee === "string" ? payee : otherwise;
}

/**
 * The tries in their order: the configured purposes with the first pair and then with further
 * pairs, and last the guesses with the first pair.
 */
function purposesToTry(context: ScenarioCore) {
  const { otherPurposes, currencyPairs } = context.target;
  const tries = (purposes: readonly string[], pair: string, known: boolean) =>
    purposes.map((purpose) => ({ purpose, pair, known }));
  return [
    ...tries(otherPurposes, firstPair(context), true),
    ...currencyPairs
      .slice(1, mostPairsOfPurpose)
      .flatMap((pair) => tries(otherPurposes, pair, true)),
    ...tries(guesses, firstPair(context), false),
  ];
}

/**
 * A valid item of this amount, with a tax id of the kind that the target accepts. Items of other
 * amounts stand for other sales, and get other tax ids: a server may accept a tax id only once.
 */
export function itemBody(
  context: ScenarioCore,
  amount: number,
  salt = 0,
  kind = context.knowledge.taxIdKind,
): Item {
  const seed = context.seed + salt + (Math.round(amount * 7919) % 1_000_003);
  const [item = {}] = sampleOf(itemArbitrary(kind, amount), { seed, n: 1 });
  return item;
}

/** The amount of an item for less than its operation, of as many parts as it has items. */
export function partOf(context: ScenarioCore, amount: number, nth: number): number {
  const part = floored(amount * (0.62 - 0.07 * (nth % 5)), context.target.amount.decimals);
  return part > 0 ? part : amount;
}

export type Item = Readonly<Record<string, Json>>;

export function taxIdOf(item: Json): string {
  const taxId = memberOf(item, "tax_id");
  return typeof taxId === "string" ? taxId : "";
}

/**
 * Returns the reason why a run has no ACAM items if the target refuses operations with the purpose
 * EFX.
 */
export function noItems({ knowledge }: ScenarioCore): string {
  const { purposeInstead, efxRefusal } = knowledge;
  return `an operation with the purpose EFX was answered with ${efxRefusal}, and those with ${purposeInstead} take no ACAM items. ${hintOn.addAcamItem}`;
}

/**
 * Adds an item for the whole amount of an operation. If it is refused, adds one to a new operation.
 * Throws Inconclusive if that fails too.
 */
export async function addItem(
  context: ScenarioCore,
  operation: string,
  amount: number,
): Promise<Exchange> {
  const { firstCounterparty, purposeInstead } = context.knowledge;
  if (purposeInstead !== undefined) throw new Inconclusive(noItems(context), "refusal");
  try {
    return await context.succeed(itemRequest(operation, itemBody(context, amount)));
  } catch (error) {
    if (!(error instanceof Inconclusive) || firstCounterparty === undefined) throw error;
    // A batch may have taken the operation in the meantime: a new operation is in none.
    const counterparty = firstCounterparty.id;
    const late = await orNothing(
      context.alone(async (send) => {
        const made = await send(validOperation(context, { counterparty, amount }));
        const id = createdId(made);
        return id === undefined ? made : send(itemRequest(id, itemBody(context, amount)));
      }),
    );
    if (late === undefined || !isSuccess(late) || late.operation !== "addAcamItem") throw error;
    return late;
  }
}

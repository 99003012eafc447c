import { Inconclusive } from "../../../harness/errors.ts";
import { isRefusal, isSuccess, memberOf, messageOf, unusual, valid, saysTheSame } from "../../../model/exchange.ts";
import type { Exchange, Json, RequestSpec } from "../../../model/exchange.ts";
import type { AmountRange } from "../../../model/target.ts";
import { amountSupply, firstPair, floored, rounded, roundness, itemAmount } from "../amounts.ts";
import { efx, operationBody, operationRequest, validOperation, type OperationData, itemRequest } from "../requests.ts";
import { now, type Context } from "../context.ts";
import { created, createdId, type Made } from "../target-knowledge.ts";
import type { AmountLimits, OperationBody } from "../target-knowledge.ts";
import { freshCounterparty, registerCounterparty } from "./counterparties.ts";
import { sampleOf } from "../../../generators/index.ts";
import { orNothing } from "../concurrency.ts";

/**
 * Creates an operation, for a fresh counterparty, or with other amounts, pairs and purposes, if it is refused. Throws
 * Inconclusive if all are.
 */
export const createOperation = async (context: Context, data: OperationData): Promise<Made> => {
  const { knowledge } = context;
  const exchange = await knowledge.oneFirst("createOperation", () => operationSuccess(context, data));
  const made = created(exchange);
  const isEfx = memberOf(made.body, "operation_purpose") === efx;
  knowledge.learn({ lastOperationBody: made.body as OperationBody, ...(isEfx && { lastOperation: made.id }) });
  return made;
};

/** The first operation of a payee; the others wait for it, as a refusal may mean that a payee serves once. */
async function operationSuccess(context: Context, data: OperationData): Promise<Exchange> {
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

const onlySuccess = (context: Context, data: OperationData): Promise<Exchange> =>
  successOf(context, () => variableOperation(context, data));

/** Servers bind a payee to one operation, pair or purpose: on a refusal, a fresh one is tried first of all (INT-57). */
async function furtherSuccess(context: Context, data: OperationData): Promise<Exchange> {
  const { knowledge } = context;
  if (knowledge.payeesServeOnce === true) return onlySuccess(context, await withFreshPayee(context, data));
  const first = await context.send(validOperation(context, data));
  if (isSuccess(first)) return first;
  if (!isRefusal(first)) return onlySuccess(context, data);
  if (knowledge.operationsAreFull) throw new Inconclusive(fullText(first), "refusal");
  const fresh = await withFreshPayee(context, data);
  await context.untilKnown();
  const exchange = await context.send(validOperation(context, fresh));
  if (isSuccess(exchange)) {
    await learnService(context, fresh);
    return exchange;
  }
  try {
    return await onlySuccess(context, data);
  } catch (error) {
    if (error instanceof Inconclusive && !(await isRepeatable(context))) knowledge.learn({ operationsAreFull: true });
    throw error;
  }
}

const withFreshPayee = async (context: Context, data: OperationData): Promise<OperationData> => ({
  ...data,
  counterparty: (await freshCounterparty(context)).id,
});

/** Whether a payee that has one operation is refused another one like it. The earlier one may have been unknown yet. */
async function learnService(context: Context, data: OperationData): Promise<void> {
  const { knowledge } = context;
  if (knowledge.payeesServeOnce !== undefined) return;
  const another = await context.send(validOperation(context, data));
  knowledge.learn({ payeesServeOnce: !isSuccess(another) });
}

/** Whether an operation like one that was accepted is accepted for a fresh payee. */
async function isRepeatable(context: Context): Promise<boolean> {
  const { lastOperationBody } = context.knowledge;
  if (lastOperationBody === undefined) return false;
  const { id } = await freshCounterparty(context);
  await context.untilKnown();
  return isSuccess(await context.send(operationRequest({ ...lastOperationBody, counterparty_id: id })));
}

const fullText = (refusal: Exchange): string =>
  `POST /corporate/operation answered a valid request with ${messageOf(refusal)}, after it had accepted others. Raise the server's limit of operations for this client, or test when it is not reached.`;

/** A valid request, and how it is varied if the target refuses it. */
interface Variable<B> {
  readonly body: B;
  readonly request: (body: B) => RequestSpec;
  readonly trials: () => readonly Trial<B>[];
  /** What the trials vary, in words. */
  readonly varied: string;
  /** Keeps what an accepted body shows, so that later ones are like it. */
  readonly learn: (accepted: B, refusal: Exchange) => void | Promise<void>;
}

/** The success of a request, of a variation of it if the target refuses it, or else of `last`. Throws Inconclusive. */
const successOf = async <B>(
  context: Context,
  make: () => Variable<B>,
  last: () => Promise<Exchange | undefined> = async () => undefined,
): Promise<Exchange> => {
  const { body, request, varied } = make();
  try {
    return await context.succeed(request(body));
  } catch (error) {
    if (!(error instanceof Inconclusive)) throw error;
    // Another scenario may have found out by now what is accepted.
    const exchange = (await accepted(context, make())) ?? (await last());
    if (exchange === undefined)
      throw new Inconclusive(`${error.message} ${varied} were refused too.`, error.gap, error.blockedAt);
    context.knowledge.accepted(exchange.operation);
    return exchange;
  }
};

const accepted = async <B>(context: Context, { body, request, trials, learn }: Variable<B>) => {
  const { knowledge } = context;
  const { operation } = request(body);
  if (!knowledge.isWorthVarying(operation)) return undefined;
  const send = (one: B): Promise<Exchange> => context.send(request(one));
  const refusal = await send(body);
  // It may have been refused because a resource was not known yet.
  if (!isRefusal(refusal)) return isSuccess(refusal) ? refusal : undefined;
  const found = await acceptedVariation({ value: body, exchange: refusal }, trials(), send);
  if (found === undefined) knowledge.variedInVain(operation);
  else await learn(found.value, refusal);
  return found?.exchange;
};

const variableOperation = (context: Context, data: OperationData): Variable<OperationBody> => {
  const { knowledge, target } = context;
  const body = operationBody(context, data);
  const { currency_amount: amount, currency_pair: pair, operation_purpose: purpose } = body;
  const last = knowledge.lastOperationBody === undefined ? [] : [knowledge.lastOperationBody];
  return {
    body,
    request: (one) => operationRequest(one),
    trials: () => [
      ["currency_amount", last.map((one) => one.currency_amount)],
      ["currency_pair", last.map((one) => one.currency_pair)],
      ["currency_amount", amountsToTry(target.amount, amount)],
      ["currency_pair", target.currencyPairs.filter((other) => other !== pair).slice(0, mostPairs)],
      ["operation_purpose", data.purpose === undefined ? target.otherPurposes.slice(0, mostPurposes) : []],
    ],
    varied: "Smaller and rounder amounts and the other configured pairs and purposes",
    learn: async (found, refusal) => {
      if (found.currency_amount !== amount && context.settings.createsLeast !== true) {
        const isAccepted = async (other: number): Promise<boolean> =>
          isSuccess(await context.send(operationRequest({ ...found, currency_amount: other })));
        const limits = await limitsAround(target.amount, amount, found.currency_amount, isAccepted);
        knowledge.learn({ operationLimits: limits });
      }
      if (found.currency_pair !== pair) {
        const known = Object.entries(knowledge.pairsInstead);
        const instead = known.map(([from, to]) => [from, to === pair ? found.currency_pair : to]);
        knowledge.learn({ pairsInstead: { ...Object.fromEntries(instead), [pair]: found.currency_pair } });
      }
      if (found.operation_purpose !== purpose) knowledge.learn({ purposeInstead: found.operation_purpose });
      context.warn(
        `POST /corporate/operation refused an operation of ${amount} in ${pair} for ${purpose} with ${messageOf(refusal)}; the run goes on with ones like ${found.currency_amount} in ${found.currency_pair} for ${found.operation_purpose}. Check --amount, --currency-pairs and --other-purposes.`,
      );
    },
  };
};

const mostPairs = 4;
const mostPurposes = 2;

/** Configured amounts near a refused one and far from it, each as round as it can be. */
const amountsToTry = (range: AmountRange, refused: number): readonly number[] => {
  const towards = (end: number, part: number): number => refused * (end / refused) ** part;
  return [refused, ...[1 / 3, 2 / 3, 1].map((part) => towards(range.min, part)), towards(range.max, 0.5), range.max]
    .map((amount) => [rounded(amount), floored(amount, 0), amount].find((one) => isIn(range, one)) ?? range.min)
    .filter((amount) => amount !== refused);
};

const isIn = ({ min, max }: AmountRange, amount: number): boolean => amount >= min && amount <= max;

/** The limits around an accepted amount. A further request shows whether less round amounts are accepted. */
const limitsAround = async (
  range: AmountRange,
  refused: number,
  accepted: number,
  isAccepted: (amount: number) => Promise<boolean>,
): Promise<AmountLimits> => {
  // Near each other, they differ in how round they are.
  const isRounder = rounded(refused) === accepted;
  const beside = floored(accepted * (accepted < refused ? 0.97 : 1.03), range.decimals);
  const other = isRounder ? floored(refused, 0) : beside;
  const isFree = other !== accepted && isIn(range, other) && (await isAccepted(other));
  const decimals = isFree ? (isRounder ? 0 : range.decimals) : roundness(accepted);
  const min = !isRounder && accepted > refused ? accepted : range.min;
  const max = !isRounder && accepted < refused ? accepted : range.max;
  return { min: -floored(-min, decimals), max, decimals };
};

/** Purposes that are tried if none besides EFX is configured. */
const guesses = ["IMPORT", "EXPORT", "SERVICES"];

/** How many pairs a purpose is tried with, because a server may accept it for some pairs only. */
const mostPairsOfPurpose = 3;

/** A purpose besides EFX that this target accepts: a configured one, or a guess that came back unchanged (INT-23). */
export const otherPurpose = (context: Context) =>
  context.knowledge.once("other purpose", async () => {
    const { knowledge } = context;
    const { id: counterparty } = await registerCounterparty(context, 7001);
    const next = amountSupply(context, 12);
    // From here on the counterparty is known and operations are accepted, so a refusal is about the purpose.
    const whole = next();
    const { id } = await createOperation(context, { counterparty, amount: whole });
    const efxBefore = { id, amount: whole };
    let words = "";
    // A payee may be bound to the purpose of its first operation. One that was refused all the same has none.
    let fresh: string | undefined;
    for (const { purpose, pair, known } of purposesToTry(context)) {
      const amount = next();
      const intent = known ? valid : unusual(`with the purpose ${purpose}`);
      const send = (payee: string): Promise<Exchange> =>
        context.send(operationRequest(operationBody(context, { counterparty: payee, amount, purpose, pair }), intent));
      const first = await send(counterparty);
      if (isRefusal(first)) fresh ??= (await freshCounterparty(context)).id;
      const exchange = isRefusal(first) && fresh !== undefined ? await send(fresh) : first;
      context.observeAnswer("OPEN-02", pair === firstPair(context) ? purpose : `${purpose} with ${pair}`, exchange);
      if (isSuccess(exchange)) knowledge.serves(payeeOf(exchange, counterparty), Promise.resolve());
      if (isSuccess(exchange) && (known || memberOf(exchange.json, "operation_purpose") === purpose))
        return {
          purpose,
          pair,
          counterparty: payeeOf(exchange, counterparty),
          efxBefore,
          first: { id: createdId(exchange), amount, at: now() },
        };
      words = messageOf(exchange);
    }
    if (!(await isRepeatable(context)))
      throw new Inconclusive(
        `no operation with another purpose could be created: the last one was answered with ${words}, and operations like earlier ones are refused by now too. Raise the server's limit of operations for this client.`,
        "refusal",
      );
    throw new Inconclusive(
      `no purpose other than EFX is known to work on this server (the last one tried was answered with ${words}). Name one with --other-purposes.`,
      "other purpose",
    );
  });

const payeeOf = ({ request }: Exchange, otherwise: string): string => {
  const payee = memberOf(request.json, "counterparty_id");
  return typeof payee === "string" ? payee : otherwise;
};

/** Each purpose with the first pair; then the configured ones with further pairs. */
const purposesToTry = (context: Context) => {
  const { otherPurposes, currencyPairs } = context.target;
  const tries = (purposes: readonly string[], pair: string, known: boolean) =>
    purposes.map((purpose) => ({ purpose, pair, known }));
  return [
    ...tries(otherPurposes, firstPair(context), true),
    ...currencyPairs.slice(1, mostPairsOfPurpose).flatMap((pair) => tries(otherPurposes, pair, true)),
    ...tries(guesses, firstPair(context), false),
  ];
};

/** If an odd counterparty was accepted (`what` says what is odd), creates an operation for it, and then an item. */
export const useCounterparty = async (
  context: Context,
  registered: Exchange,
  what: string,
  {
    amount = context.target.amount.min,
    item = false,
  }: { readonly amount?: number | undefined; readonly item?: boolean } = {},
): Promise<void> => {
  const counterparty = createdId(registered);
  if (counterparty === undefined) return;
  await context.untilKnown();
  const intent = unusual(`for a counterparty ${what}`);
  const operation = await context.send(operationRequest(operationBody(context, { counterparty, amount }), intent));
  const id = createdId(operation);
  if (!item || id === undefined) return;
  await context.untilKnown();
  await context.send(itemRequest(id, itemBody(context, amount), intent));
};

export interface Refused<V> {
  readonly value: V;
  readonly exchange: Exchange;
}

/** How many variations are sent before a refusal is final. */
const most = 24;

/** Values to try for a member of what is sent. */
type Trial<V> = readonly [member: keyof V, values: readonly unknown[]];

/** The first accepted variation of a refused request. A refusal with another message is varied further at once. */
export const acceptedVariation = async <V>(
  refused: Refused<V>,
  trials: readonly Trial<V>[],
  send: (value: V) => Promise<Exchange>,
): Promise<Refused<V> | undefined> => {
  const tried = new Set([JSON.stringify(refused.value)]);
  const later: { readonly from: Refused<V>; readonly varied: readonly Trial<V>[] }[] = [];
  const vary = async (from: Refused<V>, varied: readonly Trial<V>[]): Promise<Refused<V> | undefined> => {
    for (const trial of trials.filter((one) => !varied.includes(one))) {
      const [member, values] = trial;
      for (const other of values) {
        const value = { ...from.value, [member]: other };
        const key = JSON.stringify(value);
        if (tried.has(key) || tried.size > most) continue;
        tried.add(key);
        const exchange = await send(value);
        if (isSuccess(exchange)) return { value, exchange };
        if (!isRefusal(exchange)) continue;
        const next = { from: { value, exchange }, varied: [...varied, trial] };
        if (saysTheSame(exchange, from.exchange)) {
          later.push(next);
          continue;
        }
        const further = await vary(next.from, next.varied);
        if (further !== undefined) return further;
      }
    }
    return undefined;
  };
  let found = await vary(refused, []);
  for (const { from, varied } of later) found ??= await vary(from, varied);
  return found;
};

/** A valid ACAM item for the whole of an operation's amount, or for as much of it as the target is known to accept. */
export const itemBody = (context: Context, amount: number, salt = 0): Item => ({
  ...itemSample(context, amount, salt),
  local_currency_amount: itemAmount(context, amount),
});

/** A valid ACAM item for a part of an operation's amount, with a tax id of the kind that the target accepts. */
export const itemSample = (
  context: Context,
  amount: number,
  salt: number,
  taxIdLength = context.knowledge.taxIdLength,
): Item => {
  const amountAtMost = itemAmount(context, amount);
  const arbitrary = context.generators.complete("addAcamItem", { amountAtMost });
  // Another amount is another sale: servers may accept a tax id once.
  const seed = context.seed + salt + (Math.round(amount * 7919) % 1_000_003);
  const isAccepted = (item: Json): boolean => taxIdLength === undefined || taxIdOf(item).length === taxIdLength;
  const [first = {}] = sampleOf(arbitrary, { seed, n: 1 });
  const sample = isAccepted(first) ? first : (sampleOf(arbitrary, { seed, n: 12 }).find(isAccepted) ?? first);
  // The target does not accept the configured amounts.
  const isLimited = context.knowledge.itemLimits !== undefined;
  return { ...(sample as Item), ...(isLimited && { local_currency_amount: amountAtMost }) };
};

type Item = Readonly<Record<string, Json>>;

const taxIdOf = (item: Json): string => {
  const taxId = memberOf(item, "tax_id");
  return typeof taxId === "string" ? taxId : "";
};

/** Adds an item for an operation's whole amount, or a variation that is accepted. Throws Inconclusive if none is. */
export const addItem = (context: Context, operation: string, amount: number): Promise<Exchange> =>
  context.knowledge.oneFirst("addAcamItem", async () => {
    const { purposeInstead, itemsAtOnce } = context.knowledge;
    if (purposeInstead !== undefined) {
      throw new Inconclusive(
        `operations with the purpose EFX are refused here, and those with ${purposeInstead} take no ACAM items`,
        "refusal",
      );
    }
    const quick = itemsAtOnce === true ? await itemAtOnce(context, amount) : undefined;
    if (quick !== undefined) return quick;
    return successOf(
      context,
      () => variableItem(context, operation, amount),
      () => itemAtOnce(context, amount),
    );
  });

/** The success of an item that is the first request after its operation, which belongs to the run's first counterparty. */
const itemAtOnce = async (context: Context, amount: number): Promise<Exchange | undefined> => {
  const { knowledge } = context;
  const counterparty = knowledge.firstCounterparty?.id;
  if (counterparty === undefined || knowledge.itemsAtOnce === false) return undefined;
  const exchange = await orNothing(
    context.alone(async (send) => {
      const operation = await send(validOperation(context, { counterparty, amount }));
      const id = createdId(operation);
      return id === undefined ? operation : send(itemRequest(id, itemBody(context, amount)));
    }),
  );
  if (exchange === undefined) return undefined;
  const isAdded = isSuccess(exchange) && exchange.operation === "addAcamItem";
  if (isAdded || knowledge.itemsAtOnce === undefined) knowledge.learn({ itemsAtOnce: isAdded });
  return isAdded ? exchange : undefined;
};

const variableItem = (context: Context, operation: string, wanted: number): Variable<Item> => {
  const { knowledge } = context;
  const body = itemBody(context, wanted);
  const amount = Number(body["local_currency_amount"]);
  const { length } = taxIdOf(body);
  return {
    body,
    request: (item) => itemRequest(operation, item),
    trials: () => [
      // If this kind was accepted before, the tax id is not the reason.
      [
        "tax_id",
        knowledge.taxIdLength === length ? [] : [taxIdOf(itemSample(context, wanted, 0, length === 11 ? 14 : 11))],
      ],
      ["local_currency_amount", itemAmountsToTry(context, amount)],
    ],
    varied: "Smaller and rounder amounts and the other kind of tax id",
    learn: (found, refusal) => {
      const taxIdLength = taxIdOf(found).length === 11 ? 11 : 14;
      if (taxIdLength !== length) knowledge.learn({ taxIdLength });
      const less = Number(found["local_currency_amount"]);
      if (less === amount) return;
      const max = less === floored(amount, 0) || less === rounded(amount) ? Infinity : less;
      const decimals = less < 1 ? roundness(less) : Math.min(0, roundness(less));
      knowledge.learn({ itemLimits: { min: 0, max, decimals } });
      context.warn(
        `POST /corporate/operation/{operation_id}/acam refused an item of ${amount} with ${messageOf(refusal)}; the run goes on with items like ${less}. Check --amount.`,
      );
    },
  };
};

/** Rounder amounts, then smaller ones, down to the smallest that the currency has. */
const itemAmountsToTry = ({ target }: Context, amount: number): readonly number[] =>
  [
    floored(amount, 0),
    rounded(amount),
    ...[10, 100, 1000].map((part) => rounded(amount / part)),
    1,
    10 ** -target.amount.decimals,
  ].filter((smaller) => smaller > 0 && smaller < amount);

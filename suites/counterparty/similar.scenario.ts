import { isSuccess, type Exchange } from "../../model/exchange.ts";
import { memberOf, valueAt } from "../../spec/json.ts";
import { nearToPayee } from "../tables/near.ts";
import { tryTexts } from "../tables/texts.ts";
import { digitsOf } from "../tables/bodies.ts";
import { createdIn, derived, leftOut, scenario, type Change } from "../kit/index.ts";

/**
 * Counterparties whose data equals or resembles that of an earlier one. The server may refuse or
 * merge them, but must not crash (INT-35).
 */
export const similarCounterparties = scenario({
  id: "counterparty/similar/counterparties",
  title: "counterparties that share a name, an account, an external id, or all",
  checks: ["CPTY-10"],
  drawsTheSame: true,
  isFirst: true,
  uses: ["createCounterparty", "createOperation"],
  run: async ({ answered, counterpartyLike, registered, send, sendAgain, ...context }) => {
    const { attempt, create, register, together } = context;
    const first = await register();
    const answerOf = (exchange: Exchange): string | undefined => {
      if (!isSuccess(exchange)) return undefined;
      return memberOf(exchange.json, "id") === first.id ? "the first one again" : "a new one";
    };
    for (const { what, place, mayBeFirst } of similar) {
      const exchange = await send(counterpartyLike(first), {
        what: `with ${what} as another`,
        with: { [place]: valueAt(first.body, place) ?? leftOut },
        ...(mayBeFirst ? { mayBeAltered: true } : { breaksNoRule: true }),
      });
      answered("OPEN-45", `a counterparty of ${what}`, exchange, answerOf(exchange));
      // A server may look for the counterparty of an operation by what two of them share.
      const counterparty = createdIn(exchange);
      if (counterparty !== undefined) await attempt(create({ counterparty }));
    }
    const repeated = await sendAgain(first.exchange);
    answered("OPEN-45", "a counterparty that is the same", repeated, answerOf(repeated));
    // Keys that are nearly the same are keys of different payees (INT-67). A server may store one that
    // looks like a number as a number.
    const numbered = await send(counterpartyLike(first), numericId);
    const [base, ...more] = isSuccess(numbered) ? [numbered, first.exchange] : [first.exchange];
    await tryTexts(
      { ...context, answered },
      {
        operation: "createCounterparty",
        texts: nearToPayee(base.request.json ?? null, more[0]?.request.json),
        of: { question: "OPEN-45", what: "a key that is nearly that of another" },
        send: (change) => send(counterpartyLike(first), change),
      },
    );
    // The same twice at the same time. The first one is still there, and takes an operation.
    await together([sendAgain(first.exchange), sendAgain(first.exchange)]);
    await attempt(create({ counterparty: first }));
    // An account number belongs to a bank: another bank may have given the same number, even to the
    // same payee.
    const elsewhere = await registered();
    const [one, other] = [first, elsewhere].map(({ body }) =>
      valueAt(body, "/bank_account/swift_code"),
    );
    const given = valueAt(first.body, number);
    if (one !== other && given !== undefined)
      await send(counterpartyLike(elsewhere), {
        what: "with the name and the account number of a counterparty at another bank",
        with: { [name]: valueAt(first.body, name) ?? leftOut, [number]: given },
        breaksNoRule: true,
      });
    // Others have no external id either. That both lack it does not make them the same.
    const last = await send(counterpartyLike(first), withoutBoth);
    // What was stored before may be shown in another way than what was just sent.
    if (isSuccess(last)) await sendAgain(last);
  },
});

/** An external id that is a whole number, made unique by the digits of the right one. */
const numericId: Change = {
  what: "with a number as its external id",
  with: {
    "/external_id": derived("a number", (right) => `7${digitsOf(right, 14)}`),
  },
  breaksNoRule: true,
};

const [name, account, externalId] = ["/name", "/bank_account", "/external_id"] as const;
const number = "/bank_account/account_number";

/**
 * Where the values of the first counterparty are sent again. A server may return the first one for
 * the same account or external id, so that the response need not repeat what was sent.
 */
const similar = [
  { what: "the same name", place: name, mayBeFirst: false },
  { what: "the same account", place: account, mayBeFirst: true },
  { what: "the same external id", place: externalId, mayBeFirst: true },
] as const;

const withoutBoth: Change = {
  what: "without an external id and an intermediary bank",
  with: { [externalId]: leftOut, "/intermediary_bank": leftOut },
  breaksNoRule: true,
};

/**
 * Sends the same operation and the same item again. The server may refuse either, or return the
 * first one, but must not crash (INT-35).
 */
export const similarOperations = scenario({
  id: "counterparty/similar/operations",
  uses: ["createOperation", "addAcamItem"],
  title: "the same operation and the same item again",
  checks: ["OPER-15"],
  drawsTheSame: true,
  isFirst: true,
  run: async ({ add, answered, create, registered, sendAgain, together }) => {
    const first = await create({ counterparty: await registered() });
    const again = await sendAgain(first.exchange);
    await together([sendAgain(first.exchange), sendAgain(first.exchange)]);
    const isFirst = memberOf(again.json, "operation_id") === first.id;
    const answer = isFirst ? "the first one again" : "a new one";
    answered("OPEN-45", "an operation, all of it", again, isSuccess(again) ? answer : undefined);
    const item = await add(first);
    answered("OPEN-45", "an ACAM item, all of it", await sendAgain(item));
  },
});

import { isSuccess, type Exchange } from "../../../model/exchange.ts";
import { memberOf, valueAt } from "../../../spec/json.ts";

import { leftOut, scenario, type Change, type Created, type Table } from "../../kit/index.ts";

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
  run: async ({ answered, counterpartyLike, draw, registered, send, sendAgain, ...context }) => {
    const { attempt, create, register, together } = context;
    const first = await register();
    const answerOf = (exchange: Exchange): string | undefined => {
      if (!isSuccess(exchange)) return undefined;
      return memberOf(exchange.json, "id") === first.id ? "the first one again" : "a new one";
    };
    for (const row of draw(similar)) {
      const exchange = await (row.at === undefined
        ? sendAgain(first.exchange)
        : send(counterpartyLike(first), withValuesOf(first, row.at, row)));
      const inCase =
        row.at === undefined ? "a counterparty that is the same" : `a counterparty of ${row.what}`;
      if (row.isRare !== true) answered("OPEN-45", inCase, exchange, answerOf(exchange));
    }
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
    // Two counterparties without an external id. That both lack it does not make them the same.
    await send(counterpartyLike(first), withoutExternalId);
    const last = await send(counterpartyLike(first), withoutBoth);
    // What was stored before may be shown in another way than what was just sent.
    if (isSuccess(last)) await sendAgain(last);
  },
});

interface Similar {
  readonly what: string;
  /**
   * The places whose values come from the first counterparty. Absent if the request is repeated
   * without a change.
   */
  readonly at?: readonly string[];
  /** Changes those values that are texts. @defaultValue leaves them as they are */
  readonly written?: (text: string) => string;
  /**
   * Whether the server may return the first counterparty, so that the response need not repeat what
   * was sent.
   */
  readonly mayBeFirst?: true;
  /** Only some runs send this counterparty. */
  readonly isRare?: true;
}

const [name, account, externalId] = ["/name", "/bank_account", "/external_id"] as const;
const number = "/bank_account/account_number";
const mayBeFirst = true;
const upper = (text: string): string => text.toUpperCase();
const spaced = (text: string): string => `${text} `;
function withOtherEnd(digits: string): string {
  return `${digits.slice(0, -1)}${digits.endsWith("7") ? 3 : 7}`;
}

const similar: Table<Similar> = {
  name: "pairs of similar counterparties",
  always: [
    { what: "the same name", at: [name] },
    { what: "the same account", at: [account], mayBeFirst },
    { what: "the same external id", at: [externalId], mayBeFirst },
    { what: "everything" },
    { what: "the same name in capital letters", at: [name], written: upper, mayBeFirst },
    // Not the same payee, because a part of an account number does not identify an account.
    { what: "the same account number but for its last digit", at: [number], written: withOtherEnd },
  ],
  sometimes: [
    { what: "the same name and account", at: [name, account], mayBeFirst },
    { what: "the same name and external id", at: [name, externalId], mayBeFirst },
    { what: "the same address", at: ["/counterparty_address"] },
    { what: "the same bank", at: ["/bank_account/bank_name", "/bank_account/swift_code"] },
    { what: "the same account number", at: [number], mayBeFirst },
    {
      what: "the same external id in capital letters",
      at: [externalId],
      written: upper,
      mayBeFirst,
    },
    {
      what: "the same external id with a space at its end",
      at: [externalId],
      written: spaced,
      mayBeFirst,
    },
  ],
};

function withValuesOf(first: Created, places: readonly string[], row: Similar): Change {
  const { what, written = (text) => text } = row;
  const values = places.map((place) => {
    const value = valueAt(first.body, place) ?? leftOut;
    return [place, typeof value === "string" ? written(value) : value] as const;
  });
  return {
    what: `with ${what} as another`,
    with: Object.fromEntries(values),
    ...(row.mayBeFirst === true ? { mayBeAltered: true } : { breaksNoRule: true }),
  };
}

const withoutExternalId: Change = {
  what: "without an external id",
  with: { [externalId]: leftOut },
  breaksNoRule: true,
};

const withoutBoth: Change = {
  what: "without an external id and an intermediary bank",
  with: { [externalId]: leftOut, "/intermediary_bank": leftOut },
  breaksNoRule: true,
};

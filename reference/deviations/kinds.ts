// What real servers trip over: values that look like others, repetitions, ids that differ in
// little, and kinds of payees and items that take a way of their own.
import { createHash } from "node:crypto";
import {
  all,
  around,
  edit,
  listedBatch,
  pause,
  remembering,
  sent,
  succeeded,
  crashed,
} from "../change.ts";
import { itemAdded } from "../endpoints.ts";
import { oneIdFor } from "../identity.ts";
import type { Call, Change, Counterparty } from "../policy.ts";
import { wholeBody } from "../request.ts";
import {
  at,
  deviation as anywhere,
  textAt,
  withPairs,
  type Deviation,
  type Endpoint,
  type Facts,
} from "./deviation.ts";
import { takingInfinite } from "./operation-requests.ts";

const inData = { when: "data" } as const satisfies Facts;
const crash = { breaks: "HTTP-04", when: "data" } as const satisfies Facts;

type Place = keyof typeof at;

/** Answers 500 in place of the successes that `when` selects. */
function failing(place: Place, when: (call: Call) => boolean): Change {
  return at[place].succeeds(() => crashed, when);
}

/** The payee of a new operation. */
function payeeIn(call: Call): Counterparty | undefined {
  return call.store.counterparties.get(String(sent(call)["counterparty_id"]));
}

/** The country of the bank of that payee. */
const bankCountryIn = (call: Call): string => payeeIn(call)?.bank_account?.bank_country ?? "";

/** Fails for an operation of a counterparty that was registered again with the same data. */
const failingForRepeated: Change = remembering(() => {
  const known = new Map<string, string>();
  const repeated = new Set<unknown>();
  const registering = at.counterparty.succeeds((answer, call) => {
    const data = wholeBody(call);
    const earlier = known.get(data);
    if (earlier === undefined) known.set(data, (answer.body as { readonly id: string }).id);
    else repeated.add(earlier);
    return answer;
  });
  const creating = failing("operation", (call) => repeated.has(sent(call)["counterparty_id"]));
  return all(registering, creating);
});

/** Fails for each request to an endpoint that is the first one of its connection. */
function failingFirst({ operation }: Endpoint): Change {
  return remembering(() => {
    const known = new WeakSet();
    return around(async (call, next) => {
      const isFirst = !known.has(call.connection);
      known.add(call.connection);
      const answer = await next(call);
      return isFirst && call.operation === operation && succeeded(answer) ? crashed : answer;
    });
  });
}

/** Fails for each request to an endpoint that repeats one in flight. */
function failingInFlight({ operation }: Endpoint): Change {
  return remembering(() => {
    const inFlight = new Set<string>();
    return around(async (call, next) => {
      const data = call.bytes.toString();
      if (call.operation !== operation) return next(call);
      const isRepeated = inFlight.has(data);
      inFlight.add(data);
      try {
        await pause(5);
        const answer = await next(call);
        return isRepeated && succeeded(answer) ? crashed : answer;
      } finally {
        inFlight.delete(data);
      }
    });
  });
}

/** What JavaScript makes of a text that stands for another one in `replace`. */
const substituted = (text: string): string => "name".replace("name", text);

const isOld = (batch: Readonly<Record<string, unknown>>): boolean =>
  Date.now() - Date.parse(String(batch["created_at"])) > 1_000;

const texts: readonly Deviation[] = [
  at.counterparty.deviation(
    "counterparty-external-id-substituted",
    "Dollar signs in an external id stand for what is replaced.",
    at.counterparty.shows(edit("external_id", substituted)),
    { breaks: "CPTY-06", ...inData },
  ),
  at.acam.deviation(
    "acam-merchant-with-quote-answered",
    "The answer to an item names a merchant that has a double quote.",
    at.acam.succeeds(
      () => ({
        ...itemAdded,
        body: { status: "success", message: "Added an item of another merchant" },
      }),
      (call) => textAt(sent(call), "merchant")?.includes('"') === true,
    ),
    { breaks: "ACAM-01", ...inData },
  ),
  at.operation.deviation(
    "operation-charset-unknown-crashes",
    "An unknown charset gets a 500.",
    (base) => ({
      parse: (call) => {
        if (/charset=x-/i.test(call.headers["content-type"] ?? "")) throw new Error("charset");
        return base.parse(call);
      },
    }),
    crash,
  ),
];

const repetitions: readonly Deviation[] = [
  at.operation.deviation(
    "operation-of-repeated-payee-crashes",
    "Once a payee was registered again with the same data, an operation for the first gets a 500.",
    failingForRepeated,
    { breaks: "HTTP-04", when: "later" },
  ),
  at.counterparty.deviation(
    "counterparty-same-at-once-crashes",
    "The same payee twice at once gets a 500.",
    failingInFlight(at.counterparty),
    { breaks: "HTTP-04", when: "at once" },
  ),
  at.operation.deviation(
    "operation-same-in-flight-crashes",
    "An operation that repeats another in flight gets a 500.",
    failingInFlight(at.operation),
    { breaks: "HTTP-04", when: "at once" },
  ),
  at.list.deviation(
    "list-pair-lost-a-second-later",
    "Batches that are older than a second are listed with another pair.",
    listedBatch((batch) => (isOld(batch) ? { ...batch, currency_pair: "XXXXXX" } : batch)),
    { breaks: ["BATCH-27", "BATCH-25", "BATCH-23"], when: "time" },
  ),
];

const withoutLast = (text: string): string => text.slice(0, -1);

/** Finds a resource by an id that differs from its own in what `read` drops. */
function readsIds(read: (id: string) => string): Change {
  const found = <Of extends { readonly id: string }>(of: ReadonlyMap<string, Of>, id: string) =>
    of.get(id) ?? [...of.values()].find((one) => read(one.id) === read(id));
  return () => ({
    findCounterparty: (id, { store }) => found(store.counterparties, id),
    findOperation: (id, { store }) => found(store.operations, id),
  });
}

/** Ids of 22 letters and digits, of both cases. */
const mixedIds: Change = (base) => ({
  newId: async (kind, call) => {
    const made = createHash("sha512")
      .update(await base.newId(kind, call))
      .digest("base64");
    return made.replaceAll(/[^A-Za-z0-9]/g, "").slice(0, 22);
  },
});

const plainLetters = (text: string): string => text.normalize("NFD").replaceAll(/\p{M}/gu, "");

const accountOf = (call: Call): Readonly<Record<string, unknown>> =>
  Object(sent(call)["bank_account"]);

const ids: readonly Deviation[] = [
  anywhere(
    "ids-by-all-but-the-last-character",
    "The last character of an id is not read.",
    readsIds(withoutLast),
    {
      breaks: ["ACAM-04", "OPER-44"],
      ...inData,
    },
  ),
  anywhere(
    "ids-in-any-letter-case",
    "Ids of letters and digits are found in any letter case.",
    all(
      mixedIds,
      readsIds((id) => id.toLowerCase()),
    ),
    { breaks: ["ACAM-04", "OPER-44"], ...inData, group: "ids" },
  ),
  at.counterparty.deviation(
    "counterparty-id-by-last-four-digits",
    "Payees of one bank whose account numbers have the same last four digits share an id.",
    oneIdFor("counterparty", (call) => {
      const { swift_code: bank, account_number: account } = accountOf(call);
      return `${String(bank)} ${String(account).slice(-4)}`;
    }),
    { breaks: ["CPTY-10", "CPTY-11"], ...inData },
  ),
  at.counterparty.deviation(
    "counterparty-external-id-without-accents-crashes",
    "An external id that differs from another one in accents alone gets a 500.",
    at.counterparty.again(
      (call) => plainLetters(textAt(sent(call), "external_id") ?? call.bytes.toString()),
      () => crashed,
    ),
    { breaks: "HTTP-04", when: "later" },
  ),
  at.counterparty.deviation(
    "counterparty-external-id-by-first-32-crashes",
    "An external id whose first 32 characters are those of another one gets a 500.",
    at.counterparty.again(
      (call) => (textAt(sent(call), "external_id") ?? call.bytes.toString()).slice(0, 32),
      () => crashed,
    ),
    { breaks: "HTTP-04", when: "later" },
  ),
];

const kinds: readonly Deviation[] = [
  at.operation.deviation(
    "operation-local-time-of-some-banks",
    "Operations for banks in Germany, France, Spain and Italy show the time there.",
    at.operation.succeeds(
      (answer) => ({
        ...answer,
        body: edit("created_at", (time: string) => time.replace("Z", "+01:00"))(
          answer.body as Record<string, unknown>,
        ),
      }),
      (call) => ["DE", "FR", "ES", "IT"].includes(bankCountryIn(call)),
    ),
    { breaks: "OPER-14", ...inData },
  ),
  at.operation.deviation(
    "operation-in-second-pair-for-croatia-crashes",
    "An operation in EURBRL for a bank in Croatia gets a 500.",
    failing(
      "operation",
      (call) => sent(call)["currency_pair"] === "EURBRL" && bankCountryIn(call) === "HR",
    ),
    { ...crash, needs: withPairs },
  ),
  at.operation.deviation(
    "operation-first-of-connection-crashes",
    "An operation that is the first request of a connection gets a 500.",
    failingFirst(at.operation),
    { breaks: "HTTP-04", when: "later" },
  ),
];

const headers: readonly Deviation[] = [
  at.operation.deviation(
    "operation-amount-in-german",
    "For Accept-Language: de, the amount is a text with a comma.",
    at.operation.shows((body, call) =>
      call.headers["accept-language"]?.startsWith("de") === true
        ? edit("foreign_currency_amount", (it) => String(it).replace(".", ","))(body)
        : body,
    ),
    { breaks: "OPER-10", ...inData },
  ),
  at.batch.deviation(
    "batch-traced-crashes",
    "A request that is traced gets a 500.",
    failing("batch", ({ headers }) => headers["traceparent"] !== undefined),
    crash,
  ),
];

/** Fails for an operation of a payee that is older than this, in milliseconds. */
const failingForOld = (age: number): Change =>
  remembering(() => {
    const since = new Map<unknown, number>();
    return all(
      at.counterparty.succeeds((answer) => {
        since.set((answer.body as { readonly id: string }).id, Date.now());
        return answer;
      }),
      failing(
        "operation",
        (call) => Date.now() - (since.get(sent(call)["counterparty_id"]) ?? Infinity) > age,
      ),
    );
  });

/** Refuses the second of two operations of one payee that are in flight, with a plain text. */
const plainlyForPayeeInFlight: Change = remembering(() => {
  const inFlight = new Set<unknown>();
  return around(async (call, next) => {
    if (call.operation !== "createOperation") return next(call);
    const payee = /"counterparty_id":"([^"]*)"/.exec(call.bytes.toString())?.[1];
    if (inFlight.has(payee))
      return { status: 422, headers: { "content-type": "text/plain" }, text: "busy" };
    inFlight.add(payee);
    try {
      await pause(5);
      return await next(call);
    } finally {
      inFlight.delete(payee);
    }
  });
});

const agesAndOverlaps: readonly Deviation[] = [
  at.operation.deviation(
    "operation-for-payee-of-two-seconds-crashes",
    "An operation for a payee that is older than two seconds gets a 500.",
    failingForOld(2_000),
    { breaks: "HTTP-04", when: "time" },
  ),
  at.operation.deviation(
    "operation-of-payee-in-flight-refused-plainly",
    "The second of two operations of one payee in flight is refused with a plain text.",
    plainlyForPayeeInFlight,
    { breaks: "HTTP-01", when: "at once" },
  ),
];

const beyondDoubles: readonly Deviation[] = [
  anywhere(
    "amount-beyond-doubles-breaks-lists",
    "After an operation with an amount that no double can hold, each list gets a 500.",
    all(takingInfinite, (base) => ({
      around: async (call, next) => {
        const answer = await base.around(call, next);
        const isBroken = [...call.store.operations.values()].some(
          ({ amount }) => amount === Infinity,
        );
        return isBroken && call.operation === "listBatches" ? crashed : answer;
      },
    })),
    { breaks: "HTTP-04", when: "later" },
  ),
];

/** Deviations of kinds of values, requests and payees, at whichever endpoint. */
export const ofKinds: readonly Deviation[] = [
  ...texts,
  ...repetitions,
  ...ids,
  ...kinds,
  ...headers,
  ...agesAndOverlaps,
  ...beyondDoubles,
];

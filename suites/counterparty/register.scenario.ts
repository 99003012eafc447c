import { isRefusal, isSuccess, type Exchange } from "../../model/exchange.ts";
import {
  createdIn,
  scenario,
  leftOut,
  type Change,
  type Context,
  isRandom,
  unknownLike,
} from "../kit/index.ts";
import { valueAt, memberOf } from "../../spec/json.ts";
import { inputKinds } from "../../spec/refusals.ts";
import { toleratedAt, withMadeUpMembers } from "../tables/tolerated.ts";

export const concurrentCounterparties = scenario({
  id: "counterparty/register/concurrent",
  title: "counterparties are registered at the same time",
  checks: ["CPTY-11"],
  // While the store is nearly empty. Later ones are in flight together anyway.
  isFirst: true,
  run: async ({
    counterpartyLike,
    payees,
    register,
    send,
    sendPayee,
    settings,
    succeed,
    together,
  }) => {
    const many = Array.from({ length: Math.min(6, settings.concurrency * 2) });
    const first = [...payees()].slice(0, many.length).map(({ value }) => value);
    const exchanges = await together(first.map((payee) => sendPayee(payee)));
    const areAnswered = exchanges.every((one) => isSuccess(one) || isRefusal(one));
    if (exchanges.filter(isSuccess).length >= 2 || !areAnswered) return;
    // A server may accept counterparties of one country only, or none with an intermediary bank.
    const accepted = await register();
    const alike = await together(many.map(() => send(counterpartyLike(accepted))));
    // If there are no two counterparties, the server's refusal is the reason for no verdict.
    if (alike.filter(isSuccess).length < 2) await succeed(counterpartyLike(accepted));
  },
});

export const omittedMembers = scenario({
  id: "counterparty/register/omissions",
  uses: ["createCounterparty", "createOperation"],
  title: "members that nobody says are required are left out",
  checks: ["CPTY-01"],
  drawsTheSame: true,
  phase: "beside",
  run: async (context) => {
    const { counterpartyLike, observed, registered, send, together } = context;
    const control = await registered();
    // A server may accept no intermediary bank, for example, so that this body has none.
    const present = optional.filter((place) => valueAt(control.body, place) !== undefined);
    const leaveOut = async (place: string): Promise<void> => {
      const what = `without ${place}`;
      const without: Change = { what, with: { [place]: leftOut }, breaksNoRule: true };
      const exchange = await observed(counterpartyLike(control), without, "OPEN-04");
      if (usedOnce.includes(place)) await useCounterparty(context, exchange, what);
    };
    const leaveEmpty = async (): Promise<void> => {
      const exchange = await send(counterpartyLike(control), emptyAddress);
      await useCounterparty(context, exchange, emptyAddress.what);
    };
    await together([...present.map(leaveOut), leaveEmpty()]);
  },
});

/**
 * If the server accepted an odd counterparty, creates an operation for it. `what`: what is odd, such
 * as `with Greek in /name`.
 */
export async function useCounterparty(
  { operationFor, send }: Context,
  registered: Exchange,
  what = "",
): Promise<void> {
  const counterparty = createdIn(registered);
  if (counterparty !== undefined)
    await send(operationFor({ counterparty }), {
      what: `for a counterparty ${what}`,
      breaksNoRule: true,
    });
}

/**
 * An empty address breaks no rule, but some serializers make a list or null of it, on which an
 * operation for the counterparty may fail.
 */
const emptyAddress = {
  what: "with an empty /counterparty_address",
  with: { "/counterparty_address": {} },
  breaksNoRule: true,
} as const satisfies Change;

/**
 * Operations repeat what these stand in. Operations and items for counterparties without an address,
 * an external id, an intermediary bank or an IBAN are designed (`generators/deals.ts`).
 */
const usedOnce = ["/name", "/bank_account"];

/** Beside those that the contract calls optional, which valid counterparties of the design lack. */
const optional = [
  "/name",
  "/counterparty_address",
  "/counterparty_address/address",
  "/counterparty_address/country",
  "/counterparty_address/city",
  "/counterparty_address/zip_code",
  "/counterparty_address/state",
  "/bank_account",
  "/external_id",
];

/**
 * Registers a counterparty twice, because some faults show only the second time (specification,
 * Endpoints, 2; INT-25 and INT-26).
 */
export const registeredTwice = scenario({
  id: "counterparty/register/twice",
  title: "a counterparty is registered, and another",
  checks: ["CPTY-01", "CPTY-06", "CPTY-07", "CPTY-08", "CPTY-09"],
  run: async ({ payees, register, sendPayee }) => {
    for (const { value } of [...payees()].slice(0, 2))
      if (!isSuccess(await sendPayee(value))) await register();
  },
});

export const unknownCustomer = scenario({
  id: "counterparty/register/unknown-customer",
  title: "a counterparty for a made-up customer",
  checks: ["CPTY-12"],
  drawsTheSame: true,
  run: async ({ counterpartyLike, observed, registered, runId, send, target, together }) => {
    const valid = counterpartyLike(await registered());
    const forCustomer = (customer: string) => ({ ...valid, path: { customer_id: customer } });
    const madeUp = { what: "for a made-up customer", case: "a made-up customer", input };
    const sendFor = (customer: string, what: string) =>
      send(forCustomer(customer), { what, input });
    await together([
      observed(forCustomer(`nobody-${runId}`), madeUp, "OPEN-22", "a made-up customer"),
      sendFor(`nobody-${runId}'--`, "for a made-up customer with a quote as in SQL"),
      sendFor("nobody".repeat(40), "for a made-up customer with a long id"),
      sendFor("null", "for the customer null"),
      // Only if ids are random is it certain that no customer has the made-up id (INT-39).
      isRandom(target.customerId) &&
        sendFor(
          unknownLike(target.customerId),
          "for a made-up customer with an id of the right shape",
        ),
    ]);
  },
});

const input = inputKinds.unknown;

export const unknownMembers = scenario({
  id: "counterparty/register/unknown-members",
  title: "unknown members, and an id of the client's own",
  checks: ["CPTY-01", "CPTY-13"],
  drawsTheSame: true,
  run: async ({ answered, counterpartyLike, observed, registered, runId, send, together }) => {
    const counterparty = await registered();
    const like = counterpartyLike(counterparty);
    const [unknown, declared, prototype] = toleratedAt(
      "POST /customers/{customer_id}/counterparty",
    );
    await together([observed(like, ...unknown), observed(like, ...declared)]);
    await observed(like, ...prototype);
    const named = await send(like, withMadeUpMembers(runId));
    const [own, sent] = [named.json, named.request.json].map((body) => memberOf(body, "id"));
    const effect = own === sent ? "taken over" : "ignored";
    answered("OPEN-31", "an id of the client's own", named, isSuccess(named) ? effect : undefined);
  },
});

/** Registers payees of every kind: each pair of their attributes occurs (docs/sensitivity.md). */
export const validCounterparties = scenario({
  id: "counterparty/register/valid",
  title: "every valid counterparty is registered as stated",
  checks: ["CPTY-02", "CPTY-03", "CPTY-04", "CPTY-05", "CPTY-10"],
  run: ({ forAll, payees, sendPayee }) =>
    forAll({ requirements: ["CPTY-02", "CPTY-10"], samples: payees(), send: sendPayee }),
});

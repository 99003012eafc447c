import { isObject, valueAt } from "../../../spec/json.ts";
import { leftOut, scenario, type Change } from "../../kit/index.ts";
import { useCounterparty } from "../use.ts";

export const omittedMembers = scenario({
  id: "counterparty/register/omissions",
  uses: ["createCounterparty", "createOperation"],
  title: "members that nobody says are required are left out",
  checks: ["CPTY-01"],
  drawsTheSame: true,
  phase: "beside",
  run: async (context) => {
    const { amount, counterpartyLike, observed, registered, send, together } = context;
    const control = await registered();
    const rows = optional
      // A server may accept no intermediary bank, for example, so that this body has none.
      .filter((place) => isObject(valueAt(control.body, place.slice(0, place.lastIndexOf("/")))))
      .map((place) => ({ place, amount: amount() }));
    const leaveOut = async ({ place, ...row }: (typeof rows)[number]): Promise<void> => {
      const without: Change = {
        what: `without ${place}`,
        with: { [place]: leftOut },
        breaksNoRule: true,
      };
      const hadIt = valueAt(control.body, place) !== undefined;
      const request = counterpartyLike(control);
      const exchange = await (hadIt
        ? observed(request, without, "OPEN-04")
        : send(request, without));
      if (usedOnce.includes(place))
        await useCounterparty(context, exchange, { ...row, what: `without ${place}` });
    };
    const amountOfEmpty = amount();
    const leaveEmpty = async (): Promise<void> => {
      const exchange = await send(counterpartyLike(control), emptyAddress);
      await useCounterparty(context, exchange, { amount: amountOfEmpty, what: emptyAddress.what });
    };
    await together([...rows.map(leaveOut), leaveEmpty()]);
  },
});

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
const usedOnce = ["/name", "/bank_account", "/bank_account/aba_routing_number"];

const optional = [
  "/name",
  "/counterparty_address",
  "/counterparty_address/address",
  "/counterparty_address/country",
  "/counterparty_address/city",
  "/counterparty_address/zip_code",
  "/counterparty_address/state",
  "/bank_account",
  "/bank_account/iban",
  "/bank_account/aba_routing_number",
  "/intermediary_bank",
  "/external_id",
];

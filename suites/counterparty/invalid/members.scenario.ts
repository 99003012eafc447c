import type { Json } from "../../../spec/json.ts";
import { scenario, sharing, type Change } from "../../kit/index.ts";
import { asNumber, asText, at, inArray } from "../../tables/values.ts";
import { changesIn } from "../places.ts";

/**
 * Wrong counterparties. A server may accept or refuse them, but never crashes (INT-03, INT-04 and
 * INT-26).
 */
export const invalidCounterpartyMembers = scenario({
  id: "counterparty/invalid/members",
  title: "each member of a counterparty is changed once",
  checks: ["CPTY-12"],
  drawsTheSame: true,
  run: async ({ counterpartyLike, observed, registered, together }) => {
    const control = await registered();
    const changes = changesIn(control.body, wrongMembers);
    await together(changes.map((change) => observed(counterpartyLike(control), change, "OPEN-38")));
  },
});

/** An object with all these members, each of them null. */
function nulls(names: readonly string[]): Json {
  return Object.fromEntries(names.map((name) => [name, null]));
}

const nullsOfAddress = nulls(["address", "country", "city", "zip_code", "state"]);
const nullsOfIntermediary = nulls(["bank_name", "swift_code", "bank_country"]);
const nullsOfAccount = nulls([
  "bank_name",
  "swift_code",
  "bank_country",
  "account_number",
  "iban",
  "aba_routing_number",
]);

const [address, account, intermediary] = [
  "/counterparty_address",
  "/bank_account",
  "/intermediary_bank",
] as const;

/**
 * Changes that every run sends: null in place of each member, the likeliest wrong types in place of
 * each member at the top, objects with nulls alone, and numbers in place of the zip code and of the
 * account number. Members that a counterparty need not have share requests: a server that is strict
 * in one of them is most likely strict in all.
 */
const wrongMembers: readonly Change[] = [
  ...at("/name", [null, 12345, inArray]),
  ...at(address, [null]),
  ...at(intermediary, [null]),
  ...at("/external_id", [null]),
  sharing([
    { with: { [`${address}/address`]: null } },
    { with: { [`${intermediary}/bank_name`]: null } },
  ]),
  sharing([
    { with: { [`${address}/country`]: null } },
    { with: { [`${intermediary}/swift_code`]: null } },
  ]),
  sharing([
    { with: { [`${address}/city`]: null } },
    { with: { [`${intermediary}/bank_country`]: null } },
  ]),
  sharing([{ with: { [`${address}/zip_code`]: null } }, { with: { [`${account}/iban`]: null } }]),
  sharing([
    { with: { [`${address}/state`]: null } },
    { with: { [`${account}/aba_routing_number`]: null } },
  ]),
  sharing([{ with: { [address]: asText } }, { with: { [intermediary]: asText } }]),
  sharing([{ with: { [address]: 12345 } }, { with: { [intermediary]: 12345 } }]),
  sharing([
    { with: { [address]: inArray } },
    { with: { [intermediary]: inArray } },
    { with: { "/external_id": inArray } },
  ]),
  {
    ...sharing([
      { what: "with nulls alone in /counterparty_address", with: { [address]: nullsOfAddress } },
      {
        what: "with nulls alone in /intermediary_bank",
        with: { [intermediary]: nullsOfIntermediary },
      },
    ]),
    what: "with nulls alone in /counterparty_address and /intermediary_bank",
  },
  sharing([{ with: { [`${address}/zip_code`]: asNumber } }, { with: { "/external_id": 12345 } }]),
  ...at(intermediary, [{}]),
  ...at(account, [null, {}, asText, 12345, inArray]),
  { what: "with nulls alone in /bank_account", with: { [account]: nullsOfAccount } },
  ...at(`${account}/bank_name`, [null]),
  ...at(`${account}/swift_code`, [null]),
  ...at(`${account}/bank_country`, [null]),
  ...at(`${account}/account_number`, [null, asNumber]),
];

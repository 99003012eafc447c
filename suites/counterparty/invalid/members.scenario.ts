import { isObject, valueAt, type Json } from "../../../spec/json.ts";
import { leftOut, scenario, type Change, type Table } from "../../kit/index.ts";
import {
  asNumber,
  asReference,
  asText,
  at,
  halved,
  inArray,
  inObject,
  operator,
} from "../../tables/values.ts";

/**
 * Wrong counterparties. A server may accept or refuse them, but never crashes (INT-03, INT-04 and
 * INT-26).
 */
export const invalidCounterpartyMembers = scenario({
  id: "counterparty/invalid/members",
  title: "each member of a counterparty is changed once",
  checks: ["CPTY-12"],
  drawsTheSame: true,
  run: async ({ counterpartyLike, draw, observed, registered, together }) => {
    const control = await registered();
    const changes = draw(changesOf(control.body));
    await together(changes.map((change) => observed(counterpartyLike(control), change, "OPEN-38")));
  },
});

/**
 * Returns the changes at places that the body has. The body lacks the intermediary bank, for
 * example, if the server accepts no counterparty with such a bank.
 */
function changesOf(body: Json): Table<Change> {
  const hasPlace = (change: Change): boolean =>
    Object.keys(change.with ?? {}).every((place) =>
      isObject(valueAt(body, place.slice(0, place.lastIndexOf("/")))),
    );
  return {
    ...changedMembers,
    always: always.filter(hasPlace),
    sometimes: sometimes.filter(hasPlace),
  };
}

const changedMembers = { name: "changes of a counterparty", drawn: 1 };

/** Returns a change that puts an object with all these members at a place, each of them null. */
function nullsIn(place: string, names: readonly string[]): Change {
  return {
    what: `with nulls alone in ${place}`,
    with: { [place]: Object.fromEntries(names.map((name) => [name, null])) },
  };
}

/**
 * Changes that every run sends: null in place of each member, the likeliest wrong types in place of
 * each member at the top, objects with nulls alone, and numbers in place of the zip code and of the
 * account number.
 */
const always: readonly Change[] = [
  ...at("/name", [null, 12345, inArray]),
  ...at("/counterparty_address", [null, asText, 12345, inArray]),
  nullsIn("/counterparty_address", ["address", "country", "city", "zip_code", "state"]),
  ...at("/counterparty_address/address", [null]),
  ...at("/counterparty_address/country", [null]),
  ...at("/counterparty_address/city", [null]),
  ...at("/counterparty_address/zip_code", [null, asNumber]),
  ...at("/counterparty_address/state", [null]),
  ...at("/bank_account", [null, {}, asText, 12345, inArray]),
  nullsIn("/bank_account", [
    "bank_name",
    "swift_code",
    "bank_country",
    "account_number",
    "iban",
    "aba_routing_number",
  ]),
  ...at("/bank_account/bank_name", [null]),
  ...at("/bank_account/swift_code", [null]),
  ...at("/bank_account/bank_country", [null]),
  ...at("/bank_account/account_number", [null, asNumber]),
  ...at("/bank_account/iban", [null]),
  ...at("/bank_account/aba_routing_number", [null]),
  ...at("/intermediary_bank", [null, {}, asText, 12345, inArray]),
  nullsIn("/intermediary_bank", ["bank_name", "swift_code", "bank_country"]),
  ...at("/intermediary_bank/bank_name", [null]),
  ...at("/intermediary_bank/swift_code", [null]),
  ...at("/intermediary_bank/bank_country", [null]),
  ...at("/external_id", [null, 12345, inArray]),
];

/** Values that few servers accept in place of a text or of an object. */
const oddForText = [0, false, {}, [], 1, halved, operator, asReference];
const oddForObject = [true, "", 0, false, [], "1", "1,5", "NaN", 1, halved];

const sometimes: readonly Change[] = [
  ...at("/name", [true, inObject, ...oddForText]),
  ...at("/counterparty_address", oddForObject),
  ...at("/counterparty_address/address", [12345, true, inObject, inArray, ...oddForText]),
  ...at("/counterparty_address/country", [12345, true, inObject, inArray, ...oddForText]),
  ...at("/counterparty_address/city", [12345, true, inObject, inArray, ...oddForText]),
  ...at("/counterparty_address/zip_code", [true, inObject, inArray, ...oddForText]),
  ...at("/counterparty_address/state", [12345, true, inObject, inArray, ...oddForText]),
  ...at("/bank_account", oddForObject),
  ...at("/bank_account/bank_name", [leftOut, 12345, true, inObject, inArray, ...oddForText]),
  ...at("/bank_account/swift_code", [leftOut, 12345, true, inObject, inArray, ...oddForText]),
  ...at("/bank_account/bank_country", [leftOut, 12345, true, inObject, inArray, ...oddForText]),
  ...at("/bank_account/account_number", [leftOut, true, inObject, inArray, ...oddForText]),
  ...at("/bank_account/iban", [12345, true, inObject, inArray, ...oddForText]),
  ...at("/bank_account/aba_routing_number", [asNumber, true, inObject, inArray, ...oddForText]),
  ...at("/intermediary_bank", oddForObject),
  ...at("/intermediary_bank/bank_name", [leftOut, 12345, true, inObject, inArray, ...oddForText]),
  ...at("/intermediary_bank/swift_code", [leftOut, 12345, true, inObject, inArray, ...oddForText]),
  ...at("/intermediary_bank/bank_country", [
    leftOut,
    12345,
    true,
    inObject,
    inArray,
    ...oddForText,
  ]),
  ...at("/external_id", [true, inObject, ...oddForText]),
];

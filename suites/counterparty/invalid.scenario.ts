import { scenario, asPlainText, derived, type Change, type Value, sharing } from "../kit/index.ts";
import { hopelessBodies, asNumber, asText, at, digitsOf, inArray } from "../tables/bodies.ts";
import { useCounterparty } from "./register.scenario.ts";
import { oddTexts, textPlaces } from "../../generators/index.ts";
import { isSuccess } from "../../model/exchange.ts";
import { withValue } from "../../generators/pointer.ts";
import { valueAt, type Json, isObject } from "../../spec/json.ts";
import { behindRightValue, oddTextsAt, tryTexts, type SentText } from "../tables/texts.ts";

/** Well-formed codes that do not exist, and codes that are nearly right. Only a crash is a fault. */
const wrongCodes: readonly SentText[] = [
  ["wrong check digits", "/bank_account/iban", "DE89370400440532013001"],
  ["a country that does not exist", "/bank_account/bank_country", "ZZ"],
  ["a BIC of no bank and no country", "/bank_account/swift_code", "ZZZZZZ2L"],
  ["a wrong check digit", "/bank_account/aba_routing_number", "021000022"],
  ["a country that does not exist", "/counterparty_address/country", "QQ"],
].map(([kind = "", place = "", value = ""]) => ({ kind, place, value, isAlterable: true }));

/**
 * An account number of letters and digits. Account numbers are texts and not numbers (INT-31). This
 * one is as long as the right one.
 */
const letteredAccount: SentText = {
  kind: "letters before digits",
  place: "/bank_account/account_number",
  value: derived("letters before digits", (right) => `KX${asPlainText(right).slice(2)}`),
  isAlterable: false,
};

/** Sends the right id with escapes that JSON allows but few programs write (RFC 8259, 7). */
const withRareEscapes = {
  what: "with escapes of a hyphen and a slash in /external_id",
  text: (right: Json) => {
    const id = `${asPlainText(valueAt(right, "/external_id") ?? "")}-a/b`;
    const text = JSON.stringify(withValue(right, "/external_id", id));
    return text.replaceAll("-", String.raw`\u002d`).replaceAll("/", String.raw`\/`);
  },
  breaksNoRule: true,
} as const satisfies Change;

/** An external id of another format, made unique by sixteen digits from the last bytes of the right one. */
function idLike(kind: string, made: (digits: string) => string): SentText {
  const value = derived(kind, (right) => made(digitsOf(right, 16).padStart(16, "1")));
  return { kind, place: "/external_id", value, isAlterable: false };
}

/** External ids that look like a number or a time, and are unique. */
const uniqueIds: Readonly<Record<string, Value>> = {
  "a number with an exponent": idLike("", (digits) => `7${digits.slice(8)}e3`).value,
  "a date": idLike("", (digits) => `2026-05-05T11:42:01.${digits.slice(7)}Z`).value,
};

/** External ids beside the odd texts. */
const otherIds: readonly SentText[] = [
  // If a server decodes the body in pieces, of whatever length, most pieces end within a character.
  {
    kind: "2000 characters of three and four bytes",
    place: "/external_id",
    value: behindRightValue("贸易🏦💱".repeat(500)),
    isAlterable: false,
  },
  idLike(
    "a UUID in capitals",
    (digits) => `A1B2C3D4-${digits.replace(/(.{4})(.{3})(.{9})/, "$1-4$2-8ABC-00F$3")}`,
  ),
];

/**
 * Wrong counterparties. A server may accept or refuse them, but never crashes (INT-03, INT-04 and
 * INT-26).
 */
export const invalidCounterpartyMembers = scenario({
  id: "counterparty/invalid/members",
  title: "bodies that are not a counterparty, and each member of one changed once",
  checks: ["CPTY-12"],
  drawsTheSame: true,
  run: async ({ counterpartyLike, observed, registered, together }) => {
    const control = await registered();
    const changes = [...hopelessBodies, ...changesIn(control.body, wrongMembers)];
    await together(changes.map((change) => observed(counterpartyLike(control), change, "OPEN-38")));
  },
});

/** The right object with null in place of each member. */
const nullsAlone = derived("nulls alone", (right) =>
  Object.fromEntries(Object.keys(right ?? {}).map((name) => [name, null])),
);

const [address, account, intermediary] = [
  "/counterparty_address",
  "/bank_account",
  "/intermediary_bank",
] as const;

/**
 * Wrong values of members that a counterparty need not have share requests: a server that is strict
 * in one of them is most likely strict in all.
 */
const optionalTogether: readonly Readonly<Record<string, Value>>[] = [
  { [`${address}/address`]: null, [`${intermediary}/bank_name`]: null },
  { [`${address}/country`]: null, [`${intermediary}/swift_code`]: null },
  { [`${address}/city`]: null, [`${intermediary}/bank_country`]: null },
  { [`${address}/zip_code`]: null, [`${account}/iban`]: null },
  { [`${address}/state`]: null, [`${account}/aba_routing_number`]: null },
  { [address]: asText, [intermediary]: asText },
  { [address]: 12345, [intermediary]: 12345 },
  { [address]: inArray, [intermediary]: inArray, "/external_id": inArray },
  { [address]: nullsAlone, [intermediary]: nullsAlone },
  { [`${address}/zip_code`]: asNumber, "/external_id": 12345 },
];

/**
 * Changes that every run sends: null in place of each member, the likeliest wrong types in place of
 * each member at the top, objects with nulls alone, and numbers in place of the zip code and of the
 * account number.
 */
const wrongMembers: readonly Change[] = [
  ...at("/name", [null, 12345, inArray]),
  ...at(address, [null]),
  ...at(intermediary, [null]),
  ...at("/external_id", [null]),
  ...optionalTogether.map((values) =>
    sharing(Object.entries(values).map(([place, value]) => ({ with: { [place]: value } }))),
  ),
  ...at(intermediary, [{}]),
  ...at(account, [null, {}, asText, 12345, inArray, nullsAlone]),
  ...at(`${account}/bank_name`, [null]),
  ...at(`${account}/swift_code`, [null]),
  ...at(`${account}/bank_country`, [null]),
  ...at(`${account}/account_number`, [null, asNumber]),
];

/**
 * Odd texts in a counterparty. A server may accept or refuse them, but never crashes (INT-03,
 * INT-04 and INT-26). An external id that it returns is the one that was sent (INT-07).
 */
export const oddCounterpartyTexts = scenario({
  id: "counterparty/invalid/texts",
  uses: ["createCounterparty", "createOperation"],
  title: "odd texts in a counterparty",
  checks: ["CPTY-01", "CPTY-06"],
  drawsTheSame: true,
  phase: "beside",
  run: async (context) => {
    const { counterpartyLike, registered, send } = context;
    const control = await registered();
    const like = counterpartyLike(control);
    await tryTexts(context, {
      operation: "createCounterparty",
      texts: [
        ...wrongCodes,
        letteredAccount,
        ...textPlaces.createCounterparty.flatMap((place) => textsOf(place)),
      ]
        .filter(({ place }) => hasPlace(control.body, place))
        // What a server is likely to require comes last, so that one halving separates it.
        .toSorted((a, b) => requiredAndRefused(a) - requiredAndRefused(b)),
      send: async (change, texts) => {
        const exchange = await send(like, change);
        // The operation repeats the names of banks, and the numbers of the account.
        const isShown = texts.some((one) => one === letteredAccount || isShownAgain(one));
        if (isShown && isSuccess(exchange)) await useCounterparty(context, exchange, change.what);
        return exchange;
      },
    });
    await send(like, withRareEscapes);
  },
});

/** The texts that are tried at a member of a counterparty. */
function textsOf(place: (typeof textPlaces.createCounterparty)[number]): readonly SentText[] {
  if (place === "/external_id")
    return [
      ...oddTextsAt(place, {
        // What looks like nothing is not unique, so that only its type is judged.
        value: ({ id, text, isLike }) =>
          uniqueIds[id] ?? (isLike === undefined ? behindRightValue(text) : text),
        isAlterable: ({ id, text, isLike }) =>
          uniqueIds[id] === undefined && (isLike !== undefined || !text.isWellFormed()),
      }),
      ...otherIds,
    ];
  return isCode(place)
    ? // A server may write codes in capitals, and leave out what is no letter and no digit.
      oddTextsAt(place, { isAlterable: ({ text }) => !/^\d+$/.test(text) })
    : oddTextsAt(place);
}

/** 1 for a text that many servers refuse in members that they require, at such a member. */
const requiredAndRefused = ({ place, isOftenRefused }: SentText): number =>
  isOftenRefused === true && /(?:name|account_number|swift_code|bank_country)$/.test(place) ? 1 : 0;

/** Whether an operation shows a text again that a server may lose, or take for nothing. */
function isShownAgain({ kind, place }: SentText): boolean {
  const text = oddTexts.find(({ id }) => id === kind);
  return place.endsWith("/bank_name") && (text?.isLike === undefined || text.isLike === "nothing");
}

/** Whether a server is likely to check a member, and to write it in a form of its own. */
const isCode = (place: string): boolean =>
  /(?:code|country|number|iban)$/.test(place) && !place.endsWith("zip_code");

/**
 * Whether a body has the object around a place. A body lacks the intermediary bank, for example, if
 * the server accepts no counterparty with such a bank.
 */
function hasPlace(body: Json, place: string): boolean {
  return isObject(valueAt(body, place.slice(0, place.lastIndexOf("/"))));
}

/**
 * Returns the changes, each only with the places that the body has. Leaves out a change if the body
 * has none of its places.
 */
function changesIn<Row extends Change>(body: Json, rows: readonly Row[]): readonly Row[] {
  return rows.flatMap((row) => {
    const values = Object.entries(row.with ?? {}).filter(([place]) => hasPlace(body, place));
    const parts = row.parts === undefined ? {} : { parts: changesIn(body, row.parts) };
    return values.length === 0 ? [] : [{ ...row, with: Object.fromEntries(values), ...parts }];
  });
}

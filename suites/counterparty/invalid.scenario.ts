import { scenario, asPlainText, derived, type Change, type Value, sharing } from "../kit/index.ts";
import { hopelessBodies } from "../tables/hopeless.ts";
import { changesIn, hasPlace } from "./places.ts";
import { useCounterparty } from "./use.ts";
import { textPlaces } from "../../generators/index.ts";
import { isSuccess } from "../../model/exchange.ts";
import { withValue } from "../../generators/pointer.ts";
import { valueAt, type Json } from "../../spec/json.ts";
import { behindRightValue, oddTextsAt, tryTexts, type SentText } from "../tables/texts.ts";
import { asNumber, asText, at, inArray } from "../tables/values.ts";

export const invalidCounterpartyBodies = scenario({
  id: "counterparty/invalid/bodies",
  title: "bodies that are not a counterparty",
  checks: ["CPTY-12"],
  drawsTheSame: true,
  run: async ({ counterpartyLike, observed, registered, together }) => {
    const control = await registered();
    await together(
      hopelessBodies.map((change) => observed(counterpartyLike(control), change, "OPEN-38")),
    );
  },
});

/**
 * Wrong bank codes and countries. A server may accept or refuse them, but never crashes (INT-03,
 * INT-26 and INT-31).
 */
export const wrongCodes = scenario({
  id: "counterparty/invalid/codes",
  uses: ["createCounterparty", "createOperation"],
  title: "codes of a counterparty that do not exist, or that are nearly right",
  checks: ["CPTY-12"],
  drawsTheSame: true,
  phase: "beside",
  run: async (context) => {
    const { amount, counterpartyLike, observed, registered, together } = context;
    const control = await registered();
    const like = counterpartyLike(control);
    const send = (odd: WrongCode) => observed(like, odd, "OPEN-28", `${title} ${odd.what}`);
    await together(changesIn(control.body, wrongValues).map(send));
    for (const odd of changesIn(control.body, [letteredAccount]))
      await useCounterparty(context, await send(odd), { what: odd.what, amount: amount() });
  },
});

const title = "POST /customers/{customer_id}/counterparty";

interface WrongCode extends Change {
  readonly what: string;
}

function wrong(what: string, place: string, value: Value): WrongCode {
  return { what: `with ${what} in ${place}`, with: { [place]: value }, mayBeAltered: true };
}

const oneCharacter: WrongCode = {
  what: "with one character in every code",
  with: {
    "/bank_account/iban": "7",
    "/bank_account/swift_code": "7",
    "/bank_account/bank_country": "7",
    "/bank_account/aba_routing_number": "7",
    "/bank_account/account_number": "7",
    "/intermediary_bank/swift_code": "7",
    "/intermediary_bank/bank_country": "7",
  },
  mayBeAltered: true,
};

const tooLong: WrongCode = {
  what: "with a code that is too long in every code",
  with: {
    "/bank_account/iban": "DE8937040044053201300000000000000000000",
    "/bank_account/swift_code": "DEUTDEFFXXXXXX",
    "/bank_account/aba_routing_number": "0210000211",
    "/bank_account/account_number": "1234567890".repeat(4),
    "/intermediary_bank/swift_code": "DEUTDEFFXXXXXX",
  },
  mayBeAltered: true,
};

/**
 * Well-formed codes that do not exist, and codes that are nearly right. Only a crash is a fault.
 */
const wrongValues: readonly WrongCode[] = [
  wrong("wrong check digits", "/bank_account/iban", "DE89370400440532013001"),
  wrong("a country that does not exist", "/bank_account/bank_country", "ZZ"),
  wrong("a BIC of no bank and no country", "/bank_account/swift_code", "ZZZZZZ2L"),
  wrong("a wrong check digit", "/bank_account/aba_routing_number", "021000022"),
  wrong("a country that does not exist", "/counterparty_address/country", "QQ"),
  wrong("40 digits", "/bank_account/account_number", "1234567890".repeat(4)),
  oneCharacter,
  tooLong,
];

/**
 * An account number of letters and digits. Account numbers are texts and not numbers (INT-31). This
 * one is as long as the right one.
 */
const letteredAccount: WrongCode = {
  what: "with letters before digits in /bank_account/account_number",
  with: {
    "/bank_account/account_number": derived(
      "letters before digits",
      (right) => `KX${asPlainText(right).slice(2)}`,
    ),
  },
  breaksNoRule: true,
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
function idLike(text: string, made: (digits: string) => string): SentText {
  const digitsOf = (right: Json): string => {
    const bytes = Buffer.from(asPlainText(right)).toString("hex");
    return BigInt(`0x${bytes}`).toString().slice(-16).padStart(16, "1");
  };
  const value = derived(text, (right) => made(digitsOf(right)));
  return { text, place: "/external_id", value, isAlterable: false };
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
    text: "2000 characters of three and four bytes",
    place: "/external_id",
    value: behindRightValue("贸易🏦💱".repeat(500)),
    isAlterable: false,
  },
  idLike("36 letters and digits", (digits) => `${digits}Abcdefghijklmnopqrst`),
  // A double holds fifteen digits, so a server that reads this id as a number loses only the zero.
  idLike("fifteen digits, a zero in front", (digits) => `0${digits.slice(2)}`),
  idLike("fifteen digits", (digits) => `7${digits.slice(2)}`),
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
    const { amount, counterpartyLike, registered, send } = context;
    const control = await registered();
    const like = counterpartyLike(control);
    /** The names of banks that an operation has shown. */
    const used = new Set<string>();
    await tryTexts(context, {
      operation: "createCounterparty",
      texts: textPlaces.createCounterparty
        .filter((place) => hasPlace(control.body, place))
        .flatMap((place) => textsOf(place)),
      send: async (change, texts) => {
        const exchange = await send(like, change);
        const banks = texts.filter(({ place }) => place.endsWith("/bank_name"));
        const isNew = banks.some(({ text }) => !used.has(text));
        if (isNew && isSuccess(exchange)) {
          for (const { text } of banks) used.add(text);
          await useCounterparty(context, exchange, {
            what: change.what ?? "",
            amount: amount(),
          });
        }
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
          uniqueIds[id] ?? (isLike === true ? text : behindRightValue(text)),
        isAlterable: ({ id, text, isLike }) =>
          uniqueIds[id] === undefined && (isLike === true || !text.isWellFormed()),
      }),
      ...otherIds,
    ];
  return isCode(place)
    ? // A server may write codes in capitals, and leave out what is no letter and no digit.
      oddTextsAt(place, { isAlterable: ({ text }) => !/^\d+$/.test(text) })
    : oddTextsAt(place);
}

/** Whether a server is likely to check a member, and to write it in a form of its own. */
const isCode = (place: string): boolean =>
  /(?:code|country|number|iban)$/.test(place) && !place.endsWith("zip_code");

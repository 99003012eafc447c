import {
  scenario,
  asPlainText,
  derived,
  type Change,
  type Value,
  type Derived,
  sharing,
  inTurn,
} from "../kit/index.ts";
import { hopelessBodies } from "../tables/hopeless.ts";
import { changesIn, hasValue } from "./places.ts";
import { useCounterparty } from "./use.ts";
import { oddTexts, type OddText } from "../../generators/index.ts";
import { withValue } from "../../generators/pointer.ts";
import { valueAt, type Json } from "../../spec/json.ts";
import { idLike, oddTextsAt, withOddText, type OddChange } from "../tables/texts.ts";
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

/**
 * A server may refuse an odd external id. If it returns an external id, it must be the one that was
 * sent (INT-03, INT-04 and INT-07).
 */
export const oddExternalIds = scenario({
  id: "counterparty/invalid/external-ids",
  title: "odd external ids of a counterparty",
  checks: ["CPTY-06"],
  drawsTheSame: true,
  run: async ({ counterpartyLike, observed, registered, send, together }) => {
    const like = counterpartyLike(await registered());
    const rows = [...behindOddTexts, ofManyBytes, ...idsOfOthers, withRareEscapes];
    await together([
      ...rows.map((odd) => observed(like, odd, "OPEN-28", `${titleOfExternalIds} ${odd.what}`)),
      // An empty external id is a text as well: if the response has the member, its value must not
      // be null (INT-07).
      send(like, {
        what: "with an empty /external_id",
        with: { "/external_id": "" },
        breaksNoRule: true,
      }),
    ]);
  },
});

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

const titleOfExternalIds = "POST /customers/{customer_id}/counterparty";

const inNames = ({ fragile }: OddText): boolean => fragile === "in names";
const isExact = ({ fragile }: OddText): boolean => fragile === undefined;

/** Whether a text has control characters, which a server may refuse but must not drop. */
function isControl({ id }: OddText): boolean {
  return id === "an escaped zero byte" || id === "a line break and a tab";
}

/**
 * Puts a text behind the id. Blanks at the beginning of the text are repeated in front of the id,
 * where a server may trim them.
 */
function besideId(id: string, text: string): string {
  const blanks = text.slice(0, text.length - text.trimStart().length);
  return `${blanks}${id} ${text}`;
}

/**
 * Odd texts, each behind a right id, so that the external id is unique. A server must neither trim
 * nor normalise it.
 */
const behindOddTexts = oddTextsAt("/external_id", 11, {
  texts: [...oddTexts.filter(inNames), ...oddTexts.filter(isControl), ...oddTexts.filter(isExact)],
  value: behindId,
  mayBeAltered: () => false,
});

function behindId(text: string): Derived {
  return derived("the right id and an odd text", (right) => besideId(asPlainText(right), text));
}

/**
 * A long text of characters of several bytes each. If a server decodes the body in pieces, of
 * whatever length, most pieces end within a character.
 */
const ofManyBytes = withOddText(
  { id: "2000 characters of three and four bytes", text: "贸易🏦💱".repeat(500) },
  "/external_id",
  ["/external_id"],
  { value: behindId },
);

/** Ids in the formats of other systems. Sixteen digits make each unique. */
const idsOfOthers: readonly OddChange[] = [
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
 * INT-04 and INT-26).
 */
export const oddCounterpartyTexts = scenario({
  id: "counterparty/invalid/texts",
  uses: ["createCounterparty", "createOperation"],
  title: "odd texts in a counterparty",
  checks: ["CPTY-01"],
  drawsTheSame: true,
  phase: "beside",
  run: async (context) => {
    const { amount, counterpartyLike, observed, registered, together } = context;
    const control = await registered();
    const like = counterpartyLike(control);
    const textsIn = (rows: readonly OddChange[]) => changesIn(control.body, rows, hasValue);
    const send = (odd: OddChange) => observed(like, odd, "OPEN-28", `${titleOfTexts} ${odd.what}`);
    const sendAndUse = async (odd: OddChange): Promise<void> => {
      const use = { what: odd.what, amount: amount() };
      const registered = await send(odd);
      if (isRepeatedByOperations(odd)) await useCounterparty(context, registered, use);
    };
    await together(textsIn([quotes, ...checked]).map(sendAndUse));
    await together([
      ...textsIn([...inEveryCode, ...likeOtherValues, ...withoutCharacters]).map(send),
      ...textsIn(inEveryFreeText).map(sendAndUse),
    ]);
    // Sent one after the other: a server that drops the letters makes the same text of both.
    for (const odd of otherLetters) await send(odd);
  },
});

const titleOfTexts = "POST /customers/{customer_id}/counterparty";

const isInAllMembers = ({ inAllMembers }: OddText): boolean => inAllMembers === true;

const codes = [
  "/counterparty_address/country",
  "/bank_account/swift_code",
  "/bank_account/bank_country",
  "/bank_account/account_number",
  "/bank_account/iban",
  "/bank_account/aba_routing_number",
  "/intermediary_bank/swift_code",
  "/intermediary_bank/bank_country",
];

/** Odd texts at places that a server may check. Each text is sent in a request of its own. */
const checked = [
  ...oddTextsAt("/name", 4, { texts: oddTexts.filter((odd) => !isInAllMembers(odd)) }),
  ...oddTextsAt("/counterparty_address/zip_code", 1),
  ...codes.flatMap((place) => oddTextsAt(place, 1)),
];

/** A quote at places that hardly any server checks, all of them in one request. */
const quotes: OddChange = {
  ...sharing(
    [
      "/counterparty_address/address",
      "/counterparty_address/city",
      "/counterparty_address/state",
      "/bank_account/bank_name",
      "/intermediary_bank/bank_name",
    ].flatMap((place) => oddTextsAt(place, 1)),
  ),
  what: "with a quote as in SQL in the address and the names of banks",
  breaksNoRule: true,
};

const addressTexts = [
  "/counterparty_address/address",
  "/counterparty_address/city",
  "/counterparty_address/zip_code",
  "/counterparty_address/state",
];
const freeTexts = [
  "/name",
  "/counterparty_address/address",
  "/counterparty_address/city",
  "/counterparty_address/zip_code",
  "/counterparty_address/state",
  "/bank_account/bank_name",
  "/intermediary_bank/bank_name",
];

const everywhere: readonly OddText[] = [
  ...oddTexts.filter(isInAllMembers),
  // Letters of two and three bytes: a column of 20, 30, 32, 35, 40, 50, 60, 64, 70, 100, 128, 140,
  // 200 or 255 bytes ends in the middle of a letter.
  { id: "300 letters with marks", text: "ẾÃÇÕÉỘẬÍỮ".repeat(34).slice(0, 300) },
];

/**
 * Odd texts in all free texts at once, among them the names of banks, which operations for the
 * counterparty show.
 */
const inEveryFreeText = everywhere.map((odd) =>
  withOddText(
    odd,
    "every free text",
    odd.text.isWellFormed() ? freeTexts : [...freeTexts, "/external_id"],
  ),
);

/**
 * Odd texts in all codes at once. Servers check codes more often than names, and a refused code
 * would keep the names in the same request from being stored.
 */
const inEveryCode = everywhere
  .filter(({ fragile }) => fragile !== undefined)
  .map((odd) => withOddText(odd, "every code", codes));

/**
 * Texts that some programs take for a value of another type. Of each four in a row, one is digits
 * alone.
 */
const lookAlikes = [
  "12345",
  "2026-05-05T11:42:01Z",
  "true",
  "1e3",
  "007",
  "-0",
  "0",
  "NO",
] as const;

/** External ids that look like something else. Digits make each unique. */
const idsLikeOthers = [
  idLike("digits and an exponent", (digits) => `7${digits.slice(8)}e3`),
  idLike("a time", (digits) => `2026-05-05T11:42:01.${digits.slice(7)}Z`),
  idLike("digits and a point", (digits) => `7.${digits.slice(8)}0`),
];

/**
 * Each free text is the word null, and then one of these, another one in each of four requests: the
 * first four are names once.
 */
const likeOtherValues: readonly OddChange[] = [
  withOddText({ id: "the word null", text: "null" }, "every free text", freeTexts),
  ...lookAlikes.slice(0, 4).map(inManyPlaces),
];

function inManyPlaces(name: string, nth: number): OddChange {
  return {
    what: `with ${name} in /name, and other texts that look like something else`,
    with: {
      ...Object.fromEntries(
        freeTexts.map((place, at) => [place, inTurn(lookAlikes, nth + 2 * at)] as const),
      ),
      ...idsLikeOthers[nth]?.with,
    },
    breaksNoRule: true,
  };
}

/** An empty text, which is as good a text as others (INT-07), for addresses and names of banks. */
const empty: OddText = { id: "no character", text: "", fragile: "anywhere" };
const withoutCharacters = [
  withOddText(empty, "every member of the address", addressTexts),
  withOddText(empty, "the name of each bank", [
    "/bank_account/bank_name",
    "/intermediary_bank/bank_name",
  ]),
];

/** Whether the texts break no rule, and one is the name of a bank, which operations repeat. */
function isRepeatedByOperations({ breaksNoRule, with: values = {} }: OddChange): boolean {
  return breaksNoRule === true && Object.keys(values).some((place) => place.endsWith("/bank_name"));
}

/**
 * Names without any Latin letter: a server that drops their letters makes the same text of both.
 */
const otherLetters = [
  withOddText({ id: "Japanese", text: "ビジネス貿易" }, "/name"),
  withOddText({ id: "Greek", text: "Εμπορική Εταιρεία" }, "/name"),
];

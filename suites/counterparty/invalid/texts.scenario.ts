import { oddTexts, type OddText } from "../../../generators/index.ts";
import { inTurn, scenario, sharing } from "../../kit/index.ts";
import { idLike, oddTextsAt, withOddText, type OddChange } from "../../tables/texts.ts";
import { changesIn, hasValue } from "../places.ts";
import { useCounterparty } from "../use.ts";

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
    const send = (odd: OddChange) => observed(like, odd, "OPEN-28", `${title} ${odd.what}`);
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

const title = "POST /customers/{customer_id}/counterparty";

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

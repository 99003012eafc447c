import { valueAt, type Json } from "../../../spec/json.ts";
import { oddTexts, type OddText, type Pool } from "../../../generators/index.ts";
import { withValue } from "../../../generators/pointer.ts";
import type { Exchange } from "../../../model/exchange.ts";
import { invalid, unusual, type RequestSpec } from "../../../model/request.ts";
import { amountSupply } from "../../kit/amounts.ts";
import { exactTexts, hasPlace } from "../../kit/requests.ts";
import { oddIntent, oddText, textPool, counterpartyRequest, withChangedBody } from "../../kit/requests.ts";
import type { Core } from "../../kit/context.ts";
import { registerCounterparty } from "../../kit/flows/counterparties.ts";
import { useCounterparty } from "../../kit/flows/operations.ts";
import { draw, sendEach } from "../../kit/sampling.ts";
import { scenario } from "../../kit/scenario.ts";

/** Odd texts in counterparties: a server may accept or refuse them, but it never crashes (INT-03, INT-04 and INT-26). */
export const oddCounterpartyTexts = scenario(
  "counterparty/invalid/texts",
  "odd texts in a counterparty",
  { requirements: ["CPTY-06", "CPTY-01"], operations: ["createOperation"], drawsTheSame: true, phase: "beside" },
  async (context) => {
    const { body } = await registerCounterparty(context);
    const probes = [probeExternalIds, probeWrongValues, probeLetteredAccount, probeMembers, probeOtherLetters];
    await Promise.all(probes.map((probe) => probe(context, body)));
  },
);

const [iban, bic, country] = ["/bank_account/iban", "/bank_account/swift_code", "/bank_account/bank_country"] as const;
const [routing, account] = ["/bank_account/aba_routing_number", "/bank_account/account_number"] as const;
const [otherBic, otherCountry] = ["/intermediary_bank/swift_code", "/intermediary_bank/bank_country"] as const;
const codes = [iban, bic, country, routing, account, otherBic, otherCountry];

type WrongValues = readonly [what: string, values: Readonly<Record<string, string>>];

/** Well-formed values that do not exist, and values that are nearly right: only a crash is a fault. */
const wrongValues: Pool<WrongValues> = {
  name: "wrong values of a counterparty",
  items: [
    ["wrong check digits", { [iban]: "DE89370400440532013001" }],
    ["a country that does not exist", { [country]: "ZZ" }],
    ["a BIC of no bank and no country", { [bic]: "ZZZZZZ2L" }],
    ["a wrong check digit", { [routing]: "021000022" }],
    ["a country that does not exist", { "/counterparty_address/country": "QQ" }],
    ["40 digits", { [account]: "1234567890".repeat(4) }],
    ["one character", Object.fromEntries(codes.map((pointer) => [pointer, "7"]))],
    [
      "a code that is too long",
      {
        [iban]: "DE8937040044053201300000000000000000000",
        [bic]: "DEUTDEFFXXXXXX",
        [routing]: "0210000211",
        [account]: "1234567890".repeat(4),
        [otherBic]: "DEUTDEFFXXXXXX",
      },
    ],
    ["an IBAN in groups of four", { [iban]: "DE89 3704 0044 0532 0130 00" }],
    ["an IBAN of a country that does not exist", { [iban]: "ZZ89370400440532013000" }],
    ["an IBAN of letters", { [iban]: "DEXXXXXXXXXXXXXXXXXXXX" }],
    ["a country of three letters", { [country]: "DEU" }],
    ["the name of a country", { [country]: "Germany" }],
    ["a country in small letters", { [country]: "de" }],
    ["a BIC in small letters", { [bic]: "deutdeff" }],
    ["a BIC of nine characters", { [bic]: "DEUTDEFF5" }],
    ["zeros alone", { [routing]: "000000000" }],
    ["a number in place of an account", { [account]: "-1" }],
    ["a BIC of no bank and no country", { [otherBic]: "ZZZZZZ2L" }],
    ["a country that does not exist", { [otherCountry]: "ZZ" }],
    ["100 digits", { "/counterparty_address/zip_code": "1234567890".repeat(10) }],
    ["a state of no country", { "/counterparty_address/state": "ZZ" }],
    ["300 digits", { "/external_id": "1234567890".repeat(30) }],
    ["one letter", { "/name": "A" }],
    ["a number", { "/name": "12345678901234567890" }],
  ],
  always: 8,
};

const probeWrongValues = async (context: Core, body: Json): Promise<void> => {
  const items = wrongValues.items.flatMap(([what, values]) => {
    const places = Object.entries(values).filter(([pointer]) => hasPlace(body, pointer));
    const place = Object.keys(values).length === 1 ? (places[0]?.[0] ?? "") : "every code";
    return places.length === 0 ? [] : [{ what, place, places }];
  });
  await sendEach(context, { ...wrongValues, items }, ({ what, place, places }) => {
    const changed = places.reduce((other, [pointer, value]) => withValue(other, pointer, value), body);
    return oddText(counterpartyRequest(context, changed, invalid(`with ${what} at ${place}`)), { id: what }, place);
  });
};

/** Ids in the formats of other systems, each made unique by the sixteen digits of `unique`. */
const idsOfOthers: readonly { readonly id: string; readonly made: (unique: string) => string }[] = [
  { id: "36 letters and digits", made: (unique) => `${unique}Abcdefghijklmnopqrst` },
  { id: "digits alone, a zero in front", made: (unique) => `0${unique}7` },
  {
    id: "a UUID in capitals",
    made: (unique) => `A1B2C3D4-${unique.replace(/(.{4})(.{3})(.{9})/, "$1-4$2-8ABC-00F$3")}`,
  },
];

const probeExternalIds = async (context: Core, body: Json): Promise<void> => {
  const pointer = "/external_id";
  // An empty text is a text: if the response has the member, it must not be null (INT-07).
  const empty = counterpartyRequest(context, withValue(body, pointer, ""), unusual("with an empty /external_id"));
  await Promise.all([
    sendEach(context, textPool(pointer, 10, exactTexts), (odd) =>
      uniqueRequest(context, body, pointer, odd, (serial) => `${context.run.runId}-${serial} ${odd.text}`),
    ),
    context.send(empty),
    ...idsOfOthers.map((odd) =>
      context.send(uniqueRequest(context, body, pointer, odd, (serial) => odd.made(digitsOf(context, serial)))),
    ),
  ]);
};

/** Account numbers consist of letters and digits, and are texts rather than numbers (INT-31). */
const probeLetteredAccount = async (context: Core, body: Json): Promise<void> => {
  if (!hasPlace(body, account)) return;
  const odd = { id: "letters before digits" };
  const spec = uniqueRequest(context, body, account, odd, (serial) => `KX${digitsOf(context, serial)}`);
  await useCounterparty(context, await context.send(spec), `with ${odd.id} in ${account}`);
};

/** Names without a Latin letter: a server that drops their letters makes the same of them. */
const otherLetters = [
  { id: "Japanese", text: "ビジネス貿易" },
  { id: "Greek", text: "Εμπορική Εταιρεία" },
] as const;

const probeOtherLetters = async (context: Core, body: Json): Promise<void> => {
  for (const odd of otherLetters) {
    const spec = counterpartyRequest(context, withValue(body, "/name", odd.text), unusual(`with ${odd.id} in /name`));
    await context.send(oddText(spec, odd, "/name"));
  }
};

const textsAt = (pointer: string): number => (pointer === "/name" ? 4 : pointer.endsWith("bank_name") ? 2 : 1);

/** Every text member but the external id; operations repeat some, and are about the name. */
const probeMembers = async (context: Core, body: Json): Promise<void> => {
  const members = [...new Set(context.generators.mutations("createCounterparty").map(({ pointer }) => pointer))];
  const texts = members.filter((pointer) => pointer !== "/external_id" && typeof valueAt(body, pointer) === "string");
  const amount = amountSupply(context, 60, 7);
  const request = (odd: OddText, place: string, pointers: readonly string[] = [place]): RequestSpec => {
    const changed = pointers.reduce((other, pointer) => withValue(other, pointer, odd.text), body);
    return oddText(counterpartyRequest(context, changed, oddIntent(odd, place)), odd, place);
  };
  /** Operations repeat the names of the banks, and are about the name. */
  const use = async (pointer: string, odd: OddText, exchange: Exchange): Promise<void> => {
    if (pointer.endsWith("name") && odd.fragile === undefined)
      await useCounterparty(context, exchange, `with ${odd.id} in ${pointer}`, { amount: amount() });
  };
  const rows = new Map<string, { readonly pointer: string; readonly odd: OddText }[]>();
  for (const pointer of texts.filter(isRarelyChecked))
    for (const [index, { item: odd }] of draw(context, textPool(pointer, textsAt(pointer))).entries()) {
      // Beside a fragile text, the others would not be judged.
      const row = `${index} ${odd.fragile}`;
      rows.set(row, [...(rows.get(row) ?? []), { pointer, odd }]);
    }
  await Promise.all([
    ...[...rows.values()].map(async (cells) => {
      const changed = cells.reduce((other, { pointer, odd }) => withValue(other, pointer, odd.text), body);
      const what = cells.map(({ pointer, odd }) => `${odd.id} in ${pointer}`).join(", ");
      const intent = (cells[0]?.odd.fragile === undefined ? unusual : invalid)(`with ${what}`);
      const exchange = await context.send(counterpartyRequest(context, changed, intent));
      const named = cells.find(({ pointer }) => pointer.endsWith("name"));
      if (named !== undefined) await use(named.pointer, named.odd, exchange);
    }),
    ...texts
      .filter((pointer) => !isRarelyChecked(pointer))
      .map(async (pointer) => {
        const pool = textPool(pointer, textsAt(pointer), pointer === "/name" ? inNames : oddTexts);
        const sent = await sendEach(context, pool, (odd) => request(odd, pointer));
        await Promise.all(sent.map(({ item, exchange }) => use(pointer, item, exchange)));
      }),
  ]);
  // A code is checked more often than a name: together with names, codes would keep the texts from being stored.
  const [freeTexts, others] = [texts.filter(isFreeText), texts.filter((pointer) => !isFreeText(pointer))];
  const fragile = everywhere.filter((odd) => odd.fragile !== undefined);
  await Promise.all([
    ...fragile.flatMap((odd) => [request(odd, "every code", others), request(odd, "/external_id")]).map(context.send),
    ...everywhere.map(async (odd) => use("/name", odd, await context.send(request(odd, "every free text", freeTexts)))),
  ]);
};

/** Texts that are also sent in all members at once, because operations show the banks of their counterparty. */
const everywhere: readonly OddText[] = [
  ...oddTexts.filter(({ inAllMembers }) => inAllMembers),
  { id: "300 letters with marks", text: "Açúcar".repeat(50) },
];

/** Those first that are not sent in all members at once. */
const inNames = [
  ...oddTexts.filter(({ inAllMembers }) => inAllMembers !== true),
  ...oddTexts.filter(({ inAllMembers }) => inAllMembers),
];

const isFreeText = (pointer: string): boolean =>
  pointer.endsWith("name") || (pointer.startsWith("/counterparty_address") && !pointer.endsWith("country"));

/** A text that hardly any server checks, so that a request can carry several at once. The main name has its own. */
const isRarelyChecked = (pointer: string): boolean =>
  isFreeText(pointer) && pointer !== "/name" && !pointer.endsWith("zip_code");

/** A counterparty with an unusual text at this place. No other request has the same data. */
const uniqueRequest = (
  context: Core,
  body: Json,
  pointer: string,
  odd: { readonly id: string },
  made: (serial: number) => string,
): RequestSpec => {
  const spec = counterpartyRequest(context, body, unusual(`with ${odd.id} in ${pointer}`));
  return oddText(
    withChangedBody(spec, (stamped, serial) => withValue(stamped, pointer, made(serial))),
    odd,
    pointer,
  );
};

/** Sixteen digits of the run's own, the last six of them the serial's. */
const digitsOf = ({ run }: Core, serial: number): string =>
  BigInt(`0x${Buffer.from(run.runId).toString("hex")}`)
    .toString()
    .slice(-10)
    .padStart(10, "1") + String(serial).padStart(6, "0");

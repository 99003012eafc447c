import { oddTexts, type Mutation, type OddText, type Pool } from "../../generators/index.ts";
import { valueAt, withValue } from "../../generators/pointer.ts";
import { invalid, unusual, type BodyMaker, type Exchange, type Json, type RequestSpec } from "../../model/exchange.ts";
import { plainAmounts } from "../kit/amounts.ts";
import { changedBodies, changesOf, doubtfulRequest, hasPlace, hopelessBodies } from "../kit/bodies/invalid-bodies.ts";
import { exactTexts, oddIntent, oddText, textPool } from "../kit/bodies/odd-texts.ts";
import type { Context } from "../kit/context.ts";
import { sendEach } from "../kit/draw.ts";
import { registerCounterparty, useCounterparty } from "../kit/flows/counterparties.ts";
import { counterpartyRequest } from "../kit/requests.ts";
import { scenario } from "../kit/scenario.ts";

/** Wrong and odd counterparties: a server may accept or refuse them, but it never crashes (INT-03, INT-04 and INT-26). */
export const invalidCounterparties = [
  scenario(
    "counterparty/invalid/members",
    "each member of a counterparty is changed once",
    {
      requirements: ["CPTY-12"],
      questions: ["OPEN-09", "OPEN-38"],
      operations: ["createCounterparty"],
      drawsTheSame: true,
    },
    async (context) => {
      const { body } = await registerCounterparty(context);
      const changes = changesOf("a counterparty", changedBodies(context, "createCounterparty", body), isLikely, 5);
      await sendEach(context, changes, doubtfulRequest(counterpartyRequest(context, body), "OPEN-38"));
    },
  ),
  scenario(
    "counterparty/invalid/bodies",
    "bodies that are not a counterparty",
    {
      requirements: ["CPTY-12"],
      questions: ["OPEN-09", "OPEN-38"],
      operations: ["createCounterparty"],
      drawsTheSame: true,
    },
    async (context) => {
      const { body } = await registerCounterparty(context);
      const pool = hopelessBodies("createCounterparty");
      await sendEach(context, pool, doubtfulRequest(counterpartyRequest(context, body), "OPEN-38"));
    },
  ),
  scenario(
    "counterparty/invalid/texts",
    "odd texts in a counterparty",
    {
      requirements: ["CPTY-06", "CPTY-01"],
      questions: ["OPEN-28"],
      operations: ["createCounterparty", "createOperation"],
      chain: 7,
      drawsTheSame: true,
    },
    async (context) => {
      const { body } = await registerCounterparty(context);
      await Promise.all([
        probeExternalIds(context, body),
        probeWrongValues(context, body),
        probeLetteredAccount(context, body),
        probeMembers(context, body),
      ]);
    },
  ),
];

/** Each member null, and members of the body itself of each common type. */
const isLikely = ({ rare, pointer, sent }: Mutation): boolean =>
  !rare && (sent === "null" || (pointer.lastIndexOf("/") === 0 && sent !== "boolean" && sent !== "object"));

/** Texts with a format, such as a BIC. */
const codes = [
  ...["iban", "swift_code", "bank_country", "aba_routing_number", "account_number"].map(
    (name) => `/bank_account/${name}`,
  ),
  ...["swift_code", "bank_country"].map((name) => `/intermediary_bank/${name}`),
];

/** Values that are wrong in one way, at the members that have them. */
interface WrongValues {
  readonly what: string;
  readonly place: string;
  readonly values: Readonly<Record<string, string>>;
}

const at = (pointer: string, what: string, value: string): WrongValues => ({
  what,
  place: pointer,
  values: { [pointer]: value },
});

/** Well-formed values that do not exist, and values that are nearly right: only a crash is a fault. */
const wrongValues: Pool<WrongValues> = {
  name: "wrong values of a counterparty",
  items: [
    at("/bank_account/iban", "wrong check digits", "DE89370400440532013001"),
    at("/bank_account/bank_country", "a country that does not exist", "ZZ"),
    at("/bank_account/swift_code", "a BIC of no bank and no country", "ZZZZZZ2L"),
    at("/bank_account/aba_routing_number", "a wrong check digit", "021000022"),
    at("/counterparty_address/country", "a country that does not exist", "QQ"),
    at("/bank_account/account_number", "40 digits", "1234567890".repeat(4)),
    {
      what: "one character",
      place: "every code",
      values: Object.fromEntries(codes.map((pointer) => [pointer, "7"])),
    },
    {
      what: "a code that is too long",
      place: "every code",
      values: {
        "/bank_account/iban": "DE8937040044053201300000000000000000000",
        "/bank_account/swift_code": "DEUTDEFFXXXXXX",
        "/bank_account/aba_routing_number": "0210000211",
        "/bank_account/account_number": "1234567890".repeat(4),
        "/intermediary_bank/swift_code": "DEUTDEFFXXXXXX",
      },
    },
    at("/bank_account/iban", "an IBAN in groups of four", "DE89 3704 0044 0532 0130 00"),
    at("/bank_account/iban", "an IBAN of a country that does not exist", "ZZ89370400440532013000"),
    at("/bank_account/iban", "an IBAN that is too long", "DE8937040044053201300000000000000000000"),
    at("/bank_account/iban", "an IBAN of letters", "DEXXXXXXXXXXXXXXXXXXXX"),
    at("/bank_account/bank_country", "a country of three letters", "DEU"),
    at("/bank_account/bank_country", "the name of a country", "Germany"),
    at("/bank_account/bank_country", "a country in small letters", "de"),
    at("/bank_account/swift_code", "a BIC in small letters", "deutdeff"),
    at("/bank_account/swift_code", "a BIC of nine characters", "DEUTDEFF5"),
    at("/bank_account/aba_routing_number", "ten digits", "0210000211"),
    at("/bank_account/aba_routing_number", "zeros alone", "000000000"),
    at("/bank_account/account_number", "a number in place of an account", "-1"),
    at("/intermediary_bank/swift_code", "a BIC of no bank and no country", "ZZZZZZ2L"),
    at("/intermediary_bank/bank_country", "a country that does not exist", "ZZ"),
    at("/counterparty_address/zip_code", "100 digits", "1234567890".repeat(10)),
    at("/counterparty_address/state", "a state of no country", "ZZ"),
    at("/external_id", "300 digits", "1234567890".repeat(30)),
    at("/name", "one letter", "A"),
    at("/name", "a number", "12345678901234567890"),
  ],
  always: 8,
};

const probeWrongValues = async (context: Context, body: Json): Promise<void> => {
  const items = wrongValues.items.flatMap((wrong) => {
    const places = Object.entries(wrong.values).filter(([pointer]) => hasPlace(body, pointer));
    return places.length === 0 ? [] : [{ ...wrong, places }];
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

const probeExternalIds = async (context: Context, body: Json): Promise<void> => {
  const { runId } = context.run;
  const pointer = "/external_id";
  // An empty text is a text: if the response has the member, it must not be null (INT-07).
  const empty = counterpartyRequest(context, withValue(body, pointer, ""), unusual("with an empty /external_id"));
  await Promise.all([
    sendEach(context, textPool(pointer, 10, exactTexts), (odd) =>
      uniqueRequest(context, body, pointer, odd, (serial) => `${runId}-${serial} ${odd.text}`),
    ),
    context.send(empty),
    ...idsOfOthers.map((odd) =>
      context.send(uniqueRequest(context, body, pointer, odd, (serial) => odd.made(digitsOf(runId, serial)))),
    ),
  ]);
};

/** Account numbers consist of letters and digits, and are texts rather than numbers (INT-31). */
const probeLetteredAccount = async (context: Context, body: Json): Promise<void> => {
  const pointer = "/bank_account/account_number";
  if (!hasPlace(body, pointer)) return;
  const odd = { id: "letters before digits" };
  const { runId } = context.run;
  const spec = uniqueRequest(context, body, pointer, odd, (serial) => `KX${digitsOf(runId, serial)}`);
  await useCounterparty(context, await context.send(spec), `with ${odd.id} in ${pointer}`);
};

/** How many texts every run sends at a member. */
const textsAt = (pointer: string): number => (pointer === "/name" ? 10 : pointer.endsWith("bank_name") ? 2 : 1);

/** Every text member but the external id; operations repeat some, and are about the name. */
const probeMembers = async (context: Context, body: Json): Promise<void> => {
  const members = [...new Set(context.generators.mutations("createCounterparty").map(({ pointer }) => pointer))];
  const texts = members.filter((pointer) => pointer !== "/external_id" && typeof valueAt(body, pointer) === "string");
  const amounts = [...plainAmounts(context, 60, 7)];
  const request = (odd: OddText, place: string, pointers: readonly string[] = [place]): RequestSpec => {
    const changed = pointers.reduce((other, pointer) => withValue(other, pointer, odd.text), body);
    return oddText(counterpartyRequest(context, changed, oddIntent(odd, place)), odd, place);
  };
  const use = async (pointer: string, odd: OddText, exchange: Exchange): Promise<void> => {
    if (isShownByOperations(pointer) && odd.fragile === undefined)
      await useCounterparty(context, exchange, `with ${odd.id} in ${pointer}`, { amount: amounts.shift() });
  };
  await Promise.all(
    texts.map(async (pointer) => {
      const pool = textPool(pointer, textsAt(pointer));
      const sent = await sendEach(context, pool, (odd) => request(odd, pointer));
      await Promise.all(sent.map(({ item, exchange }) => use(pointer, item, exchange)));
    }),
  );
  // A code is checked more often than a name: together with names, codes would keep the texts from being stored.
  const [freeTexts, codes] = [texts.filter(isFreeText), texts.filter((pointer) => !isFreeText(pointer))];
  const fragile = everywhere.filter((odd) => odd.fragile !== undefined);
  await Promise.all([
    ...fragile.flatMap((odd) => [request(odd, "every code", codes), request(odd, "/external_id")]).map(context.send),
    ...everywhere.map(async (odd) => use("/name", odd, await context.send(request(odd, "every free text", freeTexts)))),
  ]);
};

/** Texts that are also sent in all members at once, because operations show the banks of their counterparty. */
const everywhere: readonly OddText[] = [
  ...oddTexts.filter(({ inAllMembers }) => inAllMembers),
  { id: "300 letters with marks", text: "Açúcar".repeat(50) },
];

/** A text that is no code of any kind. */
const isFreeText = (pointer: string): boolean =>
  pointer.endsWith("name") || (pointer.startsWith("/counterparty_address") && !pointer.endsWith("country"));

/** Operations repeat the names of the banks, and are about the name. */
const isShownByOperations = (pointer: string): boolean => pointer.endsWith("name");

/** A counterparty with an unusual text at this place. No other request has the same data. */
const uniqueRequest = (
  context: Context,
  body: Json,
  pointer: string,
  odd: { readonly id: string },
  made: (serial: number) => string,
): RequestSpec => {
  const spec = counterpartyRequest(context, body, unusual(`with ${odd.id} in ${pointer}`));
  const stamped = spec.body as BodyMaker;
  return oddText({ ...spec, body: (serial) => withValue(stamped(serial), pointer, made(serial)) }, odd, pointer);
};

/** Sixteen digits of the run's own, the last six of them the serial's. */
const digitsOf = (runId: string, serial: number): string =>
  BigInt(`0x${Buffer.from(runId).toString("hex")}`)
    .toString()
    .slice(-10)
    .padStart(10, "1") + String(serial).padStart(6, "0");

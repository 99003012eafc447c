import { oddTexts, type OddText, type Pool } from "../../generators/index.ts";
import { valueAt, withValue } from "../../generators/pointer.ts";
import { invalid, unusual, type BodyMaker, type Exchange, type Json, type RequestSpec } from "../../model/exchange.ts";
import { plainAmounts } from "../kit/amounts.ts";
import { sturdyTexts } from "../kit/bodies/sturdy-texts.ts";
import {
  changedBodies,
  hasPlace,
  hopelessBodies,
  observeDrawn,
  type ChangedBody,
} from "../kit/bodies/invalid-bodies.ts";
import { oddIntent, probeText, probeTexts, textPool } from "../kit/bodies/odd-texts.ts";
import type { Context } from "../kit/context.ts";
import { draw, ofPool } from "../kit/draw.ts";
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
      cost: 85,
      drawsTheSame: true,
    },
    async (context) => {
      const { body } = await registerCounterparty(context);
      const changes = changesOf(changedBodies(context, "createCounterparty", body));
      await observeDrawn(context, "OPEN-38", counterpartyRequest(context, body), changes);
    },
  ),
  scenario(
    "counterparty/invalid/bodies",
    "bodies that are not a counterparty",
    {
      requirements: ["CPTY-12"],
      questions: ["OPEN-09", "OPEN-38"],
      operations: ["createCounterparty"],
      cost: 20,
      drawsTheSame: true,
    },
    async (context) => {
      const { body } = await registerCounterparty(context);
      const hopeless = hopelessBodies("createCounterparty", body);
      await observeDrawn(context, "OPEN-38", counterpartyRequest(context, body), hopeless);
    },
  ),
  scenario(
    "counterparty/invalid/texts",
    "odd texts in a counterparty",
    {
      requirements: ["CPTY-06", "CPTY-01"],
      questions: ["OPEN-28"],
      operations: ["createCounterparty", "createOperation"],
      cost: 90,
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

/** The likeliest mistakes first: each member null, and members of the body itself of each common type. */
const changesOf = (bodies: readonly ChangedBody[]): Pool<ChangedBody> => {
  const [likely, rest] = [bodies.filter(isLikely), bodies.filter((body) => !isLikely(body))];
  return { name: "changes of a counterparty", items: [...likely, ...rest], always: likely.length, drawn: 4 };
};

const isLikely = ({ mutation: { rare, pointer, sent } }: ChangedBody): boolean =>
  !rare && (sent === "null" || (pointer.lastIndexOf("/") === 0 && sent !== "boolean" && sent !== "object"));

/** Values of the right shape that name nothing, and values that are nearly right: only a crash is a fault. */
const wrongValues: Pool<readonly [pointer: string, what: string, value: string]> = {
  name: "wrong values of a counterparty",
  items: [
    ["/bank_account/iban", "wrong check digits", "DE89370400440532013001"],
    ["/bank_account/bank_country", "a country that does not exist", "ZZ"],
    ["/bank_account/swift_code", "a BIC of no bank and no country", "ZZZZZZ2L"],
    ["/bank_account/aba_routing_number", "a wrong check digit", "021000022"],
    ["/counterparty_address/country", "a country that does not exist", "QQ"],
    ["/bank_account/account_number", "40 digits", "1234567890".repeat(4)],
    ["/bank_account/iban", "an IBAN in groups of four", "DE89 3704 0044 0532 0130 00"],
    ["/bank_account/iban", "an IBAN of a country that does not exist", "ZZ89370400440532013000"],
    ["/bank_account/iban", "an IBAN that is too long", "DE8937040044053201300000000000000000000"],
    ["/bank_account/iban", "an IBAN of letters", "DEXXXXXXXXXXXXXXXXXXXX"],
    ["/bank_account/bank_country", "a country of three letters", "DEU"],
    ["/bank_account/bank_country", "the name of a country", "Germany"],
    ["/bank_account/bank_country", "a country in small letters", "de"],
    ["/bank_account/swift_code", "a BIC in small letters", "deutdeff"],
    ["/bank_account/swift_code", "a BIC of nine characters", "DEUTDEFF5"],
    ["/bank_account/aba_routing_number", "ten digits", "0210000211"],
    ["/bank_account/aba_routing_number", "zeros alone", "000000000"],
    ["/bank_account/account_number", "a number in place of an account", "-1"],
    ["/intermediary_bank/swift_code", "a BIC of no bank and no country", "ZZZZZZ2L"],
    ["/intermediary_bank/bank_country", "a country that does not exist", "ZZ"],
    ["/counterparty_address/zip_code", "100 digits", "1234567890".repeat(10)],
    ["/counterparty_address/state", "a state of no country", "ZZ"],
    ["/external_id", "300 digits", "1234567890".repeat(30)],
    ["/name", "one letter", "A"],
    ["/name", "a number", "12345678901234567890"],
  ],
  always: 6,
  drawn: 2,
};

const probeWrongValues = async (context: Context, body: Json): Promise<void> => {
  await Promise.all(
    draw(context, wrongValues)
      .filter(({ item: [pointer] }) => hasPlace(body, pointer))
      .map(async ({ item: [pointer, what, value], isAlways }) => {
        const intent = invalid(`with ${what} at ${pointer}`);
        const spec = ofPool(wrongValues, counterpartyRequest(context, withValue(body, pointer, value), intent));
        if (isAlways) await probeText(context, spec, { id: what }, pointer);
        else await context.send(spec);
      }),
  );
};

/** Ids such as other systems have. Each is another for another `unique`, sixteen digits. */
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
  await probeTexts(context, pointer, textPool(pointer, 9, 3, sturdyTexts), ({ id, text }) =>
    uniqueRequest(context, body, pointer, id, (serial) => `${runId}-${serial} ${text}`),
  );
  await Promise.all(
    idsOfOthers.map((odd) =>
      probeText(
        context,
        uniqueRequest(context, body, pointer, odd.id, (serial) => odd.made(digitsOf(runId, serial))),
        odd,
        pointer,
      ),
    ),
  );
};

/** Account numbers are letters and digits, and no numbers (INT-31). */
const probeLetteredAccount = async (context: Context, body: Json): Promise<void> => {
  const pointer = "/bank_account/account_number";
  if (!hasPlace(body, pointer)) return;
  const odd = { id: "letters before digits" };
  const { runId } = context.run;
  const spec = uniqueRequest(context, body, pointer, odd.id, (serial) => `KX${digitsOf(runId, serial)}`);
  const exchange = await probeText(context, spec, odd, pointer);
  await useCounterparty(context, exchange, `with ${odd.id} in ${pointer}`);
};

/** So many texts are in every run at a member, and so many more in one of the default size. */
const textsAt = (pointer: string): readonly [always: number, drawn: number] =>
  pointer === "/name" ? [8, 3] : pointer.endsWith("bank_name") ? [2, 2] : [1, 1];

/** Every text member but the external id; operations repeat some, and are about the name. */
const probeMembers = async (context: Context, body: Json): Promise<void> => {
  const members = [...new Set(context.generators.mutations("createCounterparty").map(({ pointer }) => pointer))];
  const texts = members.filter((pointer) => pointer !== "/external_id" && typeof valueAt(body, pointer) === "string");
  const amounts = [...plainAmounts(context, 60, 7)];
  const use = async (pointer: string, odd: OddText, exchange: Exchange): Promise<void> => {
    if (isShownByOperations(pointer) && odd.fragile !== true)
      await useCounterparty(context, exchange, `with ${odd.id} in ${pointer}`, { amount: amounts.shift() });
  };
  await Promise.all(
    texts.map(async (pointer) => {
      const request = (odd: OddText): RequestSpec =>
        counterpartyRequest(context, withValue(body, pointer, odd.text), oddIntent(odd, pointer));
      const probed = await probeTexts(context, pointer, textPool(pointer, ...textsAt(pointer)), request);
      await Promise.all(probed.map(({ odd, exchange }) => use(pointer, odd, exchange)));
    }),
  );
  // A code is checked more often than a name: together with names, codes would keep the texts from being stored.
  const codes = texts.filter((pointer) => !isFreeText(pointer));
  const isFragile = ({ fragile }: OddText): boolean => fragile === true;
  await Promise.all(
    everywhere.filter(isFragile).flatMap((odd) => {
      const odder = codes.reduce((changed, at) => withValue(changed, at, odd.text), body);
      const named = withValue(body, "/external_id", odd.text);
      return [
        probeText(context, counterpartyRequest(context, odder, oddIntent(odd, "every code")), odd, "every code"),
        probeText(context, counterpartyRequest(context, named, oddIntent(odd, "/external_id")), odd, "/external_id"),
      ];
    }),
  );
  await Promise.all(
    everywhere.map(async (odd) => {
      const odder = texts.filter(isFreeText).reduce((changed, at) => withValue(changed, at, odd.text), body);
      const spec = counterpartyRequest(context, odder, oddIntent(odd, "every free text"));
      await use("/name", odd, await probeText(context, spec, odd, "every free text"));
    }),
  );
};

/** Texts that are sent in all members at once too: operations show the banks of their counterparty. */
const everywhere: readonly OddText[] = [
  ...oddTexts.filter(({ id }) => ["an escaped zero byte", "half a character", "Latin letters with marks"].includes(id)),
  { id: "300 letters with marks", text: "Açúcar".repeat(50) },
];

/** No code of any kind. */
const isFreeText = (pointer: string): boolean =>
  pointer.endsWith("name") || (pointer.startsWith("/counterparty_address") && !pointer.endsWith("country"));

/** Operations repeat the names of the banks, and are about the name. */
const isShownByOperations = (pointer: string): boolean => pointer.endsWith("name");

/** A counterparty with an unusual text at this place, which no other sending has. */
const uniqueRequest = (
  context: Context,
  body: Json,
  pointer: string,
  what: string,
  made: (serial: number) => string,
): RequestSpec => {
  const spec = counterpartyRequest(context, body, unusual(`with ${what} in ${pointer}`));
  const stamped = spec.body as BodyMaker;
  return { ...spec, body: (serial) => withValue(stamped(serial), pointer, made(serial)) };
};

/** Sixteen digits of the run's own, the last six of them the serial's. */
const digitsOf = (runId: string, serial: number): string =>
  BigInt(`0x${Buffer.from(runId).toString("hex")}`)
    .toString()
    .slice(-10)
    .padStart(10, "1") + String(serial).padStart(6, "0");

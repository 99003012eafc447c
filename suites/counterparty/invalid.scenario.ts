import { oddTexts } from "../../generators/index.ts";
import { valueAt, withValue } from "../../generators/pointer.ts";
import { unusual, type BodyMaker, type Json, type RequestSpec } from "../../model/exchange.ts";
import { plainAmounts } from "../kit/amounts.ts";
import { isLikelyMistake, sturdyTexts, classicTexts } from "../kit/bodies/chosen.ts";
import { changedBodies, hasPlace, hopelessBodies, nested, observeBodies } from "../kit/bodies/invalid-bodies.ts";
import { oddIntent, probeText, probeTexts } from "../kit/bodies/odd-texts.ts";
import type { Context } from "../kit/context.ts";
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
      const bodies = changedBodies(context, "createCounterparty", body).filter(({ mutation }) =>
        isLikelyMistake(mutation),
      );
      await observeBodies(context, "OPEN-38", counterpartyRequest(context, body), bodies);
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
      await observeBodies(context, "OPEN-38", counterpartyRequest(context, body), [
        ...hopelessBodies(body),
        nested(body),
      ]);
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
      drawsTheSame: true,
    },
    async (context) => {
      const { body } = await registerCounterparty(context);
      await Promise.all([
        probeTexts(
          context,
          "/name",
          (odd) => counterpartyRequest(context, withValue(body, "/name", odd.text), oddIntent(odd, "/name")),
          classicTexts.filter(({ hasMarks }) => hasMarks !== true),
        ),
        probeExternalIds(context, body),
        probeLetteredAccount(context, body),
        probeMembers(context, body),
      ]);
    },
  ),
];

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
  await probeTexts(
    context,
    pointer,
    ({ id, text }) => uniqueRequest(context, body, pointer, id, (serial) => `${runId}-${serial} ${text}`),
    sturdyTexts,
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

/** Every other text member once, each with another of all the odd texts; names with marks as well. */
const probeMembers = async (context: Context, body: Json): Promise<void> => {
  const members = [...new Set(context.generators.mutations("createCounterparty").map(({ pointer }) => pointer))];
  const texts = members.filter((pointer) => typeof valueAt(body, pointer) === "string");
  const probes = [
    ...texts
      .filter((pointer) => pointer !== "/name" && pointer !== "/external_id")
      .flatMap((pointer, index) =>
        oddTexts.filter((_, at) => at === (index * 3 + 1) % oddTexts.length).map((odd) => ({ pointer, odd })),
      ),
    // Operations show the banks of their counterparty, whose names have marks in many countries.
    ...texts
      .filter((pointer) => pointer.endsWith("name"))
      .flatMap((pointer) => oddTexts.filter(({ hasMarks }) => hasMarks).map((odd) => ({ pointer, odd }))),
    { pointer: "/name", odd: { id: "300 letters with marks", text: "Açúcar".repeat(50) } },
  ];
  const amounts = plainAmounts(context, probes.length, 7);
  await Promise.all(
    probes.map(async ({ pointer, odd }, index) => {
      const intent = oddIntent(odd, pointer);
      const spec = counterpartyRequest(context, withValue(body, pointer, odd.text), intent);
      const exchange = await probeText(context, spec, odd, pointer);
      if (isShownByOperations(pointer) && intent.kind !== "invalid")
        await useCounterparty(context, exchange, `with ${odd.id} in ${pointer}`, { amount: amounts[index] });
    }),
  );
};

/** Operations repeat the banks, and are about the name. */
const isShownByOperations = (pointer: string): boolean => pointer.includes("bank") || pointer.endsWith("name");

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

import { oddTexts } from "../../generators/index.ts";
import { valueAt, withValue } from "../../generators/pointer.ts";
import { unusual, type RequestSpec, type BodyMaker, type Json } from "../../model/exchange.ts";
import { scenario } from "../kit/scenario.ts";
import {
  changedBodies,
  emptyBodies,
  hasPlace,
  nonObjects,
  observeBodies,
  oddIntent,
  outcomeOf,
  probeTexts,
  tellingChanges,
  tellingMalformed,
  tellingTexts,
  withoutMembers,
} from "../kit/invalid-bodies.ts";
import type { Context } from "../kit/context.ts";
import { counterpartyRequest, plainAmounts, registerCounterparty } from "../kit/steps.ts";
import { dealWith } from "./deal.ts";

/** What is wrong or odd in a counterparty: open what a server makes of it, but it never crashes (rulings 3, 4 and 26). */
export const invalid = [
  scenario(
    "every member of a counterparty is changed once",
    { requirements: ["CPTY-12"], questions: ["OPEN-09", "OPEN-38"], operations: ["createCounterparty"] },
    async (context) => {
      const { body } = await registerCounterparty(context);
      const ask = async () => counterpartyRequest(context, body);
      await observeBodies(context, "OPEN-38", ask, tellingChanges(changedBodies(context, "createCounterparty", body)));
    },
  ),
  scenario(
    "bodies that are no counterparty",
    { requirements: ["CPTY-12"], questions: ["OPEN-09"], operations: ["createCounterparty"] },
    async (context) => {
      const { body } = await registerCounterparty(context);
      const ask = async () => counterpartyRequest(context, body);
      await observeBodies(context, "OPEN-38", ask, [
        ...nonObjects,
        ...emptyBodies,
        withoutMembers,
        ...tellingMalformed(body),
      ]);
    },
  ),
  scenario(
    "odd texts in a counterparty",
    {
      requirements: ["CPTY-06", "CPTY-01"],
      questions: ["OPEN-28"],
      operations: ["createCounterparty", "createOperation"],
    },
    async (context) => {
      const { body } = await registerCounterparty(context);
      const whole = body as Readonly<Record<string, Json>>;
      await probeTexts(
        context,
        (text, what) => counterpartyRequest(context, { ...whole, name: text }, oddIntent(what, "/name")),
        "/name",
        tellingTexts.filter((odd) => !hasMarks(odd)),
      );
      const { runId } = context.run;
      await probeTexts(
        context,
        (text, what) => uniqueRequest(context, body, "/external_id", what, (serial) => `${runId}-${serial} ${text}`),
        "/external_id",
        echoed,
      );
      await Promise.all(
        idsOfOthers.map(({ id, made }) =>
          context.ask(uniqueRequest(context, body, "/external_id", id, (serial) => made(digitsOf(runId, serial)))),
        ),
      );
      // Accounts are letters and digits, and no numbers (ruling 31).
      const place = "/bank_account/account_number";
      if (hasPlace(body, place)) {
        const letters = "letters before digits";
        const lettered = uniqueRequest(context, body, place, letters, (serial) => `KX${digitsOf(runId, serial)}`);
        await dealWith(context, await context.ask(lettered), context.target.amount.min, `with ${letters} in ${place}`);
      }
      // Every other text member once, each with another of all the odd texts.
      const members = context.generators.mutations("createCounterparty").map(({ pointer }) => pointer);
      const pointers = [...new Set(members)].filter((pointer) => typeof valueAt(body, pointer) === "string");
      const others = pointers.filter((pointer) => pointer !== "/name" && pointer !== "/external_id");
      const probes = [
        ...others.flatMap((pointer, index) =>
          oddTexts.filter((_, at) => at === (index * 3 + 1) % oddTexts.length).map((odd) => ({ pointer, odd })),
        ),
        // Operations show the banks of their counterparty, whose names have marks in many countries.
        ...pointers
          .filter((pointer) => pointer.endsWith("name"))
          .flatMap((pointer) => oddTexts.filter(hasMarks).map((odd) => ({ pointer, odd }))),
        { pointer: "/name", odd: { id: "300 letters with marks", text: "Açúcar".repeat(50) } },
      ];
      const amounts = plainAmounts(context, probes.length, 7);
      await Promise.all(
        probes.map(async ({ pointer, odd }, index) => {
          const changed = withValue(body, pointer, odd.text);
          const intent = oddIntent(odd.id, pointer);
          const exchange = await context.ask(counterpartyRequest(context, changed, intent));
          context.observe("OPEN-28", `${pointer}, ${odd.id}`, outcomeOf(exchange));
          if (/bank|name$/.test(pointer) && intent.kind !== "invalid")
            await dealWith(context, exchange, amounts[index], `with ${odd.id} in ${pointer}`);
        }),
      );
    },
  ),
];

const hasMarks = ({ id }: { readonly id: string }): boolean => id === "Latin letters with marks";

/** Texts that come back as they are wherever text is kept at all: nothing that trimming or normalising would change. */
const echoed = [...tellingTexts, ...oddTexts.filter(({ id }) => /angle|apostrophe|Cyrillic|percent sign/.test(id))]
  .filter(({ id }) => !/spaces|combining|control|zero byte|zero width|line break|half|no character|blanks/.test(id))
  .map(({ id, text }) => ({ id, text: text.trim() }));

/** Ids such as other systems have. Each is another for another `unique`, sixteen digits. */
const idsOfOthers: readonly { readonly id: string; readonly made: (unique: string) => string }[] = [
  { id: "36 letters and digits", made: (unique) => `${unique}Abcdefghijklmnopqrst` },
  { id: "digits alone, a zero in front", made: (unique) => `0${unique}7` },
  {
    id: "a UUID in capitals",
    made: (unique) => `A1B2C3D4-${unique.replace(/(.{4})(.{3})(.{9})/, "$1-4$2-8ABC-00F$3")}`,
  },
];

/** A counterparty with a text at this place of another form than usual, which no other sending has. */
const uniqueRequest = (
  context: Context,
  body: Json,
  pointer: string,
  what: string,
  made: (serial: number) => string,
): RequestSpec => {
  const ask = counterpartyRequest(context, body, unusual(`with ${what} in ${pointer}`));
  const stamped = ask.body as BodyMaker;
  return { ...ask, body: (serial) => withValue(stamped(serial), pointer, made(serial)) };
};

/** Sixteen digits of the run's own, the last six of them the serial's. */
const digitsOf = (runId: string, serial: number): string =>
  BigInt(`0x${Buffer.from(runId).toString("hex")}`)
    .toString()
    .slice(-10)
    .padStart(10, "1") + String(serial).padStart(6, "0");

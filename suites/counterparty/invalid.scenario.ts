import { oddTexts } from "../../generators/index.ts";
import { unusual, type Ask, type BodyMaker, type Json } from "../../harness/exchange.ts";
import { scenario } from "../define.ts";
import { changedBodies, emptyBodies, malformedBodies, nonObjects, observeBodies, probeTexts } from "../invalid.ts";
import type { Stage } from "../stage.ts";
import { counterpartyAsk, registerCounterparty } from "../steps.ts";

/** What is wrong or odd in a counterparty: open what a server makes of it, but it never crashes (rulings 3, 4 and 26). */
export const invalid = [
  scenario(
    "every member of a counterparty is changed once",
    { requirements: ["CPTY-12"], questions: ["OPEN-09", "OPEN-38"], operations: ["createCounterparty"] },
    async (stage) => {
      const { body } = await registerCounterparty(stage);
      const ask = async () => counterpartyAsk(stage, body);
      await observeBodies(stage, "OPEN-38", ask, changedBodies(stage, "createCounterparty", body));
    },
  ),
  scenario(
    "bodies that are no counterparty",
    { requirements: ["CPTY-12"], questions: ["OPEN-09"], operations: ["createCounterparty"] },
    async (stage) => {
      const { body } = await registerCounterparty(stage);
      const { syntax, encoding } = malformedBodies(body);
      const ask = async () => counterpartyAsk(stage, body);
      await observeBodies(stage, "OPEN-38", ask, [...nonObjects, ...emptyBodies, ...syntax, ...encoding]);
    },
  ),
  scenario(
    "odd texts in a counterparty",
    { requirements: ["CPTY-06", "CPTY-01"], questions: ["OPEN-28"], operations: ["createCounterparty"] },
    async (stage) => {
      const { body } = await registerCounterparty(stage);
      const whole = body as Readonly<Record<string, Json>>;
      const address = whole["counterparty_address"] as Readonly<Record<string, Json>> | undefined;
      await probeTexts(
        stage,
        (text, what) => counterpartyAsk(stage, { ...whole, name: text }, unusual(`with ${what} in /name`)),
        "/name",
      );
      await probeTexts(stage, (text, what) => externalIdAsk(stage, body, text, what), "/external_id", echoed);
      await probeTexts(
        stage,
        (text, what) =>
          counterpartyAsk(
            stage,
            { ...whole, counterparty_address: { ...address, address: text } },
            unusual(`with ${what} in /counterparty_address/address`),
          ),
        "/counterparty_address/address",
        oddTexts.filter((_, index) => index % 4 === 0),
      );
    },
  ),
];

/** Texts that come back as they are wherever text is kept at all: nothing that trimming or normalising would change. */
const echoed = oddTexts
  .filter(({ id }) => !/spaces|combining|control|zero width|line break/.test(id))
  .map(({ id, text }) => ({ id, text: text.trim() }));

/** A counterparty with an odd external id that no other sending has. */
const externalIdAsk = (stage: Stage, body: Json, text: string, what: string): Ask => {
  const ask = counterpartyAsk(stage, body, unusual(`with ${what} in /external_id`));
  const stamped = ask.body as BodyMaker;
  const { runId } = stage.world;
  return {
    ...ask,
    body: (serial) => ({
      ...(stamped(serial) as Readonly<Record<string, Json>>),
      external_id: `${runId}-${serial} ${text}`,
    }),
  };
};

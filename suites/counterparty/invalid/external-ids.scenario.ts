import { oddTexts, type OddText } from "../../../generators/index.ts";
import { asPlainText, derived, scenario, type Derived } from "../../kit/index.ts";
import { oddTextsAt, type OddChange } from "../../tables/texts.ts";

/** A server may refuse an odd external id; one that it returns is the one that was sent (INT-03, INT-04 and INT-07). */
export const oddExternalIds = scenario({
  id: "counterparty/invalid/external-ids",
  title: "odd external ids of a counterparty",
  checks: ["CPTY-06"],
  drawsTheSame: true,
  phase: "beside",
  run: async ({ counterpartyLike, draw, observed, register, send, together }) => {
    const like = counterpartyLike(await register());
    const rows = [...draw(behindOddTexts), ...idsOfOthers];
    await together([
      ...rows.map((odd) => observed(like, odd, "OPEN-28", `${title} ${odd.what}`)),
      // An empty text is a text: if the response has the member, it is not null (INT-07).
      send(like, { what: "with an empty /external_id", with: { "/external_id": "" }, breaksNoRule: true }),
    ]);
  },
});

const title = "POST /customers/{customer_id}/counterparty";

const inNames = ({ fragile }: OddText): boolean => fragile === "in names";
const isExact = ({ fragile }: OddText): boolean => fragile === undefined;

/** Here trimming and normalising are faults. Each id is unique, as the right one is. */
const behindOddTexts = oddTextsAt("/external_id", 10, {
  texts: [...oddTexts.filter(inNames), ...oddTexts.filter(isExact)],
  value: (text) => derived("the right id and an odd text", (right) => `${asPlainText(right)} ${text}`),
  mayBeAltered: () => false,
});

/** Ids in the formats of other systems, each made unique by sixteen digits. */
const idsOfOthers: readonly OddChange[] = [
  idLike("36 letters and digits", (digits) => `${digits}Abcdefghijklmnopqrst`),
  idLike("digits alone, a zero in front", (digits) => `0${digits}7`),
  idLike("a UUID in capitals", (digits) => `A1B2C3D4-${digits.replace(/(.{4})(.{3})(.{9})/, "$1-4$2-8ABC-00F$3")}`),
];

function idLike(what: string, made: (digits: string) => string): OddChange {
  const value: Derived = derived(what, (right) => made(digitsOf(asPlainText(right))));
  return { what: `with ${what} in /external_id`, with: { "/external_id": value }, breaksNoRule: true };
}

/** Sixteen digits that differ as the texts do: those of its last bytes. */
function digitsOf(text: string): string {
  const bytes = Buffer.from(text).toString("hex");
  return BigInt(`0x${bytes}`).toString().slice(-16).padStart(16, "1");
}

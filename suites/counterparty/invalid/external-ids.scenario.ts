import { oddTexts, type OddText } from "../../../generators/index.ts";
import { withValue } from "../../../generators/pointer.ts";
import { valueAt, type Json } from "../../../spec/json.ts";
import { asPlainText, derived, scenario, type Change, type Derived } from "../../kit/index.ts";
import { idLike, oddTextsAt, withOddText, type OddChange } from "../../tables/texts.ts";

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
      ...rows.map((odd) => observed(like, odd, "OPEN-28", `${title} ${odd.what}`)),
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

const title = "POST /customers/{customer_id}/counterparty";

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

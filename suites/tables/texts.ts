import {
  oddTexts,
  packed,
  type OddText,
  type PlacedText,
  type textPlaces,
} from "../../generators/index.ts";
import { groups } from "../../model/groups.ts";
import { isSuccess, type Exchange } from "../../model/exchange.ts";
import { operationTitle } from "../../spec/operations.ts";
import type { QuestionId } from "../../spec/questions.ts";
import {
  asPlainText,
  derived,
  sharing,
  type Change,
  type Context,
  type Derived,
  type Value,
  wordsOf,
} from "../kit/index.ts";

/** An odd text at a member, as it is sent. */
export interface SentText extends PlacedText {
  readonly value: Value;
  /** A server that accepts the text need not return it as it was sent. */
  readonly isAlterable: boolean;
  readonly isOftenRefused?: boolean;
}

/** How a member takes an odd text. */
interface TextOptions {
  /** @defaultValue the text itself */
  readonly value?: (odd: OddText) => Value;
  /** @defaultValue true for texts that are `fragile` */
  readonly isAlterable?: (odd: OddText) => boolean;
}

/** All odd texts at a member, the most revealing first. */
export function oddTextsAt(
  place: string,
  {
    value = ({ text }) => text,
    isAlterable = ({ fragile }) => fragile !== undefined,
  }: TextOptions = {},
): readonly SentText[] {
  return oddTexts.map((odd) => ({
    text: odd.id,
    place,
    value: value(odd),
    isAlterable: isAlterable(odd),
    isOftenRefused: odd.isOftenRefused === true,
  }));
}

/** The right value with an odd text behind it, for members whose values must be unique. */
export function behindRightValue(text: string): Derived {
  const blanks = text.slice(0, text.length - text.trimStart().length);
  return derived(
    "the right value and an odd text",
    // Blanks at the beginning of the text stand in front of the value, where a server may trim them.
    (right) => `${blanks}${asPlainText(right)} ${text}`,
  );
}

/** The change that puts each of these texts at its member. */
function changeOf(texts: readonly SentText[], rest: Change): Change {
  const alterable = texts.filter(({ isAlterable }) => isAlterable).map(({ place }) => place);
  const common = { ...rest, ...(rest.breaksNoRule === true && { alterable }) };
  const parts = texts.map(({ text, place, value }): Change => ({
    what: `with ${text} in ${place}`,
    odd: text,
    with: { [place]: value },
  }));
  const [first] = parts;
  if (first === undefined || parts.length === 1) return { ...common, ...first };
  return { ...common, ...sharing(parts), what: `${wordsOf(first)} and ${parts.length - 1} others` };
}

const oddTextsOf = { question: "OPEN-28", what: "odd texts" } as const;

interface Trial {
  readonly operation: keyof typeof textPlaces;
  readonly texts: readonly SentText[];
  /** The open question that the responses answer. @defaultValue OPEN-28, on odd texts */
  readonly of?: { readonly question: QuestionId; readonly what: string };
  /** What all changes have. @defaultValue a success is judged in full */
  readonly rest?: Change;
  readonly send: (change: Change, texts: readonly SentText[]) => Promise<Exchange>;
}

/** How many requests take refused ones apart at most, and how many of only doubted members are sent. */
const most = { apart: 32, ofDoubtedTexts: 12, doubted: 3 };

/** How many requests are in flight, before one was accepted and after. */
const wave = { before: 2, after: 6 };

/** How often something was accepted, and how often it was refused alone. */
interface Tally {
  accepted: number;
  refused: number;
}

/**
 * Refused alone so often, and not three times as often accepted: what has it is likely to be
 * refused. A text that is refused somewhere is most often refused everywhere, but a member that
 * refuses one text need not refuse another.
 */
function isDoubted({ accepted, refused }: Tally, least: 1 | 2): boolean {
  return refused >= least && accepted < 3 * refused;
}

/**
 * Sends odd texts, packed into as few requests as a server may accept together. A refused request is
 * taken apart in halves until each text was accepted or refused alone. So that a text or a member
 * which is refused alone keeps no other one from being tried, it is left out from then on: such
 * texts are sent together at the end, and so are those at such members, in a few requests.
 */
export async function tryTexts(
  { answered, together, triedText }: Pick<Context, "answered" | "together" | "triedText">,
  { operation, texts, rest = { breaksNoRule: true }, of = oddTextsOf, send }: Trial,
): Promise<void> {
  const tallies = new Map<string, Tally>();
  const tallyOf = (name: string): Tally => {
    const tally = tallies.get(name) ?? { accepted: 0, refused: 0 };
    tallies.set(name, tally);
    return tally;
  };
  const learn = (some: readonly SentText[], exchange: Exchange): void => {
    const isAccepted = isSuccess(exchange);
    for (const { text, place } of some) {
      if (of === oddTextsOf) triedText(operation, text, place, exchange);
      answered(of.question, `${operationTitle(operation)} with ${of.what} in ${place}`, exchange);
      for (const tally of [tallyOf(text), tallyOf(place)])
        if (isAccepted) tally.accepted += 1;
        else if (some.length === 1) tally.refused += 1;
    }
  };
  let left = most.apart;
  let wasAccepted = false;
  /** Sends requests, without the texts that are to be left out. Resolves to these. */
  const sendAll = async (
    requests: readonly (readonly SentText[])[],
    isLeftOut: (one: SentText) => boolean,
    isApart = (_exchange: Exchange): boolean => true,
  ): Promise<readonly SentText[]> => {
    const waiting = [...requests];
    const out: SentText[] = [];
    while (waiting.length > 0) {
      const next = waiting.splice(0, wasAccepted ? wave.after : wave.before);
      out.push(...next.flat().filter(isLeftOut));
      const sent = next
        .map((some) => some.filter((one) => !isLeftOut(one)))
        .filter(({ length }) => length > 0);
      const exchanges = await together(sent.map((some) => send(changeOf(some, rest), some)));
      const halves = sent.flatMap((some, nth) => {
        const exchange = exchanges[nth];
        if (exchange === undefined) return [];
        wasAccepted ||= isSuccess(exchange);
        if (isSuccess(exchange) || some.length === 1 || left <= 0 || !isApart(exchange)) {
          learn(some, exchange);
          return [];
        }
        left -= 2;
        const middle = Math.ceil(some.length / 2);
        return [some.slice(0, middle), some.slice(middle)];
      });
      waiting.unshift(...halves);
    }
    return out;
  };
  const atDoubted = ({ place }: SentText): boolean => isDoubted(tallyOf(place), 2);
  const doubted = await sendAll(
    packed(texts),
    (one) => one.isOftenRefused === true || atDoubted(one) || isDoubted(tallyOf(one.text), 1),
  );
  left = most.ofDoubtedTexts;
  const others = texts.filter((one) => doubted.includes(one) && !atDoubted(one));
  const ofOneText = [...groups(others, ({ text }) => text).values()];
  const late = await sendAll(ofOneText, atDoubted);
  await sendAll(
    packed(
      texts.filter((one) => late.includes(one) || (doubted.includes(one) && !others.includes(one))),
    ).slice(0, most.doubted),
    () => false,
    ({ response }) => response.status >= 500,
  );
}

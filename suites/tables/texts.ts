import { oddTexts, type OddText, type textPlaces } from "../../generators/index.ts";
import type { Exchange } from "../../model/exchange.ts";
import { operationTitle } from "../../spec/operations.ts";
import type { QuestionId } from "../../spec/questions.ts";
import {
  asPlainText,
  derived,
  sharing,
  tryTogether,
  type Change,
  type Context,
  type Derived,
  type Part,
  type Value,
} from "../kit/index.ts";

/** An odd text at a member, as it is sent. */
export interface SentText extends Part {
  readonly value: Value;
  /** A server that accepts the text need not return it as it was sent. */
  readonly isAlterable: boolean;
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
    kind: odd.id,
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
  const kinds = [...new Set(texts.map(({ kind }) => kind))];
  const places =
    texts.length > mostNamed
      ? `${texts.length} members`
      : texts.map(({ place }) => place).join(", ");
  const parts = texts.map(({ kind, place, value }): Change => ({
    what: `with ${kind} in ${place}`,
    odd: kind,
    with: { [place]: value },
  }));
  return {
    ...rest,
    ...(rest.breaksNoRule === true && { alterable }),
    ...(parts.length === 1 ? parts[0] : sharing(parts)),
    what: `with ${kinds.join(", ")} in ${places}`,
    ...(kinds.length === 1 && { odd: kinds[0] }),
  };
}

/** How many members the words for a change name. */
const mostNamed = 3;

interface Trial {
  readonly operation: keyof typeof textPlaces;
  readonly texts: readonly SentText[];
  /** What a change with these texts has beside them. @defaultValue a success is judged in full */
  readonly rest?: (texts: readonly SentText[]) => Change;
  /** The open question that the responses answer. @defaultValue OPEN-28, on odd texts */
  readonly of?: { readonly question: QuestionId; readonly what: string };
  readonly send: (change: Change, texts: readonly SentText[]) => Promise<Exchange>;
}

const oddTextsOf = { question: "OPEN-28", what: "odd texts" } as const;

/** Tries each of these texts at its member. */
export async function tryTexts(
  { answered, triedText }: Pick<Context, "answered" | "triedText">,
  { operation, texts, rest = () => ({ breaksNoRule: true }), of = oddTextsOf, send }: Trial,
): Promise<void> {
  await tryTogether({
    parts: texts,
    send: (some) => send(changeOf(some, rest(some)), some),
    note: ({ kind, place }, exchange) => {
      if (oddTexts.some(({ id }) => id === kind)) triedText(operation, kind, place, exchange);
      answered(of.question, `${operationTitle(operation)} with ${of.what} in ${place}`, exchange);
    },
  });
}

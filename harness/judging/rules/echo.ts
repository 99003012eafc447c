import { isObject, isSuccess, memberOf, type Exchange, type Json } from "../../../model/exchange.ts";
import { broken, classOf, holds, shown, titleOf, type Check, type Knowledge } from "./rule.ts";
import { mayBeEarlier } from "./identity.ts";
import { adviceAt, memberFacts, type MemberFact } from "./members.ts";
import type { Judgement } from "../../../model/finding.ts";

/**
 * A member that the response repeats equals the one that was sent (INT-09, INT-18, INT-25, INT-27). A counterparty that
 * existed before keeps its own data. The schema check judges types.
 */
export const echo: Check = (exchange, knowledge) => {
  if (!isSuccess(exchange) || mayBeEarlier(exchange, knowledge)) return [];
  return memberFacts
    .filter(({ operation }) => operation === exchange.operation)
    .flatMap((row) => judgeEcho(exchange, row, knowledge));
};

const judgeEcho = (
  exchange: Exchange,
  { requirement, at, repeats }: MemberFact,
  known: Knowledge,
): readonly Judgement[] => {
  const before = repeats === undefined ? undefined : memberOf(exchange.request.json, repeats);
  const after = memberOf(exchange.json, at.slice(1));
  if (before === undefined || after === undefined || typeOf(before) !== typeOf(after)) return [];
  const difference = differenceOf(before, after, at);
  if (difference === undefined) return [holds(requirement)];
  return [
    broken(requirement, {
      message: `${titleOf(exchange)}: ${difference.pointer} is not what was sent.`,
      expected: adviceAt(exchange, difference.pointer, known),
      actual: `${difference.pointer}${whereText(difference)} = ${shown(difference.after)}`,
      pointer: difference.pointer,
      cause: {
        expected: `${difference.pointer} as sent`,
        actual: difference.after === undefined ? "a body without it" : `another value: ${classOf(difference.after)}`,
      },
    }),
  ];
};

interface Difference {
  readonly pointer: string;
  readonly before: Json;
  readonly after: Json | undefined;
}

/** Where two long texts begin to differ. */
const whereText = ({ before, after }: Difference): string => {
  if (typeof before !== "string" || typeof after !== "string" || before.length <= longestShown) return "";
  let at = 0;
  while (before[at] === after[at]) at += 1;
  const one = (text: string): string => (at < text.length ? JSON.stringify(text[at]) : "nothing");
  return ` (from character ${at + 1} on: ${one(after)} in the place of ${one(before)})`;
};

/** Characters up to which a reader can compare two texts at a glance. */
const longestShown = 100;

/** The first difference inside a value that the response repeats. The response may add members. */
const differenceOf = (before: Json, after: Json, pointer: string): Difference | undefined => {
  if (isObject(before) && isObject(after)) {
    for (const [name, inner] of Object.entries(before)) {
      const other = memberOf(after, name);
      if (other === undefined) return { pointer: `${pointer}/${name}`, before: inner, after: other };
      if (typeOf(other) !== typeOf(inner)) continue;
      const found = differenceOf(inner, other, `${pointer}/${name}`);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  return before === after ? undefined : { pointer, before, after };
};

const typeOf = (value: Json): string => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

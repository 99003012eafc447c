import { operationTitle } from "../../../spec/operations.ts";
import { isObject, memberOf, type Json } from "../../../spec/json.ts";
import { longestWindow, windowOf, type Exchange } from "../../../model/exchange.ts";
import { requestText } from "../../../model/request.ts";
import type { Judgement } from "../../../model/mistake.ts";
import type { KnownIds } from "../known-ids.ts";
import type { ResponseSchemas } from "../response-schemas.ts";

/** What a rule knows besides the exchange that it judges. */
export interface RuleContext {
  readonly schemas: ResponseSchemas;
  readonly ids: KnownIds;
  /**
   * How long a new resource may be unknown to some nodes of the target, in milliseconds (the grace
   * period).
   */
  readonly grace: number;
}

/** A rule at work on the exchanges of one target. Its memory is bounded. */
interface RuleAtWork {
  /**
   * Takes note of an exchange. A run calls it just before the exchange is judged; a recording calls
   * it for all exchanges before any is judged.
   */
  readonly learn?: (exchange: Exchange) => void;
  /**
   * Judges an exchange. If several exchanges show a violation together, the latest is blamed. Says
   * that a requirement holds only if the exchange could also have broken it.
   */
  readonly judge: (exchange: Exchange) => readonly Judgement[];
}

/**
 * A rule judges one aspect of exchanges, each alone or several in sequence, no matter whether they
 * come from a run or a recording.
 */
export interface Rule {
  /**
   * The rule needs to know when requests were sent and how long they took. A recording may lack
   * that.
   */
  readonly needsTimes?: true;
  /**
   * Which exchanges the rule judges. `every`: all. `unexempt`: all that no interpretation exempts
   * (`Exchange.exemptBy`). `unbroken`: those of `unexempt` whose request breaks no rule, because
   * the specification states little about the responses to other requests (INT-12).
   *
   * @defaultValue "unbroken"
   */
  readonly judges?: "every" | "unexempt" | "unbroken";
  readonly create: (known: RuleContext) => RuleAtWork;
}

/**
 * The operation and what was unusual about the request, as the title of a finding. Exchanges with
 * different titles have separate findings.
 */
export function titleOf({ operation, intent }: Exchange): string {
  return intent.kind === "valid"
    ? operationTitle(operation)
    : `${operationTitle(operation)}, for ${requestText(intent)}`;
}

/**
 * A JSON value as text for people. The length of the text is bounded here. It is cut to one line
 * only after redaction, which does not find a part of a secret.
 */
export function shown(value: Json | undefined): string {
  if (value === undefined) return "absent";
  try {
    return windowOf(beginningOf(value, longestWindow));
  } catch {
    // Shows only the brackets, because the value may be nested deeper than the stack allows.
    return Array.isArray(value) ? "[…]" : "{…}";
  }
}

/** The text of a JSON value, or a beginning of it that has at least `room` characters. */
function beginningOf(value: Json, room: number): string {
  if (typeof value === "string") return JSON.stringify(windowOf(value));
  if (Array.isArray(value)) {
    let text = "[";
    for (const one of value as readonly Json[]) {
      if (text.length > room) return text;
      text += `${text === "[" ? "" : ","}${beginningOf(one, room - text.length)}`;
    }
    return `${text}]`;
  }
  if (!isObject(value)) return JSON.stringify(value);
  let text = "{";
  for (const name in value) {
    if (text.length > room) return text;
    const one = memberOf(value, name);
    if (one === undefined) continue;
    text += `${text === "{" ? "" : ","}${JSON.stringify(windowOf(name))}:${beginningOf(one, room - text.length)}`;
  }
  return `${text}}`;
}

/**
 * Where two texts begin to differ, in words that follow a place. Empty if that can be seen at a
 * glance. A character that may look like another, or like none, is given by its code point.
 */
export function apartText(before: Json | undefined, after: Json | undefined): string {
  if (typeof before !== "string" || typeof after !== "string" || before === after) return "";
  let at = 0;
  while (before[at] === after[at]) at += 1;
  if (at > 0 && /[\udc00-\udfff]/.test(`${before.charAt(at)}${after.charAt(at)}`)) at -= 1;
  const [sent = [], found = []] = [before, after].map((text) => charactersAt(text, at));
  const isSeen = [...sent, ...found].every((one) => one !== " " && isPlain(one));
  if (before.length <= longestSeen && isSeen) return "";
  return ` (from character ${at + 1} on: ${named(found)} in the place of ${named(sent)})`;
}

/** The character at a place of a text, and the marks that stand above or below it. */
function charactersAt(text: string, at: number): readonly string[] {
  return [...(/^.\p{M}*/su.exec(text.slice(at, at + mostMarks))?.[0] ?? "")];
}

const mostMarks = 8;

/** Two texts of up to this length can be compared at a glance. */
const longestSeen = 100;

const isPlain = (character: string): boolean => /^[ -~]$/.test(character);

function named(characters: readonly string[]): string {
  const names = characters.map((one) =>
    isPlain(one)
      ? JSON.stringify(one)
      : `U+${one.codePointAt(0)?.toString(16).toUpperCase().padStart(4, "0")}`,
  );
  return names.length === 0 ? "nothing" : names.join(" ");
}

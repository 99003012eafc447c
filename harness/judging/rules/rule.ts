import type { RequirementId } from "../../../spec/catalogue.ts";
import { operationTitle } from "../../../spec/operations.ts";
import { isObject, memberOf } from "../../../spec/json.ts";
import { longestWindow, windowOf } from "../../../model/exchange.ts";
import { requestText } from "../../../model/request.ts";
import type { Exchange } from "../../../model/exchange.ts";
import type { Json } from "../../../spec/json.ts";
import type { Judgement, Unmet } from "../../../model/judgement.ts";
import type { Identities } from "../identities.ts";
import type { ResponseSchemas } from "../response-schemas.ts";

/** What a rule judges an exchange with, beside the exchange. */
export interface RuleContext {
  readonly schemas: ResponseSchemas;
  readonly identities: Identities;
  /** Milliseconds within which what was created has to be known everywhere. */
  readonly grace: number;
}

export type Check = (exchange: Exchange, known: RuleContext) => readonly Judgement[];

/** A rule at work on the exchanges of one target. What it remembers is bounded. */
export interface RuleAtWork {
  /**
   * Takes note of an exchange: a run just before it is judged, a recording of all before the first
   * is judged.
   */
  readonly learn?: (exchange: Exchange) => void;
  /**
   * Blames the latest of the exchanges that show a violation. A requirement holds only where it
   * could have failed.
   */
  readonly judge: (exchange: Exchange) => readonly Judgement[];
  /** For requirements that it never judged: which precondition was missing. */
  readonly unmet?: () => readonly Unmet[];
}

/** One thing that exchanges show, each alone or in sequence, wherever they come from. */
export interface Rule {
  /** The requirements that it decides. No other rule decides them. */
  readonly decides: readonly RequirementId[];
  /**
   * It needs to know when requests were sent and how long they took, which a recording may lack.
   */
  readonly needsTimes?: true;
  /**
   * The exchanges that it judges. `every`: all. `unexempt`: all that no interpretation exempts
   * (`Exchange.exemptBy`). `unbroken`: of these, the exchanges whose request breaks no rule,
   * because little is stated about the responses to other requests (INT-12).
   *
   * @defaultValue "unbroken"
   */
  readonly judges?: "every" | "unexempt" | "unbroken";
  readonly create: (known: RuleContext) => RuleAtWork;
}

/**
 * Where a finding was made, with what was unusual about the request: other requests give other
 * findings.
 */
export function titleOf({ operation, intent }: Exchange): string {
  return intent.kind === "valid"
    ? operationTitle(operation)
    : `${operationTitle(operation)}, for ${requestText(intent)}`;
}

/**
 * A JSON value for a person. Its size is bounded here; it is cut to a line only after redaction.
 */
export function shown(value: Json | undefined): string {
  if (value === undefined) return "absent";
  try {
    return windowOf(beginningOf(value, longestWindow));
  } catch {
    // A value can be nested deeper than the stack.
    return Array.isArray(value) ? "[…]" : "{…}";
  }
}

/** The text of a JSON value, or its beginning: at least as many characters as `room`. */
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

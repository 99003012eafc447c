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

/** What a rule knows besides the exchange that it judges. */
export interface RuleContext {
  readonly schemas: ResponseSchemas;
  readonly identities: Identities;
  /** The grace period in milliseconds: after it, a new resource must be known everywhere. */
  readonly grace: number;
}

export type Check = (exchange: Exchange, known: RuleContext) => readonly Judgement[];

/** A rule at work on the exchanges of one target. Its memory is bounded. */
export interface RuleAtWork {
  /**
   * Takes note of an exchange. In a run, just before the exchange is judged; in a recording, before
   * any exchange is judged.
   */
  readonly learn?: (exchange: Exchange) => void;
  /**
   * Judges an exchange. If several exchanges show a violation together, the latest is blamed. A
   * requirement holds only where it could have failed.
   */
  readonly judge: (exchange: Exchange) => readonly Judgement[];
  /** For requirements that the rule never judged: which precondition was missing. */
  readonly unmet?: () => readonly Unmet[];
}

/**
 * A rule judges one aspect of exchanges, each alone or several in sequence, wherever they come
 * from.
 */
export interface Rule {
  /** The requirements that the rule decides. No other rule decides them. */
  readonly decides: readonly RequirementId[];
  /**
   * The rule needs to know when requests were sent and how long they took. A recording may lack
   * that.
   */
  readonly needsTimes?: true;
  /**
   * Which exchanges the rule judges. `every`: all. `unexempt`: all that no interpretation exempts
   * (`Exchange.exemptBy`). `unbroken`: of the latter, those whose request breaks no rule, because
   * little is stated about the responses to other requests (INT-12).
   *
   * @defaultValue "unbroken"
   */
  readonly judges?: "every" | "unexempt" | "unbroken";
  readonly create: (known: RuleContext) => RuleAtWork;
}

/**
 * The operation and what was unusual about the request, as the title of a finding. Requests with
 * another title give other findings.
 */
export function titleOf({ operation, intent }: Exchange): string {
  return intent.kind === "valid"
    ? operationTitle(operation)
    : `${operationTitle(operation)}, for ${requestText(intent)}`;
}

/**
 * A JSON value as text for people. The text is bounded here, but cut to one line only after
 * redaction.
 */
export function shown(value: Json | undefined): string {
  if (value === undefined) return "absent";
  try {
    return windowOf(beginningOf(value, longestWindow));
  } catch {
    // Only its brackets, as a value can be nested deeper than the stack allows.
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

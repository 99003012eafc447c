import { defined } from "../../model/defined.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import { isRefusal, type Exchange, type Origin, type SentRequest } from "../../model/exchange.ts";
import type { CauseClass } from "../../model/run.ts";
import type { FoundViolation, Violation } from "../../model/finding.ts";
import { bounds, cutTo } from "./bounds.ts";
import { toCurl, type CurlTrust } from "./curl.ts";

/** What shows a violation. */
export interface Proof {
  readonly exchange?: Exchange;
  /** If there is no exchange. */
  readonly operation?: OperationName;
  readonly request?: SentRequest;
  /** How often the fault was seen, such as `2 of 3`. */
  readonly repeated?: string;
  /**
   * The smallest request that shows the fault, found by shrinking. Replaces the first finding with the same message.
   */
  readonly smallest?: true;
  /** Whether another exchange of the same request shows the fault too. Absent: the standing checks decide. */
  readonly again?: (exchange: Exchange) => boolean;
}

/** A finding whose request can be sent again to see how often the fault shows. */
export interface RepeatableFinding {
  readonly key: string;
  readonly requirement: RequirementId;
  readonly exchange: Exchange;
  readonly origin: Origin;
  readonly again?: (exchange: Exchange) => boolean;
}

/** The violations of a run, a few for each cause. */
export interface Findings {
  /** The finding to report; undefined if it is known already, or if there are enough findings of its kind. */
  readonly add: (
    requirement: RequirementId,
    origin: Origin,
    violation: Violation & Proof,
  ) => FoundViolation | undefined;
  /** How often each finding was seen, by its key. */
  readonly occurrences: () => Readonly<Record<string, number>>;
  readonly repeatable: () => readonly RepeatableFinding[];
}

/** `line` redacts a text, `redact` all that goes into a curl command. */
export const createFindings = (redact: (text: string) => string, trust: CurlTrust): Findings => {
  const line = (text: string): string => cutTo(redact(text), bounds.text);
  const occurrences = new Map<string, number>();
  const kept = new Set<string>();
  /** Findings by requirement, by requirement and operation, and by cause. */
  const counts = new Map<string, number>();
  const repeatable = new Map<string, RepeatableFinding>();

  /** Whether there is room for another finding of the requirement and of this cause. If so, counts it. */
  const hasRoom = (requirement: RequirementId, operation: string, cause: string): boolean => {
    const [own, ofOperation] = [`${requirement} ${operation} ${cause}`, `${requirement} ${operation}`];
    const count = (key: string): number => counts.get(key) ?? 0;
    const isFirst = count(own) === 0;
    if (count(own) >= bounds.findingsOfCause || count(isFirst ? ofOperation : requirement) >= bounds.findings)
      return false;
    for (const key of [requirement, ofOperation, own]) counts.set(key, count(key) + 1);
    return true;
  };

  return {
    add: (requirement, origin, violation) => {
      const { exchange, again, pointer, repeated } = violation;
      const cause = violation.cause && { ...violation.cause, ...defined({ input: exchange && inputOf(exchange) }) };
      const operation = exchange?.operation ?? violation.operation;
      const key = `${requirement} ${operation ?? ""} ${violation.message}`;
      const before = occurrences.get(key) ?? 0;
      occurrences.set(key, before + 1);
      const isKnown = before > 0;
      if (isKnown && (violation.smallest === undefined || !kept.has(key))) return undefined;
      if (!isKnown && !hasRoom(requirement, operation ?? "", cause === undefined ? key : causeKey(cause)))
        return undefined;
      kept.add(key);
      if (exchange !== undefined) {
        repeatable.set(key, { key, requirement, exchange, origin, ...defined({ again }) });
      }
      const request = exchange?.request ?? violation.request;
      return {
        key,
        requirement,
        message: line(violation.message),
        expected: line(violation.expected),
        actual: `${line(violation.actual)}${violation.quote === undefined ? "" : `, ${cutTo(redact(violation.quote), bounds.quote)}`}`,
        scenario: origin.id,
        curl: request === undefined ? "" : toCurl(request, redact, trust),
        ...defined({
          cause: cause && { ...cause, expected: line(cause.expected), actual: line(cause.actual) },
          pointer: pointer === undefined ? undefined : line(pointer),
          exchange: exchange?.id,
          operation,
          intent: exchange?.intent.kind,
          repeated,
        }),
      };
    },
    occurrences: () => Object.fromEntries(occurrences),
    repeatable: () => [...repeatable.values()],
  };
};

const causeKey = ({ expected, actual, input }: CauseClass): string => JSON.stringify([expected, actual, input]);

/**
 * What is wrong with a request that was not refused. A refusal with a wrong status is the same mistake for every request.
 */
const inputOf = (exchange: Exchange): string | undefined =>
  exchange.intent.kind === "invalid" && !isRefusal(exchange) ? exchange.intent.input : undefined;

import { defined } from "../../model/defined.ts";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import { isRefusal, type Exchange, type Origin, type SentRequest } from "../../model/exchange.ts";
import type { CauseClass } from "../../model/run.ts";
import type { FoundViolation } from "../../model/evidence.ts";
import type { Violation } from "../../model/finding.ts";
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

/** The violations of a run. The texts of a few for each cause are made, once. */
export interface Findings {
  /** The key of a violation whose texts were made, and the texts if they are new. Neither: there are enough of its kind. */
  readonly add: (
    requirement: RequirementId,
    origin: Origin,
    violation: Violation & Proof,
  ) => { readonly key?: string; readonly finding?: FoundViolation };
  readonly repeatable: () => readonly RepeatableFinding[];
}

/** `redact` is applied to all texts. */
export const createFindings = (redact: (text: string) => string, trust: CurlTrust): Findings => {
  const known = new Set<string>();
  const repeatable = new Map<string, RepeatableFinding>();
  const hasRoom = createRoom();
  return {
    add: (requirement, origin, violation) => {
      const { exchange, again } = violation;
      const operation = exchange?.operation ?? violation.operation;
      const cause = violation.cause && { ...violation.cause, ...defined({ input: exchange && inputOf(exchange) }) };
      const key = `${requirement} ${operation ?? ""} ${violation.message.slice(0, bounds.text)}`;
      if (known.has(key)) {
        if (violation.smallest === undefined) return { key };
      } else {
        if (!hasRoom(requirement, operation ?? "", cause === undefined ? key : causeKey(cause))) return {};
        known.add(key);
      }
      if (exchange !== undefined) repeatable.set(key, { key, requirement, exchange, origin, ...defined({ again }) });
      return {
        key,
        finding: foundViolation({ ...violation, ...defined({ cause, operation }) }, origin, redact, trust),
      };
    },
    repeatable: () => [...repeatable.values()],
  };
};

/** Whether there is room for another finding of a requirement and of a cause. If so, counts it. */
const createRoom = (): ((requirement: RequirementId, operation: string, cause: string) => boolean) => {
  /** Findings by requirement, by requirement and operation, and by cause. */
  const counts = new Map<string, number>();
  const count = (key: string): number => counts.get(key) ?? 0;
  return (requirement, operation, cause) => {
    const [own, ofOperation] = [`${requirement} ${operation} ${cause}`, `${requirement} ${operation}`];
    const isFirst = count(own) === 0;
    if (count(own) >= bounds.findingsOfCause || count(isFirst ? ofOperation : requirement) >= bounds.findings)
      return false;
    for (const key of [requirement, ofOperation, own]) counts.set(key, count(key) + 1);
    return true;
  };
};

const foundViolation = (
  violation: Violation & Proof,
  origin: Origin,
  redact: (text: string) => string,
  trust: CurlTrust,
): FoundViolation => {
  const { exchange, operation, cause, pointer, repeated } = violation;
  const line = (text: string): string => cutTo(redact(text), bounds.text);
  const request = exchange?.request ?? violation.request;
  return {
    message: line(violation.message),
    expected: line(violation.expected),
    actual: line(violation.actual),
    curl: request === undefined ? "" : toCurl(request, redact, trust),
    ...defined({
      pointer: pointer === undefined ? undefined : line(pointer),
      exchange: exchange?.id,
      operation,
      intent: exchange?.intent.kind,
      cause: cause && { ...cause, expected: line(cause.expected), actual: line(cause.actual) },
    }),
    scenario: origin.id,
    ...defined({ repeated }),
  };
};

const causeKey = ({ expected, actual, input }: CauseClass): string => JSON.stringify([expected, actual, input]);

/**
 * What is wrong with a request that was not refused. A refusal with a wrong status is the same mistake for every request.
 */
const inputOf = (exchange: Exchange): string | undefined =>
  exchange.intent.kind === "invalid" && !isRefusal(exchange) ? exchange.intent.input : undefined;

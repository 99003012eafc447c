import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import { inputKinds } from "../../spec/refusals.ts";
import { bounds } from "../bounds.ts";
import type { Exchange, Origin, SentRequest } from "../exchange.ts";
import { intentText, type Intent } from "../request.ts";
import type { Violation } from "../judgement.ts";
import { mistakeKey, sentAlone } from "../mistake.ts";
import type { Mistake, Finding } from "../run.ts";
import { toCurl, type CurlTrust } from "./curl.ts";
import { cutTo, mostKept } from "../kept.ts";

/** The evidence of a violation. */
export interface Proof {
  readonly exchange?: Exchange;
  /** The operation, if no exchange shows the violation. */
  readonly operation?: OperationName;
  readonly request?: SentRequest;
  readonly intent?: Intent;
  /** How often the violation showed, such as `2 of 3`. */
  readonly repeated?: string;
  /**
   * Shrinking found this request: its finding replaces the earlier finding with the same message,
   * even if the request is no simpler.
   */
  readonly smallest?: true;
  /**
   * Says whether a further exchange with the same request shows the violation too. Absent if the
   * rules, which judge every exchange, can say it.
   */
  readonly again?: (exchange: Exchange) => boolean;
}

/** A finding whose request can be sent again, to see how often the violation shows. */
export interface RepeatableFinding {
  readonly key: string;
  readonly requirement: RequirementId;
  readonly exchange: Exchange;
  readonly origin: Origin;
  readonly again?: (exchange: Exchange) => boolean;
}

/** What came of sending the request of a finding again. */
export interface Repetition {
  /** How often the violation showed, such as `2 of 3`. */
  readonly text: string;
  /**
   * The status of the last response to the request when it was sent alone. Present only if the
   * request crashed the server before, and never when it was sent alone.
   */
  readonly alone?: number;
}

interface FindingTexts {
  readonly redact: (text: string) => string;
  readonly trust: CurlTrust;
  readonly replayCommand: string;
}

interface KnownFinding {
  readonly finding: Finding;
  /** How simple the request of the finding is: less is simpler. */
  readonly weight: number;
  readonly repetition?: Repetition;
}

/**
 * What became of a violation. `finding` is absent if the violation is known already, with a request
 * that is as simple, or if no more findings may be kept.
 */
interface AddedFinding {
  readonly key?: string;
  readonly finding?: Finding;
  /**
   * The key of the mistake that the violation belongs to. Absent if no exchange shows the
   * violation.
   */
  readonly mistake?: string;
}

/**
 * Collects the findings of a run. Violations with the same message become one finding, with the
 * simplest request that showed it.
 */
export function createFindings(texts: FindingTexts) {
  const known = new Map<string, KnownFinding>();
  const repeatable = new Map<string, RepeatableFinding>();
  /**
   * The keys of findings by the text of `requestKeyOf`: a further request with the same body that
   * shows the same violation makes no further finding.
   */
  const ofRequest = new Map<string, string>();
  const hasRoom = createRoom();
  return {
    /**
     * Adds a violation. Returns its key, and the finding if it is new or has a simpler request than
     * before. Returns neither if no more findings may be kept (`mostKept`).
     */
    add: (
      requirement: RequirementId,
      origin: Origin,
      violation: Violation & Proof,
    ): AddedFinding => {
      const { exchange, again } = violation;
      const operation = exchange?.operation ?? violation.operation;
      const key = `${requirement} ${operation ?? ""} ${violation.message.slice(0, mostKept.text)}`;
      const named = { ...violation, operation, mistake: bounded(violation.mistake, texts.redact) };
      const name = mistakeKey(named.mistake);
      const mistake = exchange === undefined ? undefined : name;
      const before = known.get(key);
      const sameRequest = exchange && requestKeyOf(exchange, requirement, violation);
      if (before === undefined && sameRequest !== undefined) {
        const twin = ofRequest.get(sameRequest);
        if (twin !== undefined) return { key: twin, mistake };
      }
      const weight = weightOf(exchange) - (violation.smallest === undefined ? 0 : 1);
      if (before === undefined) {
        if (!hasRoom(requirement, operation ?? "", name)) return { mistake };
      } else if (weight >= before.weight) return { key, mistake };
      // A large body would stay in memory until the run ends.
      if (exchange !== undefined && exchange.response.body.length < bounds.largeBody)
        repeatable.set(key, { key, requirement, exchange, origin, again });
      const finding = findingOf(requirement, named, origin, texts);
      const repetition = before?.repetition;
      known.set(key, { finding, weight, repetition });
      if (sameRequest !== undefined) ofRequest.set(sameRequest, key);
      return {
        key,
        mistake,
        finding: repetition === undefined ? finding : withRepetition(finding, repetition),
      };
    },
    repeatable: () => [...repeatable.values()],
    /**
     * Adds to a finding what its repetition showed, and returns the finding. Undefined if no
     * finding has the key.
     */
    repeat: (key: string, repetition: Repetition): Finding | undefined => {
      const own = known.get(key);
      if (own === undefined) return undefined;
      known.set(key, { ...own, repetition });
      return withRepetition(own.finding, repetition);
    },
  };
}

/** The finding with what its repetition showed. */
function withRepetition(finding: Finding, { text, alone }: Repetition): Finding {
  const { actual } = finding;
  return {
    ...finding,
    repeated: text,
    ...(alone !== undefined && { actual: `${actual}${sentAlone}${alone}` }),
  };
}

/**
 * The weight of a request, which is less for a simpler one. A valid request weighs less than an
 * unusual one, an unusual one less than an invalid one, and of equal kinds the shorter one less.
 */
function weightOf(exchange: Exchange | undefined): number {
  if (exchange === undefined) return 0;
  const { url, body, headers } = exchange.request;
  return (
    url.length +
    (body?.length ?? 0) +
    headers.join().length +
    1e8 * intents.indexOf(exchange.intent.kind)
  );
}

const intents: readonly Exchange["intent"]["kind"][] = ["valid", "unusual", "invalid"];

/**
 * A text that is equal for invalid requests with the same body that break a requirement in the same
 * way, whatever their query is. Undefined for other requests, and for requests about credentials.
 */
function requestKeyOf(
  { operation, intent, request: { body, method } }: Exchange,
  requirement: RequirementId,
  { expected, actual }: Violation,
): string | undefined {
  if (intent.kind !== "invalid" || intent.input === inputKinds.credentials) return undefined;
  if (body === undefined || body.length > mostKept.body) return undefined;
  const text = Buffer.from(body).toString("latin1");
  return JSON.stringify([requirement, operation, method, expected, actual, text]);
}

/**
 * Makes a function that says whether another finding of a requirement and a cause may be kept, and
 * counts it if so.
 */
function createRoom(): (requirement: RequirementId, operation: string, cause: string) => boolean {
  /** Numbers of findings: by requirement, by requirement and operation, and by cause. */
  const counts = new Map<string, number>();
  const count = (key: string): number => counts.get(key) ?? 0;
  return (requirement, operation, cause) => {
    const own = `${requirement} ${operation} ${cause}`;
    const ofOperation = `${requirement} ${operation}`;
    const isFirst = count(own) === 0;
    if (
      count(own) >= mostKept.findingsOfCause ||
      count(isFirst ? ofOperation : requirement) >= mostKept.findings
    )
      return false;
    for (const key of [requirement, ofOperation, own]) counts.set(key, count(key) + 1);
    return true;
  };
}

/** A violation in the form of a report's finding. */
function findingOf(
  requirement: RequirementId,
  violation: Violation & Proof,
  origin: Origin,
  { redact, trust, replayCommand }: FindingTexts,
): Finding {
  const { exchange, operation, intent, mistake, pointer, repeated } = violation;
  const line = (text: string): string => cutTo(redact(text), mostKept.text);
  const request = exchange?.request ?? violation.request;
  return {
    message: line(violation.message),
    expected: line(violation.expected),
    actual: line(violation.actual),
    replay: replayOf(replayCommand, requirement),
    curl: request === undefined ? "" : toCurl(request, redact, trust),
    occurrences: 1,
    pointer: pointer === undefined ? undefined : line(pointer),
    exchange: exchange?.id,
    operation,
    intent: (exchange ?? violation).intent?.kind,
    sent: exchange === undefined && intent !== undefined ? line(intentText(intent)) : undefined,
    mistake,
    scenario: origin.id,
    repeated,
  };
}

/** The command that judges a single requirement again. */
export function replayOf(replayCommand: string, requirement: RequirementId): string {
  return `${replayCommand} --only ${requirement}`;
}

function bounded(mistake: Mistake, redact: (text: string) => string): Mistake {
  const short = (text: string): string => cutTo(redact(text), mostKept.answer);
  const { of, expected, actual } = mistake;
  return { ...mistake, of: short(of), expected: short(expected), actual: short(actual) };
}

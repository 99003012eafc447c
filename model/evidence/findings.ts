import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import { bounds, cutTo, mostKept } from "../bounds.ts";
import type { Exchange, Origin, SentRequest } from "../exchange.ts";
import { intentText, type Intent } from "../request.ts";
import { type Violation, mistakeKey, sentAlone } from "../mistake.ts";
import type { Mistake, Finding } from "../run.ts";
import { toCurl, type CurlTrust } from "./curl.ts";

/** Replaces the secrets in a text. */
type Redact = (text: string) => string;

/** The evidence of a violation. */
export interface Proof {
  readonly exchange?: Exchange;
  /** The operation, if no exchange shows the violation. */
  readonly operation?: OperationName;
  readonly request?: SentRequest;
  readonly intent?: Intent;
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
  readonly redact: Redact;
  readonly trust?: CurlTrust;
  readonly replayCommand: string;
}

interface KnownFinding {
  readonly requirement: RequirementId;
  readonly finding: Finding;
  /** How many violations it stands for. */
  readonly occurrences: number;
  /** How simple the request of the finding is: less is simpler. */
  readonly weight: number;
  readonly repetition?: Repetition;
}

/** What became of a violation. */
interface AddedFinding {
  /** The violation is the example of its finding: the first, or one with a simpler request. */
  readonly isExample: boolean;
  /** The mistake, redacted and bounded. Absent if no exchange shows the violation. */
  readonly mistake?: Mistake | undefined;
}

/**
 * Collects the findings of a run. Violations with the same message become one finding, with the
 * simplest request that showed it.
 */
export function createFindings(texts: FindingTexts) {
  const known = new Map<string, KnownFinding>();
  const repeatable = new Map<string, RepeatableFinding>();
  const hasRoom = createRoom();
  return {
    /** Adds a violation, unless no more findings may be kept (`mostKept`). */
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
      const mistake = exchange === undefined ? undefined : named.mistake;
      const before = known.get(key);
      const weight = weightOf(exchange) - (violation.smallest === undefined ? 0 : 1);
      if (before !== undefined && weight >= before.weight) {
        known.set(key, { ...before, occurrences: before.occurrences + 1 });
        return { isExample: false, mistake };
      }
      if (before === undefined && !hasRoom(requirement, operation ?? "", name))
        return { isExample: false, mistake };
      // A large body would stay in memory until the run ends.
      if (exchange !== undefined && exchange.response.body.length < bounds.largeBody)
        repeatable.set(key, { key, requirement, exchange, origin, again });
      known.set(key, {
        requirement,
        finding: findingOf(requirement, named, origin, texts),
        weight,
        occurrences: (before?.occurrences ?? 0) + 1,
        repetition: before?.repetition,
      });
      return { isExample: true, mistake };
    },
    /** Adds a finding as it is, once for each key. */
    addMade: (key: string, requirement: RequirementId, finding: Finding): void => {
      const occurrences = (known.get(key)?.occurrences ?? 0) + 1;
      known.set(key, { requirement, finding, weight: 0, occurrences });
    },
    /** The findings of a requirement so far. */
    of: (requirement: RequirementId): readonly Finding[] =>
      [...known.values()].filter((one) => one.requirement === requirement).map(shownFinding),
    failing: (): ReadonlySet<RequirementId> =>
      new Set([...known.values()].map(({ requirement }) => requirement)),
    repeatable: () => [...repeatable.values()],
    /** Adds to a finding what its repetition showed. */
    repeat: (key: string, repetition: Repetition): void => {
      const own = known.get(key);
      if (own !== undefined) known.set(key, { ...own, repetition });
    },
  };
}

/** The finding as it stands, with what its repetition showed. */
function shownFinding({ finding, occurrences, repetition }: KnownFinding): Finding {
  const { text: repeated, alone } = repetition ?? {};
  const { actual } = finding;
  return {
    ...finding,
    occurrences,
    ...(repeated !== undefined && { repeated }),
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
  const { exchange, firstShown, operation, intent, mistake, pointer } = violation;
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
    shownFirst: firstShown && {
      exchange: firstShown.exchange.id,
      pointer: line(firstShown.pointer),
    },
    operation,
    intent: (exchange ?? violation).intent?.kind,
    sent: exchange === undefined && intent !== undefined ? line(intentText(intent)) : undefined,
    mistake,
    scenario: origin.id,
  };
}

/** The command that judges a single requirement again. */
export function replayOf(replayCommand: string, requirement: RequirementId): string {
  return `${replayCommand} --only ${requirement}`;
}

function bounded(mistake: Mistake, redact: Redact): Mistake {
  const short = (text: string): string => cutTo(redact(text), mostKept.answer);
  const { of, expected, actual } = mistake;
  return { ...mistake, of: short(of), expected: short(expected), actual: short(actual) };
}

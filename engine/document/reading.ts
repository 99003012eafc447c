import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import { lineText, type Place } from "./place.ts";

/** What a document shows of a requirement. */
export type Reading = Held | Contradiction | Unjudged | Note;

interface Held {
  readonly kind: "held";
  readonly requirement: RequirementId;
}

/** A place that contradicts the specification, in the words of the document. */
export interface Contradiction {
  readonly kind: "contradiction";
  readonly requirement: RequirementId;
  readonly at: Place;
  /** What stands there: `type is number`. */
  readonly actual: string;
  /** What has to stand there: `must be string`. */
  readonly expected: string;
  /** The document only says less than a server does: a SHOULD at most (INT-58). */
  readonly isLess: boolean;
  /** Other places with the same words have the same cause. */
  readonly isOneCause?: true;
}

/** What the document says could not be read. */
interface Unjudged {
  readonly kind: "unjudged";
  readonly requirement: RequirementId;
  readonly reason: string;
}

/** What is not compared, and where it stands. */
export interface Note {
  readonly kind: "note";
  readonly text: string;
  readonly where: string;
}

export const held = (requirement: RequirementId): Held => ({ kind: "held", requirement });

/** A finding: what stands at a place, and what has to stand there. */
export function contradicts(
  requirement: RequirementId,
  at: Place,
  actual: string,
  expected: string,
  more: { readonly isLess?: boolean; readonly isOneCause?: true } = {},
): Contradiction {
  return {
    kind: "contradiction",
    requirement,
    at,
    actual,
    expected,
    isLess: false,
    ...more,
  };
}

export function unjudged(requirement: RequirementId, reason: string): Unjudged {
  return {
    kind: "unjudged",
    requirement,
    reason,
  };
}

export const noted = (text: string, where: string): Note => ({ kind: "note", text, where });

/** Something that clients must send, where the specification leaves open what else may be sent. */
export function openAt(at: Place, what: string): Note {
  return noted(
    "Required, and the specification leaves open whether a server may",
    `${what} (${lineText(at)})`,
  );
}

/** A reading with the operation that it is about. */
export interface OperationReading {
  readonly operation: OperationName;
  readonly reading: Reading;
}

/** A value of the document as JSON, cut to a bounded number of characters. */
export function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "absent";
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** `a, b or c`. */
export function alternatives(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

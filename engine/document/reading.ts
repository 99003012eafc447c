import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { Place } from "./place.ts";

/** What one place of a document shows of a requirement. */
export type RequirementReading = Held | Contradiction | Note;

interface Held {
  readonly kind: "held";
  readonly requirement: RequirementId;
}

/** A place that contradicts the specification, in the words of the document. */
export interface Contradiction {
  readonly kind: "contradiction";
  readonly requirement: RequirementId;
  readonly at: Place;
  /** What stands in the document: `type is number`. */
  readonly actual: string;
  /** What has to stand there: `must be string`. */
  readonly expected: string;
  /**
   * The document only says less than a server must do. This counts as a SHOULD at most (INT-58).
   */
  readonly isLess: boolean;
  /** Findings with the same words at other places have the same cause. */
  readonly isOneCause?: true;
  /** The strategy by which a member has another name than stated, such as camelCase. */
  readonly naming?: string | undefined;
}

/** Something that is not compared, and the place where it stands. */
export interface Note {
  readonly kind: "note";
  readonly text: string;
  readonly where: string;
}

export const held = (requirement: RequirementId): Held => ({ kind: "held", requirement });

/** Makes a contradiction: `actual` stands at a place, and `expected` has to stand there. */
export function contradicts(
  requirement: RequirementId,
  at: Place,
  actual: string,
  expected: string,
  more: Partial<Pick<Contradiction, "isLess" | "isOneCause" | "naming">> = {},
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

export const noted = (text: string, where: string): Note => ({ kind: "note", text, where });

/** A reading, with the operation that it is about. */
export interface OperationReading {
  readonly operation: OperationName;
  readonly reading: RequirementReading;
}

/** A value of the document as JSON, cut to 80 characters. */
export function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? "absent";
  return text.length > 80 ? `${text.slice(0, 79)}…` : text;
}

/** Words as alternatives: `a, b or c`. */
export function alternativesText(words: readonly string[]): string {
  return words.length < 2 ? words.join("") : `${words.slice(0, -1).join(", ")} or ${words.at(-1)}`;
}

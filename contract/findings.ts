import type { RequirementId } from "../spec/catalogue.ts";

/** A place where a document contradicts a requirement. */
export interface Contradiction {
  readonly requirement: RequirementId;
  /** What is wrong, after the name of the operation. */
  readonly what: string;
  readonly expected: string;
  readonly actual: string;
  /** JSON pointer into the body of the sample. */
  readonly pointer?: string;
  /** The document only says less than a server does: a SHOULD at most, whatever the level of the requirement (INT-37). */
  readonly isLess?: boolean;
}

/** What a document shows of an operation. */
export interface Findings {
  readonly contradicts: (contradiction: Contradiction) => void;
  readonly holds: (requirement: RequirementId) => void;
  /** Notes what is not judged. `kind` begins a sentence, and `place` is a part of its list. */
  readonly note: (kind: "Not compared" | "Not described" | "Not required in responses", place: string) => void;
}

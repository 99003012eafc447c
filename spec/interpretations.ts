import type { QuestionId } from "./questions.ts";
import type { Section } from "./sections.ts";

/**
 * How a contested point of the specification is read, and why. Reports show it to readers who doubt
 * a verdict.
 */
export interface Interpretation {
  readonly source: Section;
  readonly title: string;
  /**
   * The strictest level of the requirements that rest on this interpretation. `open`: the server is
   * only observed. `suite`: the interpretation is about what fxconform sends or reports.
   */
  readonly level: "MUST" | "SHOULD" | "open" | "suite";
  /** What is expected of the server or, at level `suite`, of fxconform. */
  readonly reading: string;
  /** What a server may do without being blamed. */
  readonly neverBlamed: string;
  readonly why: string;
  /** The open questions under which reports show what this interpretation leaves open. */
  readonly questions?: readonly QuestionId[];
}

/** Every interpretation by its permanent id, as code cites it. `interpretations.md` has the texts. */
export const interpretationIds = [
  "INT-01",
  "INT-02",
  "INT-03",
  "INT-04",
  "INT-05",
  "INT-06",
  "INT-07",
  "INT-08",
  "INT-09",
  "INT-10",
  "INT-11",
  "INT-12",
  "INT-13",
  "INT-14",
  "INT-15",
  "INT-16",
  "INT-17",
  "INT-18",
  "INT-19",
  "INT-20",
  "INT-21",
  "INT-22",
  "INT-23",
  "INT-24",
  "INT-25",
  "INT-26",
  "INT-27",
  "INT-28",
  "INT-29",
  "INT-30",
  "INT-31",
  "INT-32",
  "INT-33",
  "INT-34",
  "INT-35",
  "INT-36",
  "INT-37",
  "INT-38",
  "INT-39",
  "INT-40",
  "INT-41",
  "INT-42",
  "INT-43",
  "INT-44",
  "INT-45",
  "INT-46",
  "INT-47",
  "INT-48",
  "INT-49",
  "INT-50",
  "INT-51",
  "INT-52",
  "INT-53",
  "INT-54",
  "INT-55",
  "INT-56",
  "INT-57",
  "INT-58",
  "INT-59",
  "INT-60",
  "INT-61",
  "INT-62",
  "INT-66",
  "INT-67",
  "INT-68",
] as const;
export type InterpretationId = (typeof interpretationIds)[number];
export function isInterpretationId(id: string): id is InterpretationId {
  return interpretationIds.some((one) => one === id);
}

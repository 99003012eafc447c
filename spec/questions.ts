import type { Section } from "./sections.ts";

/** A point that the specification leaves open. It is judged only if a statement pins its answer. */
export interface Question {
  readonly source: Section;
  readonly question: string;
  /**
   * What a run records as the answer. For a question that nothing shows: why a run records nothing.
   */
  readonly observed: string;
  /**
   * What can answer the question: any exchange, only a scenario that looks for the answer
   * (`sequence`), or nothing (`never`).
   */
  readonly shows: "every exchange" | "sequence" | "never";
}

/** Every open question by its permanent id. `questions.md` has the texts. */
export const questionIds = [
  "OPEN-01",
  "OPEN-02",
  "OPEN-03",
  "OPEN-04",
  "OPEN-05",
  "OPEN-06",
  "OPEN-07",
  "OPEN-08",
  "OPEN-09",
  "OPEN-10",
  "OPEN-11",
  "OPEN-12",
  "OPEN-13",
  "OPEN-14",
  "OPEN-15",
  "OPEN-16",
  "OPEN-17",
  "OPEN-18",
  "OPEN-19",
  "OPEN-20",
  "OPEN-21",
  "OPEN-22",
  "OPEN-23",
  "OPEN-24",
  "OPEN-25",
  "OPEN-26",
  "OPEN-27",
  "OPEN-28",
  "OPEN-29",
  "OPEN-30",
  "OPEN-31",
  "OPEN-32",
  "OPEN-33",
  "OPEN-34",
  "OPEN-35",
  "OPEN-36",
  "OPEN-37",
  "OPEN-38",
  "OPEN-39",
  "OPEN-40",
  "OPEN-41",
  "OPEN-42",
  "OPEN-43",
  "OPEN-44",
  "OPEN-45",
  "OPEN-46",
] as const;
export type QuestionId = (typeof questionIds)[number];
export const isQuestionId = (id: string): id is QuestionId => questionIds.some((one) => one === id);

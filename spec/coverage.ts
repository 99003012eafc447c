import { catalogue, requirementIds, type RequirementId } from "./catalogue.ts";
import { interpretationIds, interpretations, type InterpretationId } from "./interpretations.ts";
import { questionIds, questions, type QuestionId } from "./questions.ts";
import { sections, type Section, type SectionText } from "./sections.ts";

/** What a section of the specification leads to. */
export interface Coverage extends SectionText {
  readonly requirements: readonly RequirementId[];
  readonly interpretations: readonly InterpretationId[];
  readonly questions: readonly QuestionId[];
}

/** The rows whose source is this section, and what the section is about. */
export const coverageOf = (section: Section): Coverage => ({
  requirements: requirementIds.filter((id) => catalogue[id].source === section),
  interpretations: interpretationIds.filter((id) => interpretations[id].source === section),
  questions: questionIds.filter((id) => questions[id].source === section),
  ...sections[section],
});

/** The requirements that an interpretation concerns. */
export const requirementsOf = (interpretation: InterpretationId): readonly RequirementId[] =>
  requirementIds.filter((id) => catalogue[id].interpretations.includes(interpretation));

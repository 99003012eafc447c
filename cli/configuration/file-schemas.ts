import { requirementIds } from "../../spec/catalogue.ts";
import { questionIds, questions } from "../../spec/questions.ts";
import type { JsonSchema } from "./kinds/kind.ts";

const dialect = "https://json-schema.org/draft/2020-12/schema";

/** The JSON Schema of a statement, from the open questions; published as `statement.schema.json`. */
export const statementSchema = (): JsonSchema => ({
  $schema: dialect,
  $id: "urn:fxconform:statement:1",
  title: "Statement of fxconform: answers to open questions that may be observed",
  type: "object",
  properties: {
    $schema: { type: "string", description: "Where this schema is, for editors." },
    ...Object.fromEntries(
      questionIds.map((id) => [id, { description: questions[id].question, $ref: "#/$defs/answers" }]),
    ),
  },
  additionalProperties: false,
  $defs: {
    word: { type: ["string", "number", "boolean"] },
    words: {
      anyOf: [{ $ref: "#/$defs/word" }, { type: "array", minItems: 1, items: { $ref: "#/$defs/word" } }],
    },
    answers: {
      anyOf: [
        { description: "An answer or several, in every case of the question.", $ref: "#/$defs/words" },
        {
          description: "Each answer with the cases in which it may be observed: { refused with 400: [without /name] }.",
          type: "object",
          minProperties: 1,
          additionalProperties: { $ref: "#/$defs/cases" },
        },
      ],
    },
    case: {
      anyOf: [
        { $ref: "#/$defs/words" },
        {
          description: "First words that several cases share: { GET /batches with: [no token, a made-up token] }.",
          type: "object",
          minProperties: 1,
          additionalProperties: { $ref: "#/$defs/words" },
        },
      ],
    },
    cases: {
      anyOf: [{ $ref: "#/$defs/case" }, { type: "array", minItems: 1, items: { $ref: "#/$defs/case" } }],
    },
  },
});

/** The JSON Schema of a baseline, from the catalogue; published as `baseline.schema.json`. */
export const baselineSchema = (): JsonSchema => ({
  $schema: dialect,
  $id: "urn:fxconform:baseline:1",
  title: "Baseline of fxconform: failures that are known",
  type: "array",
  items: {
    type: "object",
    properties: {
      requirement: {
        description: "Id of the requirement that fails.",
        // Editors offer the ids; small letters are accepted too.
        anyOf: [{ enum: requirementIds }, { type: "string", pattern: "^(?=.*[a-z])[A-Za-z]+-\\d+$" }],
      },
      reason: { description: "Why it is tolerated.", type: "string", pattern: "\\S" },
      expires: {
        description: "Last day on which it is tolerated, which ends in UTC: 2030-01-31.",
        type: "string",
        pattern: "^\\d{4}-(0[1-9]|1[0-2])-(0[1-9]|[12]\\d|3[01])$",
      },
      finding: {
        description: "The cause that is known, as report.json has it; a failure with another cause is not tolerated.",
        type: "object",
        properties: { expected: { type: "string" }, actual: { type: "string" } },
        required: ["expected", "actual"],
        additionalProperties: false,
      },
    },
    required: ["requirement", "reason", "expires"],
    additionalProperties: false,
  },
});

import {
  isRequirementId,
  judgedInSmoke,
  needsCustomer,
  neededOperations,
  requirementIds,
  requirementOf,
  standingOperations,
} from "../../spec/catalogue.ts";
import type { Basis, RequirementId } from "../../spec/catalogue.ts";
import { interpretationIds, isInterpretationId } from "../../spec/interpretations.ts";
import type { InterpretationId } from "../../spec/interpretations.ts";
import { operationTitle } from "../../spec/operations.ts";
import { prose } from "../../spec/prose.ts";
import type { QuestionId } from "../../spec/questions.ts";
import { Help } from "commander";
import { program } from "../../settings/command-line.ts";
import { readFileSync } from "node:fs";
import type { Finding, Observation } from "../../model/run.ts";

interface ExplanationPart {
  readonly title: string;
  readonly paragraphs: readonly string[];
  readonly listing?: string;
}

interface Explanation {
  readonly id: string;
  readonly title: string;
  readonly parts: readonly ExplanationPart[];
}

/** Explains a requirement, an open question or an interpretation. */
export function explanationOf(
  id: RequirementId | QuestionId | InterpretationId,
  examples: Examples,
): Explanation {
  if (isRequirementId(id)) return ofRequirement(id, examples);
  return isInterpretationId(id) ? ofInterpretation(id) : ofQuestion(id, examples);
}

function ofInterpretation(id: InterpretationId): Explanation {
  const row = prose.interpretations[id];
  const { title, source, level, reading, neverBlamed, why, questions: open = [] } = row;
  const resting = requirementIds.filter((one) => requirementOf(one).interpretations.includes(id));
  const lines = [
    ...resting.map((one) => `${one}  ${requirementOf(one).statement}`),
    ...open.map((one) => `${one}  ${prose.questions[one].question}`),
  ];
  return {
    id,
    title,
    parts: [
      part("Interpretation", [`Section “${source}”, ${levelTexts[level]}.`, reading]),
      part("Never blamed", [neverBlamed]),
      part("Why", [why]),
      ...(lines.length === 0 ? [] : [part("What rests on it", [], lines.join("\n"))]),
    ],
  };
}

const levelTexts = {
  MUST: "of requirements of level MUST",
  SHOULD: "of requirements of level SHOULD",
  open: "observed and never judged",
  suite: "about what fxconform sends or reports",
} as const;

function ofRequirement(id: RequirementId, examples: Examples): Explanation {
  const row = requirementOf(id);
  const { scenarios = [], obeys, fault, breaks } = examples.requirements[id] ?? {};
  const standing = standingOperations(id);
  const operations = standing.length > 0 ? standing : neededOperations(id);
  const titles = new Intl.ListFormat("en-GB").format(operations.map(operationTitle));
  const consequence =
    row.level === "MUST"
      ? "A violation fails the run."
      : "A violation warns and does not fail the run.";
  const smoke = judgedInSmoke(id)
    ? "The profile smoke judges it too."
    : "The profile smoke cannot judge it, because that creates resources.";
  const parts = [
    part("Requirement", [
      `${row.level}, ${basisTexts[row.basis]} (section “${row.source}”). ${consequence}`,
    ]),
    ...row.interpretations.map(interpretation),
    part("What is sent and judged", [
      row.shows === "every exchange"
        ? `Every exchange of ${titles} is judged, whichever scenario sends it.`
        : `Scenarios judge it on a sequence of requests: ${titles}.`,
      ...(scenarios.length > 0 ? [`Among others in: ${scenarios.join("; ")}.`] : []),
      `${smoke}${needsCustomer(id) ? " It needs --customer-id." : ""}`,
    ]),
  ];
  if (obeys !== undefined) parts.push(part("An exchange that obeys", [], obeys));
  if (breaks !== undefined) {
    const { message, expected, actual, exchange } = breaks;
    const title = exchange === undefined ? "A violation" : "An exchange that breaks it";
    parts.push(part(title, [message, `Expected: ${expected}`, `Actual: ${actual}`], exchange));
  }
  const [how, command] =
    fault === undefined
      ? ["Check this requirement alone:", `run --only ${id}`]
      : [
          "Start the reference server with this fault, and check it with the command that it prints:",
          `serve --fault ${fault}`,
        ];
  return {
    id,
    title: row.statement,
    parts: [...parts, part("Try it", [how], `${program()} ${command}`)],
  };
}

function ofQuestion(id: QuestionId, examples: Examples): Explanation {
  const { question, observed, source } = prose.questions[id];
  const read = interpretationIds.filter(
    (name) => prose.interpretations[name].questions?.includes(id) === true,
  );
  const answers = (examples.questions[id] ?? []).map((one) => `${one.case}: ${one.answer}`);
  const known = part(
    "What the reference server answers",
    ["Another server may answer differently and conform."],
    answers.join("\n"),
  );
  return {
    id,
    title: question,
    parts: [
      part("Open question", [
        `The specification leaves this open (section “${source}”). A run observes the answer and never judges it.`,
        `Answered by: ${observed}.`,
      ]),
      ...read.map(interpretation),
      ...(answers.length === 0 ? [] : [known]),
      part(
        "Pin the answer",
        [
          "If the answer must not change, write it into a statement; another answer then fails the gate:",
        ],
        `${program()} pin fxconform-report/report.json -o statement.yaml\n${program()} run --statement statement.yaml`,
      ),
    ],
  };
}

function part(title: string, paragraphs: readonly string[], listing?: string): ExplanationPart {
  return {
    title,
    paragraphs,
    listing,
  };
}

function interpretation(id: InterpretationId): ExplanationPart {
  const { title, reading, neverBlamed, why } = prose.interpretations[id];
  return part(`How it is read: ${title} (${id})`, [
    reading,
    `Never blamed: ${neverBlamed}`,
    `Why: ${why}`,
  ]);
}

const basisTexts: Readonly<Record<Basis, string>> = {
  stated: "stated in the specification",
  example: "shown in a sample of the specification",
  inferred: "inferred from the specification",
};

/**
 * An exchange that obeys the requirement and an exchange that breaks it, as listings; the titles of
 * some scenarios that judge the requirement; and the fault with which `breaks` was recorded.
 */
interface RequirementExample {
  readonly scenarios: readonly string[];
  readonly obeys?: string;
  readonly fault?: string;
  readonly breaks?: Pick<Finding, "message" | "expected" | "actual"> & {
    readonly exchange?: string;
  };
}

interface Examples {
  readonly requirements: Readonly<Partial<Record<RequirementId, RequirementExample>>>;
  readonly questions: Readonly<
    Partial<Record<QuestionId, readonly Pick<AnswerGiven, "case" | "answer">[]>>
  >;
}

type AnswerGiven = Observation["answers"][number];

/**
 * Reads the recorded examples. `npm run examples` records them with the reference server and its
 * faults.
 */
export function readExamples(): Examples {
  return JSON.parse(readFileSync(new URL("../examples.json", import.meta.url), "utf8")) as Examples;
}

/** An explanation for the terminal, wrapped at `width` columns, except for its listings. */
export function explanationText({ id, title, parts }: Explanation, width: number): string {
  const body = parts.map((part) =>
    [
      part.title,
      ...part.paragraphs.map((paragraph) => wrapped(paragraph, width - 2, "  ")),
      ...(part.listing === undefined ? [] : [part.listing.replaceAll(/^(?=.)/gm, "    ")]),
    ].join("\n"),
  );
  return `${[wrapped(`${id}  ${title}`, width, ""), ...body].join("\n\n")}\n`;
}

function wrapped(text: string, width: number, indent: string): string {
  return new Help().boxWrap(text, width).replace(/^/gm, indent);
}

import { plural } from "../../model/plural.ts";
import {
  requirementIds,
  requirementOf,
  isRequirementId,
  judgedInSmoke,
  needsCustomer,
  neededOperations,
  standingOperations,
  type Basis,
  type RequirementId,
} from "../../spec/catalogue.ts";
import {
  interpretationIds,
  isInterpretationId,
  type InterpretationId,
} from "../../spec/interpretations.ts";
import { prose } from "../../spec/prose.ts";
import { questionIds, type QuestionId } from "../../spec/questions.ts";
import { program } from "../../settings/command-line.ts";
import { options } from "../../settings/options.ts";
import { quoted, UsageError, wrong } from "../../settings/problem.ts";
import { selectionOf } from "../../settings/selection.ts";
import { suggestion } from "../../settings/suggestion.ts";
import { flagValue } from "../../settings/sources.ts";
import type { Io } from "../output/io.ts";
import type { Command } from "./command.ts";
import { listDeviations } from "./reference-target.ts";
import { operationTitle } from "../../spec/operations.ts";
import { Help } from "commander";
import { readFileSync } from "node:fs";
import type { Finding, Observation } from "../../model/run.ts";

export const list: Command = async ({ flags }, io) => {
  if (flags["deviations"] !== undefined) return listDeviations(flags["deviations"], io);
  const value = flagValue("--only", flags["only"], options.only.kind);
  const selected =
    value === undefined ? undefined : selectionOf({ only: { value, where: "--only" } });
  if (selected !== undefined && selected.problems.length > 0)
    throw new UsageError(selected.problems);
  const requirements = (selected?.selection ?? requirementIds).map((id) => ({
    id,
    ...requirementOf(id),
  }));
  const open = (selected === undefined ? questionIds : []).map((id) => ({
    id,
    ...prose.questions[id],
  }));
  const must = requirements.filter(({ level }) => level === "MUST").length;
  const total = `${plural(requirements.length, "requirement")} (${must} MUST, ${requirements.length - must} SHOULD)`;
  const lines = [
    ...requirements.map(
      ({ id, level, statement }) => `${id.padEnd(9)} ${level.padEnd(7)} ${statement}`,
    ),
    ...open.map(({ id, question }) => `${id.padEnd(9)} open    ${question}`),
    "",
    `${total}${open.length === 0 ? "" : `, ${plural(open.length, "open question")}`}`,
  ];
  return printed(
    flags["json"] === true,
    { requirements, questions: open },
    () => `${lines.join("\n")}\n`,
    io,
  );
};

export const explain: Command = async ({ words, flags }, io) => {
  const known = [...requirementIds, ...questionIds, ...interpretationIds];
  const ids = words.map((found) => {
    const id = known.find((one) => one === found.toUpperCase());
    if (id !== undefined) return id;
    const advice = suggestion(found, known) ?? `${program()} list prints all of them.`;
    throw wrong(
      "explain",
      "takes the ids of requirements, open questions and interpretations",
      advice,
      quoted(found),
    );
  });
  const examples = readExamples();
  const explanations = ids.map((id) => explanationOf(id, examples));
  const text = (): string =>
    explanations.map((one) => explanationText(one, Math.min(io.columns, 100))).join("\n");
  return printed(flags["json"] === true, explanations, text, io);
};

function printed(asJson: boolean, document: unknown, text: () => string, io: Io): number {
  io.stdout(asJson ? `${JSON.stringify(document, undefined, 2)}\n` : text());
  return 0;
}

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
function explanationOf(
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
function readExamples(): Examples {
  return JSON.parse(readFileSync(new URL("../examples.json", import.meta.url), "utf8")) as Examples;
}

/** An explanation for the terminal, wrapped at `width` columns, except for its listings. */
function explanationText({ id, title, parts }: Explanation, width: number): string {
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

import { readFileSync } from "node:fs";
import { plural } from "../../model/plural.ts";
import type { Finding, Observation } from "../../model/run.ts";
import { wrapped } from "../../reports/wording.ts";
import { program } from "../../settings/command-line.ts";
import { options } from "../../settings/options.ts";
import { quoted, UsageError, wrong, suggestion } from "../../settings/problem.ts";
import { selectionOf } from "../../settings/selection.ts";
import { flagValue } from "../../settings/sources.ts";
import {
  requirementIds,
  requirementOf,
  requirementsOf,
  isRequirementId,
  judgedInSmoke,
  needsCustomer,
  neededOperations,
  standingOperations,
  type RequirementId,
} from "../../spec/catalogue.ts";
import {
  interpretationIds,
  isInterpretationId,
  type InterpretationId,
} from "../../spec/interpretations.ts";
import { operationTitle } from "../../spec/operations.ts";
import { prose } from "../../spec/prose.ts";
import { questionIds, type QuestionId } from "../../spec/questions.ts";
import type { Io } from "../output/io.ts";
import type { Command } from "./command.ts";
import { deviationsWith } from "./reference-target.ts";

export const list: Command = async ({ flags }, io) => {
  if (flags["deviations"] !== undefined) {
    const { document, text } = await deviationsWith(flags["deviations"]);
    return printed(flags["json"] === true, document, text, io);
  }
  const value = flagValue("--only", flags["only"], options.only.kind);
  const { selection, problems } = selectionOf({ only: value && { value, where: "--only" } });
  if (problems.length > 0) throw new UsageError(problems);
  const requirements = selection.map((id) => ({ id, ...requirementOf(id) }));
  const questions = (value === undefined ? questionIds : []).map((id) => ({
    id,
    ...prose.questions[id],
  }));
  const must = requirements.filter(({ level }) => level === "MUST").length;
  const total = `${plural(requirements.length, "requirement")} (${must} MUST, ${requirements.length - must} SHOULD)`;
  const lines = [
    ...requirements.map(
      ({ id, level, statement }) => `${id.padEnd(9)} ${level.padEnd(7)} ${statement}`,
    ),
    ...questions.map(({ id, question }) => `${id.padEnd(9)} open    ${question}`),
    "",
    questions.length === 0 ? total : `${total}, ${plural(questions.length, "open question")}`,
  ];
  return printed(flags["json"] === true, { requirements, questions }, lines.join("\n"), io);
};

export const explain: Command = async ({ words, flags }, io) => {
  const known = [...requirementIds, ...questionIds, ...interpretationIds];
  const ids = words.map((found) => {
    const id = known.find((one) => one === found.toUpperCase());
    if (id !== undefined) return id;
    const what = "takes the ids of requirements, open questions and interpretations";
    const advice = suggestion(found, known) ?? `${program()} list prints all of them.`;
    throw wrong("explain", what, advice, quoted(found));
  });
  const explanations = ids.map((id) => {
    if (isRequirementId(id)) return ofRequirement(id);
    return isInterpretationId(id) ? ofInterpretation(id) : ofQuestion(id);
  });
  const width = Math.min(io.columns, 100);
  const text = explanations.map((one) => explanationText(one, width)).join("\n");
  return printed(flags["json"] === true, explanations, text.trimEnd(), io);
};

function printed(asJson: boolean, document: unknown, text: string, io: Io): number {
  io.stdout(`${asJson ? JSON.stringify(document, undefined, 2) : text}\n`);
  return 0;
}

interface Explanation {
  readonly id: string;
  readonly title: string;
  readonly parts: readonly ReturnType<typeof part>[];
}

function part(title: string, paragraphs: readonly string[], listing?: string) {
  return { title, paragraphs, listing };
}

function ofInterpretation(id: InterpretationId) {
  const row = prose.interpretations[id];
  const { title, source, level, reading, neverBlamed, why, questions: open = [] } = row;
  const lines = [
    ...requirementsOf(id).map((one) => `${one}  ${requirementOf(one).statement}`),
    ...open.map((one) => `${one}  ${prose.questions[one].question}`),
  ];
  return {
    id,
    title,
    parts: [
      part("Interpretation", [`Section “${source}”, level ${level}.`, reading]),
      part("Never blamed", [neverBlamed]),
      part("Why", [why]),
      ...(lines.length === 0 ? [] : [part("What rests on it", [], lines.join("\n"))]),
    ],
  };
}

function ofRequirement(id: RequirementId) {
  const { level, basis, source, statement, interpretations, shows } = requirementOf(id);
  const { scenarios = [], obeys, fault, breaks } = readExamples().requirements[id] ?? {};
  const standing = standingOperations(id);
  const operations = standing.length > 0 ? standing : neededOperations(id);
  const titles = new Intl.ListFormat("en-GB").format(operations.map(operationTitle));
  const does = level === "MUST" ? "fails the run" : "warns and does not fail the run";
  const smoke = judgedInSmoke(id)
    ? "judges it too"
    : "cannot judge it, because that creates resources";
  const sent =
    shows === "every exchange"
      ? `Every exchange of ${titles} is judged, whichever scenario sends it.`
      : `Scenarios judge it on a sequence of requests: ${titles}.`;
  return {
    id,
    title: statement,
    parts: [
      part("Requirement", [
        `${level}, ${basisTexts[basis]} (section “${source}”). A violation ${does}.`,
      ]),
      ...interpretations.map(interpretation),
      part("What is sent and judged", [
        sent,
        ...(scenarios.length > 0 ? [`Among others in: ${scenarios.join("; ")}.`] : []),
        `The profile smoke ${smoke}.${needsCustomer(id) ? " It needs --customer-id." : ""}`,
      ]),
      ...(obeys === undefined ? [] : [part("An exchange that obeys", [], obeys)]),
      ...(breaks === undefined
        ? []
        : [
            part(
              "A violation",
              [breaks.message, `Expected: ${breaks.expected}`, `Actual: ${breaks.actual}`],
              breaks.exchange,
            ),
          ]),
      fault === undefined
        ? part("Try it", ["Check this requirement alone:"], `${program()} run --only ${id}`)
        : part(
            "Try it",
            ["Start the reference server with this fault, and check it as it prints:"],
            `${program()} serve --fault ${fault}`,
          ),
    ],
  };
}

function ofQuestion(id: QuestionId) {
  const { question, observed, source } = prose.questions[id];
  const read = interpretationIds.filter(
    (name) => prose.interpretations[name].questions?.includes(id) === true,
  );
  const answers = (readExamples().questions[id] ?? []).map((one) => `${one.case}: ${one.answer}`);
  return {
    id,
    title: question,
    parts: [
      part("Open question", [
        `The specification leaves this open (section “${source}”). A run observes the answer and never judges it.`,
        `Answered by: ${observed}.`,
      ]),
      ...read.map(interpretation),
      part(
        "What the reference server answers",
        ["Another server may answer differently and conform."],
        answers.join("\n"),
      ),
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

function interpretation(id: InterpretationId) {
  const { title, reading, neverBlamed, why } = prose.interpretations[id];
  return part(`How it is read: ${title} (${id})`, [
    reading,
    `Never blamed: ${neverBlamed}`,
    `Why: ${why}`,
  ]);
}

const basisTexts = {
  stated: "stated in the specification",
  example: "shown in a sample of the specification",
  inferred: "inferred from the specification",
} as const;

/**
 * The examples that `npm run examples` records with the reference server and its faults: of each
 * requirement, an exchange that obeys it and one that breaks it, as listings; the titles of some
 * scenarios that judge it; and the fault with which `breaks` was recorded.
 */
interface Examples {
  readonly requirements: Partial<
    Record<
      RequirementId,
      {
        readonly scenarios: readonly string[];
        readonly obeys?: string;
        readonly fault?: string;
        readonly breaks?: Pick<Finding, "message" | "expected" | "actual"> & {
          readonly exchange?: string;
        };
      }
    >
  >;
  readonly questions: Partial<
    Record<QuestionId, readonly Pick<Observation["answers"][number], "case" | "answer">[]>
  >;
}

function readExamples(): Examples {
  return JSON.parse(readFileSync(new URL("../examples.json", import.meta.url), "utf8")) as Examples;
}

/** An explanation for the terminal, wrapped at `width` columns, except for its listings. */
function explanationText({ id, title, parts }: Explanation, width: number): string {
  const body = parts.map((one) =>
    [
      one.title,
      ...one.paragraphs.map((paragraph) => `  ${wrapped(paragraph, width, 2)}`),
      ...(one.listing === undefined ? [] : [one.listing.replaceAll(/^(?=.)/gm, "    ")]),
    ].join("\n"),
  );
  return `${[wrapped(`${id}  ${title}`, width, 0), ...body].join("\n\n")}\n`;
}

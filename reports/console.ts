import {
  clientFindingText,
  clientFindingsTitle,
  actualText,
  expectedText,
  frequencyText,
  failuresOf,
  type Failure,
} from "./failures.ts";
import { plural } from "../model/plural.ts";
import type { RequirementResult, Run, Verdict } from "../model/run.ts";
import { areas } from "../spec/catalogue.ts";
import { questionIds } from "../spec/questions.ts";
import { gateLine, reasonLines, toleratedLines } from "./gate.ts";
import { groups, byReason } from "./groups.ts";
import { headline } from "./headline.ts";
import { painter, type Colour, type Paint, counted, outcomeSigns, signs, tally, verdicts } from "./verdict-symbols.ts";
import { plain } from "./sanitize.ts";
import { isInSummary } from "../model/outcome.ts";

/** How to write for the console. */
export interface ConsoleStyle {
  readonly color: boolean;
  /** Columns of the terminal, at least 40. Lines that nobody copies are shortened to it. @defaultValue 120 */
  readonly width?: number;
  /** The command that starts fxconform. @defaultValue "npx fxconform" */
  readonly program?: string;
  /** The path of `report.html`, which holds the evidence that the console leaves out. */
  readonly page?: string | undefined;
  /** Shows the curl commands too, and more than one finding of a failure. */
  readonly verbose?: boolean;
}

/** What every part of the text needs to know. */
interface Screen {
  readonly paint: Paint;
  readonly width: number;
  readonly program: string;
  readonly page: string | undefined;
  readonly verbose: boolean;
}

/**
 * The run for a terminal or a log: failures in up to six lines each, short lists of warnings and of requirements
 * without a verdict, a table of the areas in which something is wrong, the outcome, and the gate as the last line. Texts
 * from the target are sanitized: they cannot move the cursor, change colours or give a CI runner commands.
 */
export function consoleText(run: Run, style: ConsoleStyle): string {
  const screen: Screen = {
    paint: painter(style.color),
    width: Math.max(40, style.width ?? 120),
    program: style.program ?? "npx fxconform",
    page: style.page,
    verbose: style.verbose ?? false,
  };
  const { paint } = screen;
  return [
    failures(run, screen),
    warnings(run, screen),
    withoutVerdict(run, paint),
    table(run, paint),
    clientFindings(run, paint),
    notes(run, paint),
    conclusion(run, paint),
  ]
    .filter((block) => block.length > 0)
    .map((block) => block.join("\n"))
    .join("\n\n")
    .concat("\n");
}

/** The run in one line: target, outcome, and the first failed requirements or the reason. */
export function quietText(run: Run): string {
  const failed = run.requirements.filter(({ verdict }) => verdict === "fail").map(({ id }) => id);
  const more = failed.length - quietIds;
  const what =
    run.outcome === "nonconformant"
      ? `nonconformant: ${failed.slice(0, quietIds).join(", ")} failed${more > 0 ? ` (${more} more)` : ""}`
      : `${run.outcome === "inconclusive" ? "no verdict" : run.outcome}: ${plain(run.summary, 400)}`;
  const gate = run.outcome !== "nonconformant" && !run.gate.pass ? ` ${gateLine(run)}` : "";
  return `${outcomeSigns[run.outcome]} ${plain(run.target.baseUrl, 200)} ${what}${gate}`;
}

const quietIds = 2;
const shownFailures = 30;
const shownFindings = 3;

function failures(run: Run, screen: Screen): readonly string[] {
  const { paint, verbose } = screen;
  const all = failuresOf(run.requirements, "fail");
  const shown = new Set(all.slice(0, shownFailures).flatMap(({ rows }) => rows.map(({ id }) => id)));
  const rest = run.requirements.filter(({ id, verdict }) => verdict === "fail" && !shown.has(id)).map(({ id }) => id);
  const token = verbose && all.some(({ members: [{ finding }] }) => finding.curl !== "") ? run.tokenCommand : undefined;
  return [
    ...(token === undefined ? [] : [labelled("token", plain(token, 2000), paint), ""]),
    ...all.slice(0, shownFailures).flatMap((each, index) => [...(index > 0 ? [""] : []), ...failure(each, screen)]),
    ...(rest.length > 0 ? ["", `and ${plural(rest.length, "more failed requirement")}: ${rest.join(" ")}`] : []),
  ];
}

/** What is wrong, what the server does, what was expected and found, how to check it again, and where the rest is. */
function failure({ cause, rows, members }: Failure, screen: Screen): readonly string[] {
  const { paint, width, verbose } = screen;
  const [{ finding, row }, ...others] = members;
  const statement = cause === undefined ? `${row.level}  ${plain(row.statement)}` : plain(cause.text, 400);
  const sign = `${signs.fail} `;
  const ids = idsOf(rows);
  const often = frequencyText(finding);
  const message = finding.message === row.statement ? "" : finding.message.replace(/\.$/, "");
  const line = (label: string, text: string): readonly string[] =>
    text === "" ? [] : [labelled(label, shortened(plain(text, 2000), width - indent), paint)];
  const copied = (label: string, text: string): readonly string[] =>
    text === "" ? [] : [labelled(label, plain(text, 4000), paint)];
  return [
    `${paint("red", sign + ids)} ${shortened(statement, width - sign.length - ids.length - 1)}`,
    ...line("finding", [message, often && `(${often})`].filter(Boolean).join(" ")),
    ...line("expected", expectedText(finding)),
    ...line("actual", actualText(finding)),
    ...copied("replay", finding.replay),
    ...(verbose ? copied("request", finding.curl) : []),
    ...(verbose
      ? others
          .slice(0, shownFindings - 1)
          .map(
            (each) => `${plain(each.finding.message, 300).replace(/\.$/, "")}: ${plain(actualText(each.finding), 300)}`,
          )
          .flatMap((text) => line("also", text))
      : []),
    ...copied("more", moreOf(row, others.length, screen)),
  ];
}

const moreOf = (row: RequirementResult, others: number, { page, program }: Screen): string =>
  [
    ...(others > 0 ? [plural(others, "more finding")] : []),
    page === undefined ? `${program} explain ${row.id}` : `${page}#${row.id}`,
  ].join(": ");

/** The ids of a failure, as many as leave room for what it is. */
const idsOf = (rows: readonly RequirementResult[]): string => {
  const left = rows.length - shownRows;
  const ids = rows.slice(0, shownRows).map(({ id }) => id);
  return `${ids.join(" ")}${left > 0 ? ` and ${left} more` : ""}`;
};

const shownRows = 4;

const labelled = (label: string, text: string, paint: Paint): string => `  ${paint("dim", label.padEnd(9))} ${text}`;

/** Columns before the text of a labelled line. */
const indent = 12;

function warnings(run: Run, { width, paint }: Screen): readonly string[] {
  const all = failuresOf(run.requirements, "warn");
  const left = all.length - shownFailures;
  return all.length === 0
    ? []
    : [
        paint("yellow", "Warnings"),
        ...all.slice(0, shownFailures).map(({ cause, rows, members: [{ finding, row }] }) => {
          const ids = rows.map(({ id }) => id).join(" ");
          const what = cause ? plain(cause.text, 300) : `${plain(row.statement)} (${plain(actualText(finding), 200)})`;
          return shortened(`  ${signs.warn} ${ids}  ${what}`, width);
        }),
        ...(left > 0 ? [`  and ${plural(left, "more warning")}`] : []),
      ];
}

/** Requirements without a verdict, by reason. Up to eight are named; more are counted. */
function withoutVerdict(run: Run, paint: Paint): readonly string[] {
  const reasons = byReason(run, "inconclusive");
  if (reasons.length === 0) return [];
  const left = reasons.length - shownFailures;
  return [
    paint("yellow", "No verdict"),
    ...reasons.slice(0, shownFailures).flatMap(([reason, group]) => {
      const who = plural(group.length, "requirement");
      // The summary below already contains this reason.
      const why = isInSummary(run, reason) ? "" : `: ${plain(reason, 600)}`;
      const ids = group.map(({ id }) => id).join(" ");
      return [`  ${signs.inconclusive} ${who}${why}`, ...(group.length > shownIds ? [] : [`    ${ids}`])];
    }),
    ...(left > 0 ? [`  and ${plural(left, "more reason")}`] : []),
  ];
}

const shownIds = 8;

/** The areas in which not every requirement that was checked passed. */
function table(run: Run, paint: Paint): readonly string[] {
  const byArea = groups(run.requirements, (row) => row.area);
  const cell = (verdict: Verdict, count: number): string =>
    paint(count > 0 ? verdictColour[verdict] : "dim", String(count).padStart(counted[verdict].length + 2));
  const lines = areas.flatMap((area) => {
    const counts = tally(byArea.get(area) ?? []);
    if (counts.fail + counts.warn + counts.inconclusive === 0) return [];
    return [`${area.padEnd(13)}${verdicts.map((verdict) => cell(verdict, counts[verdict])).join("")}`];
  });
  const head = paint("dim", `${"area".padEnd(13)}${verdicts.map((verdict) => `  ${counted[verdict]}`).join("")}`);
  return lines.length === 0 ? [] : [head, ...lines];
}

/** Mistakes of clients, which do not count against the server. */
function clientFindings({ client = [] }: Run, paint: Paint): readonly string[] {
  const left = client.length - shownFailures;
  return client.length === 0
    ? []
    : [
        paint("yellow", clientFindingsTitle),
        ...client.slice(0, shownFailures).map((finding) => `  ${plain(clientFindingText(finding), 400)}`),
        ...(left > 0 ? [`  and ${plural(left, "more finding")}, in the reports`] : []),
      ];
}

function notes(run: Run, paint: Paint): readonly string[] {
  const answered = run.observations.filter((observation) => observation.answers.length > 0).length;
  const created = Object.values(run.createdCounts).reduce((sum, count) => sum + count, 0);
  const row = (label: string, text: string, limit: number): string =>
    `${paint("yellow", label.padEnd(9))} ${plain(text, limit)}`;
  return [
    `${answered} of ${questionIds.length} open questions observed, ${plural(created, "resource")} created`,
    // Whoever has a failure to mend need not know what else could be sent.
    ...(run.notSent === undefined || run.outcome === "nonconformant" ? [] : [run.notSent]),
    ...[...run.warnings, ...run.withheld].map((text) => row("note", text, 1000)),
    ...toleratedLines(run).map((text) => row("tolerated", text, 500)),
    ...bounded(reasonLines({ gate: { ...run.gate, reasons: run.gate.reasons.filter(isNews(run)) } })).map((text) =>
      row("gate", text, 500),
    ),
  ];
}

/** Whether the text does not yet say this reason. */
const isNews =
  (run: Run) =>
  ({ kind, text }: Run["gate"]["reasons"][number]): boolean =>
    kind !== "must-failed" && text !== run.summary;

const bounded = (lines: readonly string[]): readonly string[] =>
  lines.length <= shownFailures
    ? lines
    : [...lines.slice(0, shownFailures), `and ${lines.length - shownFailures} more reasons, in the reports`];

const conclusion = (run: Run, paint: Paint): readonly string[] => [
  plain(run.summary, 1000),
  `${paint(outcomeColour[run.outcome], `${outcomeSigns[run.outcome]} ${run.outcome}`)} · ${plain(headline(run), 500)}`,
  paint(run.gate.pass ? "green" : "red", gateLine(run)),
];

const shortened = (line: string, width: number): string => {
  const characters = [...line];
  return characters.length > width ? `${characters.slice(0, width - 1).join("")}…` : line;
};

const verdictColour = {
  pass: "green",
  fail: "red",
  warn: "yellow",
  inconclusive: "blue",
  skip: "dim",
} as const satisfies Record<Verdict, Colour>;

const outcomeColour = {
  conformant: "green",
  nonconformant: "red",
  partial: "blue",
  inconclusive: "yellow",
  interrupted: "yellow",
  error: "red",
} as const satisfies Record<Run["outcome"], Colour>;

import { clientFindingText, clientFindingsTitle } from "./traffic/client-findings.ts";
import { plural } from "../model/plural.ts";
import type { RequirementResult, Run, Verdict } from "../model/run.ts";
import { areas } from "../spec/catalogue.ts";
import { questionIds } from "../spec/questions.ts";
import { actualText, expectedText, frequencyText } from "./evidence.ts";
import { failuresOf, type Failure } from "./failures.ts";
import { gateLine, reasonLines, toleratedLines } from "./gate.ts";
import { groups } from "./groups.ts";
import { headline } from "./headline.ts";
import { byReason } from "./reasons.ts";
import { painter, type Colour, type Paint } from "./paint.ts";
import { plain } from "./sanitize.ts";
import { counted, outcomeSigns, signs, tally, verdicts } from "./verdict-symbols.ts";
import { isInSummary } from "../model/outcome.ts";

/** How to write for the console. */
export interface ConsoleStyle {
  readonly color: boolean;
  /** Columns of the terminal, at least 40. Warnings are shortened to one row. @defaultValue 120 */
  readonly width?: number;
  /** The command that starts fxconform. @defaultValue "npx fxconform" */
  readonly program?: string;
}

/**
 * The run for a terminal or a log: failures with evidence, short lists of warnings and of requirements without a
 * verdict, a table by area, the outcome, and the gate as the last line. Texts from the target are sanitized: they
 * cannot move the cursor, change colours or give a CI runner commands.
 */
export function consoleText(run: Run, style: ConsoleStyle): string {
  const paint = painter(style.color);
  const width = Math.max(40, style.width ?? 120);
  return [
    failures(run, style.program ?? "npx fxconform", paint),
    warnings(run, width, paint),
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

const shownFailures = 30;
const shownFindings = 3;
const shownRows = 6;

function failures(run: Run, program: string, paint: Paint): readonly string[] {
  const all = failuresOf(run.requirements, "fail");
  const shown = new Set(all.slice(0, shownFailures).flatMap(({ rows }) => rows.map(({ id }) => id)));
  const rest = run.requirements.filter(({ id, verdict }) => verdict === "fail" && !shown.has(id)).map(({ id }) => id);
  const withCurl = all.some(({ members: [{ finding }] }) => finding.curl !== "");
  return [
    ...(withCurl && run.tokenCommand !== undefined
      ? [labelled("token", plain(run.tokenCommand, 2000), paint), ""]
      : []),
    ...all
      .slice(0, shownFailures)
      .flatMap((each, index) => [...(index > 0 ? [""] : []), ...failure(each, program, paint)]),
    ...(rest.length > 0 ? ["", `and ${plural(rest.length, "more failed requirement")}: ${rest.join(" ")}`] : []),
  ];
}

function failure({ cause, rows, members }: Failure, program: string, paint: Paint): readonly string[] {
  const [{ finding, row }, ...others] = members;
  const left = rows.slice(shownRows).map(({ id }) => id);
  const head = cause
    ? [
        `${paint("red", signs.fail)} ${plain(cause.text, 400)}`,
        ...rows
          .slice(0, shownRows)
          .map((each, index) => labelled(index === 0 ? "breaks" : "", title(each, paint), paint)),
        ...(left.length > 0 ? [labelled("", left.join(" "), paint)] : []),
      ]
    : [title(row, paint)];
  const also = cause ? [] : others.slice(0, shownFindings - 1);
  const more = others.length - also.length;
  const often = frequencyText(finding);
  const ids = rows.slice(0, shownRows).map(({ id }) => id);
  const message = finding.message === row.statement ? "" : finding.message;
  const line = (label: string, text: string, limit: number): readonly string[] =>
    text === "" ? [] : [labelled(label, plain(text, limit), paint)];
  return [
    ...head,
    ...line("finding", [message, often && `(${often})`].filter(Boolean).join(" "), 400),
    ...line("expected", expectedText(finding), 600),
    ...line("actual", actualText(finding), 600),
    ...line("replay", finding.replay, 4000),
    ...line("request", finding.curl, 2000),
    ...line("explain", `${program} explain ${ids.join(" ")}`, 1000),
    ...also.map((each) =>
      labelled(
        "also",
        `${plain(each.finding.message, 300).replace(/\.$/, "")}: ${plain(actualText(each.finding), 300)}`,
        paint,
      ),
    ),
    ...(more > 0 ? [`  and ${plural(more, "more finding")}, in the reports`] : []),
  ];
}

const title = (row: RequirementResult, paint: Paint): string =>
  `${paint(verdictColour[row.verdict], row.id)} ${row.level}  ${plain(row.statement)}`;

const labelled = (label: string, text: string, paint: Paint): string => `  ${paint("dim", label.padEnd(9))} ${text}`;

function warnings(run: Run, width: number, paint: Paint): readonly string[] {
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
      const ids = group.map(({ id }) => id).join(" ");
      const who = group.length > shownIds ? plural(group.length, "requirement") : ids;
      // The summary below already contains this reason.
      if (isInSummary(run, reason)) return [`  ${signs.inconclusive} ${who}`];
      return [`  ${signs.inconclusive} ${plain(reason, 600)}`, `    ${who}`];
    }),
    ...(left > 0 ? [`  and ${plural(left, "more reason")}`] : []),
  ];
}

const shownIds = 8;

function table(run: Run, paint: Paint): readonly string[] {
  const byArea = groups(run.requirements, (row) => row.area);
  const cell = (verdict: Verdict, count: number): string =>
    paint(count > 0 ? verdictColour[verdict] : "dim", String(count).padStart(counted[verdict].length + 2));
  return [
    paint("dim", `${"area".padEnd(13)}${verdicts.map((verdict) => `  ${counted[verdict]}`).join("")}`),
    ...areas.flatMap((area) => {
      const rows = byArea.get(area);
      // Nothing of this area was selected.
      if (!rows || rows.every(({ verdict }) => verdict === "skip")) return [];
      const counts = tally(rows);
      return [`${area.padEnd(13)}${verdicts.map((verdict) => cell(verdict, counts[verdict])).join("")}`];
    }),
  ];
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
    ...listed(run.notSent),
    ...[...run.warnings, ...run.withheld].map((text) => row("note", text, 1000)),
    ...toleratedLines(run).map((text) => row("tolerated", text, 500)),
    // If the summary is the only reason, the conclusion below shows it.
    ...(run.gate.reasons.length === 1 && run.gate.reasons[0]?.text === run.summary
      ? []
      : bounded(reasonLines(run)).map((text) => row("gate", text, 500))),
  ];
}

const listed = (text: string | undefined): readonly string[] => (text === undefined ? [] : [text]);

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

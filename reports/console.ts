import { areas } from "../spec/catalogue.ts";
import { questionIds } from "../spec/questions.ts";
import { actualText, expectedText, frequencyText } from "./evidence.ts";
import { groups } from "./groups.ts";
import { headline } from "./headline.ts";
import { plain } from "./sanitize.ts";
import type { Finding, RequirementResult, Run, Verdict } from "../model/run.ts";
import { counted, outcomeSigns, signs, verdicts } from "./verdict-symbols.ts";
import { tally } from "./tally.ts";

/** How the console is written to. */
export interface ConsoleStyle {
  readonly color: boolean;
  /** Columns; rows that may be shortened end there. @defaultValue 120 */
  readonly width?: number;
}

/**
 * The run for a terminal or a log: failures with evidence, what warns or could not be told in short, a table by area,
 * and the headline as the last line. Nothing that the target sent can move the cursor, colour text or issue a command.
 */
export function consoleText(run: Run, style: ConsoleStyle): string {
  const paint = painter(style.color);
  const width = Math.max(40, style.width ?? 120);
  return [
    failures(run, paint),
    brief("Warnings", run, "warn", width, paint),
    brief("Could not be told", run, "inconclusive", width, paint),
    table(run, paint),
    notes(run, width, paint),
    [paint(outcomeColour[run.outcome], `${outcomeSigns[run.outcome]} ${run.outcome}`) + ` · ${headline(run)}`],
  ]
    .filter((block) => block.length > 0)
    .map((block) => block.join("\n"))
    .join("\n\n")
    .concat("\n");
}

const shownRows = 30;
const shownFindings = 3;

function failures(run: Run, paint: Paint): readonly string[] {
  const failed = run.requirements.filter((row) => row.verdict === "fail");
  const rest = failed.slice(shownRows).map((row) => row.id);
  return [
    ...failed.slice(0, shownRows).flatMap((row, index) => [...(index > 0 ? [""] : []), ...failure(row, paint)]),
    ...(rest.length > 0 ? ["", `and ${rest.length} more requirements failed: ${rest.join(" ")}`] : []),
  ];
}

function failure(row: RequirementResult, paint: Paint): readonly string[] {
  const more = row.findings.length - shownFindings;
  return [
    `${paint("red", row.id)} ${row.level}  ${plain(row.statement)}`,
    ...row.findings.slice(0, 1).flatMap((finding) => evidence(row, finding, paint)),
    ...row.findings.slice(1, shownFindings).map((finding) => {
      const told = `${plain(finding.message, 300)}: ${plain(actualText(finding), 300)}`;
      return `  ${paint("dim", "also".padEnd(9))} ${told}`;
    }),
    ...(more > 0 ? [`  and ${more} more findings, in the reports`] : []),
  ];
}

function evidence(row: RequirementResult, finding: Finding, paint: Paint): readonly string[] {
  const often = frequencyText(finding);
  const message = finding.message === row.statement ? "" : finding.message;
  const line = (label: string, text: string, limit: number): readonly string[] =>
    text ? [`  ${paint("dim", label.padEnd(9))} ${plain(text, limit)}`] : [];
  return [
    ...line("finding", [message, often && `(${often})`].filter(Boolean).join(" "), 400),
    ...line("expected", expectedText(finding), 600),
    ...line("actual", actualText(finding), 600),
    ...line("replay", finding.replay, 4000),
    ...line("request", finding.curl, 2000),
  ];
}

/** Rows of one verdict, grouped by their reason, each in a line. */
function brief(title: string, run: Run, verdict: Verdict, width: number, paint: Paint): readonly string[] {
  const rows = run.requirements.filter((row) => row.verdict === verdict);
  if (rows.length === 0) return [];
  const reasons = [...groups(rows, (row) => row.reason ?? row.findings[0]?.message ?? row.statement)];
  const lines = reasons.slice(0, shownRows).flatMap(([reason, group]) => {
    const [first] = group;
    const ids = group.map((row) => row.id);
    if (group.length === 1 && first && verdict === "warn") {
      return [shortened(`  ${signs.warn} ${first.id}  ${plain(first.statement)} ${warned(first)}`, width)];
    }
    return [shortened(`  ${signs[verdict]} ${plain(reason)}`, width), ...wrapped(ids, width)];
  });
  const left = reasons.length - shownRows;
  return [paint("yellow", title), ...lines, ...(left > 0 ? [`  and ${left} more reasons`] : [])];
}

const warned = (row: RequirementResult): string => {
  const finding = row.findings[0];
  return finding ? `(${plain(actualText(finding), 200)})` : "";
};

function table(run: Run, paint: Paint): readonly string[] {
  const byArea = groups(run.requirements, (row) => row.area);
  const cell = (verdict: Verdict, count: number): string =>
    paint(count > 0 ? verdictColour[verdict] : "dim", String(count).padStart(counted[verdict].length + 2));
  return [
    paint("dim", `${"area".padEnd(13)}${verdicts.map((verdict) => `  ${counted[verdict]}`).join("")}`),
    ...areas.flatMap((area) => {
      const rows = byArea.get(area);
      if (!rows) return [];
      const counts = tally(rows);
      return [`${area.padEnd(13)}${verdicts.map((verdict) => cell(verdict, counts[verdict])).join("")}`];
    }),
  ];
}

function notes(run: Run, width: number, paint: Paint): readonly string[] {
  const answered = run.observations.filter((observation) => observation.answers.length > 0).length;
  return [
    `${answered} of ${questionIds.length} open questions were observed, ${run.created.length} things were created`,
    ...[...run.warnings, ...run.withheld].map((text) => shortened(paint("yellow", "note") + ` ${plain(text)}`, width)),
    ...(run.outcome === "conformant" ? [] : [plain(run.summary)]),
    ...(run.gate.pass
      ? []
      : [`The gate does not pass: ${plain(run.gate.reasons.map(({ text }) => text).join("; "), 2000)}`]),
  ];
}

const shortened = (line: string, width: number): string => {
  const characters = [...line];
  return characters.length > width ? `${characters.slice(0, width - 1).join("")}…` : line;
};

/** Words in lines of at most `width` columns, indented. */
function wrapped(words: readonly string[], width: number): readonly string[] {
  const lines: string[] = [];
  let line = "   ";
  for (const word of words) {
    if (line.length + 1 + word.length > width) {
      lines.push(line);
      line = "   ";
    }
    line += ` ${word}`;
  }
  return [...lines, line];
}

const codes = { red: 31, green: 32, yellow: 33, blue: 34, dim: 2 } as const;
type Colour = keyof typeof codes;
type Paint = (colour: Colour, text: string) => string;

const painter =
  (color: boolean): Paint =>
  (colour, text) =>
    color ? `\u001b[${codes[colour]}m${text}\u001b[0m` : text;

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

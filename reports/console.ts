import {
  clientFindingText,
  clientFindingsTitle,
  actualText,
  expectedText,
  ownReasons,
  waitingIn,
} from "./failures.ts";
import { failuresOf } from "./failures.ts";
import type { Failure } from "./failures.ts";
import { plural } from "../model/plural.ts";
import type {
  Cause,
  DocumentPlace,
  Finding,
  RequirementResult,
  GateReason,
  Run,
} from "../model/run.ts";
import { operationTitle } from "../spec/operations.ts";
import { waitingText, wentOnText } from "../model/conclusion/mistake-words.ts";
import { gateLine, gateSign, reasonLines, toleratedLines, headline } from "./gate.ts";
import { atMost, byReason, idsText, reasonOf, sentence } from "./groups.ts";
import { painter, type Colour, type Paint, outcomeSigns, signs } from "./verdict-symbols.ts";
import { documentPlaceText, frameLines } from "./document-place.ts";
import { plain, plainCommand } from "./sanitize.ts";
import { sinceLastText } from "./since-last.ts";
import { isInSummary } from "../model/conclusion/outcome.ts";

export interface ConsoleStyle {
  readonly color: boolean;
  /**
   * The width of the terminal in columns. A width below 40 counts as 40. Lines that nobody copies
   * are wrapped at this width. @defaultValue no line is wrapped
   */
  readonly width?: number;
  /** The command that starts fxconform. @defaultValue "npx fxconform" */
  readonly program?: string;
  /** The path of `report.html`, which holds the evidence that the console leaves out. */
  readonly page?: string | undefined;
  /**
   * The address of `report.html`, for terminals that open it on a click (OSC 8). If absent, the
   * path is not a link.
   */
  readonly pageAddress?: string | undefined;
  /** Also show the curl commands, and more than one finding of a failure. */
  readonly verbose?: boolean;
  /** The exit code of the command, if a file of the run could not be written. */
  readonly lostCode?: number | undefined;
}

interface Screen extends Pick<ConsoleStyle, "page" | "pageAddress" | "verbose" | "lostCode"> {
  readonly paint: Paint;
  readonly width: number;
  readonly program: string;
}

/**
 * The text of a run for a terminal or a log: failures in up to six lines each, short lists of
 * warnings and of requirements without a verdict, the outcome, and the gate as the last line. Texts
 * from the target are sanitized: they cannot move the cursor, change colours or give a CI runner
 * commands.
 */
export function consoleText(run: Run, style: ConsoleStyle): string {
  const paint = painter(style.color);
  const { program = "npx fxconform", width = Infinity } = style;
  const screen: Screen = { ...style, paint, program, width: Math.max(40, width) };
  return [
    failures(run, screen),
    titled("Warnings", warnings(run, screen), paint),
    ...(saysAll(run) ? [] : [titled("No verdict", withoutVerdict(run, screen), paint)]),
    titled(clientFindingsTitle, clientFindings(run), paint),
    notes(run, paint),
    conclusion(run, screen),
  ]
    .filter((block) => block.length > 0)
    .map((block) => block.join("\n"))
    .join("\n\n")
    .concat("\n");
}

function titled(title: string, lines: readonly string[], paint: Paint): readonly string[] {
  return lines.length === 0 ? [] : [paint("yellow", title), ...lines];
}

/**
 * The run in one line: the target, and a sentence that says why the gate fails or what it
 * tolerates. The sentences of `lost`, on files that could not be written, stand before that
 * sentence.
 */
export function quietText(run: Run, lost: readonly string[] = []): string {
  if (lost.length > 0)
    return `${signs.warn} ${plain(run.target.baseUrl, 200)}: ${plain(lost.join(" "), 600)} ${quietSentence(run)}`;
  const sign =
    run.outcome === "nonconformant" || !run.gate.pass ? gateSign(run) : outcomeSigns[run.outcome];
  return `${sign} ${plain(run.target.baseUrl, 200)}: ${quietSentence(run)}`;
}

function quietSentence(run: Run): string {
  const { outcome, summary, gate } = run;
  if (outcome === "inconclusive") return `no verdict: ${plain(summary, 400)}`;
  if (outcome === "interrupted" || outcome === "error") return plain(summary, 400);
  const [first, ...others] = gate.reasons;
  if (first !== undefined) {
    const more = others.length > 0 ? ` (${others.length} more)` : "";
    return `${plain(reasonSentence(run, first), 300)}${more}`;
  }
  if (gate.tolerated.length === 0) return plain(summary, 400);
  const ids = atMost(
    shownIds,
    gate.tolerated.map(({ requirement }) => requirement as string),
    (left) => `${left} more`,
  );
  return `the gate passes, with ${plural(gate.tolerated.length, "known failure")}: ${ids.join(", ")}`;
}

/**
 * A reason of the gate as a sentence: `BATCH-21 the list has no count`. For a failed requirement,
 * the sentence says what the server does.
 */
function reasonSentence({ requirements }: Run, { kind, requirement, text }: GateReason): string {
  const [finding] = requirements.find(({ id }) => id === requirement)?.findings ?? [];
  return kind === "must-failed" && finding !== undefined
    ? `${requirement} ${finding.message.replace(/\.$/, "")}`
    : text;
}

const shownFailures = 30;
const shownMistakes = 10;
const shownFindings = 3;

function failures(run: Run, screen: Screen): readonly string[] {
  const all = failuresOf(run, "fail");
  const more = all.length - shownMistakes;
  const hasCurl =
    screen.verbose === true && all.some(({ members: [{ finding }] }) => finding.curl !== "");
  const token = hasCurl ? run.tokenCommand : undefined;
  const place = screen.page ?? `${screen.program} explain <id>`;
  const untested = run.causes.filter(({ findings }) => findings === 0);
  const blocks = [
    ...(token === undefined ? [] : [[labelled("token", plain(token, 2000), screen.paint)]]),
    ...untested.map((cause) => untestedBlock(cause, screen)),
    ...all.slice(0, shownMistakes).map((each) => failure(each, run, screen)),
    ...(more > 0 ? [[`${plural(more, "more mistake")}: ${plain(place)}`]] : []),
  ];
  return blocks.flatMap((block, index) => (index === 0 ? block : ["", ...block]));
}

/**
 * The lines that say why nothing could be tested, and which requirements have no verdict because of
 * that.
 */
function untestedBlock(cause: Cause, { paint, width }: Screen): readonly string[] {
  const text = wrapped(plain(cause.text, 1000), width, 4, 2);
  return [
    `${paint("red", signs.fail)} ${text}`,
    ...remarks(cause).map((one) => `  ${wrapped(one, width, 2)}`),
  ];
}

/**
 * At most one text: which requirements have no verdict until a mistake is mended, and with which
 * value the run went on.
 */
function remarks(cause: Cause): readonly string[] {
  const text = [waitingText(cause.waiting), plain(wentOnText(cause), 400)]
    .filter(Boolean)
    .join(" ");
  return text === "" ? [] : [text];
}

/**
 * The lines on a mistake, usually up to six: what is wrong, expected and actual, a request that
 * shows it, the requirements that it breaks, and how to check it again.
 */
function failure({ cause, rows, members }: Failure, run: Run, screen: Screen): readonly string[] {
  const { paint, width, verbose = false } = screen;
  const [{ finding, row }, ...others] = members;
  if (finding.document !== undefined)
    return documentFailure(rows, finding, finding.document, screen);
  const more = rows.length > 1 ? ` and ${rows.length - 1} more` : "";
  const ids = `${signs.fail} ${row.id}${more}`;
  const copied = (label: string, text: string): readonly string[] =>
    text === "" ? [] : [labelled(label, plain(text, 4000), paint)];
  const line = (label: string, text: string): readonly string[] =>
    text === "" ? [] : [labelled(label, wrapped(plain(text, shownText), width, indent), paint)];
  const further = remarks(cause);
  const breaks = rows.length > 1 ? rows.map(({ id }) => id).join(" ") : "";
  const also = verbose ? others.slice(0, shownFindings - 1) : [];
  return [
    `${paint("red", ids)}  ${wrapped(plain(cause.text, 600), width, 4, ids.length + 2)}`,
    ...line("expected", expectedText(finding)),
    ...line("actual", actualText(finding)),
    ...(further.length > 0 && breaks !== "" ? [] : line("request", requestOf(finding, run))),
    ...line("breaks", breaks),
    ...copied("replay", finding.replay),
    ...(verbose ? copied("curl", plainCommand(finding.curl, 4000)) : []),
    ...also.flatMap((each) =>
      line("also", `${each.finding.message.replace(/\.$/, "")}: ${actualText(each.finding)}`),
    ),
    ...further.map((one) => `  ${wrapped(one, width, 2)}`),
  ];
}

/** The most characters of an expected or an actual text that are shown. The page has the rest. */
const shownText = 240;

/**
 * The request of a finding in words: `POST /corporate/operation, invalid: with /currency_amount
 * left out`.
 */
function requestOf({ exchange, operation, sent }: Finding, { exchanges }: Run): string {
  if (operation === undefined) return "";
  const intent = exchanges.find(({ id }) => id === exchange)?.intent ?? sent;
  return intent === undefined
    ? operationTitle(operation)
    : `${operationTitle(operation)}, ${intent}`;
}

/**
 * The lines on a mistake in a document: what stands at its place and what has to stand there, the
 * text around the place, the requirements that the mistake breaks, and how to check again.
 */
function documentFailure(
  rows: readonly RequirementResult[],
  { replay }: Finding,
  place: DocumentPlace,
  { paint }: Screen,
): readonly string[] {
  const ids = rows.map(({ id }) => id).join(" ");
  return [
    `${paint("red", signs.fail)} ${plain(place.says, 600)}`,
    labelled("place", plain(documentPlaceText(place), 600), paint),
    ...frameLines(place).map((line) => `            ${plain(line, 200)}`),
    labelled("breaks", ids, paint),
    labelled("again", plain(replay, 4000), paint),
  ];
}

function labelled(label: string, text: string, paint: Paint): string {
  return `  ${paint("dim", label.padEnd(9))} ${text}`;
}

const indent = 12;

function warnings(run: Run, { width }: Screen): readonly string[] {
  return atMost(
    shownFailures,
    failuresOf(run, "warn").map(({ cause, rows }) => {
      const ids = rows.map(({ id }) => id).join(" ");
      return `  ${wrapped(`${signs.warn} ${ids}  ${plain(cause.text, 300)}`, width, 4, 2)}`;
    }),
    (left) => `  and ${plural(left, "more warning")}`,
  );
}

/**
 * The requirements without a verdict, grouped by reason, with all their ids. Leaves out
 * requirements that wait for a mistake.
 */
function withoutVerdict(run: Run, screen: Screen): readonly string[] {
  return atMost(
    shownFailures,
    byReason(withoutWaiting(run), "inconclusive").map(([reason, group]) => {
      const names = `${signs.inconclusive} ${idsText(group.map(({ id }) => id))}`;
      // The summary below may already contain this reason.
      const why = isInSummary(run, reason) ? "" : `  ${sentence(plain(reason, 600))}`;
      return `  ${wrapped(`${names}${why}`, screen.width, 4, 2)}`;
    }),
    (left) => `  and ${plural(left, "more reason")}`,
  );
}

/**
 * The run without the requirements that wait for a mistake, because the block of the mistake counts
 * them.
 */
function withoutWaiting(run: Run): Run {
  const waiting = waitingIn(run);
  return { ...run, requirements: run.requirements.filter(({ id }) => !waiting.has(id)) };
}

const shownIds = 8;

/** Whether no requirement was judged and the summary says why. */
function saysAll(run: Run): boolean {
  return run.requirements.every(
    (row) =>
      row.verdict === "skip" || (row.verdict === "inconclusive" && isInSummary(run, reasonOf(row))),
  );
}

function clientFindings({ client = [] }: Run): readonly string[] {
  return atMost(
    shownFailures,
    client.map((finding) => `  ${plain(clientFindingText(finding), 400)}`),
    (left) => `  and ${plural(left, "more finding")}, in the reports`,
  );
}

function notes(run: Run, paint: Paint): readonly string[] {
  const row = (label: string, text: string, limit: number): string =>
    `${paint("yellow", label.padEnd(9))} ${plain(text, limit)}`;
  return [
    ...[...run.warnings, ...run.withheld].map((text) => row("note", text, 1000)),
    ...(run.narrowed ?? []).map((text) => row("narrowed", text, 500)),
    ...toleratedLines(run).map((text) => row("tolerated", text, 500)),
    ...atMost(
      shownFailures,
      furtherReasons(run),
      (left) => `and ${left} more reasons, in the reports`,
    ).map((text) => row("gate", text, 500)),
  ];
}

/** Why the gate fails, apart from failed requirements and from what the summary says. */
function furtherReasons(run: Run): readonly string[] {
  const reasons = ownReasons(run).filter(
    ({ kind, text }) => kind !== "must-failed" && text !== run.summary,
  );
  return reasonLines({ gate: { ...run.gate, reasons } });
}

function conclusion(run: Run, screen: Screen): readonly string[] {
  const { width, paint, lostCode } = screen;
  const passes = run.gate.pass && lostCode === undefined;
  const gate =
    run.gate.pass && lostCode !== undefined
      ? `${signs.warn} The gate would pass, but not everything could be written: exit code ${lostCode}.`
      : gateLine(run);
  const outcome = `${outcomeSigns[run.outcome]} ${run.outcome}`;
  const line = wrapped(`${outcome} · ${plain(headline(run), 500)}`, width, 2, 0);
  return [
    ...[sinceLastText(run) ?? []].flat(),
    ...(isInHeadline(run) || isInBlock(run)
      ? []
      : [wrapped(plain(run.summary, 1000), width, 2, 0)]),
    paint(outcomeColour[run.outcome], outcome) + line.slice(outcome.length),
    paint(passes ? "green" : "red", wrapped(gate, width, 2, 0)) + details(run, screen),
  ];
}

/** The words that name the page with the details. Empty if the gate passes or there is no page. */
function details({ gate }: Run, { page, pageAddress }: Screen): string {
  return page === undefined || gate.pass ? "" : ` Details: ${linked(plain(page), pageAddress)}`;
}

/**
 * Whether the line with the outcome already says what the summary says. This is so for the outcome
 * `conformant`.
 */
const isInHeadline = ({ outcome }: Run): boolean => outcome === "conformant";

/** Whether a block already says what the summary says: that nothing could be tested, and why. */
function isInBlock({ causes, summary }: Run): boolean {
  return causes.some(({ findings, actual }) => findings === 0 && actual === summary);
}

/**
 * A line, wrapped at `width`. The first line begins at column `start`, the others at `hanging`. A
 * word that is longer than a line stays whole.
 */
function wrapped(line: string, width: number, hanging: number, start = hanging): string {
  const [first = "", ...others] = line.split(" ");
  let column = start + [...first].length;
  let text = first;
  for (const word of others) {
    const length = [...word].length;
    const isNext = column + 1 + length > width;
    text += isNext ? `\n${" ".repeat(hanging)}${word}` : ` ${word}`;
    column = (isNext ? hanging : column + 1) + length;
  }
  return text;
}

/**
 * A text that leads to an address, on terminals that know OSC 8. Without an address, the text
 * alone.
 */
function linked(text: string, address: string | undefined): string {
  return address === undefined ? text : `\u001b]8;;${address}\u001b\\${text}\u001b]8;;\u001b\\`;
}

const outcomeColour = {
  conformant: "green",
  nonconformant: "red",
  partial: "blue",
  inconclusive: "yellow",
  interrupted: "yellow",
  error: "red",
} as const satisfies Record<Run["outcome"], Colour>;

import { gateSign, gateText } from "./summary.ts";
import { atMost, idsText, sentence, wrapped } from "./wording.ts";
import {
  breaking,
  clientFindingsTitle,
  namedTexts,
  pageOf,
  type Block,
  type Page,
} from "./page.ts";
import { plain } from "./sanitize.ts";
import { painter, type Colour, type Paint, signs } from "./verdict-symbols.ts";
import { plural } from "../model/plural.ts";
import type { Run } from "../model/run.ts";
import type { RequirementId } from "../spec/catalogue.ts";

export interface ConsoleStyle {
  readonly color: boolean;
  /**
   * The width of the terminal in columns. A width below 40 counts as 40. Lines that nobody copies
   * are wrapped at this width. @defaultValue no line is wrapped
   */
  readonly width?: number;
  /** The path of `report.html`, which holds the evidence that the console leaves out. */
  readonly page?: string | undefined;
  /** Also show the curl commands, and what was covered. */
  readonly verbose?: boolean;
}

interface Screen extends Pick<ConsoleStyle, "page" | "verbose"> {
  readonly paint: Paint;
  readonly width: number;
  /** The command that checks a failure again. @defaultValue that of the finding */
  readonly replay?: string;
}

/** The most mistakes and other items of a list that are shown. */
const most = { mistakes: 10, items: 30 } as const;

/**
 * The text of a run for a terminal or a log: mistakes in up to six lines each, short lists of
 * warnings and of requirements without a verdict, the outcome, and the gate as the last line.
 */
export function consoleText(run: Run, style: ConsoleStyle): string {
  const { color, width = Infinity, ...rest } = style;
  const paint = painter(color);
  const screen = { ...rest, paint, width: Math.max(40, width) };
  const page = pageOf(run);
  return [
    mistakes(page, screen),
    titled("No verdict", open(page, screen), paint),
    titled(clientFindingsTitle, indented(page.client, "more finding"), paint),
    notes(page, paint),
    conclusion(page, screen),
  ]
    .filter((block) => block.length > 0)
    .map((block) => block.join("\n"))
    .join("\n\n")
    .concat("\n");
}

/**
 * The block of the mistake by which a server breaks a requirement, without colours. Empty if it does
 * not break it. `replay` is the command that checks it again.
 */
export function failureText(run: Run, id: RequirementId, replay: string): string {
  const [own] = breaking(pageOf(run), id);
  const screen = { paint: painter(false), width: Infinity, replay };
  return own === undefined ? "" : lines(own.block, screen).join("\n");
}

function titled(title: string, lines: readonly string[], paint: Paint): readonly string[] {
  return lines.length === 0 ? [] : [paint("yellow", title), ...lines];
}

function indented(texts: readonly string[], name: string): readonly string[] {
  const shown = atMost(most.items, texts, (left) => `and ${plural(left, name)}`);
  return shown.map((text) => `  ${text}`);
}

/** What fails the run first, then what is a warning. */
function mistakes(page: Page, screen: Screen): readonly string[] {
  const all = [...page.mistakes, ...page.warnings];
  const place = screen.page === undefined ? "" : `: ${screen.page}`;
  const token =
    screen.verbose === true && page.token !== "" ? [[labelled("token", page.token, screen)]] : [];
  const blocks = atMost(
    most.mistakes,
    all.map((one) => lines(one, screen)),
    (left) => [`${plural(left, "more mistake")}${place}`],
  );
  return [...token, ...blocks].flatMap((block, index) => (index === 0 ? block : ["", ...block]));
}

/** The lines on a mistake, usually up to six. */
function lines(
  { verdict, title, breaks, shows, kinds, remarks }: Block,
  screen: Screen,
): readonly string[] {
  const { paint, width, verbose = false } = screen;
  const [first, ...others] = breaks;
  const more = others.length > 0 ? ` and ${others.length} more` : "";
  const level = verdict === "warn" ? " (SHOULD)" : "";
  const head = `${signs[verdict]} ${first?.id ?? ""}${more}${level}${first === undefined ? "" : "  "}`;
  const ids = others.length > 0 ? breaks.map(({ id }) => id).join(" ") : "";
  const isLong = remarks !== "" && ids !== "" && kinds.length === 0;
  const left = new Set([
    ...(shows?.place === undefined ? ["place", "seen"] : ["expected", "actual", "request", "seen"]),
    ...(isLong ? ["request"] : []),
    ...(verbose ? [] : ["curl"]),
  ]);
  const texts = (shows === undefined ? [] : namedTexts(shows, kinds)).filter(
    ([name]) => !left.has(name),
  );
  const at = texts.findIndex(([name]) => copied.has(name));
  if (ids !== "") texts.splice(at < 0 ? texts.length : at, 0, ["breaks", ids]);
  return [
    `${paint(verdict === "warn" ? "yellow" : "red", head)}${wrapped(title, width, 4, head.length)}`,
    ...texts.map(([name, text]) => {
      const said = name === "replay" ? (screen.replay ?? text) : text;
      return labelled(name, copied.has(name) ? said : wrapped(said, width, indent), screen);
    }),
    ...(remarks === "" ? [] : [`  ${wrapped(remarks, width, 2)}`]),
  ];
}

/** What is copied from the console is not wrapped. */
const copied: ReadonlySet<string> = new Set(["replay", "curl", ""]);

function labelled(label: string, text: string, { paint }: Screen): string {
  return `  ${paint("dim", label.padEnd(9))} ${text}`;
}

const indent = 12;

/**
 * The requirements without a verdict, by reason. What waits for a mistake stands in its block, and
 * what the summary explains is left out.
 */
function open(page: Page, { width }: Screen): readonly string[] {
  const all = page.open.filter(
    ({ verdict, reason }) => verdict === "inconclusive" && reason !== "",
  );
  return indented(
    all.map(({ ids, reason }) =>
      wrapped(`${signs.inconclusive} ${idsText(ids)}  ${sentence(reason)}`, width, 4, 2),
    ),
    "more reason",
  );
}

function notes({ notes: all, gate }: Page, paint: Paint): readonly string[] {
  const rows = (label: string, texts: readonly string[]): readonly string[] =>
    atMost(most.items, texts, (left) => `and ${left} more`).map(
      (text) => `${paint("yellow", label.padEnd(9))} ${text}`,
    );
  return [
    ...rows("note", all),
    ...rows("narrowed", gate.narrowed),
    ...rows("tolerated", gate.tolerated),
    ...rows("gate", gate.reasons),
  ];
}

function conclusion(page: Page, screen: Screen): readonly string[] {
  const { width, paint, page: file } = screen;
  const { outcome, summary, gate, since, coverage } = page;
  const head = `${page.sign} ${outcome}`;
  const counts = wrapped(`${head} · ${page.headline}`, width, 2, 0).slice(head.length);
  const isSaid = outcome === "conformant" || page.mistakes.some(({ title }) => title === summary);
  const details = file === undefined || gate.passes ? "" : ` Details: ${file}`;
  return [
    ...(screen.verbose === true && coverage !== ""
      ? [wrapped(`Covered: ${coverage}.`, width, 2, 0)]
      : []),
    ...(since === "" ? [] : [since]),
    ...(isSaid ? [] : [wrapped(summary, width, 2, 0)]),
    paint(outcomeColour[outcome], head) + counts,
    paint(gate.passes ? "green" : "red", wrapped(gate.line, width, 2, 0)) + details,
  ];
}

/**
 * The run in one line: the target, what could not be written (`lost`), the summary, and what the
 * gate says of it.
 */
export function quietText(run: Run, lost: readonly string[] = []): string {
  const sign = lost.length > 0 ? signs.warn : gateSign(run);
  const texts = [`${run.target.baseUrl}:`, ...lost, run.summary, gateText(run)];
  return plain(`${sign} ${texts.join(" ")}`);
}

const outcomeColour = {
  conformant: "green",
  nonconformant: "red",
  partial: "blue",
  inconclusive: "yellow",
  interrupted: "yellow",
  error: "red",
} as const satisfies Record<Run["outcome"], Colour>;

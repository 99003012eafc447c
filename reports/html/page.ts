import type { Outcome, Run, Verdict } from "../../model/run.ts";
import { verdicts, outcomeSigns, counted, signs, tally } from "../verdict-symbols.ts";
import { filters, h, trusted, type Markup } from "./markup.ts";
import { bar, sectionsOf, type View } from "./sections.ts";
import { hashOf } from "./style.ts";
import { plain } from "../sanitize.ts";
import { sinceLastText } from "../since-last.ts";
import { durationText, gateLine, reasonLines, toleratedLines } from "../gate.ts";
import { ownReasons } from "../failures.ts";
import { isRequirementId } from "../../spec/catalogue.ts";
import { atMost } from "../groups.ts";

interface Page extends View {
  readonly title: string;
  /** The verdicts by which the page can be filtered. */
  readonly verdicts: readonly Verdict[];
  /** The markup above the sections. */
  readonly head: Markup;
  readonly foot: string;
  readonly sheet: string;
  readonly scripts: readonly string[];
  /** The page is live: fxconform sends it new states while it runs. */
  readonly isLive?: true;
}

/**
 * The HTML of a page. It loads nothing from elsewhere, and allows only its own scripts and styles.
 */
export function pageText({
  title,
  verdicts: filtered,
  head,
  foot,
  sheet,
  scripts,
  isLive,
  ...view
}: Page): string {
  const { run, isRunning } = view;
  const sections = sectionsOf(view).filter(({ content }) => content !== undefined);
  const policy = [
    "default-src 'none'",
    `script-src ${scripts.map(hashOf).join(" ")}`,
    `style-src ${hashOf(sheet)}`,
    "img-src data:",
    "base-uri 'none'",
    "form-action 'none'",
    ...(isLive === true ? ["connect-src 'self'"] : []),
  ];
  const { markup } = h`<!doctype html>
<html lang="en"${isLive === true && h` data-running="${isRunning ? "true" : "false"}"`}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy.join("; ")}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="generator" content="${run.tool.name} ${run.tool.version}">
<title>${title} – fxconform</title>
<link rel="icon" href="${icon(run.outcome)}">
<style>${trusted(sheet)}</style>
</head>
<body>
${bar(sections)}
<main>
${head}${sections.map(({ id, content }) => [content, id === "map" && filters(filtered)])}</main>
<footer><p>${foot}</p></footer>
${scripts.map((text) => h`<script>${trusted(text)}</script>\n`)}</body>
</html>
`;
  return markup;
}

const colours = {
  conformant: "2e7d4f",
  nonconformant: "b3362f",
  partial: "4b5fa8",
  inconclusive: "4b5fa8",
  interrupted: "8a6100",
  error: "8a6100",
} as const satisfies Record<Outcome, string>;

function icon(outcome: Outcome): string {
  return `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 16 16'%3E%3Ccircle cx='8' cy='8' r='7' fill='%23${colours[outcome]}'/%3E%3C/svg%3E`;
}

export function top(run: Run): Markup {
  const since = sinceLastText(run);
  return h`<section class="top ${run.outcome}" aria-labelledby="outcome">
<p class="seal" aria-hidden="true">${outcomeSigns[run.outcome]}</p>
<div>
<h1 id="outcome">${titles[run.outcome] ?? plain(run.summary, 300).replace(/\.$/, "")}</h1>
${titles[run.outcome] !== undefined && h`<p class="summary">${plain(run.summary, 1000)}</p>`}
${gate(run)}${
    since !== undefined &&
    h`
<p class="since">${since}</p>`
  }
<p class="where"><span class="mono">${run.target.baseUrl}</span> <span>${run.profile}</span> <span>${durationText(run.durationMs)}</span> <a href="#run">This run</a></p>
</div>
${share(run)}
</section>
`;
}

/** The titles of some outcomes. For any other outcome, the summary is the title. */
const titles: Partial<Record<Outcome, string>> = {
  inconclusive: "No verdict on the server",
  error: "fxconform itself failed",
};

const shown = 12;

function gate(run: Run): Markup {
  // The page shows failures below. If there is no verdict, the summary already is the reason.
  const others = ownReasons(run).filter(({ kind }) => kind !== "must-failed");
  const reasons = reasonLines({ gate: { ...run.gate, reasons: others } }).filter(
    (text) => text !== run.summary,
  );
  return h`<p class="gate ${run.gate.pass ? "pass" : "fail"}"><b>${withLinks(gateLine(run))}</b></p>
${list("", reasons)}${list("Tolerated", toleratedLines(run))}${list("Narrowed", run.narrowed ?? [])}`;
}

function list(title: string, texts: readonly string[]): Markup | undefined {
  if (texts.length === 0) return undefined;
  const items = texts.map((text) => h`<li>${withLinks(plain(text, 400))}</li>`);
  return h`${title !== "" && h`<p class="gate">${title}</p>`}<ul class="reasons">${atMost(shown, items, (left) => h`<li>and ${left} more</li>`)}</ul>
`;
}

/** A text in which the ids of requirements are links to their place on the page. */
function withLinks(text: string): readonly (Markup | string)[] {
  return text
    .split(/\b([A-Z]+-\d\d)\b/)
    .map((part) => (isRequirementId(part) ? h`<a href="#${part}">${part}</a>` : part));
}

/**
 * How the requirements are divided among the verdicts: a bar with a part for each verdict, and the
 * numbers with their signs.
 */
function share(run: Run): Markup {
  const counts = tally(run.requirements);
  const widths = barWidths(verdicts.map((verdict) => counts[verdict]));
  const bars = verdicts.map((verdict, index) => {
    const x = widths.slice(0, index).reduce((sum, width) => sum + width, 0);
    const width = widths[index] ?? 0;
    return (
      width > 0 &&
      h`<rect class="${verdict}" x="${x.toFixed(1)}" y="0" width="${width.toFixed(1)}" height="10"/>`
    );
  });
  return h`<svg class="share" viewBox="0 0 ${barWidth} 10" preserveAspectRatio="none" aria-hidden="true">${bars}</svg>
<ul class="counts">${verdicts.map(
    (verdict) =>
      h`<li class="${verdict}${counts[verdict] === 0 && " none"}"><span class="sign" aria-hidden="true">${signs[verdict]}</span> <b>${counts[verdict]}</b> ${counted[verdict]}</li>`,
  )}</ul>
`;
}

const barWidth = 1000;

/**
 * The least width of a part, in thousandths of the bar. On the narrowest page, whose bar has 280
 * pixels, it leaves six pixels inside the outline.
 */
const leastWidth = 30;

/**
 * The width of each part of the bar, in thousandths of the bar. A part that is not empty is wide
 * enough to be seen; the widest part gives up the width for that.
 */
export function barWidths(counts: readonly number[]): readonly number[] {
  const all = Math.max(
    1,
    counts.reduce((sum, count) => sum + count, 0),
  );
  const wanted = counts.map((count) =>
    count === 0 ? 0 : Math.max(leastWidth, (count / all) * barWidth),
  );
  const over = wanted.reduce((sum, width) => sum + width, 0) - barWidth;
  const widest = wanted.indexOf(Math.max(...wanted));
  return over > 0
    ? wanted.map((width, index) => (index === widest ? width - over : width))
    : wanted;
}

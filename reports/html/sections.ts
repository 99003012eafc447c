import { plural } from "../../model/plural.ts";
import { atMost, durationText, sentence, type AnswerGroup } from "../wording.ts";
import { areasOf, clientFindingsTitle, type Block, type Page, type Row } from "../page.ts";
import { counted, signs, tally } from "../verdict-symbols.ts";
import { cards, commandLine, idLinks, messages, type Anchors } from "./cards.ts";
import { h, type Markup, operationMarkup, signMark } from "./markup.ts";

/**
 * The sections in the order of the page, those with nothing to show without content, each with its
 * heading, which the navigation repeats, and with what follows the heading (`of`). The style shows
 * the map above the failures; a page without styles begins with the failures.
 */
export function sectionsOf(page: Page) {
  const anchors: Anchors = new Set();
  const { client, observations, created } = page;
  const failed = countText(page.mistakes);
  const all: readonly (readonly [id: string, name: string, of: string, Markup | false])[] = [
    [
      "fail",
      failed === "" && page.mistakes.length > 0 ? "Not tested" : "Failures",
      failed,
      failures(page.mistakes, page, anchors),
    ],
    ["map", "Map", `${passedOf(page.rows)} requirements passed`, map(page)],
    ["none", "No verdict", "", noVerdict(page)],
    ["warn", "Warnings", countText(page.warnings), failures(page.warnings, page, anchors)],
    ["client", clientFindingsTitle, `${client.length}`, clientFindings(page)],
    ["observed", "Open questions", `${observations.length} observed`, observed(page)],
    ["latency", "Responses", "", responses(page)],
    ["all", "Requirements", "", requirements(page, anchors)],
    ["created", "Created", `${created.count}`, resources(page)],
    ["run", "This run", "", page.facts.length > 0 && facts(page)],
  ];
  return all.map(([id, name, of, content]) => ({
    id,
    name,
    content: content && section(id, name, of, content),
  }));
}

export function bar(sections: ReturnType<typeof sectionsOf>): Markup {
  return h`<header class="bar"><p class="brand">fxconform</p><nav aria-label="Sections"><ul>${sections.map(({ id, name }) => h`<li><a href="#${id}">${name}</a></li>`)}</ul></nav></header>`;
}

function section(id: string, name: string, of: string, content: Markup): Markup {
  return h`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${name}${of !== "" && h` <span class="of">${of}</span>`}</h2>
${content}</section>
`;
}

/** How many mistakes break how many requirements. Empty if they break none. */
function countText(blocks: readonly Block[]): string {
  const ids = new Set(blocks.flatMap(({ breaks }) => breaks.map((one) => one.id)));
  return ids.size === 0
    ? ""
    : `${plural(blocks.length, "mistake")}, ${plural(ids.size, "requirement")}`;
}

/** Mistakes, each as a line that opens a card. */
function failures(
  blocks: readonly Block[],
  { token, mistakes }: Page,
  anchors: Anchors,
): Markup | false {
  if (blocks.length === 0) return false;
  const isFirst = blocks === mistakes || mistakes.length === 0;
  const fold =
    blocks === mistakes &&
    token !== "" &&
    h`<details class="token"><summary>The token that the curl commands use</summary>${commandLine("", token)}</details>\n`;
  return h`${cards(blocks.slice(0, most.cards), isFirst, anchors)}${blocks.length > most.cards && h`<p class="more">and ${plural(blocks.length - most.cards, "more mistake")}</p>\n`}${fold}`;
}

/** How many items a list shows. */
const most = {
  cards: 300,
  client: 200,
  reasons: 80,
  answers: 12,
  cases: 80,
  openCases: 3,
  ids: 12,
} as const;

function clientFindings({ client: all }: Page): Markup | false {
  if (all.length === 0) return false;
  return h`<p class="hint">Requests that break the specification. They do not count against the server.</p>
<ul class="cases">${listed(all, most.client)}</ul>
`;
}

function resources({ created: { count, withoutId, kinds } }: Page): Markup | false {
  if (count === 0) return false;
  const lists = kinds.map(({ kind, count: all, ids, left }) =>
    ids.length === 0
      ? h`<p>${kind}, ${all}</p>\n`
      : h`<details><summary>${kind}, ${all}</summary><p class="ids">${ids.map((id) => h`<code>${id}</code> `)}${left > 0 && h`and ${left} more`}</p></details>
`,
  );
  return h`${withoutId > 0 && h`<p>${withoutId} of them came without an id that a request could name.</p>\n`}${lists}`;
}

function responses({ responses: all }: Page): Markup | false {
  if (all.length === 0) return false;
  const row = ({ operation, count, statuses, latency }: Page["responses"][number]): Markup => {
    const { p50, p95, p99, max } = latency ?? {};
    const times = [p50, p95, p99, max].map((ms) => (ms === undefined ? "" : durationText(ms)));
    return h`<tr><th scope="row">${operationMarkup(operation)}</th><td class="number">${count}</td><td>${statuses}</td>${times.map((text) => h`<td class="number">${text}</td>`)}</tr>
`;
  };
  return h`<div class="scroll" tabindex="0" role="group" aria-label="Table of responses"><table class="latency">
<thead><tr><th scope="col">Operation</th><th scope="col" class="number">responses</th><th scope="col">by status</th>${["p50", "p95", "p99", "max"].map((name) => h`<th scope="col" class="number">${name}</th>`)}</tr></thead>
<tbody>
${all.map(row)}</tbody></table></div>
`;
}

function facts({ facts: all }: Page): Markup {
  return h`<dl class="facts">
${all.map(([name, text]) => h`<div><dt>${name}</dt><dd${mono.has(name) && h` class="mono"`}>${text}</dd></div>\n`)}</dl>
`;
}

const mono: ReadonlySet<string> = new Set(["Target", "Run"]);

function observed({ observations: all, unobserved }: Page): Markup | false {
  if (all.length === 0) return false;
  return h`<p class="hint">What this server does where the specification is silent: facts, not verdicts. A statement can pin them.${unobserved > 0 && ` ${plural(unobserved, "question")} ${unobserved === 1 ? "was" : "were"} not observed in this run.`}</p>
<dl class="observed">
${all.map(entry)}</dl>
`;
}

function entry({ id, question, source, answers }: Page["observations"][number]): Markup {
  const shown = atMost(
    most.answers,
    answers.map(answer),
    (left) => h`<p class="times">and ${left} more</p>`,
  );
  return h`<div id="${id}"><dt><span class="id">${id}</span> ${question} <span class="source">${source}</span></dt>
<dd>${shown}</dd></div>
`;
}

function answer({ answer: value, count, cases }: AnswerGroup): Markup {
  const often = count === cases.length ? "" : ` × ${count}`;
  const head = h`<span class="answer">${value}</span><span class="times">${often}</span>`;
  if (cases.length <= most.openCases)
    return h`<p>${head} <span class="cases">${cases.join("; ")}</span></p>`;
  return h`<details><summary>${head} <span class="cases">in ${cases.length} cases</span></summary>
<ul class="cases">${listed(cases, most.cases)}</ul></details>`;
}

function listed(texts: readonly string[], bound: number): readonly Markup[] {
  const items = texts.map((text) => h`<li>${text}</li>`);
  return atMost(bound, items, (left) => h`<li>and ${left} more</li>`);
}

/** The requirements without a verdict and the skipped ones, by reason, and notes. */
function noVerdict({ open, notes }: Page): Markup | false {
  if (open.length === 0 && notes.length === 0) return false;
  const items = [
    ...open.map(reason),
    ...notes.map((note) => h`<li class="note">${signMark("i")}<p>${note}</p></li>\n`),
  ];
  return h`<ul class="no-verdict">
${atMost(most.reasons, items, (left) => h`<li><p>and ${left} more</p></li>`)}</ul>
`;
}

function reason({ verdict, ids, reason: why, isWaiting }: Page["open"][number]): Markup {
  const words = verdict === "skip" ? "skipped" : "without a verdict";
  const links = idLinks(ids);
  return h`<li class="${verdict}">${signMark(signs[verdict])}
<p><b>${ids.length} ${words}</b>${isWaiting && " until a mistake above is mended"}${why !== "" && `: ${why}`}</p>
${ids.length <= most.ids ? links : h`<details><summary>all ${ids.length}</summary>${links}</details>`}</li>
`;
}

/** A table of all requirements with their verdicts. */
function requirements(page: Page, anchors: Anchors): Markup {
  const columns = ["Verdict", "Id", "Level", "Statement", "Source"];
  return h`<p class="hint">Open a requirement that passed to see how it was judged.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Table of requirements">
<table class="rows">
<thead><tr>${columns.map((name) => h`<th scope="col">${name}</th>`)}<th scope="col" class="number">Judged</th></tr></thead>
${areasOf(page).map(
  ([area, rows]) => h`<tbody><tr class="area"><th scope="rowgroup" colspan="6">${area}</th></tr>
${rows.map((row) => line(row, anchors))}</tbody>
`,
)}</table></div>
`;
}

function line(row: Row, anchors: Anchors): Markup {
  const { id, verdict, level, statement, reason: why, source, asked } = row;
  const anchor = !anchors.has(id) && h` id="${id}" tabindex="-1"`;
  return h`<tr${anchor} class="${verdict}"><td class="verdict">${signMark(signs[verdict])} <span class="word">${verdict}</span></td><td class="id"><a href="#${id}">${id}</a></td><td class="level">${level}</td><td>${verdict === "pass" ? passed(row) : statement}${why !== "" && h`<p class="reason">${sentence(why)}</p>`}</td><td class="source">${source}</td><td class="number">${asked}</td></tr>
`;
}

/** How a requirement was judged, with an exchange that shows it. */
function passed({ statement, asked, sample }: Row): Markup {
  return h`<details class="passed"><summary>${statement}</summary><p class="reason">Judged ${asked === 1 ? "once" : `${asked} times`}. ${sample ? h`An exchange that shows it, from the scenario “${sample.scenario}”:</p>${messages(sample)}` : h`No single exchange shows it.</p>`}</details>`;
}

/** A map: each requirement is a cell, and a row is an area. */
function map(page: Page): Markup {
  const areas = areasOf(page).map(
    ([area, rows]) => h`<h3 id="map-${area}">${area} <span class="of">${passedOf(rows)}</span></h3>
<ul aria-labelledby="map-${area}">${rows.map(cell)}</ul>
`,
  );
  return h`<div class="map">
${areas}</div>
`;
}

function passedOf(rows: readonly Row[]): string {
  return `${tally(rows).pass} of ${rows.length}`;
}

function cell({ id, level, verdict, statement }: Row): Markup {
  return h`<li><a class="cell ${verdict}" href="#${id}" title="${id} ${level} ${statement}" aria-label="${id} ${level} ${counted[verdict]}"><span class="sign">${signs[verdict]}</span>${id.slice(id.indexOf("-") + 1)}</a></li>`;
}

import { plural } from "../../model/plural.ts";
import { clientFindingsTitle } from "../failures.ts";
import { durationText } from "../duration.ts";
import { atMost, sentence, type AnswerGroup } from "../wording.ts";
import {
  areasOf,
  type Block,
  type Open,
  type Page,
  type Row,
  type ShownObservation,
  type ShownResponses,
} from "../page.ts";
import { counted, signs, tally } from "../verdict-symbols.ts";
import { cards, commandLine, idLinks, messages, type Anchors } from "./cards.ts";
import { h, type Markup, operationMarkup, signMark } from "./markup.ts";

type PageSection = ReturnType<typeof sectionsOf>[number];

/** The sections in the order of the page. The content of one with nothing to show is undefined. */
export function sectionsOf(page: Page) {
  const anchors: Anchors = new Set();
  const contents = {
    map: map(page),
    fail: failures("fail", page.mistakes, page, anchors),
    none: noVerdict(page),
    warn: failures("warn", page.warnings, page, anchors),
    client: client(page),
    observed: observations(page),
    latency: responses(page),
    all: requirements(page, anchors),
    created: created(page),
    run: page.facts.length === 0 ? undefined : facts(page),
  } as const satisfies Record<SectionId, Markup | undefined>;
  return sectionIds.map((id) => ({ id, name: titles[id], content: contents[id] }));
}

/**
 * The headings of the sections in the order of the page. The navigation repeats them. The style
 * shows the map above the failures; a page without styles begins with the failures.
 */
const titles = {
  fail: "Failures",
  map: "Map",
  none: "No verdict",
  warn: "Warnings",
  client: clientFindingsTitle,
  observed: "Open questions",
  latency: "Responses",
  all: "Requirements",
  created: "Created",
  run: "This run",
} as const;

type SectionId = keyof typeof titles;

const sectionIds = Object.keys(titles) as readonly SectionId[];

export function bar(sections: readonly PageSection[]): Markup {
  return h`<header class="bar"><p class="brand">fxconform</p><nav aria-label="Sections"><ul>${sections.map(({ id, name }) => h`<li><a href="#${id}">${name}</a></li>`)}</ul></nav></header>`;
}

function section(id: SectionId, of: string, content: Markup): Markup {
  return h`<section id="${id}" aria-labelledby="${id}-title">
<h2 id="${id}-title">${titles[id]}${of !== "" && h` <span class="of">${of}</span>`}</h2>
${content}</section>
`;
}

/** Mistakes, each as a line that opens a card. */
function failures(
  id: "fail" | "warn",
  blocks: readonly Block[],
  { token, mistakes }: Page,
  anchors: Anchors,
): Markup | undefined {
  if (blocks.length === 0) return undefined;
  const ids = new Set(blocks.flatMap(({ breaks }) => breaks.map((one) => one.id)));
  const isFirst = id === "fail" || mistakes.length === 0;
  const fold =
    id === "fail" &&
    token !== "" &&
    h`<details class="token"><summary>The token that the curl commands use</summary>${commandLine("", token)}</details>\n`;
  return section(
    id,
    ids.size === 0 ? "" : `${plural(blocks.length, "mistake")}, ${plural(ids.size, "requirement")}`,
    h`${cards(blocks.slice(0, most.cards), isFirst, anchors)}${blocks.length > most.cards && h`<p class="more">and ${plural(blocks.length - most.cards, "more mistake")}</p>\n`}${fold}`,
  );
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

function client({ client: all }: Page): Markup | undefined {
  if (all.length === 0) return undefined;
  return section(
    "client",
    `${all.length}`,
    h`<p class="hint">Requests that break the specification. They do not count against the server.</p>
<ul class="cases">${listed(all, most.client)}</ul>
`,
  );
}

function created({ created: { count, withoutId, kinds } }: Page): Markup | undefined {
  if (count === 0) return undefined;
  const lists = kinds.map(({ kind, count: all, ids, left }) =>
    ids.length === 0
      ? h`<p>${kind}, ${all}</p>\n`
      : h`<details><summary>${kind}, ${all}</summary><p class="ids">${ids.map((id) => h`<code>${id}</code> `)}${left > 0 && h`and ${left} more`}</p></details>
`,
  );
  return section(
    "created",
    `${count}`,
    h`${withoutId > 0 && h`<p>${withoutId} of them came without an id that a request could name.</p>\n`}${lists}`,
  );
}

function responses({ responses: all }: Page): Markup | undefined {
  if (all.length === 0) return undefined;
  const row = ({ operation, count, statuses, latency }: ShownResponses): Markup => {
    const { p50, p95, p99, max } = latency ?? {};
    const times = [p50, p95, p99, max].map((ms) => (ms === undefined ? "" : durationText(ms)));
    return h`<tr><th scope="row">${operationMarkup(operation)}</th><td class="number">${count}</td><td>${statuses}</td>${times.map((text) => h`<td class="number">${text}</td>`)}</tr>
`;
  };
  return section(
    "latency",
    "",
    h`<div class="scroll" tabindex="0" role="group" aria-label="Table of responses"><table class="latency">
<thead><tr><th scope="col">Operation</th><th scope="col" class="number">responses</th><th scope="col">by status</th>${["p50", "p95", "p99", "max"].map((name) => h`<th scope="col" class="number">${name}</th>`)}</tr></thead>
<tbody>
${all.map(row)}</tbody></table></div>
`,
  );
}

function facts({ facts: all }: Page): Markup {
  return section(
    "run",
    "",
    h`<dl class="facts">
${all.map(([name, text]) => h`<div><dt>${name}</dt><dd${mono.has(name) && h` class="mono"`}>${text}</dd></div>\n`)}</dl>
`,
  );
}

const mono: ReadonlySet<string> = new Set(["Target", "Run"]);

function observations({ observations: all, unobserved }: Page): Markup | undefined {
  if (all.length === 0) return undefined;
  return section(
    "observed",
    `${all.length} observed`,
    h`<p class="hint">What this server does where the specification is silent: facts, not verdicts. A statement can pin them.${unobserved > 0 && ` ${plural(unobserved, "question")} ${unobserved === 1 ? "was" : "were"} not observed in this run.`}</p>
<dl class="observed">
${all.map(entry)}</dl>
`,
  );
}

function entry({ id, question, source, answers }: ShownObservation): Markup {
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
function noVerdict({ open, notes }: Page): Markup | undefined {
  if (open.length === 0 && notes.length === 0) return undefined;
  const items = [
    ...open.map(reason),
    ...notes.map((note) => h`<li class="note">${signMark("i")}<p>${note}</p></li>\n`),
  ];
  return section(
    "none",
    "",
    h`<ul class="no-verdict">
${atMost(most.reasons, items, (left) => h`<li><p>and ${left} more</p></li>`)}</ul>
`,
  );
}

function reason({ verdict, ids, reason: why, isWaiting }: Open): Markup {
  const words = verdict === "skip" ? "skipped" : "without a verdict";
  const links = idLinks(ids);
  return h`<li class="${verdict}">${signMark(signs[verdict])}
<p><b>${ids.length} ${words}</b>${isWaiting === true && " until a mistake above is mended"}${why !== "" && `: ${why}`}</p>
${ids.length <= most.ids ? links : h`<details><summary>all ${ids.length}</summary>${links}</details>`}</li>
`;
}

/** A table of all requirements with their verdicts. */
function requirements(page: Page, anchors: Anchors): Markup {
  const columns = ["Verdict", "Id", "Level", "Statement", "Source"];
  return section(
    "all",
    "",
    h`<p class="hint">Open a requirement that passed to see how it was judged.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Table of requirements">
<table class="rows">
<thead><tr>${columns.map((name) => h`<th scope="col">${name}</th>`)}<th scope="col" class="number">Judged</th></tr></thead>
${areasOf(page).map(
  ([area, rows]) => h`<tbody><tr class="area"><th scope="rowgroup" colspan="6">${area}</th></tr>
${rows.map((row) => line(row, anchors))}</tbody>
`,
)}</table></div>
`,
  );
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
  return section(
    "map",
    `${passedOf(page.rows)} requirements passed`,
    h`<div class="map">
${areas}</div>
`,
  );
}

function passedOf(rows: readonly Row[]): string {
  return `${tally(rows).pass} of ${rows.length}`;
}

function cell({ id, level, verdict, statement }: Row): Markup {
  return h`<li><a class="cell ${verdict}" href="#${id}" title="${id} ${level} ${statement}" aria-label="${id} ${level} ${counted[verdict]}"><span class="sign">${signs[verdict]}</span>${id.slice(id.indexOf("-") + 1)}</a></li>`;
}

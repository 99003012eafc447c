import {
  createdKinds,
  type CreatedKind,
  type RequirementResult,
  type Run,
  type Latency,
} from "../../model/run.ts";
import type { Observation, Verdict, RecordedExchange } from "../../model/run.ts";
import { plural } from "../../model/plural.ts";
import { createdCount } from "../created.ts";
import { failures, messages, type CardContext } from "./failures.ts";
import { h, type Markup, operationMarkup } from "./markup.ts";
import { clientFindingText, clientFindingsTitle, waitingIn } from "../failures.ts";
import { plain } from "../sanitize.ts";
import { groups } from "../../model/groups.ts";
import { atMost, byReason, answerGroups, sentence, type AnswerGroup } from "../groups.ts";
import { durationText, requestsText, seedsOf } from "../gate.ts";
import { wayText } from "../../model/network.ts";
import { questions } from "../../spec/questions.ts";
import { signs, counted, tally } from "../verdict-symbols.ts";
import { isInSummary } from "../../model/conclusion/outcome.ts";
import type { Level, RequirementId } from "../../spec/catalogue.ts";

/** What the sections show. */
export interface View extends CardContext {
  readonly run: Run;
  readonly pending: Pending;
  /**
   * A run is in progress. Unless only some requirements are checked again, the page shows no
   * reasons for missing verdicts yet.
   */
  readonly isRunning: boolean;
}

type PageSection = ReturnType<typeof sectionsOf>[number];

/**
 * All sections in the order of the page. The content of a section with nothing to show is
 * undefined.
 */
export function sectionsOf({ run: shownRun, pending, isRunning, before, checking }: View) {
  const isNew = isRunning && checking === undefined;
  const run = isNew ? withoutConclusions(shownRun) : shownRun;
  const checked = { ...run, requirements: run.requirements.filter(({ id }) => !pending.has(id)) };
  // The requirements whose anchor stands in an earlier section. Failures and warnings add theirs.
  const shown = new Set<RequirementResult>();
  const failed = failures(checked, "fail", titles.fail, shown, { before, checking });
  const warned = failures(checked, "warn", titles.warn, shown, {
    before,
    checking,
    isClosed: failed !== undefined,
  });
  const contents = {
    map: map(run, checking === undefined ? pending : new Set([...pending, ...checking])),
    fail: failed,
    none: noVerdict(isNew ? { ...checked, requirements: [] } : checked),
    warn: warned,
    client: client(run),
    observed: observations(run),
    latency: latency(run),
    all: requirements(run, shown, pending),
    created: created(run),
    run: facts(run),
  } as const satisfies Record<SectionId, Markup | undefined>;
  return sectionIds.map((id) => ({ id, name: titles[id], content: contents[id] }));
}

/**
 * While a run is in progress, the page must not say yet that requirements have no verdict because
 * of a mistake, or that the target could not be tested: leaves out `waiting` of each cause, and
 * causes without findings.
 */
function withoutConclusions(run: Run): Run {
  const found = run.causes.filter(({ findings }) => findings > 0);
  return { ...run, causes: found.map((cause) => ({ ...cause, waiting: undefined })) };
}

/** The headings of the sections in the order of the page. The navigation repeats them. */
const titles = {
  map: "Map",
  fail: "Failures",
  none: "No verdict",
  warn: "Warnings",
  client: clientFindingsTitle,
  observed: "Open questions",
  latency: "Latency",
  all: "Requirements",
  created: "Created",
  run: "This run",
} as const;

type SectionId = keyof typeof titles;

const sectionIds = Object.keys(titles) as readonly SectionId[];

export function bar(sections: readonly PageSection[]): Markup {
  return h`<header class="bar"><p class="brand">fxconform</p><nav aria-label="Sections"><ul>${sections.map(({ id, name }) => h`<li><a href="#${id}">${name}</a></li>`)}</ul></nav></header>`;
}

const shown = 200;

function client({ client: findings = [] }: Run): Markup | undefined {
  if (findings.length === 0) return undefined;
  return h`<section id="client" aria-labelledby="client-title">
<h2 id="client-title">${titles.client} <span class="of">${findings.length}</span></h2>
<p class="hint">Requests that break the specification. They do not count against the server.</p>
<ul class="cases">${atMost(
    shown,
    findings.map((finding) => h`<li>${plain(clientFindingText(finding), 400)}</li>`),
    (left) => h`<li>and ${left} more, in report.json</li>`,
  )}</ul>
</section>
`;
}

function created(run: Run): Markup | undefined {
  const count = createdCount(run);
  if (count === 0) return undefined;
  const lists = groups(run.created, (each) => each.kind);
  const kinds = createdKinds.filter((kind) => (run.createdCounts[kind] ?? 0) > 0);
  const without = run.createdWithoutId ?? 0;
  return h`<section id="created" aria-labelledby="created-title">
<h2 id="created-title">${titles.created} <span class="of">${count}</span></h2>
<p class="hint">What the run created on the server.</p>
${without > 0 && h`<p>${without} of them came without an id that a request could name.</p>\n`}${kinds.map((kind) => ofKind(kind, run.createdCounts[kind] ?? 0, lists.get(kind) ?? []))}</section>
`;
}

function ofKind(kind: CreatedKind, count: number, listed: Run["created"]): Markup {
  return listed.length === 0
    ? h`<p>${kind}, ${count}</p>\n`
    : h`<details><summary>${kind}, ${count}</summary><p class="ids">${listed.slice(0, shown).map(({ id }) => h`<code>${plain(id, 120)}</code> `)}${listed.length > shown && h`and ${listed.length - shown} more, in report.json`}</p></details>
`;
}

function latency(run: Run): Markup | undefined {
  if (run.latency.length === 0) return undefined;
  const row = ({ operation, count, p50, p95, p99, max }: Latency): Markup =>
    h`<tr><th scope="row">${operationMarkup(operation)}</th><td class="number">${count}</td>${[p50, p95, p99, max].map((ms) => h`<td class="number">${durationText(ms)}</td>`)}</tr>
`;
  return h`<section id="latency" aria-labelledby="latency-title">
<h2 id="latency-title">${titles.latency}</h2>
<div class="scroll" tabindex="0" role="group" aria-label="Table of latencies"><table class="latency">
<thead><tr><th scope="col">Operation</th><th scope="col" class="number">responses</th><th scope="col" class="number">p50</th><th scope="col" class="number">p95</th><th scope="col" class="number">p99</th><th scope="col" class="number">max</th></tr></thead>
<tbody>
${run.latency.map(row)}</tbody></table></div>
</section>
`;
}

function facts(run: Run): Markup {
  return h`<section id="run" aria-labelledby="run-title">
<h2 id="run-title">${titles.run}</h2>
<dl class="facts">
${fact("Target", h`<span class="mono">${run.target.baseUrl}</span>`)}
${run.target.network && fact("Requests went", plain(wayText(run.target.network), 300))}
${fact("Profile", run.profile)}
${fact("Started", h`<time datetime="${run.startedAt}">${run.startedAt.slice(0, 19).replace("T", " ")} UTC</time>`)}
${fact("Took", durationText(run.durationMs))}
${fact("Requests", requestsText(run))}
${fact("Seed", h`<span class="mono">${seedsOf(run)}</span>, ${run.runs} samples per property`)}
${run.notSent !== undefined && fact("Values", plain(run.notSent, 300))}
${fact("Versions", `${run.tool.name} ${run.tool.version}, specification ${run.specification.version}`)}
${fact("Run", h`<span class="mono">${run.runId}</span>`)}
</dl>
</section>
`;
}

function fact(name: string, value: string | Markup): Markup {
  return h`<div><dt>${name}</dt><dd>${value}</dd></div>`;
}

/**
 * The most answers of a question, and the most cases of an answer, that the page shows. More than
 * `open` cases are folded.
 */
const listed = { answers: 12, cases: 80, open: 3 } as const;

function observations(run: Run): Markup | undefined {
  const answered = run.observations.filter((observation) => observation.answers.length > 0);
  if (answered.length === 0) return undefined;
  const open = run.observations.length - answered.length;
  return h`<section id="observed" aria-labelledby="observed-title">
<h2 id="observed-title">${titles.observed} <span class="of">${answered.length} observed</span></h2>
<p class="hint">What this server does where the specification is silent: facts, not verdicts. A statement can pin them.${open > 0 && ` ${plural(open, "question")} ${open === 1 ? "was" : "were"} not observed in this run.`}</p>
<dl class="observed">
${answered.map(entry)}</dl>
</section>
`;
}

function entry(observation: Observation): Markup {
  const { id, question } = observation;
  const groups = answerGroups(observation);
  const more = groups.length - listed.answers;
  return h`<div id="${id}"><dt><span class="id">${id}</span> ${question} <span class="source">${sourceOf(id)}</span></dt>
<dd>${groups.slice(0, listed.answers).map(answer)}${more > 0 && h`<p class="times">and ${more} more</p>`}</dd></div>
`;
}

function answer({ answer: value, count, cases }: AnswerGroup): Markup {
  const often = count === cases.length ? "" : ` × ${count}`;
  const head = h`<span class="answer">${plain(value, 160)}</span><span class="times">${often}</span>`;
  if (cases.length === 0) return h`<p>${head}</p>`;
  if (cases.length <= listed.open)
    return h`<p>${head} <span class="cases">${plain(cases.join("; "), 400)}</span></p>`;
  const more = cases.length - listed.cases;
  return h`<details><summary>${head} <span class="cases">in ${cases.length} cases</span></summary>
<ul class="cases">${cases.slice(0, listed.cases).map((each) => h`<li>${plain(each, 160)}</li>`)}${more > 0 && h`<li>and ${more} more</li>`}</ul></details>`;
}

/**
 * The section of the specification that a question is about. Undefined for a question that this
 * version of fxconform does not have.
 */
function sourceOf(id: Observation["id"]): string | undefined {
  return Object.hasOwn(questions, id) ? questions[id].source : undefined;
}

/**
 * The requirements without a verdict and the skipped ones, grouped by reason; how many wait for a
 * mistake; and notes.
 */
function noVerdict(run: Run): Markup | undefined {
  const notes = [...run.warnings, ...run.withheld];
  const waiting = waitingIn(run);
  const others = { ...run, requirements: run.requirements.filter(({ id }) => !waiting.has(id)) };
  const wait =
    waiting.size > 0 &&
    h`<li class="inconclusive"><span class="sign" aria-hidden="true">${signs.inconclusive}</span><p><b>${waiting.size} without a verdict</b> until a mistake above is mended</p>
${idList(run.requirements.filter(({ id }) => waiting.has(id)))}</li>\n`;
  const parts = [
    ...reasons(others, "inconclusive", "without a verdict"),
    ...reasons(others, "skip", "skipped"),
  ];
  if (waiting.size === 0 && parts.length === 0 && notes.length === 0) return undefined;
  return h`<section id="none" aria-labelledby="none-title">
<h2 id="none-title">${titles.none}</h2>
<ul class="no-verdict">
${wait}${parts}${notes.slice(0, 40).map((note) => h`<li class="note"><span class="sign" aria-hidden="true">i</span><p>${plain(note, 500)}</p></li>\n`)}</ul>
</section>
`;
}

const mostNamed = 40;

function reasons(run: Run, verdict: Verdict, words: string): readonly Markup[] {
  const all = byReason(run, verdict);
  return atMost(
    mostNamed,
    all.map(
      ([
        reason,
        group,
      ]) => h`<li class="${verdict}"><span class="sign" aria-hidden="true">${signs[verdict]}</span>
<p><b>${group.length} ${words}</b>${!isInSummary(run, reason) && h`: ${plain(reason, 500)}`}</p>
${idList(group)}</li>
`,
    ),
    (left) => h`<li class="${verdict}"><p>and ${left} more reasons</p></li>`,
  );
}

/** The ids of requirements: up to twelve in a line, and more in a fold. */
function idList(rows: readonly RequirementResult[]): Markup {
  const ids = h`<p class="ids">${rows.map(({ id }) => h`<a href="#${id}">${id}</a> `)}</p>`;
  return rows.length <= 12
    ? ids
    : h`<details><summary>all ${rows.length}</summary>${ids}</details>`;
}

/**
 * A table of all requirements with their verdicts. Requirements in `shown` already have their
 * anchor above.
 */
function requirements(run: Run, shown: ReadonlySet<RequirementResult>, pending: Pending): Markup {
  const exchanges = new Map(run.exchanges.map((exchange) => [exchange.id, exchange]));
  return h`<section id="all" aria-labelledby="all-title">
<h2 id="all-title">${titles.all}</h2>
<p class="hint">Open a requirement that passed to see how it was judged.</p>
<div class="scroll" tabindex="0" role="group" aria-label="Table of requirements">
<table class="rows">
<thead><tr><th scope="col">Verdict</th><th scope="col">Id</th><th scope="col">Level</th><th scope="col">Statement</th><th scope="col">Source</th><th scope="col" class="number">Judged</th></tr></thead>
${[...groups(run.requirements, (row) => row.area)].map(
  ([area, rows]) => h`<tbody><tr class="area"><th scope="rowgroup" colspan="6">${area}</th></tr>
${rows.map((row) => (pending.has(row.id) ? waiting(row) : line(row, shown.has(row), exchanges)))}</tbody>
`,
)}</table></div>
<p class="nothing" hidden>Nothing here matches the filter.</p>
</section>
`;
}

function line(
  row: RequirementResult,
  hasAnchor: boolean,
  exchanges: ReadonlyMap<number, RecordedExchange>,
): Markup {
  const anchor = hasAnchor ? h`` : h` id="${row.id}" tabindex="-1"`;
  return h`<tr${anchor} class="${row.verdict}" data-id="${row.id}" data-verdict="${row.verdict}" data-level="${row.level}" data-area="${row.area}"><td class="verdict"><span class="sign" aria-hidden="true">${signs[row.verdict]}</span> <span class="word">${row.verdict}</span></td><td class="id"><a href="#${row.id}">${row.id}</a></td><td class="level">${row.level}</td><td>${row.verdict === "pass" ? passed(row, exchanges) : row.statement}${row.reason !== undefined && h`<p class="reason">${sentence(plain(row.reason, 300))}</p>`}</td><td class="source">${row.source}</td><td class="number">${row.asked}</td></tr>
`;
}

/**
 * The statement of a requirement. Its details say how often and in which scenarios it was judged,
 * and show one exchange.
 */
function passed(
  { statement, asked, judgedIn, sample }: RequirementResult,
  exchanges: ReadonlyMap<number, RecordedExchange>,
): Markup {
  const exchange = exchanges.get(sample ?? -1);
  return h`<details class="passed"><summary>${statement}</summary><p class="reason">Judged ${asked === 1 ? "once" : `${asked} times`}${
    judgedIn !== undefined &&
    judgedIn.length > 0 &&
    h`, first in: ${judgedIn.map((name) => plain(name, 120)).join("; ")}`
  }.</p>${exchange ? h`<p class="reason">An exchange that shows it, from the scenario “${plain(exchange.scenario, 120)}”:</p>${messages(exchange)}` : h`<p class="reason">No single exchange shows it.</p>`}</details>`;
}

function waiting(row: RequirementResult): Markup {
  return h`<tr id="${row.id}" tabindex="-1" class="skip" data-id="${row.id}" data-verdict="pending" data-level="${row.level}" data-area="${row.area}"><td class="verdict"><span class="sign" aria-hidden="true">…</span> <span class="word">not checked yet</span></td><td class="id"><a href="#${row.id}">${row.id}</a></td><td class="level">${row.level}</td><td>${row.statement}</td><td class="source">${row.source}</td><td class="number">0</td></tr>
`;
}

/** The requirements that a run in progress has not judged yet. */
export type Pending = ReadonlySet<RequirementId>;

/**
 * A map: each requirement is a cell with the colour and the sign of its verdict. A row is an area,
 * with MUST before SHOULD.
 */
function map(run: Run, pending: Pending): Markup {
  return h`<section id="map" aria-labelledby="map-title">
<h2 id="map-title">${titles.map} <span class="of">${passedOf(
    run.requirements.filter(({ id }) => !pending.has(id)),
    run.requirements.length,
  )} requirements passed</span></h2>
<div class="map">
${[...groups(run.requirements, (row) => row.area)].map(
  ([area, rows]) => h`<h3 id="map-${area}">${area} <span class="of">${passedOf(
    rows.filter(({ id }) => !pending.has(id)),
    rows.length,
  )}</span></h3>
<ul aria-labelledby="map-${area}">${levels.map((level) =>
    ofLevel(
      rows.filter((row) => row.level === level),
      level,
      pending,
    ),
  )}</ul>
`,
)}</div>
</section>
`;
}

const levels = ["MUST", "SHOULD"] as const satisfies readonly Level[];

function ofLevel(
  rows: readonly RequirementResult[],
  level: Level,
  pending: Pending,
): Markup | false {
  return (
    rows.length > 0 &&
    h`<li class="word" aria-hidden="true">${level}</li>${rows.map((row) => cell(row, pending.has(row.id)))}`
  );
}

function passedOf(rows: readonly RequirementResult[], of: number): string {
  return `${tally(rows).pass} of ${of}`;
}

function cell(row: RequirementResult, isPending: boolean): Markup {
  return h`<li data-id="${row.id}"><a class="cell ${isPending ? "pending" : row.verdict}" href="#${row.id}" title="${row.id} ${row.level} ${row.statement}">${!isPending && h`<span class="sign" aria-hidden="true">${signs[row.verdict]}</span>`}<span class="hidden">${row.id} ${row.level} ${isPending ? "not checked yet" : counted[row.verdict]}</span><span aria-hidden="true">${row.id.slice(row.id.indexOf("-") + 1)}</span></a></li>`;
}

import { createHash } from "node:crypto";

/**
 * The colours of the verdicts. For each verdict, only `--ink` is given, the colour of its text.
 * `--tint`, the background of the text, is mixed from it. Text has a contrast of at least 4.5:1 with its background.
 */
const tones = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f7f8, #11151a);
  --paper: light-dark(#ffffff, #191f26);
  --sunk: light-dark(#f3f5f7, #12171d);
  --text: light-dark(#1b232d, #e4e9ef);
  --soft: light-dark(#56616e, #9dabba);
  --line: light-dark(#d8dde3, #333d48);
  --link: light-dark(#1f5c94, #8cc0f2);
  --good: light-dark(#1f6b41, #79cf9e);
  --bad: light-dark(#a82a23, #ff9d94);
  --ink: light-dark(#4d5763, #a9b5c2);
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
.pass, .conformant, .expected { --ink: var(--good); }
.fail, .nonconformant, .actual, .message { --ink: var(--bad); }
.warn, .interrupted, .error { --ink: light-dark(#7c5600, #efc368); }
.inconclusive, .partial { --ink: light-dark(#43559c, #aebdfb); }
.skip, .note { --ink: light-dark(#4d5763, #a9b5c2); }
* {
  box-sizing: border-box;
  --tint: color-mix(in srgb, var(--ink) 16%, var(--paper));
}
`;

const elements = `
html { scroll-padding-top: 1rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); }
body { font: 16px/1.55 ui-sans-serif, system-ui, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif; }
p, li, dt, dd, h1, h3 { overflow-wrap: anywhere; }
main, footer, .bar { max-width: 72rem; margin: 0 auto; padding: 0 1.5rem; }
main { display: flex; flex-direction: column; }
main > section:not(.top, #map) { order: 1; }
h1, h2, h3, h4, p, ul, dl, dd, pre { margin: 0; padding: 0; border: 0; }
h1 { font-size: 1.25rem; line-height: 1.2; }
h2 { font-size: 1.2rem; margin-bottom: 0.6rem; }
h3 { font-size: 1.05rem; font-weight: 600; }
ul { list-style: none; }
a { color: var(--link); text-underline-offset: 0.15em; }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, .mono { font-family: var(--mono); font-size: 0.875em; overflow-wrap: anywhere; }
pre {
  font: 0.84rem/1.5 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2;
  background: var(--sunk); border: 1px solid var(--line); border-radius: 6px; padding: 0.55rem 0.75rem;
}
button {
  font: inherit; color: inherit;
  background: var(--paper); border: 1px solid var(--soft); border-radius: 6px;
  padding: 0.3rem 0.65rem; font-size: 0.875rem; min-height: 2.1rem;
}
button, summary { cursor: pointer; }
table { border-collapse: collapse; font-size: 0.9rem; }
th, td { text-align: left; vertical-align: baseline; padding: 0.5rem 0.8rem; border-top: 1px solid var(--line); }
thead th { border-top: 0; font-weight: 500; font-size: inherit; white-space: nowrap; }
mark { color: var(--ink); background: var(--tint); font-weight: 700; text-decoration: underline; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
`;

/**
 * The styles that several parts of the page share: panels, rows that wrap, small text, quiet text.
 */
const roles = `
.top, .scroll, .observed, .no-verdict li {
  background: var(--paper); border: 1px solid var(--line); border-radius: 10px;
}
.bar ul, .counts, .ids, .where, .map ul { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; }
.of, .hint, .source, .label, .took, .times, .cases, .where, .gate, .reason, .more, .level, i, dt, thead,
footer { color: var(--soft); }
.of, .hint, .source, .label, .answer, .times, .cases, .where, .reason, .more, .token, .brief, .ids, .level,
summary, dt, thead, .bar ul, footer { font-size: 0.875rem; }
.of, .source, .level { font-weight: 400; }
.card summary, .no-verdict summary { color: var(--link); width: fit-content; }
.sign { font-weight: 700; color: var(--ink); }
.number, .ids, .cell, .rows .id { font-variant-numeric: tabular-nums; }
i { font-style: normal; }
`;

const parts = `
.bar { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; padding-block: 0.4rem; }
footer { margin-block: 3rem; }
.brand, .gate b, .broken > h3 > a, .broken > p > a { font-weight: 650; color: inherit; text-decoration: none; }
.bar a, .cell { color: var(--soft); text-decoration: none; }
section { margin-top: 2.5rem; }
#map, #fail { margin-top: 0.5rem; }
.hint { margin-bottom: 0.8rem; }
.top { display: grid; grid-template-columns: auto 1fr; gap: 0 1.25rem; margin-top: 0; padding: 0.7rem 1.25rem; }
.seal {
  display: grid; place-items: center; width: 2.5rem; height: 2.5rem; border-radius: 50%;
  font-size: 1.5rem; background: var(--tint); color: var(--ink);
}
.summary { margin-top: 0.35rem; max-width: 46rem; }
.gate b { color: var(--ink); }
.gate:is(.pass, .fail), .top .where { display: inline-flex; margin-right: 1.5rem; }
.counts { grid-column: 1 / -1; margin-top: 0.5rem; }
.counts .none, .counts .none .sign { color: var(--soft); }

.cards { background: var(--paper); border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.card + .card { border-top: 1px solid var(--line); }
.card > details > summary {
  display: grid; grid-template-columns: 1.1rem 11.5rem 4.2rem minmax(0, 1fr) 1rem; align-items: baseline;
  gap: 0 0.6rem; width: auto; padding: 0 1rem; color: inherit;
}
.card > details > summary::after { content: "▸"; color: var(--soft); }
.card > details[open] > summary::after { content: "▾"; }
.card h3 { font-size: 0.95rem; font-weight: 500; line-height: 1.4; }
.card summary { line-height: 1.4; }
.card > details:not([open]) h3, .card .names { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.card > details:not([open]) > summary:hover { background: var(--sunk); }
.card > details[open] > summary { padding-block: 0.35rem; background: var(--tint); }
.card > details[open] h3 { font-weight: 650; }
.body { padding: 0.4rem 1rem 0.6rem; scroll-margin-top: 4rem; }
.body:focus { outline: none; }
.folds { display: flex; flex-wrap: wrap; gap: 0.2rem 1.5rem; }
.folds > details[open] { flex: 0 0 100%; min-width: 0; }
.card .level { font-size: 0.75rem; color: var(--ink); }
.broken:target { box-shadow: -0.75rem 0 0 -0.5rem var(--ink); }
.broken:focus { outline: none; }
.explained { max-width: 46rem; }
.explained p { margin-top: 0.4rem; font-size: 0.9rem; }
.broken { margin-top: 0.7rem; }
.brief li { margin-top: 0.3rem; }
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 0.75rem; margin: 0.3rem 0; }
.start { margin-bottom: 0.3rem; }
.headers { margin-bottom: 0.3rem; }
.sides > div { min-width: 0; display: flex; flex-direction: column; }
.sides .message, .side pre { flex: 1; }
.side pre { border-left: 3px solid var(--ink); }
.message { max-height: 30rem; overflow-y: auto; }
.command { position: relative; margin-top: 0.4rem; }
.command { display: grid; grid-template-columns: 6rem minmax(0, 1fr); align-items: baseline; }
.copier { position: absolute; right: 0.35rem; bottom: 0.35rem; min-height: 1.6rem; padding: 0 0.5rem; font-size: 0.75rem; }
.copier + .copy { padding-right: 4.5rem; min-height: 2.35rem; }

.map { display: grid; grid-template-columns: auto 1fr; gap: 3px 1rem; }
.map h3 { white-space: nowrap; line-height: 1.4; }
.map ul { gap: 3px; align-items: center; }
.map li { display: flex; }
.cell {
  display: inline-flex; align-items: center; justify-content: center; gap: 0.1rem; min-width: 1.85rem; height: 1.45rem;
  border-radius: 4px; background: var(--tint); color: var(--ink); font-size: 0.72rem;
}
.map .word { color: var(--soft); font-size: 0.75rem; }
.map li + .word { margin-left: 0.5rem; }
#map h2, #fail h2 { margin-bottom: 0.3rem; }
.cell.fail, .cell.fail .sign { background: #b5322b; color: #fff; }

.scroll { overflow-x: auto; }
.number { text-align: right; white-space: nowrap; }
.rows { width: 100%; min-width: 44rem; }
.rows .area th { background: var(--sunk); }
.rows .verdict, .rows .id, .rows .source { white-space: nowrap; }
.rows .verdict { color: var(--ink); }
.rows th:nth-child(4) { width: 52%; }
.rows tr:target td { background: var(--tint); }
.passed > summary { list-style-position: outside; font-size: inherit; }

.no-verdict li { display: grid; grid-template-columns: 1.25rem 1fr; gap: 0.6rem; padding: 0.7rem 1rem; }
.no-verdict li, .token { margin-top: 0.5rem; }
.no-verdict li > :not(.sign) { grid-column: 2; }
.observed div { display: grid; grid-template-columns: 1fr 1fr; gap: 0.25rem 1.5rem; padding: 0.65rem 1rem; }
.observed div + div { border-top: 1px solid var(--line); }
.observed dt { color: inherit; }
.answer { padding: 0 0.5rem; background: var(--sunk); border: 1px solid var(--line); border-radius: 5px; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0.85rem 1.75rem; }
`;

const narrow = `
@media (max-width: 46rem) {
  main, footer, .bar { padding-inline: 1rem; }
  main > #map { order: 1; }
  .latency :is(th, td) { padding-inline: 0.3rem; font-size: 0.7rem; }
  .latency tbody th { overflow-wrap: anywhere; }
  .latency :is(th, td):is(:nth-child(4), :nth-child(6)) { display: none; }
  .card > details > summary { grid-template-columns: 1.1rem 1fr auto 1rem; padding-block: 0.35rem; }
  .card > details > summary::after { grid-area: 1 / 4; }
  .card > details > summary h3 { grid-column: 2 / -1; white-space: normal; }
  .rows .verdict .word { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
  .rows :is(th, td) { padding-inline: 0.4rem; }
  .map, .sides, .observed div { grid-template-columns: minmax(0, 1fr); }
}
`;

/**
 * Prints in light colours, with everything unfolded and without controls. A row or an entry that
 * fits on one page is not split between two.
 */
const print = `
@media print {
  :root { color-scheme: light; }
  body { background: #fff; font-size: 10.5pt; }
  .bar nav, .copier { display: none !important; }
  .card > details:not([open]) h3 { white-space: normal; }
  .cards, .scroll, .message { max-height: none; overflow: visible; }
  .finding, .map ul, .no-verdict li, .observed div, tr { break-inside: avoid; }
  h2, h3 { break-after: avoid; }
  .cell, .seal, mark, .level { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  details::details-content { content-visibility: visible; height: auto; block-size: auto; overflow: visible; }
  .sides, .observed div { grid-template-columns: 1fr; }
  .rows { min-width: 0; font-size: 8.5pt; }
  .rows :is(th, td) { padding: 0.3rem; white-space: normal; font-size: inherit; }
}
`;

export const style = [tones, elements, roles, parts, narrow, print].join("");

/** The source expression by which a Content-Security-Policy allows a script or style. */
export function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

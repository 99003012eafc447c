import { createHash } from "node:crypto";

export const screenStyle = `
* { box-sizing: border-box; }
html { scroll-padding-top: 4.5rem; -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.55 var(--sans); }
main, footer, .bar { max-width: 72rem; margin: 0 auto; padding: 0 1.5rem; }
h1, h2, h3, h4, p, ul, dl, dd, pre, fieldset { margin: 0; padding: 0; border: 0; }
ul { list-style: none; }
a { color: var(--link); text-underline-offset: 0.15em; text-decoration-thickness: 1px; }
:focus-visible { outline: 2px solid var(--focus); outline-offset: 2px; border-radius: 3px; }
code, .mono { font-family: var(--mono); font-size: 0.875em; overflow-wrap: anywhere; }
.hidden { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
[hidden], .out { display: none !important; }
.of, .hint, .source, .took, .times { color: var(--soft); font-weight: 400; }
.of { font-size: 0.9rem; margin-left: 0.35em; letter-spacing: 0; }
.hint { font-size: 0.9rem; max-width: 46rem; }
.sign { font-weight: 700; color: var(--ink); }
button, select, input { font: inherit; color: inherit; }
button, select, input[type="search"] {
  background: var(--paper); border: 1px solid var(--strong-line); border-radius: 6px;
  padding: 0.3rem 0.65rem; font-size: 0.875rem; min-height: 2.1rem;
}
button { cursor: pointer; }
input::placeholder { color: var(--soft); opacity: 1; }
button:hover, select:hover { border-color: var(--soft); }

.bar { display: flex; align-items: center; gap: 1.5rem; padding-top: 1rem; padding-bottom: 1rem; }
.brand { font-weight: 650; letter-spacing: -0.01em; }
.bar nav { flex: 1; min-width: 0; }
.bar ul { display: flex; flex-wrap: wrap; gap: 0.15rem 1.1rem; font-size: 0.875rem; }
.bar a { color: var(--soft); text-decoration: none; }
.bar a:hover { color: var(--text); text-decoration: underline; }

section { margin-top: 2.5rem; }
.top + section { margin-top: 1.5rem; }
h2 { font-size: 1.3rem; line-height: 1.3; font-weight: 650; letter-spacing: -0.015em; margin-bottom: 0.9rem; }
h2 + .hint { margin: -0.55rem 0 1rem; }

.top {
  display: grid; grid-template-columns: auto 1fr; gap: 0 1.25rem; margin-top: 0; padding: 1.25rem 1.5rem;
  background: var(--paper); border: 1px solid var(--line); border-radius: 14px;
}
.seal {
  width: 2.5rem; height: 2.5rem; border-radius: 50%; display: grid; place-items: center;
  font-size: 1.6rem; font-weight: 700; background: var(--tint); color: var(--ink);
}
h1 { font-size: clamp(1.2rem, 3vw, 1.4rem); line-height: 1.15; font-weight: 700; letter-spacing: -0.025em; overflow-wrap: anywhere; }
.top > div { min-width: 0; }
.summary { font-size: 1.1rem; margin-top: 0.45rem; overflow-wrap: anywhere; max-width: 46rem; }
.gate { margin-top: 0.35rem; color: var(--soft); overflow-wrap: anywhere; font-size: 0.95rem; }
.gate b { color: var(--ink); font-weight: 600; }
.reasons { margin-top: 0.2rem; font-size: 0.95rem; display: grid; gap: 0.15rem; }
.reasons li { overflow-wrap: anywhere; padding-left: 1rem; text-indent: -1rem; }
.reasons li::before { content: "· "; color: var(--soft); padding-right: 0.45rem; }
.share { grid-column: 1 / -1; width: 100%; height: 10px; margin-top: 0.9rem; display: block; border-radius: 5px; }
.share rect { fill: var(--mid); stroke: var(--paper); stroke-width: 2px; }
.counts { grid-column: 1 / -1; display: flex; flex-wrap: wrap; gap: 0.25rem 1.5rem; margin-top: 0.7rem; font-size: 0.95rem; }
.counts b { font-size: 1.15rem; font-variant-numeric: tabular-nums; }
.counts .none, .counts .none .sign { color: var(--soft); }
.facts {
  display: grid; grid-template-columns: repeat(4, auto); gap: 0.85rem 1.75rem;
}
dt { font-size: 0.8rem; color: var(--soft); }
.facts dd { font-size: 0.95rem; overflow-wrap: anywhere; }

.no-verdict { display: grid; gap: 0.5rem; }
.no-verdict li {
  display: grid; grid-template-columns: 1.25rem 1fr; gap: 0 0.6rem; padding: 0.7rem 1rem; font-size: 0.95rem;
  background: var(--paper); border: 1px solid var(--line); border-radius: 8px; overflow-wrap: anywhere;
}
.no-verdict p, .no-verdict details { grid-column: 2; }
.no-verdict .sign { grid-row: 1; text-align: center; }
.ids { display: flex; flex-wrap: wrap; gap: 0.1rem 0.8rem; font-size: 0.85rem; font-variant-numeric: tabular-nums; }

.map { display: grid; grid-template-columns: 11.5rem 1fr; gap: 0.9rem 1.25rem; align-items: start; }
.map h3 { font-size: 0.95rem; font-weight: 600; line-height: 1.3; padding-top: 0.35rem; }
.map h3 .of { display: block; margin: 0; font-size: 0.8rem; }
.map ul { display: flex; flex-wrap: wrap; gap: 4px; }
.map li.out { display: block !important; visibility: hidden; }
.cell {
  display: inline-flex; align-items: center; justify-content: center; gap: 0.25rem; min-width: 3.1rem; height: 2.1rem;
  border-radius: 5px; background: var(--tint); color: var(--ink); text-decoration: none;
  font-size: 0.8rem; font-variant-numeric: tabular-nums; font-weight: 500;
}
.cell .sign { font-size: 0.85rem; }
.cell.should { border-radius: 1.1rem; }
.cell.fail { background: var(--fail-solid); color: #fff; font-weight: 700; }
.cell.fail .sign { color: #fff; }
a.cell:hover { outline: 2px solid var(--ink); outline-offset: 1px; }
.legend { display: flex; flex-wrap: wrap; gap: 0.4rem 1.25rem; margin-top: 1.1rem; font-size: 0.85rem; color: var(--soft); }
.legend li { display: flex; align-items: center; gap: 0.45rem; }
.legend .cell { min-width: 1.7rem; height: 1.4rem; }

.filters {
  position: sticky; top: 0; z-index: 2; display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.75rem;
  margin: 1.5rem -0.75rem 0; padding: 0.7rem 0.75rem; background: var(--page); border-bottom: 1px solid var(--line);
}
.filters fieldset { display: flex; flex-wrap: wrap; gap: 0.35rem; min-width: 0; }
.chip {
  display: inline-flex; align-items: center; gap: 0.4rem; min-height: 2.1rem; padding: 0 0.75rem; cursor: pointer;
  border: 1px solid var(--strong-line); border-radius: 1.1rem; background: var(--paper); font-size: 0.875rem;
}
.chip input { position: absolute; opacity: 0; width: 1px; height: 1px; }
.chip:has(:checked) { background: var(--tint); border-color: var(--ink); color: var(--ink); font-weight: 600; }
.chip:has(:focus-visible) { outline: 2px solid var(--focus); outline-offset: 2px; }
.filters .text { flex: 1 1 11rem; }
.filters .text input { width: 100%; }
.filters output { font-size: 0.875rem; color: var(--soft); }
.filters output:empty, .filters:not(.active) button { display: none; }
.nothing { color: var(--soft); padding: 0.5rem 0; }

.scroll { overflow-x: auto; border: 1px solid var(--line); border-radius: 10px; background: var(--paper); }
table { border-collapse: collapse; width: 100%; font-size: 0.9rem; }
.latency { width: auto; }
th, td { text-align: left; vertical-align: baseline; padding: 0.5rem 0.8rem; border-top: 1px solid var(--line); }
thead th { border-top: 0; font-size: 0.8rem; font-weight: 500; color: var(--soft); white-space: nowrap; }
.number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
.rows .area th { background: var(--sunk); font-weight: 600; padding: 0.4rem 0.8rem; }
.rows .verdict, .rows .id, .rows .source { white-space: nowrap; }
.rows .verdict { color: var(--ink); }
.rows .id { font-variant-numeric: tabular-nums; }
.rows th:nth-child(4) { width: 52%; }
.rows td.level, .rows td.source { color: var(--soft); font-size: 0.85rem; }
.passed > summary { list-style-position: outside; }
.passed .reason { margin: 0.35rem 0; }
.rows .reason { color: var(--soft); font-size: 0.85rem; overflow-wrap: anywhere; }
.rows tr:target td, .rows tr:focus td { background: var(--none-tint); }
.rows tr:focus { outline: none; }

.observed { border: 1px solid var(--line); border-radius: 10px; background: var(--paper); }
.observed div { display: grid; grid-template-columns: 1fr 1fr; gap: 0.25rem 1.5rem; padding: 0.65rem 1rem; border-top: 1px solid var(--line); }
.observed div:first-child { border-top: 0; }
.observed dt { font-size: 0.95rem; color: inherit; }
.observed .id { color: var(--soft); font-size: 0.8rem; margin-right: 0.4em; }
.observed .source { font-size: 0.8rem; white-space: nowrap; }
.observed dd { display: grid; gap: 0.3rem; overflow-wrap: anywhere; }
.observed dd > *, .observed summary { font-size: 0.9rem; }
.cases { color: var(--soft); font-size: 0.875rem; }
ul.cases { padding: 0.3rem 0 0.4rem 1.1rem; }
.answer { font-size: 0.875rem; padding: 0.05rem 0.55rem; background: var(--sunk); border: 1px solid var(--line); border-radius: 5px; overflow-wrap: anywhere; }
.times { font-size: 0.8rem; }

details > summary { cursor: pointer; }
#created details { padding: 0.4rem 0; }
#created .ids { padding: 0.4rem 0 0.4rem 1.1rem; }
footer { margin-top: 4rem; padding-top: 1.25rem; padding-bottom: 2.5rem; font-size: 0.85rem; color: var(--soft); }

@media (max-width: 46rem) {
  main, footer, .bar { padding-left: 1rem; padding-right: 1rem; }
  .bar { flex-wrap: wrap; gap: 0.5rem 1rem; }
  .bar nav { order: 3; flex-basis: 100%; }
  .brand { flex: 1; }
  .top { padding: 1.25rem; }
  .facts { grid-template-columns: 1fr 1fr; gap: 0.75rem 1rem; }
  .seal { width: 2.5rem; height: 2.5rem; font-size: 1.25rem; }
  .map { grid-template-columns: 1fr; gap: 0.35rem; }
  .map ul { margin-bottom: 0.6rem; }
  .filters { position: static; }
  .observed div { grid-template-columns: 1fr; }
  .rows { min-width: 44rem; }
}
`;

/** Contrast is at least 4.5:1. `--ink`: text and signs; `--tint`: their background; `--mid`: areas without text. */
export const toneStyle = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f7f8, #11151a);
  --paper: light-dark(#ffffff, #191f26);
  --sunk: light-dark(#f3f5f7, #12171d);
  --text: light-dark(#1b232d, #e4e9ef);
  --soft: light-dark(#56616e, #9dabba);
  --line: light-dark(#dfe3e8, #2c353f);
  --strong-line: light-dark(#c3cad2, #414d5a);
  --link: light-dark(#1f5c94, #8cc0f2);
  --focus: light-dark(#1f6fb8, #7db9f5);
  --pass-ink: light-dark(#1f6b41, #79cf9e);
  --pass-mid: light-dark(#7dbf9a, #3f9467);
  --pass-tint: light-dark(#e0f1e7, #173325);
  --fail-ink: light-dark(#a82a23, #ff9d94);
  --fail-mid: light-dark(#c63f37, #e0645b);
  --fail-tint: light-dark(#fce6e4, #45211f);
  --fail-solid: light-dark(#b5322b, #c9443b);
  --warn-ink: light-dark(#7c5600, #efc368);
  --warn-mid: light-dark(#e0a92e, #d6a33d);
  --warn-tint: light-dark(#fbeecb, #3d3013);
  --none-ink: light-dark(#43559c, #aebdfb);
  --none-mid: light-dark(#7c8fd6, #7286d6);
  --none-tint: light-dark(#e6eafa, #262e4d);
  --skip-ink: light-dark(#5b6570, #9dabba);
  --skip-mid: light-dark(#b4bcc5, #5c6875);
  --skip-tint: light-dark(#e9ecef, #262d35);
  --good: light-dark(#5b9bd0, #4d8cc2);
  --sans: ui-sans-serif, system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "DejaVu Sans", sans-serif;
  --mono: ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", monospace;
}
.pass, .conformant { --ink: var(--pass-ink); --mid: var(--pass-mid); --tint: var(--pass-tint); }
.fail, .nonconformant { --ink: var(--fail-ink); --mid: var(--fail-mid); --tint: var(--fail-tint); }
.warn, .interrupted, .error { --ink: var(--warn-ink); --mid: var(--warn-mid); --tint: var(--warn-tint); }
.inconclusive, .partial { --ink: var(--none-ink); --mid: var(--none-mid); --tint: var(--none-tint); }
.skip, .note { --ink: var(--skip-ink); --mid: var(--skip-mid); --tint: var(--skip-tint); }
`;

/** Styles for printing: light colours, everything unfolded, no controls, no page break in a finding if it fits. */
export const printStyle = `
@media print {
  :root { color-scheme: light; }
  body { background: #fff; font-size: 10.5pt; }
  main, footer, .bar { max-width: none; padding-left: 0; padding-right: 0; }
  .bar nav, .filters, .copier { display: none !important; }
  .top { padding: 1rem; }
  .card { content-visibility: visible; }
  .finding, .map ul, .no-verdict li, .observed div, tr { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
  .cell, .seal, mark, rect, .level { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  details::details-content { content-visibility: visible; height: auto; block-size: auto; overflow: visible; }
  .message { max-height: none; overflow: visible; }
  .scroll, .card { overflow: visible; }
  .scroll { border: 0; }
  .sides, .observed div { grid-template-columns: 1fr; }
  .rows, .latency { min-width: 0; font-size: 8.5pt; }
  .rows th, .rows td { padding: 0.3rem 0.35rem; }
  .rows .source, .rows .verdict { white-space: normal; }
  .rows .reason, .rows td.level, .rows td.source, .rows thead th { font-size: inherit; }
  details { break-inside: auto; }
  a { color: inherit; text-decoration: none; }
}
`;

export const evidenceStyle = `
.card {
  margin-top: 1rem; padding: 0 1.5rem 1.5rem; background: var(--paper); overflow: hidden;
  border: 1px solid var(--line); border-radius: 10px;
  content-visibility: auto; contain-intrinsic-size: auto 34rem;
}
.card > header { margin: 0 -1.5rem; padding: 0.9rem 1.5rem 0.8rem; background: var(--tint); }
.card h3 { font-size: 1.05rem; line-height: 1.4; font-weight: 600; overflow-wrap: anywhere; }
.broken a { color: inherit; text-decoration: none; font-weight: 600; font-variant-numeric: tabular-nums; }
.card header .source a { color: inherit; }
.broken .source a, .broken a:hover { text-decoration: underline; }
.broken + .broken, .source + .broken { margin-top: 0.5rem; }
.broken:focus { outline: none; }
.broken:target { box-shadow: -0.75rem 0 0 -0.5rem var(--ink); }
.broken p { overflow-wrap: anywhere; }
.card .level {
  font-size: 0.72rem; font-weight: 650; letter-spacing: 0.03em; padding: 0.1rem 0.45rem; margin: 0 0.25rem;
  border-radius: 4px; color: var(--ink); background: var(--paper); vertical-align: 0.08em;
}
.card .source { font-size: 0.85rem; margin-top: 0.15rem; color: var(--text); opacity: 0.85; }
.breaks { margin-top: 1rem; padding-top: 0.8rem; border-top: 1px solid var(--line); }
.token { margin-top: 1rem; font-size: 0.9rem; color: var(--soft); }
.explained { margin-top: 0.3rem; max-width: 46rem; overflow-wrap: anywhere; }
.explained > summary { font-size: 0.85rem; width: fit-content; }
.explained p { margin-top: 0.4rem; font-size: 0.9rem; }
.rest { margin-top: 1.2rem; padding-top: 0.8rem; border-top: 1px solid var(--line); }
.rest > summary { font-size: 0.9rem; color: var(--link); width: fit-content; }

.finding { padding-top: 1.1rem; }
.finding + .finding { margin-top: 1.5rem; border-top: 1px solid var(--line); }
.what { font-weight: 500; overflow-wrap: anywhere; }
.where { display: flex; flex-wrap: wrap; gap: 0.1rem 1.1rem; font-size: 0.875rem; color: var(--soft); overflow-wrap: anywhere; }
.where code { color: var(--text); }
.label { font-size: 0.8rem; font-weight: 500; color: var(--soft); margin-bottom: 0.25rem; }
pre {
  font: 0.84rem/1.5 var(--mono); white-space: pre-wrap; overflow-wrap: anywhere; tab-size: 2;
  background: var(--sunk); border: 1px solid var(--line); border-radius: 6px; padding: 0.55rem 0.75rem;
}
.sides { display: grid; grid-template-columns: 1fr 1fr; gap: 0.75rem; margin-top: 0.75rem; }
.sides > div { min-width: 0; display: flex; flex-direction: column; }
.sides pre { flex: 1; }
.side.expected pre { border-left: 3px solid var(--pass-ink); }
.side.actual pre { border-left: 3px solid var(--fail-ink); }
mark { color: inherit; background: none; font-weight: 700; border-radius: 2px; padding: 0 0.1em; margin: 0 -0.1em; }
.expected mark { background: var(--pass-tint); color: var(--pass-ink); text-decoration: underline; text-underline-offset: 0.2em; }
.actual mark, .message mark { background: var(--fail-tint); color: var(--fail-ink); text-decoration: underline wavy 1px; text-underline-offset: 0.22em; }
.exchange { margin-top: 0.9rem; }
.exchange summary { font-size: 0.875rem; color: var(--link); width: fit-content; }
.message { max-height: 30rem; overflow-y: auto; }
.message i { font-style: normal; color: var(--soft); }
.message b { font-weight: 650; }
.none { color: var(--soft); font-size: 0.9rem; }
.command { position: relative; margin-top: 0.75rem; }
.copier {
  position: absolute; right: 0.35rem; bottom: 0.35rem; min-height: 1.6rem; padding: 0 0.5rem; font-size: 0.75rem;
  color: var(--soft);
}
.copier + .copy { padding-right: 4.5rem; min-height: 2.35rem; }
.brief { margin-top: 1rem; padding-top: 0.8rem; border-top: 1px solid var(--line); font-size: 0.875rem; display: grid; gap: 0.3rem; overflow-wrap: anywhere; }
.more { margin-top: 0.7rem; color: var(--soft); font-size: 0.875rem; }

@media (max-width: 46rem) {
  .card { padding: 0 1rem 1.1rem; }
  .card > header { margin: 0 -1rem; padding: 0.8rem 1rem 0.7rem; }
  .sides { grid-template-columns: 1fr; }
}
`;

export const style = [toneStyle, screenStyle, evidenceStyle, printStyle].join("\n");

/** The source expression with which a Content-Security-Policy allows a script or style. */
export const hashOf = (text: string): string => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

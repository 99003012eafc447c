/** Styles of the frame, the top, filters, map and tables. */
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

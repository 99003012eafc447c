import { createHash } from "node:crypto";

/**
 * The colours of the verdicts, elements, roles that several parts of the page share, parts, narrow
 * screens, and print: in light colours, with everything unfolded and without controls.
 *
 * For each verdict, only `--ink` is given, the colour of its text. `--tint`, the background of the
 * text, is mixed from it. Text has a contrast of at least 4.5:1 with its background.
 */
export const style = `
:root {
  color-scheme: light dark;
  --page: light-dark(#f6f7f8, #11151a);
  --paper: light-dark(#ffffff, #191f26);
  --sunk: light-dark(#f3f5f7, #12171d);
  --text: light-dark(#1b232d, #e4e9ef);
  --soft: light-dark(#56616e, #9dabba);
  --line: light-dark(#d8dde3, #333d48);
  --link: light-dark(#1f5c94, #8cc0f2);
}
:root, .skip, .note { --ink: light-dark(#4d5763, #a9b5c2); }
.pass, .conformant, .expected { --ink: light-dark(#1f6b41, #79cf9e); }
.fail, .nonconformant, .actual, .message { --ink: light-dark(#a82a23, #ff9d94); }
.warn, .interrupted, .error { --ink: light-dark(#7c5600, #efc368); }
.inconclusive, .partial { --ink: light-dark(#43559c, #aebdfb); }
* { box-sizing: border-box; --tint: color-mix(in srgb, var(--ink) 16%, var(--paper)); }

body { margin: 0; background: var(--page); color: var(--text); font: 16px/1.55 system-ui, sans-serif; }
p, li, dt, dd, h1, h3, code, .mono { overflow-wrap: anywhere; }
main, footer, .bar { max-width: 72rem; margin: 0 auto; padding: 0 1.5rem; }
main { display: flex; flex-direction: column; }
main > section:not(.top, #map) { order: 1; }
h1, h2, h3, p, ul, dl, dd, pre { margin: 0; padding: 0; }
h1, h2 { font-size: 1.2rem; line-height: 1.4; }
h3 { font-size: 0.95rem; font-weight: 500; line-height: 1.4; }
ul { list-style: none; }
a { color: var(--link); }
:focus-visible { outline: 2px solid var(--link); outline-offset: 2px; }
code, pre, .mono { font-family: ui-monospace, monospace; font-size: 0.84rem; }
pre {
  white-space: pre-wrap; overflow-wrap: anywhere; padding: 0.55rem 0.75rem;
  background: var(--sunk); border: 1px solid var(--line); border-radius: 6px;
}
summary { cursor: pointer; width: fit-content; }
table { border-collapse: collapse; }
th, td { text-align: left; vertical-align: baseline; padding: 0.5rem 0.8rem; border-top: 1px solid var(--line); }
mark { color: var(--ink); background: var(--tint); font-weight: 700; text-decoration: underline; }

.top, .cards, .scroll, .observed, .no-verdict li {
  background: var(--paper); border: 1px solid var(--line); border-radius: 10px;
}
.bar ul, .ids, .where, .folds { display: flex; flex-wrap: wrap; gap: 0.2rem 1rem; }
.of, .hint, .source, .label, .took, .times, .cases, .where, .gate, .reason, .more, .level, i, dt, thead, footer,
.bar a { color: var(--soft); }
.of, .hint, .source, .label, .answer, .times, .cases, .where, .reason, .more, .token, .brief, .ids, .level,
summary, dt, table, .bar, footer { font-size: 0.875rem; }
.of, .source, .level, thead th { font-weight: 400; }
.card summary, .no-verdict summary { color: var(--link); }
.sign { font-weight: 700; color: var(--ink); }
.bar a, .brand, .cell, .broken > p > a { color: inherit; text-decoration: none; }
i { font-style: normal; }

.bar { display: flex; flex-wrap: wrap; gap: 0.5rem 1.5rem; padding-block: 0.4rem; }
footer { margin-block: 3rem; }
section { margin-top: 2.5rem; }
#map, #fail { margin-top: 0.5rem; }
.top { display: flex; flex-wrap: wrap; gap: 0 1.25rem; margin-top: 0; padding: 0.7rem 1.25rem; }
.top > div { flex: 1; }
.seal { font-size: 1.5rem; color: var(--ink); }
.gate b { color: var(--ink); }

.cards { overflow: hidden; }
.card + .card { border-top: 1px solid var(--line); }
.card > details > summary {
  display: grid; grid-template-columns: 1.1rem 11.5rem 4.2rem minmax(0, 1fr); align-items: baseline;
  gap: 0 0.6rem; width: auto; padding: 0 1rem; color: inherit;
}
.card > details:not([open]) h3, .names { overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.card > details[open] > summary { padding-block: 0.35rem; background: var(--tint); }
.body { padding: 0.4rem 1rem 0.6rem; }
.body:focus, .broken:focus { outline: none; }
.folds > details[open] { flex: 0 0 100%; min-width: 0; }
.card .level { color: var(--ink); }
.broken:target { box-shadow: -0.75rem 0 0 -0.5rem var(--ink); }
.broken, .explained p { margin-top: 0.5rem; }
.sides, .observed div { display: grid; grid-template-columns: 1fr 1fr; gap: 0.25rem 0.75rem; }
.sides > div { min-width: 0; display: flex; flex-direction: column; gap: 0.3rem; }
.sides .message, .side pre { flex: 1; }
.side pre { border-left: 3px solid var(--ink); }
.message { max-height: 30rem; overflow-y: auto; }
.command { display: grid; grid-template-columns: 6rem minmax(0, 1fr); align-items: baseline; margin-top: 0.4rem; }
.copy { user-select: all; }

.map { display: grid; grid-template-columns: auto 1fr; gap: 3px 1rem; }
.map ul { display: flex; flex-wrap: wrap; gap: 3px; align-items: center; }
.cell {
  display: inline-flex; align-items: center; justify-content: center; min-width: 1.85rem; height: 1.45rem;
  border-radius: 4px; background: var(--tint); color: var(--ink); font-size: 0.72rem;
}
.cell.fail, .cell.fail .sign { background: #b5322b; color: #fff; }

.scroll { overflow-x: auto; }
.number { text-align: right; white-space: nowrap; }
.rows { width: 100%; min-width: 44rem; }
.rows .area th, .answer { background: var(--sunk); }
.rows :is(.verdict, .id, .source) { white-space: nowrap; }
.rows tr:target td { background: var(--tint); }

.no-verdict li { display: grid; grid-template-columns: 1.25rem 1fr; gap: 0.6rem; padding: 0.7rem 1rem; }
.no-verdict li, .token { margin-top: 0.5rem; }
.no-verdict li > :not(.sign) { grid-column: 2; }
.observed div { padding: 0.65rem 1rem; }
.observed div + div { border-top: 1px solid var(--line); }
.observed dt { color: inherit; }
.answer { padding: 0 0.5rem; }
.facts { display: grid; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); gap: 0.85rem 1.75rem; }

@media (max-width: 46rem) {
  main, footer, .bar { padding-inline: 1rem; }
  main > #map { order: 1; }
  .latency :is(th, td) { padding-inline: 0.3rem; font-size: 0.7rem; overflow-wrap: anywhere; }
  .latency :is(th, td):is(:nth-child(4), :nth-child(6)) { display: none; }
  .rows { min-width: 0; overflow-wrap: anywhere; }
  .rows :is(thead, .word, .level, .source, .number) { display: none; }
  .card > details > summary { grid-template-columns: 1.1rem 1fr auto; padding-block: 0.35rem; }
  .card > details > summary h3 { grid-column: 2 / -1; white-space: normal; }
  .map, .sides, .observed div { grid-template-columns: minmax(0, 1fr); }
}

@media print {
  :root { color-scheme: light; }
  .bar nav { display: none; }
  .card > details:not([open]) h3 { white-space: normal; }
  .cards, .scroll, .message { max-height: none; overflow: visible; }
  .map ul, .no-verdict li, .observed div, tr { break-inside: avoid; }
  .cell, mark { print-color-adjust: exact; }
  details::details-content { content-visibility: visible; height: auto; }
  .sides, .observed div { grid-template-columns: 1fr; }
}
`;

/** The source expression by which a Content-Security-Policy allows a script or style. */
export function hashOf(text: string): string {
  return `'sha256-${createHash("sha256").update(text).digest("base64")}'`;
}

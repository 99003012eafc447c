/** Styles of failures and warnings. */
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

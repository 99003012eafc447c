/** Styles of latency and timeline. */
export const pictureStyle = `
svg { display: block; }
svg path, svg rect { vector-effect: non-scaling-stroke; }
.grid { stroke: var(--line); stroke-width: 1px; fill: none; }
.shape { fill: var(--good); opacity: 0.35; }
.marks { stroke: var(--soft); stroke-width: 1px; opacity: 0.55; fill: none; }
.median { stroke: var(--text); stroke-width: 2px; fill: none; }
.p95 { stroke: var(--text); stroke-width: 1.25px; stroke-dasharray: 3 2; fill: none; }
.latency th[scope="row"] { font: 400 0.8rem/1.4 var(--mono); width: 15rem; }
.latency td, .latency th[scope="row"] { vertical-align: middle; }
.latency .picture { padding: 0.35rem 0.8rem; min-width: 16rem; }
.latency svg { width: 100%; height: 44px; }
.axis { display: flex; justify-content: space-between; font-variant-numeric: tabular-nums; }

.timeline { margin-top: 1rem; padding: 1rem 1.25rem; background: var(--paper); border: 1px solid var(--line); border-radius: 10px; }
.timeline .row { display: grid; grid-template-columns: 18.5rem 1fr; gap: 0 1rem; align-items: center; padding: 0.45rem 0; border-top: 1px solid var(--line); }
.timeline .row:first-child { border-top: 0; }
.timeline .row p { font: 400 0.78rem/1.4 var(--mono); }
.timeline .row .of { font-family: var(--sans); font-size: 0.8rem; white-space: nowrap; }
.timeline svg { width: 100%; }
.bars { height: 34px; }
.timeline .axis { margin-left: 19.5rem; padding-top: 0.35rem; border-top: 1px solid var(--line); font-size: 0.8rem; color: var(--soft); }
rect.succeeded { fill: var(--good); }
rect.refused { fill: var(--paper); stroke: var(--soft); stroke-width: 1px; }
rect.failed { fill: var(--fail-solid); }
.fault { stroke: var(--fail-solid); stroke-width: 1.5px; }
.bar.succeeded, .bar.refused, .bar.failed { display: inline-block; width: 1.4rem; height: 0.5rem; padding: 0; margin: 0; border-radius: 1px; }
.bar.succeeded { background: var(--good); }
.bar.refused { border: 1px solid var(--soft); }
.bar.failed { border-left: 2px solid var(--fail-solid); height: 1.1rem; background: linear-gradient(var(--fail-solid), var(--fail-solid)) no-repeat 0 50% / 100% 0.45rem; }

@media (max-width: 46rem) {
  .timeline .row { grid-template-columns: 1fr; gap: 0.25rem; }
  .timeline .axis { margin-left: 0; }
  .latency { min-width: 46rem; }
}
`;

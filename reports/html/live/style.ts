/** Styles that only the live page needs. */
export const liveStyle = `
.live { display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.75rem; padding: 0.6rem 0 1rem; }
.live p { flex: 1 1 20rem; min-width: 0; font-weight: 500; overflow-wrap: anywhere; }
.live p::before { content: ""; display: inline-block; width: 0.6rem; height: 0.6rem; margin-right: 0.6rem; border-radius: 50%; background: var(--pass-mid); }
[data-running="true"] .live p::before { background: var(--good); animation: beat 1.2s ease-in-out infinite; }
[data-running="over"] .live p::before { background: var(--skip-mid); }
@keyframes beat { 50% { opacity: 0.25; } }
@media (prefers-reduced-motion: reduce) { [data-running="true"] .live p::before { animation: none; } }
.cell.pending { background: none; color: var(--soft); border: 1px dashed var(--strong-line); }
.running { --ink: var(--none-ink); --tint: var(--none-tint); }
button:disabled { cursor: default; color: var(--soft); border-style: dashed; }
.rerun { min-height: 1.6rem; padding: 0 0.5rem; font-size: 0.75rem; color: var(--link); }
.broken .rerun { margin-top: 0.4rem; }
td.id .rerun { display: block; margin-top: 0.2rem; white-space: nowrap; }
[data-piece="all"] { contain: content; }
@media print { .live, .rerun { display: none; } }
`;

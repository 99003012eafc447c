/** Styles for printing: light colours, everything unfolded, no controls, no page break in a finding if it fits. */
export const printStyle = `
@media print {
  :root, :root[data-theme] { color-scheme: light; }
  body { background: #fff; font-size: 10.5pt; }
  main, footer, .bar { max-width: none; padding-left: 0; padding-right: 0; }
  .bar nav, .filters, .copier, #theme { display: none !important; }
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

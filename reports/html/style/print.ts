/** On paper: light, everything unfolded, nothing to click, cards whole where they fit. */
export const printStyle = `
@media print {
  :root, :root[data-theme] { color-scheme: light; }
  body { background: #fff; font-size: 10.5pt; }
  main, footer, .bar { max-width: none; padding-left: 0; padding-right: 0; }
  .bar nav, .filters, .copier, #theme { display: none !important; }
  .top { padding: 1rem; }
  .card { content-visibility: visible; }
  .finding, .map ul, .untold li, .observed div, tr { break-inside: avoid; }
  h2, h3, h4 { break-after: avoid; }
  .cell, .seal, mark, rect, .level { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  details::details-content { content-visibility: visible; height: auto; }
  .message { max-height: none; overflow: visible; }
  .scroll { overflow: visible; border: 0; }
  a { color: inherit; text-decoration: none; }
}
`;

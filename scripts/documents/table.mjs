/** A Markdown table. Cells are plain text, or code between backticks. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replace(/[|\\]/g, "\\$&")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

/** A Markdown table; cells are plain text, or code where they stand between backticks. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.map((cell) => cell.replace(/[|\\]/g, "\\$&")).join(" | ")} |`;
  return [line(head), line(head.map(() => "---")), ...rows.map(line)].join("\n");
}

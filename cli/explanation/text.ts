import type { Explanation } from "./explanation.ts";

/** An explanation for the terminal, wrapped at `width` columns; listings are not wrapped. */
export function explanationText({ id, title, parts }: Explanation, width: number): string {
  const body = parts.map((part) =>
    [
      part.title,
      ...part.paragraphs.map((paragraph) => wrapped(paragraph, width - 2, "  ")),
      ...(part.listing === undefined ? [] : [part.listing.replaceAll(/^(?=.)/gm, "    ")]),
    ].join("\n"),
  );
  return `${[wrapped(`${id}  ${title}`, width, ""), ...body].join("\n\n")}\n`;
}

function wrapped(text: string, width: number, indent: string): string {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines.map((line) => indent + line).join("\n");
}

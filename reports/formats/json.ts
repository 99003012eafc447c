import schema from "../report.schema.json" with { type: "json" };
import { plainJson } from "../sanitize.ts";
import type { Renderer } from "../saving.ts";

/**
 * The report from which all others can be made (schema: `report.schema.json`). Characters that a
 * terminal could act on are JSON escapes.
 */
export const json: Renderer = {
  file: "report.json",
  render: (run) => {
    const text = JSON.stringify({ $schema: schema.$id, ...run }, null, 2);
    const short = text.replace(numbers, (list) =>
      list.replace(/\s+/g, " ").replace("[ ", "[").replace(" ]", "]"),
    );
    return `${plainJson(short)}\n`;
  },
};

/**
 * Matches arrays of numbers, so that each can be put on one line. Nothing inside a string matches,
 * because a JSON string has no raw line breaks.
 */
const numbers = /\[\n[\d\s,.eE+-]*\]/g;

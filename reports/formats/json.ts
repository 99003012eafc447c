import schema from "../report.schema.json" with { type: "json" };
import type { Renderer } from "../saving.ts";

/** The canonical report (schema: `report.schema.json`). Characters that a terminal could act on are JSON escapes. */
export const json: Renderer = {
  file: "report.json",
  render: (run) =>
    `${JSON.stringify({ $schema: schema.$id, ...run }, null, 2)
      .replace(numbers, (list) => list.replace(/\s+/g, " ").replace("[ ", "[").replace(" ]", "]"))
      .replace(hazards, escaped)}\n`,
};

/** Arrays of numbers, to be put on one line each. It matches in no string, because strings have no raw line breaks. */
const numbers = /\[\n[\d\s,.eE+-]*\]/g;

// JSON.stringify escapes C0 controls and lone surrogates itself. A doubled # could start a command of a CI runner.
const hazards = /[\u007f-\u009f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\uffff]|#(?=#)/g;

const escaped = (character: string): string => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`;

import { Misfit, type Kind } from "./kind.ts";

/** Text that is not empty and holds no control characters. Numbers in the file are refused: YAML reads 0017 as 17. */
export const text: Kind<string> = {
  ofText: textOf,
  ofFile: (value) => {
    if (typeof value === "number") throw new Misfit("a text", "Put it in quotes.");
    return textOf(value);
  },
  schema: { type: "string", minLength: 1, pattern: "^[^\\u0000-\\u001f\\u007f]+$" },
  toText: (value) => value,
};

function textOf(value: unknown): string {
  if (typeof value !== "string" || value.trim() === "") throw new Misfit("a text that is not empty");
  if (/[\u0000-\u001f\u007f]/.test(value)) throw new Misfit("a text without control characters");
  return value;
}

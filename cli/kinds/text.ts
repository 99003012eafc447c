import { Misfit, type Kind } from "./kind.ts";

/** Text that is not empty and holds no control characters. A number in the file is taken as written: ids are often digits. */
export const text: Kind<string> = {
  ofText: textOf,
  ofFile: (value) => textOf(typeof value === "number" ? String(value) : value),
  schema: { type: ["string", "number"], minLength: 1, pattern: "^[^\\u0000-\\u001f\\u007f]+$" },
  toText: (value) => value,
};

function textOf(value: unknown): string {
  if (typeof value !== "string" || value.trim() === "") throw new Misfit("a text that is not empty");
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  if (/[\u0000-\u001f\u007f]/.test(value)) throw new Misfit("a text without control characters");
  return value;
}

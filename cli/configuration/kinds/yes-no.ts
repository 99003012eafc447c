import { Misfit, type Kind } from "./kind.ts";

const words: Readonly<Record<string, boolean>> = {
  true: true,
  "1": true,
  yes: true,
  false: false,
  "0": false,
  no: false,
};

/** On or off: a flag without a word, `true` or `false` in a variable or the file. */
export const yesNo: Kind<boolean> = {
  ofText: (text) => {
    const value = words[text.trim().toLowerCase()];
    if (value === undefined) throw new Misfit("true or false");
    return value;
  },
  ofFile: (value) => {
    if (typeof value !== "boolean") throw new Misfit("true or false");
    return value;
  },
  schema: { type: "boolean" },
  toText: String,
  toFile: (value) => value,
};

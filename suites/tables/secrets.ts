import type { Table } from "../kit/index.ts";

/** A key or token that was never issued, and that careless code accepts or crashes on. */
export interface OddSecret {
  readonly id: string;
  readonly text: string;
}

/** A JSON Web Token that names no algorithm. */
export const unsigned: OddSecret = {
  id: "three parts without a signature",
  text: "eyJhbGciOiJub25lIn0.eyJzdWIiOiJmeGNvbmZvcm0ifQ.",
};

const oddTexts: readonly OddSecret[] = [
  { id: "a quote as in SQL", text: "x'OR'1'='1" },
  { id: "characters beyond ASCII", text: "k\u00e9y-fxconform" },
  { id: "7000 characters", text: "fxconform".repeat(778).slice(0, 7000) },
  { id: "a regular expression", text: ".*" },
  { id: "a wildcard of SQL", text: "%" },
  { id: "an operator of a query", text: '{"$ne":null}' },
  { id: "a wildcard of a shell", text: "*" },
  { id: "an escaped zero byte", text: "%00" },
  { id: "a placeholder", text: "%s%n{0}" },
  { id: "the word undefined", text: "undefined" },
  { id: "the word true", text: "true" },
  { id: "a zero", text: "0" },
  { id: "a path", text: "../../etc/passwd" },
  { id: "two of them with a comma", text: "fxconform, fxconform" },
  { id: "double quotes", text: '"fxconform"' },
  { id: "two dots in a row", text: ".." },
];

/**
 * Keys or tokens that were never issued. HTTP servers refuse some of them by themselves, in any
 * form: only a crash or a success is judged (INT-38).
 */
export function oddSecrets(of: "API keys" | "tokens"): Table<OddSecret> {
  const likeliestFirst = of === "tokens" ? [unsigned, ...oddTexts] : oddTexts;
  return {
    name: `odd ${of}`,
    always: likeliestFirst.slice(0, 4),
    sometimes: likeliestFirst.slice(4),
  };
}

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
];

/**
 * Keys and tokens that were never issued. HTTP servers refuse some of them by themselves, in any
 * form: only a crash or a success is judged (INT-38).
 */
export const oddSecrets = {
  keys: [...oddTexts, { id: "a regular expression", text: ".*" }],
  tokens: [unsigned, ...oddTexts],
} as const satisfies Readonly<Record<string, readonly OddSecret[]>>;

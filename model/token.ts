/** Whether a token fits into a header (RFC 9110, 5.5): visible ASCII characters, at least one. */
export const isUsableToken = (value: unknown): value is string =>
  typeof value === "string" && /^[\x21-\x7e]+$/.test(value);

/** The length, in characters, above which no server accepts the header with the token. */
export const longestToken = 65_536;

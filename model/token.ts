/** A token that a header can carry (RFC 9110, 5.5): visible ASCII, and not empty. */
export const isUsableToken = (value: unknown): value is string =>
  typeof value === "string" && /^[\x21-\x7e]+$/.test(value);

/** Characters of a token above which no server takes the header that would carry it. */
export const longestToken = 65_536;

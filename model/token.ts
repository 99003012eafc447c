import { isUsableToken } from "./exchange.ts";
import { isObject, type Json } from "../spec/json.ts";

/** A token in a response, and the name of the member that holds the token. */
export interface IssuedToken {
  readonly name: string;
  readonly token: string;
}

/**
 * The length from which a text counts as a token if the name of its member does not end in `token`.
 */
const shortest = 16;

/**
 * Whether a text can be a token: it is long enough, and has no blanks, as a sentence would have.
 */
function isLikeToken(text: string): boolean {
  return text.length >= shortest && !text.includes(" ");
}

/**
 * The token that a response issues: the member `token`, or else the only member whose name ends in
 * `token`, or else the only text that is long enough (INT-48). Undefined if the member `token`
 * holds no usable text, or if there is none of these, or more than one.
 */
export function issuedToken(json: Json | undefined): IssuedToken | undefined {
  if (!isObject(json)) return undefined;
  const texts = Object.entries(json).flatMap(([name, token]) =>
    isUsableToken(token) ? [{ name, token }] : [],
  );
  const named = texts.find(({ name }) => name === "token");
  if (named !== undefined || "token" in json) return named;
  const tokens = texts.filter(({ name }) => /token$/i.test(name));
  const candidates = tokens.length > 0 ? tokens : texts.filter(({ token }) => isLikeToken(token));
  const [only, ...others] = candidates;
  return others.length === 0 ? only : undefined;
}

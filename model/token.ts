import { isUsableToken } from "./exchange.ts";
import { isObject, type Json } from "../spec/json.ts";

/** A token in a response, and the name of the member that holds the token. */
export interface IssuedToken {
  readonly name: string;
  readonly token: string;
}

/** A text under another name than `token` needs this many characters to count as a token. */
const shortest = 16;

/** Whether a text can be a token: a text with blanks is more likely a sentence. */
function isLikeToken(text: string): boolean {
  return text.length >= shortest && !text.includes(" ");
}

/**
 * The token that a response issues: the member `token`, or else the only member whose name ends in
 * `token`, or else the only text that is long enough (INT-48). Undefined if there is none of these,
 * or more than one.
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

import { isUsableToken } from "./exchange.ts";
import { isObject, type Json } from "../spec/json.ts";

/** A token in a response, with the name of the member that holds it. */
export interface IssuedToken {
  readonly name: string;
  readonly token: string;
}

/** Characters from which a text under another name can be a token. */
const shortest = 16;

/** A text with blanks under another name is more likely a sentence. */
function isLikeToken(text: string): boolean {
  return text.length >= shortest && !text.includes(" ");
}

/**
 * The token that a response issues: the member `token`; without it, the one member whose name ends
 * in `token`; without such a member, the one text of some length (INT-48). Undefined where there is
 * none, or more than one.
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

import { cutTo } from "../../model/kept.ts";
import type { ReceivedResponse } from "../../model/exchange.ts";
import { operations, type OperationName } from "../../spec/operations.ts";
import { hintOn } from "../errors.ts";

/** What the responses so far show of one cookie. */
interface SeenCookie {
  readonly count: number;
  readonly first: string;
  /** It had several values. */
  readonly isVaried: boolean;
}

/** The cookies that responses set, by name, and the number of responses. */
export interface SeenCookies {
  responses: number;
  readonly named: Map<string, SeenCookie>;
}

export const noCookies = (): SeenCookies => ({ responses: 0, named: new Map() });

const most = { names: 20, length: 60 } as const;
/** Fewer responses show nothing of a habit. */
const fewest = 4;

/** Notes the cookies that a response sets. */
export function noteCookies(cookies: SeenCookies, { headers }: ReceivedResponse): void {
  cookies.responses += 1;
  const set = headers.filter(([name]) => name.toLowerCase() === "set-cookie");
  const values = new Map(
    set.map(([, cookie]) => {
      const [pair = ""] = cookie.split(";", 1);
      const end = pair.indexOf("=");
      return [pair.slice(0, end).trim(), pair.slice(end + 1).trim()];
    }),
  );
  for (const [name, value] of values) {
    const seen = cookies.named.get(name);
    if (seen === undefined && cookies.named.size >= most.names) continue;
    const { count = 0, first = value, isVaried = false } = seen ?? {};
    cookies.named.set(name, { count: count + 1, first, isVaried: isVaried || first !== value });
  }
}

/** The name of a cookie that each response sets, with several values. */
function affinityCookie({ responses, named }: SeenCookies): string | undefined {
  if (responses < fewest) return undefined;
  const [found] =
    [...named].find(([, { count, isVaried }]) => count === responses && isVaried) ?? [];
  return found === undefined ? undefined : cutTo(found, most.length);
}

/**
 * What the user can check if a valid request is refused. If it names what was created before, and
 * each response sets a cookie, each instance of the server may know only what it created itself:
 * certainly so if what was created was unknown at first and known later.
 */
export function adviceOn(
  operation: OperationName,
  { cookies, lag }: { readonly cookies: SeenCookies; readonly lag: number },
): string {
  const usual = hintOn[operation];
  const cookie = "follows" in operations[operation] ? affinityCookie(cookies) : undefined;
  if (cookie === undefined) return usual;
  const said = `Each response sets the cookie ${cookie}; fxconform sends no cookies, as the specification names none.`;
  return lag > 0
    ? `${said} Let the instances of the server share what they store.`
    : `${said} If the instances of the server do not share what they store, let them; otherwise, ${usual.charAt(0).toLowerCase()}${usual.slice(1)}`;
}

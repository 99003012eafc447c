import type { Redaction } from "../harness/recording/redaction.ts";
import { memberOf, type Exchange, type Fields } from "../model/exchange.ts";

/** Headers whose values are secrets wherever they stand. */
const secretHeaders: Readonly<Record<string, string>> = {
  authorization: "token",
  "proxy-authorization": "token",
  "x-api-key": "API key",
  cookie: "cookie",
  "set-cookie": "cookie",
};

/** Registers the secrets of an exchange: those in its headers, and the token that it issues. */
export const addSecretsOf = (
  { request, response, json }: Pick<Exchange, "request" | "response" | "json">,
  further: readonly string[],
  add: Redaction["add"],
): void => {
  for (const [name, value] of [...request.headers, ...response.headers] satisfies Fields) {
    const key = name.toLowerCase();
    const label = Object.hasOwn(secretHeaders, key) ? secretHeaders[key] : further.includes(key) ? key : undefined;
    if (label === undefined) continue;
    const parts =
      label === "cookie" ? cookieValues(value) : [...(label === "token" ? [] : [value]), credentialsIn(value)];
    for (const part of parts) add(part, label);
  }
  const token = memberOf(json, "token");
  if (typeof token === "string") add(token, "token");
};

/** What follows a scheme, or all of it. */
const credentialsIn = (value: string): string => value.trim().replace(/^[A-Za-z][\w-]* +/, "");

/** The values of `a=1; b=2`, without the attributes that a Set-Cookie has besides. */
const cookieValues = (value: string): readonly string[] =>
  value
    .split(";")
    .map((part) => part.trim())
    .filter((part) => !/^(path|domain|expires|max-age|samesite|priority)=/i.test(part))
    .flatMap((part) => part.split("=").slice(1).join("="));

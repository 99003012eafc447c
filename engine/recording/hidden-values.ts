import { isObject, type Exchange, type Json, memberOf, type Fields } from "../../model/exchange.ts";
import type { ContractDocument, Schema } from "../../spec/contract.ts";
import type { Redaction } from "../../model/evidence/redaction.ts";

/** Most values of an exchange that are searched for in text around it. */
const mostValues = 500;

/** A value with at least this many characters is masked anywhere in a text, a shorter one only as a whole string. */
const shortest = 4;

/** Masks the members that the contract marks with `x-fxconform-personal`, and their values wherever they are repeated. */
export const createMasking = (document: ContractDocument, keepValues: boolean) => {
  const members = personalMembers(document);
  const inJson = new RegExp(
    String.raw`((\\*)"(?:${[...members].join("|")})\2"\s*:\s*\2")((?:(?!\2")[^"]|\\[^\\]?)*?)(?=\2")`,
    "g",
  );
  let seen: Exchange | undefined;
  let replacements: readonly Replacement[] | undefined;
  return {
    see: (exchange: Exchange): void => {
      seen = exchange;
      replacements = undefined;
    },
    mask: (text: string): string => {
      if (keepValues) return text;
      const masked = text.replaceAll(inJson, (_, before: string, __: string, value: string) => before + shapeOf(value));
      replacements ??= replacementsOf(seen, members);
      return replacements.reduce((rest, [value, shape]) => rest.replaceAll(value, shape), masked);
    },
  };
};

type Replacement = readonly [value: string, shape: string];

/** The masks for the values of an exchange, longest first. Made only for reported exchanges. */
const replacementsOf = (exchange: Exchange | undefined, members: ReadonlySet<string>): readonly Replacement[] => {
  const found = new Set<string>();
  for (const body of [exchange?.request.json, exchange?.json]) collect(body, members, found);
  return [...found]
    .sort((a, b) => b.length - a.length)
    .flatMap((value): readonly Replacement[] => {
      const [quoted, shape] = [JSON.stringify(value), JSON.stringify(shapeOf(value))];
      if (value.length < shortest) return [[quoted, shape]];
      return [
        [value, shapeOf(value)],
        [quoted.slice(1, -1), shape.slice(1, -1)],
      ];
    });
};

/** `Maria Souza 12` becomes `Xxxxx Xxxxx 99`. Escapes stay what they are. */
export const shapeOf = (value: string): string =>
  value.replaceAll(
    /(\\u[\da-fA-F]{4}|(?!\p{Lu})\p{L})|(\\.)|(\p{Lu})|\p{N}/gu,
    (_, letter?: string, escape?: string, capital?: string) =>
      escape ?? (letter === undefined ? (capital === undefined ? "9" : "X") : "x"),
  );

const personalMembers = (document: ContractDocument): ReadonlySet<string> => {
  const found = new Set<string>();
  for (const schema of Object.values(document.components.schemas))
    for (const [name, member] of Object.entries((schema["properties"] ?? {}) as Readonly<Record<string, Schema>>))
      if (member["x-fxconform-personal"] === true) found.add(name);
  return found;
};

/** A loop instead of recursion, because a body can be nested deeper than the stack. */
const collect = (body: Json | undefined, members: ReadonlySet<string>, found: Set<string>): void => {
  const rest: (Json | undefined)[] = [body];
  while (rest.length > 0 && found.size < mostValues) {
    const value = rest.pop();
    if (Array.isArray(value)) for (const inside of value as readonly Json[]) rest.push(inside);
    if (!isObject(value)) continue;
    for (const [name, inside] of Object.entries(value)) {
      if (members.has(name) && typeof inside === "string" && inside.trim() !== "") found.add(inside);
      else if (members.has(name) && typeof inside === "number") found.add(String(inside));
      else rest.push(inside);
    }
  }
};

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

import { isObject, type Json } from "../../spec/json.ts";
import type { Exchange } from "../../model/exchange.ts";
import type { Fields } from "../../model/request.ts";
import type { ContractDocument, Schema } from "../../spec/contract.ts";
import {
  addIssued,
  cookieValues,
  formCredentials,
  headerCredentials,
  namedCredentials,
  urlCredentials,
} from "../../model/evidence/credentials.ts";
import type { Redaction } from "../../model/evidence/redaction.ts";

/** How many values of an exchange are masked, at most, wherever its texts repeat them. */
const mostValues = 500;

/**
 * A value of at least this length is masked anywhere in a text. A shorter one is masked only as a
 * whole string.
 */
const shortest = 4;

/**
 * Masks the values of the members that the contract marks with `x-fxconform-personal`, and the same
 * values wherever the texts about the exchange repeat them.
 */
export function createMasking(document: ContractDocument, keepValues: boolean) {
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
      const masked = text.replaceAll(
        inJson,
        (_, before: string, __: string, value: string) => before + shapeOf(value),
      );
      replacements ??= replacementsOf(seen, members);
      return replacements.reduce((rest, [value, shape]) => rest.replaceAll(value, shape), masked);
    },
  };
}

type Replacement = readonly [value: string, shape: string];

/**
 * The values to mask in the texts about an exchange, each with its mask, the longest value first.
 * They are collected only if a text about the exchange is masked at all.
 */
function replacementsOf(
  exchange: Exchange | undefined,
  members: ReadonlySet<string>,
): readonly Replacement[] {
  const found = new Set<string>();
  for (const body of [exchange?.request.json, exchange?.json]) collect(body, members, found);
  return [...found]
    .sort((a, b) => b.length - a.length)
    .flatMap((value): readonly Replacement[] => {
      const quoted = JSON.stringify(value);
      const shape = JSON.stringify(shapeOf(value));
      if (value.length < shortest) return [[quoted, shape]];
      return [
        [value, shapeOf(value)],
        [quoted.slice(1, -1), shape.slice(1, -1)],
      ];
    });
}

/** The shape of a value: `Maria Souza 12` becomes `Xxxxx Xxxxx 99`. Escapes such as `\n` stay. */
export function shapeOf(value: string): string {
  return value.replaceAll(
    /(\\u[\da-fA-F]{4}|(?!\p{Lu})\p{L})|(\\.)|(\p{Lu})|\p{N}/gu,
    (_, letter?: string, escape?: string, capital?: string) => {
      if (escape !== undefined) return escape;
      if (letter !== undefined) return "x";
      return capital === undefined ? "9" : "X";
    },
  );
}

function personalMembers(document: ContractDocument): ReadonlySet<string> {
  const found = new Set<string>();
  for (const schema of Object.values(document.components.schemas))
    for (const [name, member] of Object.entries(
      (schema["properties"] ?? {}) as Readonly<Record<string, Schema>>,
    ))
      if (member["x-fxconform-personal"] === true) found.add(name);
  return found;
}

/**
 * Collects the texts and numbers of these members at any depth. It is a loop and not a recursion,
 * because a body can be nested deeper than the stack allows.
 */
function collect(body: Json | undefined, members: ReadonlySet<string>, found: Set<string>): void {
  const rest: (Json | undefined)[] = [body];
  while (rest.length > 0 && found.size < mostValues) {
    const value = rest.pop();
    if (Array.isArray(value)) for (const inside of value as readonly Json[]) rest.push(inside);
    if (!isObject(value)) continue;
    for (const [name, inside] of Object.entries(value)) {
      if (members.has(name) && typeof inside === "string" && inside.trim() !== "")
        found.add(inside);
      else if (members.has(name) && typeof inside === "number") found.add(String(inside));
      else rest.push(inside);
    }
  }
}

/**
 * Headers whose values are always secrets, each with the label that replaces its value in texts.
 */
const secretHeaders: Readonly<Record<string, string>> = {
  authorization: "token",
  "proxy-authorization": "token",
  "x-api-key": "API key",
  cookie: "cookie",
  "set-cookie": "cookie",
};

/**
 * Tells the redaction the secrets of an exchange: what is named like a credential in the headers,
 * the address and the body of the request and in the headers of the response, and what the token
 * endpoint issues.
 */
export function addSecretsOf(
  { request, response }: Pick<Exchange, "request" | "response">,
  further: readonly string[],
  isToken: boolean,
  redaction: Pick<Redaction, "add" | "isOwn">,
): void {
  const { add } = redaction;
  for (const [name, value] of [...request.headers, ...response.headers] satisfies Fields) {
    const key = name.toLowerCase();
    const own = Object.hasOwn(secretHeaders, key) ? secretHeaders[key] : undefined;
    const label = own ?? (further.includes(key) ? key : undefined);
    if (label === undefined) {
      for (const part of headerCredentials(name, value)) add(part, "credential");
      continue;
    }
    const parts =
      label === "cookie"
        ? cookieValues(value)
        : [...(label === "token" ? [] : [value]), credentialsIn(value)];
    for (const part of parts) add(part, label);
  }
  for (const part of urlCredentials(request.url)) add(part, "credential");
  for (const part of bodyCredentials(request)) add(part, "credential");
  if (isToken) addIssued(response, redaction);
}

function bodyCredentials({ body, json }: Exchange["request"]): readonly string[] {
  if (json !== undefined) return namedCredentials(json);
  return body === undefined
    ? []
    : formCredentials(Buffer.from(body.subarray(0, 65_536)).toString("utf8"));
}

/**
 * The credentials in the value of a header: what follows a scheme such as `Bearer`, or the whole
 * value if it has no scheme.
 */
const credentialsIn = (value: string): string => value.trim().replace(/^[A-Za-z][\w-]* +/, "");

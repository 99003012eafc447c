import { isObject, type Json } from "../../spec/json.ts";
import { jsonOf, type Exchange } from "../../model/exchange.ts";
import type { Fields } from "../../model/request.ts";
import type { ContractDocument, Schema } from "../../spec/contract.ts";
import {
  addIssued,
  cookieValues,
  decodedForm,
  headerCredentials,
  isCredentialName,
  namedCredentials,
  urlCredentials,
} from "../../model/evidence/issued-credentials.ts";
import { isOrdinary, patternOf, type Redaction } from "../../model/evidence/redaction.ts";

/** How many values of an exchange are masked, at most, wherever its texts repeat them. */
const mostValues = 500;

/**
 * A value of at least this length is masked anywhere in a text. A shorter one is masked only as a
 * whole string.
 */
const shortest = 4;

/**
 * Masks the values of the members that the contract marks with `x-fxconform-personal`, in JSON and
 * in forms, whole or cut, and the same values wherever the texts about the exchange repeat them, in
 * any letter case.
 */
export function createMasking(document: ContractDocument, keepValues: boolean) {
  const members = personalMembers(document);
  const isPersonal = (name: string): boolean => members.has(lastPartOf(name).toLowerCase());
  let seen: Exchange | undefined;
  let repeated: RegExp | undefined;
  return {
    see: (exchange: Exchange): void => {
      seen = exchange;
      repeated = undefined;
    },
    mask: (text: string): string => {
      if (keepValues) return text;
      let masked = "";
      let end = 0;
      for (const { name, value, from } of namedValuesIn(text)) {
        if (from < end || !isPersonal(name)) continue;
        masked += text.slice(end, from) + shapeOf(value);
        end = from + value.length;
      }
      masked += text.slice(end);
      repeated ??= anyOf(valuesOf(seen, isPersonal));
      return masked.replaceAll(repeated, (found) => shapeOf(found));
    },
  };
}

type IsPersonal = (name: string) => boolean;

/** The last part of a name such as `payee[name]` or `payee.name`. */
const lastPartOf = (name: string): string =>
  name.split(/[.[\]]+/).findLast((part) => part !== "") ?? name;

/**
 * The personal values in the bodies of an exchange, the longest first. They are collected only if a
 * text about the exchange is masked at all.
 */
function valuesOf(exchange: Exchange | undefined, isPersonal: IsPersonal): readonly string[] {
  const found = new Set<string>();
  if (exchange === undefined) return [];
  const { request, response } = exchange;
  for (const { json, body } of [request, { json: exchange.json, body: response.body }])
    if (json !== undefined) collect(json, isPersonal, found);
    else
      for (const { name, text } of namedTextsIn(body))
        if (found.size < mostValues && isPersonal(name)) found.add(text);
  return [...found].filter((value) => value.trim() !== "").sort((a, b) => b.length - a.length);
}

/**
 * Collects the texts and numbers of these members at any depth. It is a loop and not a recursion,
 * because a body can be nested deeper than the stack allows.
 */
function collect(body: Json, isPersonal: IsPersonal, found: Set<string>): void {
  const rest: Json[] = [body];
  while (rest.length > 0 && found.size < mostValues) {
    const value = rest.pop();
    if (Array.isArray(value)) for (const inside of value as readonly Json[]) rest.push(inside);
    if (!isObject(value)) continue;
    for (const [name, inside] of Object.entries(value)) {
      if (isPersonal(name) && (typeof inside === "string" || typeof inside === "number"))
        found.add(String(inside));
      else rest.push(inside);
    }
  }
}

/** The most bytes of a body that are searched for personal values and credentials. */
const mostSearched = 2 ** 21;

/** Of a value, so many characters are searched for. */
const longest = 200;

/** Matches any of the values, as it is and as JSON and forms write it, in any letter case. */
function anyOf(values: readonly string[]): RegExp {
  const written = values.flatMap((whole) => {
    const value = whole.slice(0, longest);
    const json = JSON.stringify(value).slice(1, -1);
    if (value.length < shortest) return [`(?<=")${patternOf(json)}(?=")`];
    const encoded = encodeURIComponent(value.toWellFormed());
    return [...new Set([value, json, encoded, encoded.replaceAll("%20", "+")])].map(patternOf);
  });
  return new RegExp(written.length === 0 ? "(?!)" : written.join("|"), "giu");
}

/**
 * The shape of a value: `Maria Souza 12` becomes `Xxxxx Xxxxx 99`. Escapes such as `\n` and `%20`
 * stay.
 */
export function shapeOf(value: string): string {
  return value.replaceAll(
    /(\\u[\da-fA-F]{4}|(?!\p{Lu})\p{L})|(\\.|%[\dA-F]{2})|(\p{Lu})|\p{N}/gu,
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
      if (member["x-fxconform-personal"] === true) found.add(name.toLowerCase());
  return found;
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
 * the address and the body of the request, and in the headers and the body of the response, and
 * what the token endpoint issues.
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
  for (const part of bodyCredentials(request.body, request.json)) add(part, "credential");
  for (const part of bodyCredentials(response.body, jsonOf(response)))
    if (!isWord(part) && !redaction.isOwn(part)) add(part, "credential");
  if (isToken) addIssued(response, redaction);
}

/** The credentials in a body: JSON, or a text with members or parameters, whole or cut. */
function bodyCredentials(body: Uint8Array | undefined, json: Json | undefined): readonly string[] {
  if (json !== undefined) return namedCredentials(json);
  return namedTextsIn(body).flatMap(({ name, text, value }) =>
    isCredentialName(name) ? [value, text] : [],
  );
}

/** The values in a body that is no JSON, each also without its escapes. */
function namedTextsIn(body: Uint8Array | undefined) {
  const text = new TextDecoder().decode(body?.subarray(0, mostSearched));
  return namedValuesIn(text).map(({ name, value, isForm }) => ({
    name,
    value,
    text: isForm ? decodedForm(value) : decodedText(value),
  }));
}

/**
 * Whether the value of a member may be an ordinary word, such as the name of a member that a
 * refusal calls `key`. What a server sends is full of them.
 */
const isWord = (value: string): boolean =>
  /^([A-Za-z][A-Za-z_ .-]*|\d+\.\d+)$/.test(value) || isOrdinary(value);

/**
 * The credentials in the value of a header: what follows a scheme such as `Bearer`, or the whole
 * value if it has no scheme.
 */
const credentialsIn = (value: string): string => value.trim().replace(/^[A-Za-z][\w-]* +/, "");

/** A value in a text, with the name of the member or of the parameter that holds it. */
interface NamedValue {
  readonly name: string;
  /** As it stands in the text, with its escapes. */
  readonly value: string;
  /** Where the value begins in the text. */
  readonly from: number;
  /** Whether a form holds it, and not JSON. */
  readonly isForm: boolean;
}

/**
 * The values in a text that may be JSON or a form, whole, cut, inside other JSON or quoted in a
 * sentence. A value whose end was cut off goes to the end of the text.
 */
function namedValuesIn(text: string): readonly NamedValue[] {
  return [...membersIn(text), ...parametersIn(text)].sort((one, other) => one.from - other.from);
}

/** The name of a member in quotes, behind the backslashes of JSON inside JSON, four times at most. */
const memberName = /(?<!\\)(\\{0,15})"([^"\\]{1,100})\1"\s*:\s*/g;

function membersIn(text: string): readonly NamedValue[] {
  const found: NamedValue[] = [];
  const endOfText = endsOfTexts(text);
  for (const match of text.matchAll(memberName)) {
    const [whole, backslashes = "", name = ""] = match;
    const begin = match.index + whole.length;
    const isText = text.startsWith(`${backslashes}"`, begin);
    const from = isText ? begin + backslashes.length + 1 : begin;
    // A number, or a part of the text without quotes.
    const plain = /[\w.+-]*/y;
    plain.lastIndex = from;
    plain.test(text);
    const to = isText ? endOfText(from, backslashes.length) : plain.lastIndex;
    if (to > from) found.push({ name, value: text.slice(from, to), from, isForm: false });
  }
  return found;
}

/**
 * Returns a function that says where a JSON text ends whose quotes have `depth` backslashes: at the
 * next quote that is not escaped once more, or at the end. It is called for texts from left to
 * right, so that one pass for each depth serves all of them.
 */
function endsOfTexts(text: string): (from: number, depth: number) => number {
  const ends = new Map<number, number>();
  return (from, depth) => {
    let end = ends.get(depth) ?? -1;
    if (end >= from) return end;
    // At each level, a quote has twice the backslashes of the level before, and one more; in front
    // of them may stand escaped backslashes of the value, which are a multiple of the level's own.
    const quote = new RegExp(`(?<!\\\\)(?:\\\\{${2 * (depth + 1)}})*\\\\{${depth}}"`, "g");
    quote.lastIndex = from;
    end = quote.test(text) ? quote.lastIndex - depth - 1 : text.length;
    ends.set(depth, end);
    return end;
  };
}

/** A parameter of a form or of a query. */
const parameter = /(?<![\w%.[\]-])([\w%.[\]-]{1,100})=([^&;#\s"'<>\\]*)/g;

function parametersIn(text: string): readonly NamedValue[] {
  return [...text.matchAll(parameter)].flatMap((match) => {
    const [whole, name = "", value = ""] = match;
    const from = match.index + whole.length - value.length;
    return value === "" ? [] : [{ name: decodedForm(name), value, from, isForm: true }];
  });
}

/** A text of JSON without its escapes, even if it was cut or escaped several times. */
function decodedText(text: string): string {
  return text.replaceAll(
    /(?<!\\)\\+(?:u([\da-fA-F]{4})|([nrtbf])|(["/]))/g,
    (whole, digits, control, sign) => {
      if (digits !== undefined) return String.fromCharCode(Number.parseInt(String(digits), 16));
      return control === undefined ? String(sign) : " ";
    },
  );
}

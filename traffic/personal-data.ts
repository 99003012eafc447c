import { isObject, type Exchange, type Json } from "../model/exchange.ts";
import type { ContractDocument, Schema } from "../spec/contract.ts";

/** Most values of an exchange that are searched for in text around it. */
const mostValues = 500;

/** A value with at least this many characters is masked anywhere in a text, a shorter one only as a whole string. */
const shortest = 4;

/** Masks personal data in reports: replaces letters and digits, so that the shape of a value stays. */
export type Masking = ReturnType<typeof createMasking>;

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

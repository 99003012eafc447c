import type { Secret, SecretKind } from "../target.ts";
import { catalogue } from "../../spec/catalogue.ts";
import { operations } from "../../spec/operations.ts";
import { createSecretIndex } from "./secret-index.ts";
import { shortestSecret } from "./secret-spellings.ts";

export type Redaction = ReturnType<typeof createRedaction>;

/**
 * Characters of a longer secret that are searched for: it fits no header, and has about twenty
 * spellings.
 */
const longest = 65_536;

/**
 * The most ordinary secrets that are remembered: a server can issue a new one with each response.
 */
const mostOrdinary = 200;

/** Labels of secrets that a server can issue endlessly: the oldest of them are forgotten first. */
const issued = new Set(["token", "cookie", "credential"]);

/**
 * Replaces secrets in texts, whole in each spelling that a server can echo, and what is left of
 * them if they were cut or changed. `onSecret` is called once for each of them; `own` are texts of
 * the configuration, which show no secret.
 */
export function createRedaction(
  onSecret: (secret: string) => void = () => undefined,
  known: readonly Secret[] = [],
  own: readonly string[] = [],
) {
  const labels = new Map<string, string>();
  const ordinary = new Map<string, string>();
  const warned = new Set<string>();
  let wholeValues: RegExp | undefined;
  const index = createSecretIndex(own);

  const redaction = {
    /**
     * `[label]` replaces the secret; an ordinary one only where a whole header or member equals it.
     */
    add: (whole: string, label: string, _kind?: SecretKind): void => {
      const secret = whole.slice(0, longest);
      // A label is what a report of fxconform has in the place of a secret.
      if (`[${label}]`.includes(secret) || labels.has(secret) || ordinary.has(secret)) return;
      if (isOrdinary(secret)) {
        if (!isPseudonymWord(secret)) warned.add(label);
        ordinary.set(secret, label);
        const [oldest] = [...ordinary].find(([, one]) => issued.has(one)) ?? [];
        if (ordinary.size > mostOrdinary && oldest !== undefined) ordinary.delete(oldest);
        wholeValues = anyValue([...ordinary.keys()]);
        return;
      }
      labels.set(secret, label);
      index.add(secret, `[${label}]`, `[${label}, changed]`);
      onSecret(secret);
    },
    /**
     * Takes up an id of a resource: what it has in common with a secret by chance is not replaced.
     */
    addId: index.addId,
    /** Whether a text stands in the configuration: a server may repeat it wherever it likes. */
    isOwn: (text: string): boolean => own.some((one) => one.includes(text)),
    redact: (text: string): string => {
      const rest = index.replacedIn(text);
      if (wholeValues === undefined) return rest;
      return rest.replaceAll(wholeValues, (found: string, at: number) =>
        beginsValue(rest, at) ? `[${ordinary.get(found)}]` : found,
      );
    },
    /** The secrets so far, without the ordinary ones. */
    secrets: (): readonly string[] => [...labels.keys()],
    warnings: (): readonly string[] => [...warned].map(ordinaryWarning),
  };
  for (const { value, label } of known) redaction.add(value, label);
  return redaction;
}

function ordinaryWarning(label: string): string {
  return `The ${label} is shorter than 8 characters or a word of the specification: it is taken out of the reports only where a whole header or member equals it.`;
}

/**
 * One of the values, the longest first, where a text, a JSON string or the value of a cookie ends
 * after it.
 */
function anyValue(values: readonly string[]): RegExp {
  const longestFirst = values.toSorted((a, b) => b.length - a.length);
  const any = longestFirst.map((value) => value.replaceAll(/[^\p{L}\p{N}]/gu, escaped)).join("|");
  return new RegExp(String.raw`(?:${any})(?=$|\\{0,64}["']|[;&])`, "gu");
}

/** The most characters that a scheme and the blanks after it can have. */
const longestScheme = 40;

/**
 * Whether a text, what follows a scheme in it, a JSON string or the value of a cookie begins at a
 * place.
 */
function beginsValue(text: string, at: number): boolean {
  return (
    at === 0 ||
    /["'=]/.test(text.charAt(at - 1)) ||
    (at <= longestScheme && /^[\w-]+ +$/.test(text.slice(0, at)))
  );
}

const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

const shape = /\[(key|token|secret) (\d+)\]/g;

/**
 * The text with a word in the place of each pseudonym, so that a header can carry it: `token-2`.
 */
export const asHeaderWords = (text: string): string => text.replace(shape, "$1-$2");

/** Whether a value of a header stands for a pseudonym. */
export const isPseudonymWord = (value: string): boolean => /^(key|token|secret)-\d+$/.test(value);

/** The words of the specification, which every report and most requests contain. */
const words = JSON.stringify([operations, catalogue]).toLowerCase();

/**
 * Whether text contains a value by chance, because it is short or a word of the specification:
 * `operation`.
 */
export function isOrdinary(secret: string): boolean {
  return secret.length < shortestSecret || words.includes(secret.toLowerCase());
}

/**
 * Members, with what holds them where a name alone would not do, whose texts are fxconform's own or
 * its user's.
 */
const own = new Set([
  "tool",
  "specification",
  "runId",
  "target",
  "profile",
  "selection",
  "settings",
  "startedAt",
  "outcome",
  "requirements.id",
  "area",
  "level",
  "statement",
  "source",
  "verdict",
  "gap",
  "skippedBy",
  "judgedIn",
  "violates",
  "findings.intent",
  "replay",
  "scenario",
  "operation",
  "requirement",
  "kind",
  "causes.requirements",
  "expires",
  "causes.operations",
  "causes.waiting",
  "deviation.kin",
  "blockedAt",
  "observations.id",
  "question",
  "method",
  "example",
  "startedDateTime",
  "httpVersion",
  "encoding",
  "_encoding",
]);

/**
 * A run, or an entry of a recording, with every text changed that can hold a word of the server or
 * of a client.
 */
export function withTexts<T>(whole: T, change: (text: string) => string): T {
  const changed = (value: unknown, name: string, holder: string): unknown => {
    if (own.has(name) || own.has(`${holder}.${name}`)) return value;
    if (typeof value === "string") return change(value);
    if (Array.isArray(value)) return value.map((one: unknown) => changed(one, name, holder));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([key, inside]) => [key, changed(inside, key, name)]),
    );
  };
  return changed(whole, "", "") as T;
}

/** The texts that `withTexts` changes. */
export function textsOf(whole: unknown): readonly string[] {
  const texts: string[] = [];
  withTexts(whole, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

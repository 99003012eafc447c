import type { Secret, SecretKind } from "../target.ts";
import { catalogue } from "../../spec/catalogue.ts";
import { operations } from "../../spec/operations.ts";
import { createSecretIndex } from "./secret-index.ts";
import { shortestSecret } from "./secret-spellings.ts";

export type Redaction = ReturnType<typeof createRedaction>;

/**
 * Only the first characters of a secret, up to this number, are searched for, because each secret
 * has about twenty spellings. A longer secret fits no header.
 */
const longest = 65_536;

/**
 * At most this many ordinary secrets (`isOrdinary`) are remembered, as a server can issue a new
 * secret with each response.
 */
const mostOrdinary = 200;

/**
 * Labels of secrets that a server can issue endlessly. The oldest secrets with these labels are
 * forgotten first.
 */
const issued = new Set(["token", "cookie", "credential"]);

/**
 * Replaces secrets in texts: whole secrets in each spelling that a server can echo, and what is
 * left of secrets that were cut or changed. `onSecret` is called once for each secret; `own` are
 * texts of the configuration, which show no secret.
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
     * Adds a secret, which `[label]` then replaces. An ordinary secret is replaced only where it is
     * the whole value of a header or a member.
     */
    add: (whole: string, label: string, _kind?: SecretKind): void => {
      const secret = whole.slice(0, longest);
      // A secret that is a part of its own label is not searched for: the label stands in reports.
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
     * Adds an id of a resource. What an id has in common with a secret by chance is not replaced.
     */
    addId: index.addId,
    /** Whether a text stands in the configuration, so that a server may repeat it anywhere. */
    isOwn: (text: string): boolean => own.some((one) => one.includes(text)),
    redact: (text: string): string => {
      const rest = index.replacedIn(text);
      if (wholeValues === undefined) return rest;
      return rest.replaceAll(wholeValues, (found: string, at: number) =>
        beginsValue(rest, at) ? `[${ordinary.get(found)}]` : found,
      );
    },
    /** The secrets so far, without the ordinary secrets. */
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
 * Matches any of the values, the longest first, at the end of a text, of a JSON string or of the
 * value of a cookie.
 */
function anyValue(values: readonly string[]): RegExp {
  const longestFirst = values.toSorted((a, b) => b.length - a.length);
  const any = longestFirst.map((value) => value.replaceAll(/[^\p{L}\p{N}]/gu, escaped)).join("|");
  return new RegExp(String.raw`(?:${any})(?=$|\\{0,64}["']|[;&])`, "gu");
}

/**
 * The most characters that a scheme, such as `Bearer`, may have together with the blanks after it.
 */
const longestScheme = 40;

/**
 * Whether a value begins at this place: at the start of the text, after a scheme, or at the start
 * of a JSON string or of the value of a cookie.
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
 * The text with each pseudonym as a single word, such as `token-2`, so that a header can carry it.
 */
export const asHeaderWords = (text: string): string => text.replace(shape, "$1-$2");

/** Whether the value of a header is a pseudonym as a word, such as `token-2`. */
export const isPseudonymWord = (value: string): boolean => /^(key|token|secret)-\d+$/.test(value);

/** The words of the specification, which every report and most requests contain. */
const words = JSON.stringify([operations, catalogue]).toLowerCase();

/**
 * Whether an ordinary text can contain the secret by chance, because the secret is short or a word
 * of the specification such as `operation`.
 */
export function isOrdinary(secret: string): boolean {
  return secret.length < shortestSecret || words.includes(secret.toLowerCase());
}

/**
 * Members whose texts come from fxconform or its user, and not from the server or a client. Where
 * the name of a member is not unique, the name of its parent stands before it.
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
  "mistake.kin",
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
 * A run, or an entry of a recording, in which `change` is applied to every text that may contain
 * words of the server or of a client.
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

/** The texts to which `withTexts` applies its change. */
export function textsOf(whole: unknown): readonly string[] {
  const texts: string[] = [];
  withTexts(whole, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
}

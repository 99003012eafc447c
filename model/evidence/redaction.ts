import {
  publicTexts,
  secretsOf,
  shortestSecret,
  type Secret,
  type SecretKind,
  type Target,
} from "../target.ts";
import { isUsableToken } from "../exchange.ts";
import { catalogue } from "../../spec/catalogue.ts";
import { operations } from "../../spec/operations.ts";
import { readingsOf } from "./reading.ts";
import { createSecretIndex, longestSecret, type FoundSecret } from "./secret-index.ts";

export type Redaction = ReturnType<typeof createRedaction>;

/**
 * At most this many ordinary secrets (`isOrdinary`) are remembered, as a server can issue a new
 * secret with each response.
 */
const mostOrdinary = 200;

/**
 * Labels of secrets that a server can issue endlessly. The oldest secrets with these labels are
 * forgotten first.
 */
const issued = new Set(["token", "cookie", "credential", "secret"]);

/** What replaces a secret. */
interface Names {
  readonly secret: string;
  readonly label: string;
  readonly pseudonym: string;
}

/**
 * Replaces secrets in texts: whole secrets in each spelling that a server can echo, and what is
 * left of secrets that were cut or changed. A thread has one, which grows with the run. `onSecret`
 * is called once for each secret; `own` are texts of the configuration, which show no secret.
 */
export function createRedaction(
  onSecret: (secret: string) => void = () => undefined,
  known: readonly Secret[] = [],
  own: readonly string[] = [],
) {
  const ordinary = createOrdinary();
  /** Each secret by its number, and the numbers by their secrets. */
  const names = new Map<number, Names>();
  let last = 0;
  const numbers = new Map<string, number>();
  const pseudonymOf = pseudonyms();
  const warned = new Set<string>();
  const configured = [...own];
  const index = createSecretIndex(own, (owner) => {
    numbers.delete(names.get(owner)?.secret ?? "");
    names.delete(owner);
  });

  const replaced = (text: string, name: (found: FoundSecret) => string): string => {
    let whole = "";
    let end = 0;
    for (const found of index.foundIn(text)) {
      whole += text.slice(end, found.from) + name(found);
      end = found.to;
    }
    return end === 0 ? text : whole + text.slice(end);
  };
  /** Puts the labels or the pseudonyms of secrets in their places. */
  const withNames =
    (kind: "label" | "pseudonym") =>
    (text: string): string => {
      const secretFree = replaced(text, ({ owner, isWhole }) => {
        const name = names.get(owner)?.[kind] ?? "";
        return isWhole ? `[${name}]` : `[${name}, changed]`;
      });
      return ordinary.replacedIn(secretFree, (one) => `[${one[kind]}]`);
    };

  const redaction = {
    /**
     * Adds a secret, which `[label]` then replaces. An ordinary secret is replaced only where it is
     * the whole value of a header or a member.
     */
    add: (whole: string, label: string, kind: SecretKind = "token"): void => {
      const secret = whole.slice(0, longestSecret);
      // A secret that is a part of its own label is not searched for: the label stands in reports.
      if (`[${label}]`.includes(secret) || numbers.has(secret) || ordinary.has(secret)) return;
      const isWord = isOrdinary(secret);
      if (isWord && issued.has(label) && redaction.isOwn(secret)) return;
      const one = { secret, label, pseudonym: pseudonymOf(whole, kind) };
      if (isWord) {
        if (!isPseudonymWord(secret)) warned.add(label);
        ordinary.add(one);
        return;
      }
      last += 1;
      names.set(last, one);
      numbers.set(secret, last);
      index.add(secret, last, issued.has(label));
      onSecret(whole);
    },
    /** Adds an id of a resource. What an id has in common with a secret is not replaced. */
    addId: index.addId,
    /** Adds a text, such as the address of the server, of which nothing is ever replaced. */
    addOwn: (text: string): void => {
      if (configured.includes(text)) return;
      configured.push(text);
      index.addOwn(text);
    },
    /** Whether a text stands in the configuration, so that a server may repeat it anywhere. */
    isOwn: (text: string): boolean => configured.some((one) => one.includes(text)),
    redact: withNames("label"),
    /** As `redact`, with a numbered name such as `[token 2]` for each secret. */
    pseudonymised: withNames("pseudonym"),
    /** The secrets that stand whole in a text, in any spelling, without the ordinary secrets. */
    wholeIn: (text: string): ReadonlySet<string> =>
      new Set(
        index
          .foundIn(text)
          .flatMap(({ isWhole, owner }) => (isWhole ? [names.get(owner)?.secret ?? ""] : [])),
      ),
    /** The secrets that are searched for, without the ordinary secrets. */
    secrets: (): readonly string[] => [...numbers.keys()],
    warnings: (): readonly string[] => [...warned].map(ordinaryWarning),
  };
  for (const { value, label, kind } of known) redaction.add(value, label, kind);
  return redaction;
}

/** A redaction that knows the secrets of a target, and its other texts. */
export function redactionFor(target: Target, onSecret?: (secret: string) => void): Redaction {
  return createRedaction(onSecret, secretsOf(target), publicTexts(target));
}

/** A redaction that knows texts that may be secrets, such as variables of the environment. */
export function redactionOf(secrets: readonly string[], own: readonly string[] = []): Redaction {
  const known = secrets.map((value) => ({ value, label: "secret", kind: "secret" }) as const);
  return createRedaction(undefined, known, own);
}

/** Returns a function that gives each secret a name with a number, by its kind. */
function pseudonyms() {
  const counts = new Map<string, number>();
  return (secret: string, kind: SecretKind): string => {
    // A token that does not fit into a header must get a pseudonym that does not fit either.
    const name = kind === "token" && !isUsableToken(secret) ? "unusable token" : kind;
    const number = (counts.get(name) ?? 0) + 1;
    counts.set(name, number);
    return `${name} ${number}`;
  };
}

/** Ordinary secrets (`isOrdinary`), which are replaced only where they are a whole value. */
function createOrdinary() {
  const all = new Map<string, Names>();
  let values: RegExp | undefined;
  return {
    has: (secret: string): boolean => all.has(secret),
    add: (names: Names): void => {
      all.set(names.secret, names);
      const [oldest] = [...all].find(([, { label }]) => issued.has(label)) ?? [];
      if (all.size > mostOrdinary && oldest !== undefined) all.delete(oldest);
      values = undefined;
    },
    replacedIn: (text: string, name: (names: Names) => string): string => {
      if (all.size === 0) return text;
      values ??= anyOf([...all.keys()]);
      return text.replaceAll(values, (found: string, at: number) => {
        const names = all.get(found);
        return names !== undefined && beginsValue(text, at) ? name(names) : found;
      });
    },
  };
}

function ordinaryWarning(label: string): string {
  return `The ${label} is shorter than 8 characters or a word of the specification: it is taken out of the reports only where a whole header or member equals it.`;
}

/** Stands after a value: the end of a text, of a JSON string or of the value of a cookie. */
const endOfValue = String.raw`(?=$|\\{0,64}["']|[;&])`;

/** Matches any of the texts at the end of a value, the longest first. */
function anyOf(texts: readonly string[]): RegExp {
  const longestFirst = texts.filter((text) => text !== "").sort((a, b) => b.length - a.length);
  const any = longestFirst.map(patternOf).join("|");
  return new RegExp(`(?:${any})${endOfValue}`, "gu");
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

/** A pattern, for the flag `u`, that matches this text alone. */
export function patternOf(text: string): string {
  return text.replaceAll(
    /[^\p{L}\p{N}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

const shape = /\[(key|token|secret) (\d+)\]/g;

/**
 * The text with each pseudonym as a single word, such as `token-2`, so that a header can carry it.
 */
export const asHeaderWords = (text: string): string => text.replace(shape, "$1-$2");

/** Whether the value of a header is a pseudonym as a word, such as `token-2`. */
const isPseudonymWord = (value: string): boolean => /^(key|token|secret)-\d+$/.test(value);

/** The words of the specification, which every report and most requests contain. */
const words = JSON.stringify([operations, catalogue]).toLowerCase();

/**
 * Whether an ordinary text can contain the secret by chance, because the secret is short or a word
 * of the specification such as `operation`.
 */
export function isOrdinary(secret: string): boolean {
  return (
    (readingsOf(secret)[0]?.text.length ?? 0) < shortestSecret ||
    words.includes(secret.toLowerCase())
  );
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

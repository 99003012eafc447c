import type { Secret, SecretKind } from "../target.ts";
import { catalogue } from "../../spec/catalogue.ts";
import { operations } from "../../spec/operations.ts";

export type Redaction = ReturnType<typeof createRedaction>;

/** Characters of a longer secret that are searched for: it fits no header, and has about twenty spellings. */
const longest = 65_536;

/** The most ordinary secrets that are remembered: a server can issue a new one with each response. */
const mostOrdinary = 200;

/** Labels of secrets that a server can issue endlessly: the oldest of them are forgotten first. */
const issued = new Set(["token", "cookie"]);

/** Replaces secrets in texts, in each spelling that a server can echo. `onSecret` is called once for each of them. */
export const createRedaction = (
  onSecret: (secret: string) => void = () => undefined,
  known: readonly Secret[] = [],
) => {
  const labels = new Map<string, string>();
  const ordinary = new Map<string, string>();
  const warned = new Set<string>();
  let wholeValues: RegExp | undefined;
  const index = createSecretIndex();

  /** A server may escape some characters of a secret and others not: then the text without escapes shows it. */
  const withoutSpellings = (text: string): string => {
    const rest = index.replacedIn(text);
    const plain = /[\\%]/.test(rest) ? unescaped(rest) : rest;
    const result = plain === rest ? plain : index.replacedIn(plain);
    return result === plain ? rest : result;
  };

  const redaction = {
    /** `[label]` replaces the secret; an ordinary one only where a whole header or member equals it. */
    add: (whole: string, label: string, _kind?: SecretKind): void => {
      const secret = whole.slice(0, longest);
      // A label is what a report of fxconform has in the place of a secret.
      if (`[${label}]`.includes(secret) || labels.has(secret) || ordinary.has(secret)) return;
      if (isOrdinary(secret)) {
        if (!isPseudonymWord(secret)) warned.add(label);
        ordinary.set(secret, label);
        const [oldest] = [...ordinary].find(([, one]) => issued.has(one)) ?? [];
        if (ordinary.size > mostOrdinary && oldest !== undefined) ordinary.delete(oldest);
        wholeValues = anyWhole([...ordinary.keys()]);
        return;
      }
      labels.set(secret, label);
      index.add(secret, `[${label}]`);
      onSecret(secret);
    },
    redact: (text: string): string => {
      const rest = withoutSpellings(text);
      return wholeValues === undefined ? rest : rest.replaceAll(wholeValues, (found) => `[${ordinary.get(found)}]`);
    },
    /** The secrets so far, without the ordinary ones. */
    secrets: (): readonly string[] => [...labels.keys()],
    warnings: (): readonly string[] => [...warned].map(ordinaryWarning),
  };
  for (const { value, label } of known) redaction.add(value, label);
  return redaction;
};

/** The text with the characters that JSON or percent-encoding spell by their number, once or more deeply. */
const unescaped = (text: string): string =>
  text
    .replaceAll(/\\+u([\da-f]{4})/gi, (_, digits: string) => characterOf(digits))
    .replaceAll(/%(?:25)*([2-7][\da-f])/gi, (_, digits: string) => characterOf(digits));

const characterOf = (digits: string): string => String.fromCharCode(Number.parseInt(digits, 16));

const ordinaryWarning = (label: string): string =>
  `The ${label} is shorter than 8 characters or a word of the specification: it is taken out of the reports only where a whole header or member equals it.`;

/** A whole text or what follows a scheme in it, a whole JSON string, the value of a cookie. */
const anyWhole = (values: readonly string[]): RegExp => {
  const any = values.map((value) => value.replaceAll(/[^\p{L}\p{N}]/gu, escaped)).join("|");
  return new RegExp(String.raw`(?<=^(?:[\w\-]+ +)?|["'=])(?:${any})(?=$|\\*["']|[;&])`, "gu");
};

const escaped = (character: string): string => `\\u{${character.codePointAt(0)?.toString(16)}}`;

interface Spelled {
  readonly spelling: string;
  readonly replacement: string;
}

export type SecretIndex = ReturnType<typeof createSecretIndex>;

/** Finds secrets by how their spellings begin: one pass through a text, however many secrets there are. */
export const createSecretIndex = () => {
  const beginnings = new Map<string, Spelled[]>();
  /** Marks how spellings begin, so that few places of a text need a closer look. */
  const marks = new Uint8Array(65_536);

  const longestAt = (text: string, at: number): Spelled | undefined => {
    let found: Spelled | undefined;
    for (const spelled of beginnings.get(text.slice(at, at + shortestSecret)) ?? []) {
      if (spelled.spelling.length > (found?.spelling.length ?? 0) && text.startsWith(spelled.spelling, at))
        found = spelled;
    }
    return found;
  };

  return {
    add: (secret: string, replacement: string): void => {
      for (const spelling of spellingsOf(secret)) {
        const beginning = spelling.slice(0, shortestSecret);
        const others = beginnings.get(beginning);
        if (others === undefined) beginnings.set(beginning, [{ spelling, replacement }]);
        else others.push({ spelling, replacement });
        marks[markAt(spelling, 0)] = 1;
      }
    },
    /** The text with each secret replaced. If several begin at one place, the longest is replaced. */
    replacedIn: (text: string): string => {
      let replaced = "";
      let from = 0;
      for (let at = 0; at + shortestSecret <= text.length; at++) {
        if (marks[markAt(text, at)] === 0) continue;
        const found = longestAt(text, at);
        if (found === undefined) continue;
        replaced += `${text.slice(from, at)}${found.replacement}`;
        from = at + found.spelling.length;
        at = from - 1;
      }
      return from === 0 ? text : replaced + text.slice(from);
    },
  };
};

/** A number under 65,536 for three characters. */
const markAt = (text: string, at: number): number =>
  (text.charCodeAt(at) * 961 + text.charCodeAt(at + 1) * 31 + text.charCodeAt(at + 2)) & 0xffff;

const shape = /\[(key|token|secret) (\d+)\]/g;

/** The text with a word in the place of each pseudonym, so that a header can carry it: `token-2`. */
export const asHeaderWords = (text: string): string => text.replace(shape, "$1-$2");

/** Whether a value of a header stands for a pseudonym. */
export const isPseudonymWord = (value: string): boolean => /^(key|token|secret)-\d+$/.test(value);

/** Shorter secrets and spellings are not searched for, because ordinary text contains them by chance. */
export const shortestSecret = 8;

/** The words of the specification, which every report and most requests contain. */
const words = JSON.stringify([operations, catalogue]).toLowerCase();

/** Whether text contains a value by chance, because it is short or a word of the specification: `operation`. */
export const isOrdinary = (secret: string): boolean =>
  secret.length < shortestSecret || words.includes(secret.toLowerCase());

/** Every spelling of a secret from `shortestSecret` on; of base64, what does not depend on the bytes around it. */
export const spellingsOf = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret, "utf8");
  const hex = bytes.toString("hex");
  const utf16 = Buffer.from(secret, "utf16le").swap16().toString("hex");
  const json = JSON.stringify(secret).slice(1, -1);
  const spellings = [
    secret,
    secret.toWellFormed(),
    ...inBothCases(encodeURIComponent(secret.toWellFormed()), /%../g),
    ...bothCases(hex).map((digits) => digits.replaceAll(/../g, "%$&")),
    json,
    json.replaceAll("/", "\\/"),
    JSON.stringify(json).slice(1, -1),
    ...bothCases(utf16).map((digits) => digits.replaceAll(/..../g, String.raw`\u$&`)),
    ...entitySpellings(secret),
    ...[0, 1, 2].flatMap((shift) => base64Spellings(bytes, shift)),
    ...bothCases(hex),
  ];
  return [...new Set(spellings)].filter((spelling) => spelling.length >= shortestSecret);
};

/** The text as it is, and with what matches in small and in capital letters. */
const inBothCases = (text: string, part: RegExp): readonly string[] => [
  text,
  text.replaceAll(part, (match) => match.toLowerCase()),
  text.replaceAll(part, (match) => match.toUpperCase()),
];

const bothCases = (digits: string): readonly string[] => [digits, digits.toUpperCase()];

const names: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&apos;",
};

/** HTML and XML: by name, without the apostrophe that HTML 4 does not know, in decimal and hexadecimal numbers. */
const entitySpellings = (text: string): readonly string[] => {
  const decimal = (character: string): string => `&#${character.charCodeAt(0)};`;
  const hexadecimal = (character: string): string => `&#x${character.charCodeAt(0).toString(16)};`;
  const named = text.replaceAll(/[&<>"]/g, (character) => names[character] ?? character);
  return [
    named,
    named.replaceAll("'", "&apos;"),
    named.replaceAll("'", "&#39;"),
    named.replaceAll("'", "&#x27;"),
    text.replaceAll(/[&<>"']/g, decimal),
    ...inBothCases(text.replaceAll(/[&<>"']/g, hexadecimal), /[0-9a-f]+(?=;)/g),
  ];
};

/** Base64 and base64url where `shift` bytes stand before the secret: the characters that the secret alone decides. */
const base64Spellings = (bytes: Buffer, shift: number): readonly string[] => {
  const text = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString("base64")
    .replaceAll("=", "");
  const whole = text.slice(Math.ceil((shift * 8) / 6), Math.floor(((shift + bytes.length) * 8) / 6));
  return [whole, whole.replaceAll("+", "-").replaceAll("/", "_")];
};

/** Members, with what holds them where a name alone would not do, whose texts are fxconform's own or its user's. */
const own = new Set([
  ...["tool", "specification", "runId", "target", "profile", "selection", "settings", "startedAt", "outcome"],
  ...["requirements.id", "area", "level", "statement", "source", "verdict", "skippedBy", "judgedIn", "violates"],
  ...["findings.intent", "replay", "scenario", "operation", "requirement", "kind", "causes.requirements", "expires"],
  ...["observations.id", "question", "method", "example"],
  ...["startedDateTime", "httpVersion", "encoding", "_encoding"],
]);

/** A run, or an entry of a recording, with every text changed that can hold a word of the server or of a client. */
export const withTexts = <T>(whole: T, change: (text: string) => string): T => {
  const changed = (value: unknown, name: string, holder: string): unknown => {
    if (own.has(name) || own.has(`${holder}.${name}`)) return value;
    if (typeof value === "string") return change(value);
    if (Array.isArray(value)) return value.map((one: unknown) => changed(one, name, holder));
    if (typeof value !== "object" || value === null) return value;
    return Object.fromEntries(Object.entries(value).map(([key, inside]) => [key, changed(inside, key, name)]));
  };
  return changed(whole, "", "") as T;
};

/** The texts that `withTexts` changes. */
export const textsOf = (whole: unknown): readonly string[] => {
  const texts: string[] = [];
  withTexts(whole, (text) => {
    texts.push(text);
    return text;
  });
  return texts;
};

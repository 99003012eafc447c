/** Knows every secret of the run and takes it out of text, in whatever spelling a server echoes it. */
export interface Redaction {
  /** Makes a value a secret; `label` stands where it stood. */
  readonly add: (secret: string, label: string) => void;
  readonly redact: (text: string) => string;
  /** The secrets so far, for a last search through the artefacts. */
  readonly secrets: () => readonly string[];
}

/** Shorter ones would be found inside ordinary text; they are replaced only where they are a whole value. */
const shortest = 8;

/** Of a longer one no more is looked for: no header carries it, and each is held in some twenty spellings. */
const longest = 65_536;

/** A token endpoint that answers anew each time must not make the run grow for ever: characters of secrets at most. */
const mostText = 1_000_000;

/** A way to write a secret, and what stands in its place. */
interface Spelled {
  readonly spelling: string;
  readonly label: string;
}

/** An empty redaction; `onSecret` hears of each value once. */
export const createRedaction = (onSecret: (secret: string) => void = () => undefined): Redaction => {
  const labels = new Map<string, string>();
  const short = new Map<string, string>();
  let index = createIndex();
  let size = 0;

  const forgetOldest = (): void => {
    for (const [secret, label] of labels) {
      if (size <= mostText * 0.75) break;
      if (label !== "token") continue;
      labels.delete(secret);
      size -= secret.length;
    }
    index = createIndex();
    for (const [secret, label] of labels) index.add(secret, label);
  };

  return {
    add: (whole, label) => {
      const secret = whole.slice(0, longest);
      if (secret === "" || labels.has(secret) || short.has(secret)) return;
      if (secret.length < shortest) {
        short.set(secret, label);
        return;
      }
      labels.set(secret, label);
      size += secret.length;
      index.add(secret, label);
      if (size > mostText) forgetOldest();
      onSecret(secret);
    },
    redact: (text) => {
      const [scheme, value] = text.startsWith("Bearer ") ? ["Bearer ", text.slice(7)] : ["", text];
      const whole = short.get(value);
      if (whole !== undefined) return `${scheme}[${whole}]`;
      const members = [...short].reduce(
        (rest, [secret, label]) => rest.replaceAll(JSON.stringify(secret), JSON.stringify(`[${label}]`)),
        text,
      );
      return index.replacedIn(members);
    },
    secrets: () => [...labels.keys()],
  };
};

/** Finds spellings by how they begin: one pass through a text, however many secrets there are. */
interface Index {
  readonly add: (secret: string, label: string) => void;
  readonly replacedIn: (text: string) => string;
}

const createIndex = (): Index => {
  const beginnings = new Map<string, Spelled[]>();
  /** Marks how spellings begin, so that few places of a text are looked at twice. */
  const marks = new Uint8Array(65_536);

  const longestAt = (text: string, at: number): Spelled | undefined => {
    let found: Spelled | undefined;
    for (const spelled of beginnings.get(text.slice(at, at + shortest)) ?? []) {
      if (spelled.spelling.length > (found?.spelling.length ?? 0) && text.startsWith(spelled.spelling, at))
        found = spelled;
    }
    return found;
  };

  return {
    add: (secret, label) => {
      for (const spelling of spellingsOf(secret)) {
        const beginning = spelling.slice(0, shortest);
        const others = beginnings.get(beginning);
        if (others === undefined) beginnings.set(beginning, [{ spelling, label }]);
        else others.push({ spelling, label });
        marks[markAt(spelling, 0)] = 1;
      }
    },
    replacedIn: (text) => {
      let replaced = "";
      let from = 0;
      for (let at = 0; at + shortest <= text.length; at++) {
        if (marks[markAt(text, at)] === 0) continue;
        const found = longestAt(text, at);
        if (found === undefined) continue;
        replaced += `${text.slice(from, at)}[${found.label}]`;
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

/** A secret as it stands, percent-encoded, JSON-escaped, in base64 and base64url at each alignment, and in hex. */
export const spellingsOf = (secret: string): readonly string[] => {
  const bytes = Buffer.from(secret, "utf8");
  const hex = bytes.toString("hex");
  const percent = [...bytes].map((byte) => `%${byte.toString(16).padStart(2, "0")}`).join("");
  const unicode = [...secret].map((c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`).join("");
  const json = JSON.stringify(secret).slice(1, -1);
  const base64 = [0, 1, 2].map((shift) => alignedBase64(bytes, shift));
  return [
    ...new Set([
      secret,
      percentEncoded(secret),
      percentEncoded(secret).replaceAll(/%[0-9A-F]{2}/g, (code) => code.toLowerCase()),
      percent,
      percent.toUpperCase(),
      json,
      json.replaceAll("/", "\\/"),
      JSON.stringify(json).slice(1, -1),
      unicode,
      unicode.replaceAll(/[a-f]/g, (c) => c.toUpperCase()),
      secret.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;").replaceAll('"', "&quot;"),
      ...base64,
      ...base64.map((text) => text.replaceAll("+", "-").replaceAll("/", "_")),
      hex,
      hex.toUpperCase(),
    ]),
  ].filter((spelling) => spelling.length >= shortest);
};

const percentEncoded = (text: string): string => encodeURIComponent(text.toWellFormed());

/** The characters of a base64 text that the secret alone decides when `shift` bytes stand before it. */
const alignedBase64 = (bytes: Buffer, shift: number): string => {
  const text = Buffer.concat([Buffer.alloc(shift), bytes])
    .toString("base64")
    .replaceAll("=", "");
  const whole = Math.floor(((shift + bytes.length) * 8) / 6);
  return text.slice(Math.ceil((shift * 8) / 6), whole);
};

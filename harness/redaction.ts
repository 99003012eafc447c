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

/** A token endpoint that answers anew each time must not make every redaction slower for ever. */
const mostSecrets = 2000;

/** An empty redaction; `onSecret` hears of each value once. */
export const createRedaction = (onSecret: (secret: string) => void = () => undefined): Redaction => {
  const labels = new Map<string, string>();
  const short = new Map<string, string>();
  let pattern: RegExp | undefined;
  let spelled = new Map<string, string>();

  const compile = (): RegExp => {
    spelled = new Map();
    for (const [secret, label] of [...labels].sort(([a], [b]) => b.length - a.length)) {
      for (const spelling of spellingsOf(secret)) if (!spelled.has(spelling)) spelled.set(spelling, label);
    }
    return new RegExp(
      [...spelled.keys()]
        .sort((a, b) => b.length - a.length)
        .map(escaped)
        .join("|"),
      "g",
    );
  };

  return {
    add: (secret, label) => {
      if (secret === "" || labels.has(secret) || short.has(secret)) return;
      if (secret.length < shortest) {
        short.set(secret, label);
        return;
      }
      if (labels.size >= mostSecrets) labels.delete(labels.keys().next().value ?? "");
      labels.set(secret, label);
      pattern = undefined;
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
      if (labels.size === 0) return members;
      pattern ??= compile();
      return members.replace(pattern, (found) => `[${spelled.get(found) ?? "secret"}]`);
    },
    secrets: () => [...labels.keys()],
  };
};

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
      percentEncoded(secret).toLowerCase(),
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

const escaped = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, "\\$&");

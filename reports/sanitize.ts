/**
 * Makes a text from a server harmless: at most `limit` characters on one line, without control
 * characters, escape sequences, bidirectional overrides, invisible characters and lone surrogates,
 * and without anything that a CI runner takes for a command. Such characters become visible escapes
 * such as `\u001b`.
 */
export function plain(text: string, limit = 1000): string {
  return disarmed(text, limit, (made) => made.replace(/\r?\n|\r/g, "\\n").replace(/\t/g, "\\t"));
}

/**
 * A command, made harmless. Empty if the command is longer than `limit` characters, because a part
 * of a command does something else.
 */
export function plainCommand(command: string, limit: number): string {
  return command.length > limit ? "" : plain(command, limit);
}

/** Like `plain`, but line breaks and tabs stay. */
export function plainLines(text: string, limit = 4000): string {
  return disarmed(text, limit, (made) => made.replace(/\r\n?/g, "\n"));
}

/** The text with a numeric entity of HTML and XML for each character that `found` matches. */
export function asEntities(text: string, found: RegExp): string {
  return text.replace(found, (character) => `&#${character.charCodeAt(0)};`);
}

function disarmed(text: string, limit: number, breaks: (text: string) => string): string {
  const kept = text.length > limit ? text.slice(0, endOfCharacter(text, limit)) : text;
  const left = text.length - kept.length;
  const harmless = breaks(kept).replace(hazards, escaped);
  const made = harmless.replace(ciCommands, escaped).replace(lineCommands, "$1\\u003a");
  return left > 0 ? `${made}… (${left} more characters)` : made;
}

/**
 * Where to cut a text: at `end` or one character before, so that no surrogate pair is cut in two.
 */
function endOfCharacter(text: string, end: number): number {
  return /[\ud800-\udbff]/.test(text.charAt(end - 1)) ? end - 1 : end;
}

// Matches controls, invisible characters, bidirectional marks and overrides, line separators, tags,
// non-characters, and lone surrogates: with the flag u, the halves of a pair do not match.
const hazards =
  // oxlint-disable-next-line no-control-regex
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\u{e0000}-\u{e007f}\p{Surrogate}]/gu;

// Matches commands for CI runners. Anywhere in a line, GitHub and Azure obey ##[ and ##vso[, and
// TeamCity obeys ##teamcity[. GitHub also obeys ::command::, at the start of a line. An IPv6
// address such as ::1 has no second pair of colons.
const ciCommands = /#(?=#(?:\[|vso\[|teamcity\[))/gi;
const lineCommands = /^([^\S\n\r\u2028\u2029]*):(?=:.*::)/gm;

function escaped(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  const hex = code.toString(16).padStart(4, "0");
  return code > 0xffff ? `\\u{${hex}}` : `\\u${hex}`;
}

/**
 * A JSON text in which the characters that `plain` makes harmless are JSON escapes inside strings,
 * so that the data stays the same. No line of JSON begins with a command, because a string begins
 * with a quotation mark.
 */
export function plainJson(text: string): string {
  return text.replace(hazards, inUnits).replace(/#(?=#)/g, (character) => inUnits(character));
}

/** A character as JSON escapes, one for each UTF-16 unit. */
function inUnits(character: string): string {
  const units = Array.from({ length: character.length }, (_, index) => character.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, "0")}`).join("");
}

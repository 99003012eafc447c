import { isObject, memberOf, type Json } from "../../spec/json.ts";
import { isSuccess, jsonOf, utf8, type ReceivedResponse } from "../exchange.ts";
import type { Secret } from "../target.ts";
import type { Redaction } from "./redaction.ts";

/** The most credentials that are taken from one response, as a server may send an endless list. */
const mostIssued = 200;

/** A text of at least this many characters can be a credential, whatever its name is. */
const shortestOpaque = 12;

/**
 * The value of a member that is named like a credential counts as a credential if it has at least
 * this many characters.
 */
const shortestNamed = 3;

/**
 * The most values that are taken from one body of a recording because of their names: more than
 * stand in the beginning of a body that is kept.
 */
const mostNamed = 2000;

/** The most values of one body that are searched for credentials. */
const mostVisited = 100_000;

/** The most bytes that are read of a body that is not JSON. */
const mostText = 65_536;

/** Parts of a name that say credential, wherever they stand in it. */
const saysCredential =
  /auth|token|key|secret|session|sess(?:ion)?id|signature|passw|passphrase|credential|cookie|jwt|dpop|assertion|bearer|csrf|xsrf|hmac|saml/i;

/** Words that say credential if a name is made of them, as in `user_pwd` and `pinCode`. */
const credentialWords = new Set(
  "pass pwd pw passcode otp totp pin sig sid cred creds mac mfa tan cvv cvc puk ticket sso sess verifier nonce".split(
    " ",
  ),
);

/**
 * The value of a member whose name has one of these words is a credential, even if the value is a
 * short word.
 */
const saysItAlone = /token|passw|secret|key|credential|passphrase|assertion/i;

/** Names that match `saysCredential` and mean something else. */
const saysElse =
  /^:?authority$|authors?$|keyword|keyboard|monkey|turkey|^www-auth|authentication-info|proxy-authenticate|idempotency|^access-control|^sec-websocket/i;

/**
 * A name with one of these words says something about a credential, such as `token_type`, and does
 * not hold one.
 */
const about = new Set(
  "type expires expiry expiration expire exp ttl lifetime issued algorithm alg scope scopes count limit endpoint method status hint".split(
    " ",
  ),
);

/** Whether a header, a member or a parameter is named like a credential. */
export function isCredentialName(name: string): boolean {
  const says = saysCredential.test(name) || wordsOf(name).some((word) => credentialWords.has(word));
  return says && !saysElse.test(name) && !isAbout(name);
}

const isAbout = (name: string): boolean => wordsOf(name).some((word) => about.has(word));

/** The words of a name such as `refresh_token`, `userPwd` or `login[otp]`, in small letters. */
function wordsOf(name: string): readonly string[] {
  return name
    .replaceAll(/([a-z\d])([A-Z])/g, "$1-$2")
    .split(/[^A-Za-z\d]+/)
    .map((word) => word.toLowerCase());
}

/**
 * What could serve as a credential in a response of the token endpoint (INT-49): its token and, in
 * a success, other texts and numbers at any depth, cookies, and headers that are named like
 * credentials.
 */
export function issuedCredentials(response: ReceivedResponse): readonly Secret[] {
  const json = jsonOf(response);
  const token = memberOf(json, "token");
  const issued: Secret[] =
    typeof token === "string" ? [{ value: token, label: "token", kind: "token" }] : [];
  if (!isSuccess({ response })) return issued;
  const texts = json === undefined ? textsOf(response) : valuesIn(json);
  const found = [
    ...texts.flatMap(credentialsOf),
    ...response.headers.flatMap(([name, value]) => ofHeader(name, value)),
  ];
  const further = [...new Set(found)].slice(0, mostIssued);
  return [
    ...issued,
    ...further.map((value) => ({ value, label: "credential", kind: "secret" }) as const),
  ];
}

/** A text and the name of the member that holds it. */
interface Named {
  readonly name: string;
  readonly text: string;
}

/**
 * The texts and numbers of a JSON value in their order, each with the name of the member that holds
 * it, and the names of all members as further texts. Written as a loop, because a body can be nested deeply.
 */
function valuesIn(json: Json): readonly Named[] {
  const found: Named[] = [];
  const rest: { readonly name: string; readonly value: Json | undefined }[] = [
    { name: "", value: json },
  ];
  for (let visited = 0; rest.length > 0 && visited < mostVisited; visited++) {
    const { name, value } = rest.pop() ?? { name: "", value: undefined };
    if (typeof value === "string" || typeof value === "number")
      found.push({ name, text: String(value) });
    else if (Array.isArray(value))
      for (const one of (value as readonly Json[]).toReversed()) rest.push({ name, value: one });
    else if (isObject(value)) {
      for (const [inner, one] of Object.entries(value).reverse()) {
        found.push({ name: "", text: inner });
        rest.push({ name: isCredentialName(name) && !isAbout(inner) ? name : inner, value: one });
      }
    }
  }
  return found;
}

/** The texts of a body that is not JSON: a form or plain text. */
function textsOf({ body }: ReceivedResponse): readonly Named[] {
  const text =
    utf8(body.subarray(0, mostText)) ?? Buffer.from(body.subarray(0, mostText)).toString("latin1");
  const form = [...new URLSearchParams(text)].map(([name, value]) => ({ name, text: value }));
  return [{ name: "", text }, ...form];
}

/** The parts of a text that could be a credential: the whole text and each of its words. */
function credentialsOf({ name, text }: Named): readonly string[] {
  const whole = text.trim();
  const bare = withoutScheme(whole);
  const words = whole.split(/[\s"'<>{}[\](),;&?#|]+/).flatMap((word) => [word, ...afterSign(word)]);
  const opaque = [bare, ...words].filter((word) => isOpaque(name, word));
  const isNamed =
    isCredentialName(name) && isValue(bare) && (saysItAlone.test(name) || /\d/.test(bare));
  return isNamed ? [whole, bare, ...opaque] : opaque;
}

/**
 * The value in a word such as `a=b` or `a:b`; none in other words. Signs = at the end of base64
 * belong to the value.
 */
function afterSign(word: string): readonly string[] {
  const [, value] = /^[\w.\\-]{1,40}[=:](.+)$/.exec(word) ?? [];
  // What follows the scheme of an address is no value.
  return value === undefined || value.startsWith("//") ? [] : [value];
}

const withoutScheme = (text: string): string => text.replace(/^[A-Za-z][\w-]{0,30} +(?=\S+$)/, "");

/** Whether a text can be the value of a member that is named like a credential. */
function isValue(text: string): boolean {
  return (
    text.length >= shortestNamed &&
    text.length < 65_536 &&
    !isPlainly(text) &&
    !/^(bearer|basic|mac|dpop|true|false|null)$/i.test(text)
  );
}

/**
 * Whether a text looks like a credential: it is long, has no blanks, and is no number, no id, not
 * made of ordinary words, and not plainly something else.
 */
function isOpaque(name: string, text: string): boolean {
  if (text.length < shortestOpaque || /\s/.test(text) || isPlainly(text)) return false;
  if (/^[\d.,+-]+$/.test(text)) return false;
  if (text.split(/[-_.:/+]/).every((part) => isWord(part))) return false;
  return !(/(^|_|-)id$|Id$/.test(name) && text.length <= 36 && !isCredentialName(name));
}

/**
 * Whether a text looks like an ordinary word, such as `pending` or `currencyPair`: a few letters,
 * without capitals in odd places.
 */
function isWord(text: string): boolean {
  return /^[A-Za-z]{0,20}$/.test(text) && !/[a-z][A-Z]+[a-z]+[A-Z]/.test(text);
}

/**
 * Whether a text is plainly no credential: a date, the address of a page or of a person, or a URN.
 */
function isPlainly(text: string): boolean {
  return (
    /^\d{4}-\d\d-\d\d([T ]|$)/.test(text) ||
    /^[A-Z][a-z]{2}, \d\d /.test(text) ||
    /^https?:\/\/[^?#@]*$/i.test(text) ||
    /^urn:/i.test(text) ||
    /^[\w.+-]+@[\w-]+(\.[\w-]+)+$/.test(text)
  );
}

function ofHeader(name: string, value: string): readonly string[] {
  if (/^set-cookie2?$/i.test(name)) return cookieValues(value);
  if (/^(location|content-location|link|refresh)$/i.test(name)) return urlCredentials(value);
  return isCredentialName(name) ? credentialsOf({ name: "token", text: value }) : [];
}

/** The values in the text of a cookie, such as `a=1; b=2`, without the attributes of Set-Cookie. */
export function cookieValues(value: string): readonly string[] {
  return value
    .split(";")
    .map((part) => part.trim())
    .filter((part) => !/^(path|domain|expires|max-age|samesite|priority)=/i.test(part))
    .flatMap((part) => part.split("=").slice(1).join("="))
    .filter((part) => part !== "");
}

/**
 * The values of those parameters in the query or the fragment of an address that are named like
 * credentials, both as they stand and decoded.
 */
export function urlCredentials(address: string): readonly string[] {
  return address.split(/[?#&;<>\s"'\\]+/).flatMap((pair) => {
    const [name = "", ...value] = pair.split("=");
    const text = value.join("=");
    return text === "" || !isCredentialName(name) ? [] : [text, decodedForm(text)];
  });
}

/** A value of a form without its percent-encoding. What cannot be decoded stays as it is. */
export function decodedForm(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return text;
  }
}

/** A text without the user and the password of the addresses in it. */
export function withoutUserinfo(text: string): string {
  return text.replaceAll(/(:(?:\\?\/){2})[^\s/\\?#"'<>]+@/g, "$1[credentials]@");
}

/**
 * The values of JSON members that are named like credentials, nested values included, and the
 * credentials in the addresses that other members hold.
 */
export function namedCredentials(json: Json): readonly string[] {
  const found = valuesIn(json).flatMap(({ name, text }) => {
    if (isCredentialName(name) && isValue(text)) return [text];
    return text.includes("=") ? urlCredentials(text) : [];
  });
  return found.slice(0, mostNamed);
}

/**
 * The credentials in a header: if it is named like one, its value with and without the scheme; and
 * those in the addresses that it holds.
 */
export function headerCredentials(name: string, value: string): readonly string[] {
  const own = isCredentialName(name) ? [value, withoutScheme(value.trim())] : [];
  return [...own, ...urlCredentials(value)];
}

/**
 * Adds to a redaction the token that a response of the token endpoint issues, and its other
 * credentials if they do not stand in the configuration.
 */
export function addIssued(
  response: ReceivedResponse,
  { add, isOwn }: Pick<Redaction, "add" | "isOwn">,
): void {
  for (const { value, label, kind } of issuedCredentials(response))
    if (kind === "token" || !isOwn(value)) add(value, label, kind);
}

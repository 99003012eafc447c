import { problem } from "../change.ts";
import { rename, set } from "../edits.ts";
import type { Call, Change } from "../policy.ts";
import { shapes } from "./error-shapes.ts";
import { rowsOf } from "./fault.ts";
import type { Fault } from "./fault.ts";
import { isEmpty } from "./raw-body.ts";

const row = rowsOf("createToken");

/** Accepts other keys than the right one. */
const admitting =
  (more: (key: string | undefined, right: string) => boolean): Change =>
  (base) => ({ admitsKey: (key, call) => base.admitsKey(key, call) || more(key, call.apiKey) });

const isTyped = (call: Call): boolean => call.headers["content-type"] !== undefined;

/** Faults of POST /auth/token: its response, what it requires, and which keys it accepts. */
export const keyFaults: readonly Fault[] = [
  row("token-missing", "AUTH-01", "The token response has no token.").shows(() => ({})),
  row("token-empty", "AUTH-01", "The token is an empty string.").shows(() => ({ token: "" })),
  row("token-number", "AUTH-01", "The token is a number.").shows(() => ({ token: 4711 })),
  row("token-null", "AUTH-01", "The token is null.").shows(() => ({ token: null })),
  row("token-renamed", "AUTH-01", "The token is called access_token, as in OAuth.").shows(
    rename("token", "access_token"),
  ),
  row("token-wrapped", "AUTH-01", "The token is an object with a value.").shows((body) => ({
    token: { value: body["token"] },
  })),

  row("token-wants-body", "AUTH-02", "A request for a token is refused if it has no body.", {
    also: ["AUTH-03"],
  }).gives(problem(400, "The body is empty"), isEmpty),
  row("token-wants-content-type", "AUTH-02", "A request for a token is refused if it has no Content-Type.").gives(
    problem(400, "The Content-Type is missing"),
    (call) => !isTyped(call),
  ),
  row(
    "token-refuses-content-type",
    "AUTH-03",
    "A request for a token is refused if it has a Content-Type and no body.",
  ).gives(problem(400, "The JSON body is empty"), (call) => isTyped(call) && isEmpty(call)),

  row("key-missing-accepted", "AUTH-05", "A request without a key gets a token.").by(
    admitting((key) => key === undefined),
  ),
  row("key-empty-accepted", "AUTH-06", "An empty key gets a token.").by(admitting((key) => key === "")),
  row("key-truncated-accepted", "AUTH-07", "The beginning of the key gets a token.").by(
    admitting((key, right) => key !== undefined && key !== "" && right.startsWith(key)),
  ),
  row("key-any-accepted", "AUTH-08", "Every key gets a token, unless it is missing or empty.", {
    also: ["AUTH-07", "AUTH-09", "AUTH-10", "AUTH-11"],
  }).by(admitting((key) => key !== undefined && key !== "")),
  row("key-any-of-right-length-accepted", "AUTH-09", "Only the length of the key is checked.", {
    also: ["AUTH-08", "AUTH-11"],
  }).by(admitting((key, right) => key?.length === right.length)),
  row("key-middle-ignored", "AUTH-09", "Only the length of the key and three characters at each end are checked.", {
    also: ["AUTH-11"],
  }).by(
    admitting(
      (key, right) =>
        key?.length === right.length && key.slice(0, 3) === right.slice(0, 3) && key.slice(-3) === right.slice(-3),
    ),
  ),
  row("key-tail-accepted", "AUTH-10", "The key with more characters at its end gets a token.").by(
    admitting((key, right) => key?.startsWith(right) === true),
  ),
  row("key-case-ignored", "AUTH-11", "Letter case in the key is ignored.").by(
    admitting((key, right) => key?.toLowerCase() === right.toLowerCase()),
  ),
  row("key-refused-with-200", "AUTH-08", "A bad key is refused with status 200.", {
    also: ["AUTH-01", "AUTH-05", "AUTH-06", "AUTH-07", "AUTH-09", "AUTH-10", "AUTH-11"],
  }).refuses(set({ status: 200 })),

  row("key-property", "AUTH-08", "Keys are looked up as properties of a plain object.").by(
    admitting((key) => key !== undefined && key in Object.prototype),
  ),
  row("key-injected", "AUTH-08", "Keys are looked up by a query that allows SQL injection.").by(
    admitting((key) => key?.endsWith("'OR'1'='1") === true),
  ),
  row("key-pattern", "AUTH-08", "Keys are read as regular expressions.").by(
    admitting((key, right) => key === ".*" && new RegExp(`^${key}$`).test(right)),
  ),
  row("key-error-renamed", "AUTH-12", "The error for a bad key has the shape { error }.").refuses(shapes.renamed),
  row("key-error-message-object", "AUTH-12", "The message for a bad key is an object.").refuses(shapes.object),
  row("key-error-only-for-missing", "AUTH-12", "The error for a missing key has a code and no message.").refuses(
    (answer, call) => (call.headers["x-api-key"] === undefined ? { ...answer, body: { code: "NO_KEY" } } : answer),
  ),
];

import { problem } from "../change.ts";
import { set } from "../edits.ts";
import type { Call } from "../policy.ts";
import { rows, rowsOf } from "./fault.ts";
import type { Broken, Fault } from "./fault.ts";
import { as, from, member, places, renamed } from "./member.ts";
import { isEmpty } from "./raw-body.ts";
import { refusals } from "./refusals.ts";

const token = rows.createToken;
const row = rowsOf("createToken", "key-");

/** A fault that accepts other keys than the right one. */
const accepted = (id: string, broken: Broken, about: string, more: (key: string, right: string) => boolean): Fault =>
  row(id, broken, about).by((base) => ({
    admitsKey: (key, call) => base.admitsKey(key, call) || (key !== undefined && more(key, call.apiKey)),
  }));

const haveEqualEnds = (key: string, right: string): boolean =>
  key.length === right.length && key.slice(0, 3) === right.slice(0, 3) && key.slice(-3) === right.slice(-3);

const isTyped = (call: Call): boolean => call.headers["content-type"] !== undefined;

/** Faults of POST /auth/token: its response, what it requires, and which keys it accepts. */
export const keyFaults: readonly Fault[] = [
  ...member(places.token, "token", { value: "AUTH-01" }, ["missing", "number", "null"], {
    empty: ["is an empty string", as("")],
    renamed: ["is called access_token, as in OAuth", renamed("access_token")],
    wrapped: ["is an object with a value", from((body) => ({ value: body["token"] }))],
  }),
  token("wants-body", ["AUTH-02", "AUTH-03"], "A request for a token is refused if it has no body.").gives(
    problem(400, "The body is empty"),
    isEmpty,
  ),
  token("wants-content-type", "AUTH-02", "A request for a token is refused if it has no Content-Type.").gives(
    problem(400, "The Content-Type is missing"),
    (call) => !isTyped(call),
  ),
  token(
    "refuses-content-type",
    "AUTH-03",
    "A request for a token is refused if it has a Content-Type and no body.",
  ).gives(problem(400, "The JSON body is empty"), (call) => isTyped(call) && isEmpty(call)),

  row("missing-accepted", "AUTH-05", "A request without a key gets a token.").by((base) => ({
    admitsKey: (key, call) => key === undefined || base.admitsKey(key, call),
  })),
  accepted("empty-accepted", "AUTH-06", "An empty key gets a token.", (key) => key === ""),
  accepted("truncated-accepted", "AUTH-07", "The beginning of the key gets a token.", (key, right) =>
    key === "" ? false : right.startsWith(key),
  ),
  accepted(
    "any-accepted",
    ["AUTH-08", "AUTH-07", "AUTH-09", "AUTH-10", "AUTH-11"],
    "Every key gets a token, unless it is missing or empty.",
    (key) => key !== "",
  ),
  accepted(
    "any-of-right-length-accepted",
    ["AUTH-09", "AUTH-08", "AUTH-11"],
    "Only the length of the key is checked.",
    (key, right) => key.length === right.length,
  ),
  accepted("middle-ignored", ["AUTH-09", "AUTH-11"], "The middle of the key is not checked.", haveEqualEnds),
  accepted("tail-accepted", "AUTH-10", "The key with a tail gets a token.", (key, right) => key.startsWith(right)),
  accepted(
    "case-ignored",
    "AUTH-11",
    "The letter case of the key is ignored.",
    (key, right) => key.toLowerCase() === right.toLowerCase(),
  ),
  accepted("property", "AUTH-08", "Keys are looked up as properties.", (key) => key in Object.prototype),
  accepted("injected", "AUTH-08", "A key can inject SQL.", (key) => key.endsWith("'OR'1'='1")),
  accepted("pattern", "AUTH-08", "Keys are read as regular expressions.", (key) => key === ".*"),
  row("refused-with-200", ["AUTH-08", "AUTH-01", ...refusals.token], "A bad key gets a 200.").refuses(
    set({ status: 200 }),
  ),
];

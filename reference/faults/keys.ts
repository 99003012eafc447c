import { around, problem, refusal, success, without } from "../change.ts";
import type { Change } from "../policy.ts";
import type { Fault } from "./fault.ts";
import { rowsOf } from "./row.ts";
import { shapes } from "./shapes.ts";

const row = rowsOf("createToken", "");

/** Lets in more keys than the right one. */
const admitting =
  (more: (key: string | undefined, right: string) => boolean): Change =>
  (base) => ({ admitsKey: (key, call) => base.admitsKey(key, call) || more(key, call.apiKey) });

/** Wants something of the token call that it need not have. */
const demanding = (wrong: (headers: Readonly<Record<string, unknown>>, bytes: number) => boolean, message: string) =>
  around(async (call, next) =>
    call.operation === "createToken" && wrong(call.headers, call.bytes.length) ? problem(400, message) : next(call),
  );

/** Faults of POST /auth/token: what it answers, what it asks for, whom it lets in. */
export const keyFaults: readonly Fault[] = [
  row(
    "token-missing",
    "AUTH-01",
    "The token response has no token.",
    success("createToken", () => ({})),
  ),
  row(
    "token-empty",
    "AUTH-01",
    "The token is an empty string.",
    success("createToken", () => ({ token: "" })),
  ),
  row(
    "token-number",
    "AUTH-01",
    "The token is a number.",
    success("createToken", () => ({ token: 4711 })),
  ),
  row(
    "token-null",
    "AUTH-01",
    "The token is null.",
    success("createToken", () => ({ token: null })),
  ),
  row(
    "token-renamed",
    "AUTH-01",
    "The token is called access_token, as in OAuth.",
    success("createToken", (body) => ({ ...without(body, "token"), access_token: body["token"] })),
  ),
  row(
    "token-wrapped",
    "AUTH-01",
    "The token is an object with a value.",
    success("createToken", (body) => ({ token: { value: body["token"] } })),
  ),

  row(
    "token-wants-body",
    "AUTH-02",
    "The token call is refused without a body.",
    demanding((_headers, size) => size === 0, "The body is empty"),
    { also: ["AUTH-03"] },
  ),
  row(
    "token-wants-content-type",
    "AUTH-02",
    "The token call is refused without a Content-Type.",
    demanding((headers) => headers["content-type"] === undefined, "The Content-Type is missing"),
  ),
  row(
    "token-refuses-content-type",
    "AUTH-03",
    "The token call is refused with Content-Type: application/json and no body.",
    demanding((headers, size) => headers["content-type"] !== undefined && size === 0, "The JSON body is empty"),
  ),

  row(
    "key-missing-accepted",
    "AUTH-05",
    "A request without a key gets a token.",
    admitting((key) => key === undefined),
  ),
  row(
    "key-empty-accepted",
    "AUTH-06",
    "An empty key gets a token.",
    admitting((key) => key === ""),
  ),
  row(
    "key-truncated-accepted",
    "AUTH-07",
    "The beginning of the key gets a token.",
    admitting((key, right) => key !== undefined && key !== "" && right.startsWith(key)),
  ),
  row(
    "key-any-accepted",
    "AUTH-08",
    "Every key gets a token, as long as there is one.",
    admitting((key) => key !== undefined && key !== ""),
    { also: ["AUTH-07", "AUTH-09", "AUTH-10", "AUTH-11"] },
  ),
  row(
    "key-any-of-right-length-accepted",
    "AUTH-09",
    "The length of the key is all that is looked at.",
    admitting((key, right) => key?.length === right.length),
    { also: ["AUTH-08", "AUTH-11"] },
  ),
  row(
    "key-middle-ignored",
    "AUTH-09",
    "Three characters at each end of the key and its length are compared, the middle is not.",
    admitting(
      (key, right) =>
        key?.length === right.length && key.slice(0, 3) === right.slice(0, 3) && key.slice(-3) === right.slice(-3),
    ),
    { also: ["AUTH-11"] },
  ),
  row(
    "key-tail-accepted",
    "AUTH-10",
    "A key that goes on behind its end gets a token.",
    admitting((key, right) => key?.startsWith(right) === true),
  ),
  row(
    "key-case-ignored",
    "AUTH-11",
    "Keys are compared without letter case.",
    admitting((key, right) => key?.toLowerCase() === right.toLowerCase()),
  ),
  row(
    "key-refused-with-200",
    "AUTH-08",
    "A bad key is told so in the body of a 200.",
    refusal("createToken", (answer) => ({ ...answer, status: 200 })),
    { also: ["AUTH-01", "AUTH-05", "AUTH-06", "AUTH-07", "AUTH-09", "AUTH-10", "AUTH-11"] },
  ),

  row(
    "key-property",
    "AUTH-08",
    "Keys are looked up as properties of an object, of which each has a few from the start.",
    admitting((key) => key !== undefined && key in Object.prototype),
  ),
  row("key-error-renamed", "AUTH-12", "A bad key is answered with { error }.", refusal("createToken", shapes.renamed)),
  row(
    "key-error-message-object",
    "AUTH-12",
    "The message for a bad key is an object.",
    refusal("createToken", shapes.object),
  ),
  row(
    "key-error-only-for-missing",
    "AUTH-12",
    "A missing key is answered with a code in the place of the message.",
    refusal("createToken", (answer, call) =>
      call.headers["x-api-key"] === undefined ? { ...answer, body: { code: "NO_KEY" } } : answer,
    ),
  ),
];

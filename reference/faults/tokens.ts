import { set } from "../edits.ts";
import type { Answer, Call, Change } from "../policy.ts";
import { rows, rowsAnywhere, rowsOf } from "./fault.ts";
import type { Fault } from "./fault.ts";
import { tokenRefusals } from "./refusals.ts";

const { createOperation: operation, listBatches: list } = rows;

/** An endpoint, or all of them. */
type Here = keyof typeof tokenRefusals | "everywhere";

const isHere = (here: Here, call: Call): boolean => here === "everywhere" || call.operation === here;

/** Accepts headers without a bearer token. */
const admittingHeader =
  (here: Here, more: (header: string | undefined, call: Call) => boolean): Change =>
  (base) => ({
    tokenIn: (header, call) => (isHere(here, call) && more(header, call) ? "open" : base.tokenIn(header, call)),
    admitsToken: (token, call) => (isHere(here, call) && token === "open") || base.admitsToken(token, call),
  });

/** Accepts tokens that were not issued. */
const admittingToken =
  (here: Here, more: (token: string, call: Call) => boolean): Change =>
  (base) => ({
    admitsToken: (token, call) => base.admitsToken(token, call) || (isHere(here, call) && more(token, call)),
  });

/** Accepts tokens that are similar to an issued one. */
const admittingLike = (here: Here, like: (token: string, issued: string) => boolean): Change =>
  admittingToken(here, (token, call) => issuedTo(call).some((issued) => like(token, issued)));

/** Refuses some issued tokens; `nth` counts them from 1 in the order of their issue. */
const forgetting =
  (forgets: (nth: number, call: Call) => boolean): Change =>
  (base) => ({
    admitsToken: (token, call) => base.admitsToken(token, call) && !forgets(issuedTo(call).indexOf(token) + 1, call),
  });

const issuedTo = (call: Call): readonly string[] => [...call.store.tokens.keys()];

const isMiddleIgnored = (token: string, issued: string): boolean =>
  token.length === issued.length && token.slice(0, 4) === issued.slice(0, 4) && token.slice(-4) === issued.slice(-4);

const isEndIgnored = (token: string, issued: string): boolean =>
  token.length === issued.length && issued.startsWith(token.slice(0, -Math.ceil(token.length / 3)));

/** Five faults of the authentication of an endpoint. */
const faultsAt = (here: keyof typeof tokenRefusals, name: string): readonly Fault[] => {
  const row = rowsOf(here, `${name}-`);
  const [missing, madeUp, tampered, scheme] = tokenRefusals[here];
  return [
    row("without-token", missing, "A missing token is accepted.").by(admittingHeader(here, (it) => it === undefined)),
    row("made-up-token", [madeUp, tampered, "AUTH-40"], "Every bearer token is accepted.").by(
      admittingToken(here, () => true),
    ),
    row("property-token", madeUp, "Tokens are looked up as properties.").by(
      admittingToken(here, (token) => token in Object.prototype),
    ),
    row("tampered-token", [tampered, "AUTH-40"], "The middle of a token is ignored.").by(
      admittingLike(here, isMiddleIgnored),
    ),
    row("other-scheme", [scheme, "AUTH-41"], "Every other scheme is accepted.").by(
      admittingHeader(here, (header) => header !== undefined && !/^bearer /i.test(header)),
    ),
  ];
};

const every = Object.values(tokenRefusals);
const missing = every.map(([id]) => id);
const madeUp = every.map(([, id]) => id);
const tampered = every.map(([, , id]) => id);
const schemes = every.map(([, , , id]) => id);
const ofList = ["AUTH-36", "AUTH-37", "AUTH-38", "AUTH-39", "AUTH-40", "AUTH-41"] as const;

const isMissing = (call: Call): boolean => call.headers.authorization === undefined;
const beginsLikeIssued = (call: Call): boolean =>
  issuedTo(call).some((issued) => `Bearer ${issued}`.slice(0, 11) === call.headers.authorization?.slice(0, 11));

/** Gives answers this status if `when` holds. */
const statusWhere =
  (status: number, when: (call: Call) => boolean) =>
  (answer: Answer, call: Call): Answer =>
    when(call) ? { ...answer, status } : answer;

const anywhere = rowsAnywhere();

/** Faults of the five endpoints that need a token: which tokens they accept, and how they refuse others. */
export const tokenFaults: readonly Fault[] = [
  ...faultsAt("createOperation", "operation"),
  ...faultsAt("createCounterparty", "counterparty"),
  ...faultsAt("addAcamItem", "acam"),
  ...faultsAt("createBatch", "batch"),
  ...faultsAt("listBatches", "list"),

  operation("end-of-token-ignored", ["AUTH-22", "AUTH-40"], "The last third of the token is not checked.").by(
    admittingLike("createOperation", isEndIgnored),
  ),
  operation("key-as-token", "AUTH-21", "The API key is accepted as a bearer token.").by(
    admittingToken("createOperation", (token, call) => token === call.apiKey),
  ),
  operation("key-in-header", "AUTH-20", "The API key in x-api-key is accepted instead of a token.").by(
    admittingHeader(
      "createOperation",
      (header, call) => header === undefined && call.headers["x-api-key"] === call.apiKey,
    ),
  ),
  list("token-null", "AUTH-37", "The token null is accepted.").by(admittingToken("listBatches", (it) => it === "null")),
  list("token-injected", "AUTH-37", "A token can inject SQL.").by(
    admittingToken("listBatches", (it) => it === "x'OR'1'='1"),
  ),
  list("empty-header", "AUTH-39", "An empty header is accepted.").by(admittingHeader("listBatches", (it) => it === "")),
  list("scheme-token", "AUTH-41", "A valid token is accepted with the scheme Token.").by((base) => ({
    tokenIn: (header, call) =>
      base.tokenIn(call.operation === "listBatches" ? header?.replace(/^Token /, "Bearer ") : header, call),
  })),
  anywhere(
    "accepts-any-token",
    ["AUTH-21", ...madeUp, ...tampered, "AUTH-40"],
    "Every endpoint accepts every bearer token.",
  ).by(() => ({ admitsToken: () => true })),
  anywhere(
    "open-to-all",
    ["AUTH-20", ...missing, ...madeUp, ...tampered, ...schemes, "AUTH-40", "AUTH-41"],
    "No endpoint checks Authorization.",
  ).by(() => ({ tokenIn: () => "open", admitsToken: () => true })),
  anywhere("token-tail-accepted", ["AUTH-22", ...tampered], "A good token with more characters is accepted.").by(
    admittingLike("everywhere", (token, issued) => token.startsWith(issued)),
  ),
  list("token-tail-accepted", "AUTH-38", "A good token with more characters is accepted.").by(
    admittingLike("listBatches", (token, issued) => token.startsWith(issued)),
  ),
  anywhere(
    "token-compared-by-first-eight",
    ["AUTH-22", ...madeUp, ...tampered, "AUTH-40"],
    "Only the first eight characters of a token are checked.",
  ).by(admittingLike("everywhere", (token, issued) => token.length >= 8 && token.slice(0, 8) === issued.slice(0, 8))),
  anywhere("token-case-ignored", "AUTH-40", "Letter case in tokens is ignored.").by(
    admittingLike("everywhere", (token, issued) => token.toLowerCase() === issued.toLowerCase()),
  ),
  anywhere("bearer-alone-accepted", ["AUTH-23", ...schemes, "AUTH-41"], "Bearer without a token is accepted.").by(
    admittingHeader("everywhere", (header) => header?.trim().toLowerCase() === "bearer"),
  ),
  anywhere("basic-accepted", ["AUTH-23", ...schemes, "AUTH-41"], "Any Basic credentials are accepted.").by(
    admittingHeader("everywhere", (header) => header?.startsWith("Basic ") === true),
  ),
  operation("missing-token-403", "AUTH-20", "A missing token is refused with 403 instead of 401.").refuses(
    statusWhere(403, isMissing),
    "token",
  ),
  operation("missing-token-400", "AUTH-20", "A missing token is refused with 400 instead of 401.").refuses(
    statusWhere(400, isMissing),
    "token",
  ),
  operation("bad-token-403", ["AUTH-21", "AUTH-22"], "A bad token is refused with 403 instead of 401.").refuses(
    statusWhere(403, (call) => !isMissing(call)),
    "token",
  ),
  operation("like-token-403", ["AUTH-22", "AUTH-21"], "A token that begins like a good one gets a 403.").refuses(
    statusWhere(403, beginsLikeIssued),
    "token",
  ),
  list("refused-with-redirect", ofList, "Without a good token, the list redirects to a login page.").refuses(
    set({ status: 302, headers: { location: "/login" } }),
    "token",
  ),
  list(
    "refused-with-200",
    [...ofList, "BATCH-20", "BATCH-21", "BATCH-22"],
    "Without a good token, the list is refused with status 200.",
  ).refuses(set({ status: 200 })),
  list("empty-for-strangers", ofList, "Without a good token, the list is empty instead of refused.").refuses(
    () => ({ status: 200, headers: {}, body: { batches: [], count: 0, total: 0 } }),
    "token",
  ),
  anywhere("token-never-accepted", "AUTH-04", "No endpoint accepts the issued tokens.").by(forgetting(() => true)),
  anywhere("token-second-unusable", "AUTH-04", "Only the first token is accepted.").by(forgetting((nth) => nth > 1)),
  rowsOf("listBatches")("token-unknown-to-list", "AUTH-04", "The list refuses every token.").by(
    forgetting((_nth, call) => call.operation === "listBatches"),
  ),
];

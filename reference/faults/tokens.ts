import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import { set } from "../edits.ts";
import type { Answer, Call, Change } from "../policy.ts";
import { rowsAnywhere, rowsOf } from "./fault.ts";
import type { Fault } from "./fault.ts";
import { tokenRefusals } from "./refusals.ts";

type Here = (call: Call) => boolean;
const everywhere: Here = () => true;
const at =
  (operation: OperationName): Here =>
  (call) =>
    call.operation === operation;

/** Accepts headers without a bearer token. */
const admittingHeader =
  (here: Here, more: (header: string | undefined) => boolean): Change =>
  (base) => ({
    tokenIn: (header, call) => (here(call) && more(header) ? "open" : base.tokenIn(header, call)),
    admitsToken: (token, call) => (here(call) && token === "open") || base.admitsToken(token, call),
  });

/** Accepts tokens that were not issued. */
const admittingToken =
  (here: Here, more: (token: string) => boolean): Change =>
  (base) => ({ admitsToken: (token, call) => base.admitsToken(token, call) || (here(call) && more(token)) });

/** Accepts tokens that are similar to an issued one. */
const admittingLike =
  (here: Here, like: (token: string, issued: string) => boolean): Change =>
  (base) => ({
    admitsToken: (token, call) =>
      base.admitsToken(token, call) ||
      (here(call) && [...call.store.tokens.keys()].some((issued) => like(token, issued))),
  });

/** Refuses some issued tokens; `nth` counts them from 1 in the order of their issue. */
const forgetting =
  (forgets: (nth: number) => boolean): Change =>
  (base) => ({
    admitsToken: (token, call) =>
      base.admitsToken(token, call) && !forgets([...call.store.tokens.keys()].indexOf(token) + 1),
  });

const isMiddleIgnored = (token: string, issued: string): boolean =>
  token.length === issued.length && token.slice(0, 4) === issued.slice(0, 4) && token.slice(-4) === issued.slice(-4);

/** The token without its last third. */
const twoThirds = (token: string): string => token.slice(0, -Math.ceil(token.length / 3));

/** Five faults of the authentication of an endpoint. */
const faultsAt = (operation: keyof typeof tokenRefusals, name: string): readonly Fault[] => {
  const row = rowsOf(operation, `${name}-`);
  const here = at(operation);
  const [missing, madeUp, tampered, scheme] = tokenRefusals[operation];
  return [
    row("without-token", missing, "A request without a token is accepted.").by(
      admittingHeader(here, (header) => header === undefined),
    ),
    row("made-up-token", madeUp, "Every bearer token is accepted.", { also: [tampered, "AUTH-40"] }).by(
      admittingToken(here, () => true),
    ),
    row("property-token", madeUp, "Tokens are looked up as properties of a plain object.").by(
      admittingToken(here, (token) => token in Object.prototype),
    ),
    row("tampered-token", tampered, "The middle of the token is not checked.", { also: ["AUTH-40"] }).by(
      admittingLike(here, isMiddleIgnored),
    ),
    row("other-scheme", scheme, "Every Authorization header with another scheme is accepted.", {
      also: ["AUTH-41"],
    }).by(admittingHeader(here, (header) => header !== undefined && !/^bearer /i.test(header))),
  ];
};

const all = Object.values(tokenRefusals);
const [madeUp, tampered, scheme] = [all.map(([, id]) => id), all.map(([, , id]) => id), all.map(([, , , id]) => id)];
const alsoScheme = { also: [...scheme, "AUTH-41"] } as const;
const alsoOfList: readonly RequirementId[] = ["AUTH-37", "AUTH-38", "AUTH-39", "AUTH-40", "AUTH-41"];

const isMissing = (call: Call): boolean => call.headers.authorization === undefined;

/** Gives answers this status if `when` holds. */
const statusWhere =
  (status: number, when: (call: Call) => boolean) =>
  (answer: Answer, call: Call): Answer =>
    when(call) ? { ...answer, status } : answer;

const isLikeIssued = (call: Call): boolean =>
  [...call.store.tokens.keys()].some(
    (issued) => `Bearer ${issued}`.slice(0, 11) === call.headers.authorization?.slice(0, 11),
  );

const isByKey = (call: Call): boolean =>
  call.operation === "createOperation" && isMissing(call) && call.headers["x-api-key"] === call.apiKey;

const anywhere = rowsAnywhere("");
const operation = rowsOf("createOperation", "operation-");
const list = rowsOf("listBatches", "list-");
const ofList = rowsOf("listBatches");

/** Faults of the five endpoints that need a token: which tokens they accept, and how they refuse others. */
export const tokenFaults: readonly Fault[] = [
  ...faultsAt("createOperation", "operation"),
  ...faultsAt("createCounterparty", "counterparty"),
  ...faultsAt("addAcamItem", "acam"),
  ...faultsAt("createBatch", "batch"),
  ...faultsAt("listBatches", "list"),

  operation("end-of-token-ignored", "AUTH-22", "The last third of the token is not checked.", {
    also: ["AUTH-40"],
  }).by(
    admittingLike(
      at("createOperation"),
      (token, issued) => token.length === issued.length && twoThirds(token) === twoThirds(issued),
    ),
  ),
  operation("key-as-token", "AUTH-21", "The API key is accepted as a bearer token.").by((base) => ({
    admitsToken: (token, call) =>
      base.admitsToken(token, call) || (call.operation === "createOperation" && token === call.apiKey),
  })),
  operation("key-in-header", "AUTH-20", "The API key in x-api-key is accepted instead of a token.").by((base) => ({
    tokenIn: (header, call) => (isByKey(call) ? "key" : base.tokenIn(header, call)),
    admitsToken: (token, call) => isByKey(call) || base.admitsToken(token, call),
  })),
  list("token-null", "AUTH-37", "The token null is accepted.").by(
    admittingToken(at("listBatches"), (token) => token === "null"),
  ),
  list("token-injected", "AUTH-37", "Tokens are looked up by a query that allows SQL injection.").by(
    admittingToken(at("listBatches"), (token) => token === "x'OR'1'='1"),
  ),
  list("empty-header", "AUTH-39", "An empty Authorization header is accepted.").by(
    admittingHeader(at("listBatches"), (header) => header === ""),
  ),
  list("scheme-token", "AUTH-41", "A valid token is accepted with the scheme Token.").by((base) => ({
    tokenIn: (header, call) =>
      base.tokenIn(call.operation === "listBatches" ? header?.replace(/^Token /, "Bearer ") : header, call),
  })),
  anywhere("accepts-any-token", "AUTH-21", "Every endpoint accepts every bearer token.", {
    also: [...madeUp, ...tampered, "AUTH-40"],
  }).by(() => ({ admitsToken: () => true })),
  anywhere("open-to-all", "AUTH-20", "No endpoint checks Authorization.", {
    also: [...all.map(([id]) => id), ...madeUp, ...tampered, ...scheme, "AUTH-40", "AUTH-41"],
  }).by(() => ({ tokenIn: () => "open", admitsToken: () => true })),
  anywhere("token-tail-accepted", "AUTH-22", "A valid token with more characters at its end is accepted.", {
    also: tampered,
  }).by(admittingLike(everywhere, (token, issued) => token.startsWith(issued))),
  anywhere("token-compared-by-first-eight", "AUTH-22", "Only the first eight characters of a token are checked.", {
    also: [...madeUp, ...tampered, "AUTH-40"],
  }).by(admittingLike(everywhere, (token, issued) => token.length >= 8 && token.slice(0, 8) === issued.slice(0, 8))),
  list("token-tail-accepted", "AUTH-38", "A valid token with more characters at its end is accepted.").by(
    admittingLike(at("listBatches"), (token, issued) => token.startsWith(issued)),
  ),
  anywhere("token-case-ignored", "AUTH-40", "Letter case in tokens is ignored.").by(
    admittingLike(everywhere, (token, issued) => token.toLowerCase() === issued.toLowerCase()),
  ),
  anywhere("bearer-alone-accepted", "AUTH-23", "The word Bearer without a token is accepted.", alsoScheme).by(
    admittingHeader(everywhere, (header) => header?.trim().toLowerCase() === "bearer"),
  ),
  anywhere("basic-accepted", "AUTH-23", "Any Basic credentials are accepted.", alsoScheme).by(
    admittingHeader(everywhere, (header) => header?.startsWith("Basic ") === true),
  ),
  operation("missing-token-403", "AUTH-20", "A missing token is refused with 403 instead of 401.").refuses(
    statusWhere(403, isMissing),
    "token",
  ),
  operation("missing-token-400", "AUTH-20", "A missing token is refused with 400 instead of 401.").refuses(
    statusWhere(400, isMissing),
    "token",
  ),
  operation("bad-token-403", "AUTH-21", "A bad token is refused with 403 instead of 401.", {
    also: ["AUTH-22"],
  }).refuses(
    statusWhere(403, (call) => !isMissing(call)),
    "token",
  ),
  operation("like-token-403", "AUTH-22", "A token that begins like a valid one is refused with 403 instead of 401.", {
    also: ["AUTH-21"],
  }).refuses(statusWhere(403, isLikeIssued), "token"),
  list("refused-with-redirect", "AUTH-36", "Without a valid token, the list redirects to a login page.", {
    also: alsoOfList,
  }).refuses(set({ status: 302, headers: { location: "/login" } }), "token"),
  list("refused-with-200", "AUTH-36", "Without a valid token, the list is refused with status 200.", {
    also: [...alsoOfList, "BATCH-20", "BATCH-21", "BATCH-22"],
  }).refuses(set({ status: 200 })),
  list("empty-for-strangers", "AUTH-36", "Without a valid token, the list is empty instead of refused.", {
    also: alsoOfList,
  }).refuses(() => ({ status: 200, headers: {}, body: { batches: [], count: 0, total: 0 } }), "token"),
  anywhere("token-never-accepted", "AUTH-04", "No endpoint accepts the issued tokens.").by(forgetting(() => true)),
  anywhere("token-second-unusable", "AUTH-04", "Only the first issued token is accepted.").by(
    forgetting((nth) => nth > 1),
  ),
  ofList("token-unknown-to-list", "AUTH-04", "The list refuses every token.").by((base) => ({
    admitsToken: (token, call) => base.admitsToken(token, call) && call.operation !== "listBatches",
  })),
];

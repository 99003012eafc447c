import { set, problem } from "../change.ts";
import type { Answer, Call } from "../policy.ts";
import { rows, rowsAnywhere, rowsOf, type Broken, type Fault, tokenRefusals, refusals } from "./fault.ts";
import { as, from, member, places, isCalled } from "./member.ts";
import { isEmpty } from "./raw-body.ts";

const issuedTo = (call: Call): readonly string[] => [...call.store.tokens.keys()];

type Endpoint = keyof typeof tokenRefusals;
type IsOpen = (header: string | undefined, call: Call) => boolean;
type IsLike = (token: string, issued: string) => boolean;

/** Makes faults of what an endpoint accepts instead of a good token, or what all of them accept. */
const acceptanceOf = (here: Endpoint | undefined, prefix = "") => {
  const row = here === undefined ? rowsAnywhere(prefix) : rowsOf(here, prefix);
  const isHere = (call: Call): boolean => here === undefined || call.operation === here;

  const header = (id: string, broken: Broken, about: string, more: IsOpen) =>
    row(id, broken, about).by((base) => ({
      tokenIn: (given, call) => (isHere(call) && more(given, call) ? "open" : base.tokenIn(given, call)),
      admitsToken: (token, call) => (isHere(call) && token === "open") || base.admitsToken(token, call),
    }));

  const token = (id: string, broken: Broken, about: string, more: (token: string, call: Call) => boolean) =>
    row(id, broken, about).by((base) => ({
      admitsToken: (given, call) => base.admitsToken(given, call) || (isHere(call) && more(given, call)),
    }));

  const like = (id: string, broken: Broken, about: string, isLike: IsLike) =>
    token(id, broken, about, (given, call) => issuedTo(call).some((issued) => isLike(given, issued)));

  /** Refuses some issued tokens; `nth` counts them from 1 in the order of their issue. */
  const forgets = (id: string, about: string, isForgotten: (nth: number) => boolean) =>
    row(id, "AUTH-04", about).by((base) => ({
      admitsToken: (given, call) =>
        base.admitsToken(given, call) && !(isHere(call) && isForgotten(issuedTo(call).indexOf(given) + 1)),
    }));

  return { header, token, like, forgets };
};

const isMiddleIgnored: IsLike = (token, issued) =>
  token.length === issued.length && token.slice(0, 4) === issued.slice(0, 4) && token.slice(-4) === issued.slice(-4);

const isEndIgnored: IsLike = (token, issued) =>
  token.length === issued.length && issued.startsWith(token.slice(0, -Math.ceil(token.length / 3)));

const startsLike: IsLike = (token, issued) => token.length >= 8 && issued.startsWith(token.slice(0, 8));
const hasTail: IsLike = (token, issued) => token.startsWith(issued);
const areAlike = (one = "", other: string): boolean => one.toLowerCase() === other.toLowerCase();
const isProperty = (token: string): boolean => token in Object.prototype;
const isOtherScheme: IsOpen = (header) => header !== undefined && !/^bearer /i.test(header);
const isBearerAlone: IsOpen = (header = "") => /^\s*bearer\s*$/i.test(header);
const isBasic: IsOpen = (header = "") => header.startsWith("Basic ");
const isKey: IsOpen = (header, { headers, apiKey }) => header === undefined && headers["x-api-key"] === apiKey;

const faultsAt = (here: Endpoint, name: string): readonly Fault[] => {
  const accepts = acceptanceOf(here, `${name}-`);
  const [missing, madeUp, tampered, scheme] = tokenRefusals[here];
  return [
    accepts.header("without-token", missing, "A missing token is accepted.", (header) => header === undefined),
    accepts.token("made-up-token", [madeUp, tampered, "AUTH-40"], "Every bearer token is accepted.", () => true),
    accepts.token("property-token", madeUp, "Tokens are looked up as properties of an object.", isProperty),
    accepts.like("tampered-token", [tampered, "AUTH-40"], "The middle of a token is not checked.", isMiddleIgnored),
    accepts.header("other-scheme", [scheme, "AUTH-41"], "Every other scheme is accepted.", isOtherScheme),
  ];
};

const every = Object.values(tokenRefusals);
const missing = every.map(([id]) => id);
const madeUp = every.map(([, id]) => id);
const tampered = every.map(([, , id]) => id);
const schemes = every.map(([, , , id]) => id);
const anyToken: Broken = ["AUTH-21", ...madeUp, ...tampered, "AUTH-40"];
const anything: Broken = ["AUTH-20", ...missing, ...madeUp, ...tampered, ...schemes, "AUTH-40", "AUTH-41"];
const likeIssued: Broken = ["AUTH-22", ...madeUp, ...tampered, "AUTH-40"];
const withTail: Broken = ["AUTH-22", ...tampered];
const anyScheme: Broken = ["AUTH-23", ...schemes, "AUTH-41"];
const ofList = ["AUTH-36", "AUTH-37", "AUTH-38", "AUTH-39", "AUTH-40", "AUTH-41"] as const;
const inBody: Broken = [...ofList, "BATCH-20", "BATCH-21", "BATCH-22"];

const operation = acceptanceOf("createOperation", "operation-");
const list = acceptanceOf("listBatches", "list-");
const anywhere = acceptanceOf(undefined);
const { createOperation, listBatches } = rows;

const isMissing = (call: Call): boolean => call.headers.authorization === undefined;
const beginsLikeIssued = (call: Call): boolean =>
  issuedTo(call).some((issued) => `Bearer ${issued}`.slice(0, 11) === call.headers.authorization?.slice(0, 11));

const refused = (id: string, broken: Broken, what: string, status: number, when: (call: Call) => boolean): Fault =>
  createOperation(id, broken, `${what} is refused with ${status} instead of 401.`).refuses("token", (answer, call) =>
    when(call) ? { ...answer, status } : answer,
  );

const strange = (
  id: string,
  broken: Broken,
  words: string,
  ...how: Parameters<ReturnType<typeof listBatches>["refuses"]>
) => listBatches(id, broken, `Without a good token, the list ${words}.`).refuses(...how);

const toLogin = set({ status: 302, headers: { location: "/login" } });
const emptyList: Answer = { status: 200, headers: {}, body: { batches: [], count: 0, total: 0 } };

export const tokenFaults: readonly Fault[] = [
  ...faultsAt("createOperation", "operation"),
  ...faultsAt("createCounterparty", "counterparty"),
  ...faultsAt("addAcamItem", "acam"),
  ...faultsAt("createBatch", "batch"),
  ...faultsAt("listBatches", "list"),

  operation.like("end-of-token-ignored", ["AUTH-22", "AUTH-40"], "The end of a token is not checked.", isEndIgnored),
  operation.token("key-as-token", "AUTH-21", "The API key is accepted as a token.", (it, call) => it === call.apiKey),
  operation.token("token-unsigned", "AUTH-21", "A token without a signature is accepted.", (it) => /\..*\.$/.test(it)),
  operation.header("key-in-header", "AUTH-20", "The API key in x-api-key is accepted instead of a token.", isKey),
  list.token("token-null", "AUTH-37", "The token null is accepted.", (token) => token === "null"),
  list.token("token-injected", "AUTH-37", "A token can inject SQL.", (token) => token === "x'OR'1'='1"),
  list.header("empty-header", "AUTH-39", "An empty Authorization header is accepted.", (header) => header === ""),
  list.like("token-tail-accepted", "AUTH-38", "A good token with more characters is accepted.", hasTail),
  listBatches("scheme-token", "AUTH-41", "A good token is accepted with the scheme Token.").by((base) => ({
    tokenIn: (header, call) =>
      base.tokenIn(call.operation === "listBatches" ? header?.replace(/^Token /, "Bearer ") : header, call),
  })),
  anywhere.token("accepts-any-token", anyToken, "Every endpoint accepts every bearer token.", () => true),
  anywhere.header("open-to-all", anything, "No endpoint checks Authorization.", () => true),
  anywhere.like("token-tail-accepted", withTail, "A good token with more at its end is accepted.", hasTail),
  anywhere.like("token-compared-by-first-eight", likeIssued, "Eight characters of a token are checked.", startsLike),
  anywhere.like("token-case-ignored", "AUTH-40", "Letter case in tokens is ignored.", areAlike),
  anywhere.header("bearer-alone-accepted", anyScheme, "Bearer without a token is accepted.", isBearerAlone),
  anywhere.header("basic-accepted", anyScheme, "Any Basic credentials are accepted.", isBasic),
  anywhere.forgets("token-never-accepted", "No endpoint accepts the issued tokens.", () => true),
  anywhere.forgets("token-second-unusable", "Only the first issued token is accepted.", (nth) => nth > 1),
  acceptanceOf("listBatches").forgets("token-unknown-to-list", "The list refuses every token.", () => true),

  refused("missing-token-403", "AUTH-20", "A missing token", 403, isMissing),
  refused("missing-token-400", "AUTH-20", "A missing token", 400, isMissing),
  refused("bad-token-403", ["AUTH-21", "AUTH-22"], "A bad token", 403, (call) => !isMissing(call)),
  refused("like-token-403", ["AUTH-22", "AUTH-21"], "A token that begins like a good one", 403, beginsLikeIssued),
  strange("refused-with-200", inBody, "is refused with 200", "any", set({ status: 200 })),
  strange("empty-for-strangers", ofList, "is empty", "token", () => emptyList),
  strange("refused-with-redirect", ofList, "redirects to a login page", "token", toLogin),
];

const token = rows.createToken;
const row = rowsOf("createToken", "key-");

const accepted = (id: string, broken: Broken, about: string, isAccepted: IsAccepted): Fault =>
  row(id, broken, about).by((base) => ({
    admitsKey: (key, call) => base.admitsKey(key, call) || isAccepted(key, call.apiKey),
  }));

type IsAccepted = (key: string | undefined, right: string) => boolean;
const haveEqualLength: IsAccepted = (key, right) => key?.length === right.length;
const haveEqualEnds: IsAccepted = (key = "", right) =>
  haveEqualLength(key, right) && key.slice(0, 3) === right.slice(0, 3) && key.slice(-3) === right.slice(-3);
const isBeginning: IsAccepted = (key = "", right) => key !== "" && right.startsWith(key);

const anyKey: Broken = ["AUTH-08", "AUTH-07", "AUTH-09", "AUTH-10", "AUTH-11"];
const ofLength: Broken = ["AUTH-09", "AUTH-08", "AUTH-11"];
const in200 = set({ status: 200 });
const isUntyped = (call: Call): boolean => call.headers["content-type"] === undefined;

const isTypedAndEmpty = (call: Call): boolean => !isUntyped(call) && isEmpty(call);

const refusing = (id: string, broken: Broken, when: string, isRefused: (call: Call) => boolean): Fault =>
  token(id, broken, `A request for a token is refused if ${when}.`).gives(problem(400, "Bad request"), isRefused);

export const keyFaults: readonly Fault[] = [
  ...member(places.token, "token", { value: "AUTH-01" }, ["missing", "number", "null"], {
    empty: ["is an empty string", as("")],
    renamed: isCalled("access_token"),
    wrapped: ["is an object with a value", from((body) => ({ value: body["token"] }))],
  }),
  refusing("wants-body", ["AUTH-02", "AUTH-03"], "it has no body", isEmpty),
  refusing("wants-content-type", "AUTH-02", "it has no Content-Type", isUntyped),
  refusing("refuses-content-type", "AUTH-03", "it has a Content-Type and no body", isTypedAndEmpty),
  accepted("missing-accepted", "AUTH-05", "A request without a key gets a token.", (key) => key === undefined),
  accepted("empty-accepted", "AUTH-06", "An empty key gets a token.", (key) => key === ""),
  accepted("truncated-accepted", "AUTH-07", "The beginning of the key gets a token.", isBeginning),
  accepted("any-accepted", anyKey, "Every key gets a token, unless it is missing or empty.", Boolean),
  accepted("any-of-right-length-accepted", ofLength, "Only the length of the key is checked.", haveEqualLength),
  accepted("middle-ignored", ["AUTH-09", "AUTH-11"], "The middle of the key is not checked.", haveEqualEnds),
  accepted("tail-accepted", "AUTH-10", "The key with a tail gets a token.", (key = "", right) => key.startsWith(right)),
  accepted("case-ignored", "AUTH-11", "The letter case of the key is ignored.", areAlike),
  accepted("property", "AUTH-08", "Keys are looked up as properties.", (key = "") => key in Object.prototype),
  accepted("injected", "AUTH-08", "A key can inject SQL.", (key) => key?.endsWith("'OR'1'='1") ?? false),
  accepted("pattern", "AUTH-08", "Keys are read as regular expressions.", (key) => key === ".*"),
  row("refused-with-200", ["AUTH-08", "AUTH-01", ...refusals.token], "A bad key gets a 200.").refuses("any", in200),
];

import { problem, set, rename } from "../change.ts";
import type { Answer, Call, Change } from "../policy.ts";
import {
  at,
  badTokensAtList,
  forSomeValues,
  inSequence,
  inState,
  faultsAnywhere,
  faultsAt,
  refusals,
  tokenRefusals,
  type Broken,
  type Fault,
  type TokenEndpoint,
} from "./fault.ts";
import { fixedValue, fromSecondOn, member, places } from "./member.ts";
import { isEmpty } from "./raw-body.ts";

const issuedTo = (call: Call): readonly string[] => [...call.store.tokens.keys()];

type IsOpen = (header: string | undefined, call: Call) => boolean;
type IsLike = (token: string, issued: string) => boolean;

/** Changes to how an endpoint checks tokens. Without `here`, they apply to all endpoints. */
function tokensAt(here?: TokenEndpoint) {
  function isHere(call: Call): boolean {
    return here === undefined || call.operation === here;
  }

  /** Accepts the requests whose Authorization header `isOpen` selects, without checking a token. */
  function opens(isOpen: IsOpen): Change {
    return (base) => ({
      tokenIn: (header, call) =>
        isHere(call) && isOpen(header, call) ? "open" : base.tokenIn(header, call),
      admitsToken: (token, call) =>
        (isHere(call) && token === "open") || base.admitsToken(token, call),
    });
  }

  /** Accepts some tokens that the server has not issued. */
  function accepts(isAccepted: (token: string, call: Call) => boolean): Change {
    return (base) => ({
      admitsToken: (token, call) =>
        base.admitsToken(token, call) || (isHere(call) && isAccepted(token, call)),
    });
  }

  /** Accepts tokens that resemble an issued one. */
  function acceptsLike(isLike: IsLike): Change {
    return accepts((token, call) => issuedTo(call).some((issued) => isLike(token, issued)));
  }

  /** Refuses some issued tokens. `nth` counts them from 1 in the order of their issue. */
  function forgets(isForgotten: (nth: number) => boolean): Change {
    return (base) => ({
      admitsToken: (token, call) =>
        base.admitsToken(token, call) &&
        !(isHere(call) && isForgotten(issuedTo(call).indexOf(token) + 1)),
    });
  }

  return { opens, accepts, acceptsLike, forgets };
}

/** Hands out one token for ever, which is good for so many requests. */
function spentAfter(requests: number): Change {
  return (base) => {
    let token: string | undefined;
    let used = 0;
    return {
      newToken: (call) => (token ??= base.newToken(call)),
      admitsToken: (one, call) => {
        used += base.admitsToken(one, call) ? 1 : 0;
        return base.admitsToken(one, call) && used <= requests;
      },
    };
  };
}

const isMiddleIgnored: IsLike = (token, issued) =>
  token.length === issued.length &&
  token.slice(0, 4) === issued.slice(0, 4) &&
  token.slice(-4) === issued.slice(-4);

const isEndIgnored: IsLike = (token, issued) =>
  token.length === issued.length && issued.startsWith(token.slice(0, -Math.ceil(token.length / 3)));
const hasTail: IsLike = (token, issued) => token.startsWith(issued);
const areAlike = (one = "", other: string): boolean => one.toLowerCase() === other.toLowerCase();
const isOtherScheme: IsOpen = (header) => header !== undefined && !/^bearer /i.test(header);
const isBearerAlone: IsOpen = (header = "") => /^\s*bearer\s*$/i.test(header);
const isBasic: IsOpen = (header = "") => header.startsWith("Basic ");
const isKey: IsOpen = (header, { headers, apiKey }) =>
  header === undefined && headers["x-api-key"] === apiKey;

/** The faults that each endpoint has if it needs a token. */
function tokenFaultsAt(here: TokenEndpoint, name: string): readonly Fault[] {
  const { fault } = faultsAt(here, `${name}-`);
  const { opens, accepts, acceptsLike } = tokensAt(here);
  const [missing, madeUp, tampered, scheme] = tokenRefusals[here];
  return [
    // A made-up token in the query comes without a header.
    fault(
      "without-token",
      [missing, madeUp],
      "A missing token is accepted.",
      opens((header) => header === undefined),
    ),
    fault(
      "made-up-token",
      [madeUp, tampered, "AUTH-40"],
      "Every bearer token is accepted.",
      accepts(() => true),
    ),
    fault(
      "tampered-token",
      [tampered, "AUTH-40"],
      "The middle of a token is not checked.",
      acceptsLike(isMiddleIgnored),
    ),
    fault(
      "other-scheme",
      [scheme, "AUTH-41"],
      "Every other scheme is accepted.",
      opens(isOtherScheme),
    ),
  ];
}

/** Further faults of an endpoint that needs a token. They show only in some cases. */
function rareTokenFaultsAt(here: TokenEndpoint, name: string): readonly Fault[] {
  const { fault } = faultsAt(here, `${name}-`);
  const { opens, accepts } = tokensAt(here);
  const [missing, madeUp, tampered, scheme] = tokenRefusals[here];
  const isOpen: IsOpen = (header, call) => header === undefined && call.store.operations.size > 0;
  const hasLength = (token: string, call: Call): boolean =>
    issuedTo(call).some((issued) => issued.length === token.length);
  const isTampered = (token: string, call: Call): boolean =>
    call.store.operations.size > 0 &&
    issuedTo(call).some((issued) => isMiddleIgnored(token, issued));
  const ofLength: Broken = [madeUp, tampered, "AUTH-40"];
  return [
    fault(
      "without-token-later",
      missing,
      "Once there is an operation, a missing token is accepted.",
      opens(isOpen),
      inState,
    ),
    fault(
      "token-by-length",
      ofLength,
      "Only the length of a token is checked.",
      accepts(hasLength),
      forSomeValues,
    ),
    fault(
      "tampered-token-later",
      [tampered, "AUTH-40"],
      "Once there is an operation, the middle of a token is not checked.",
      accepts(isTampered),
      inState,
    ),
    fault(
      "basic-accepted",
      scheme,
      "Any Basic credentials are accepted.",
      opens(isBasic),
      forSomeValues,
    ),
  ];
}

const every = Object.values(tokenRefusals);
const missing = every.map(([id]) => id);
const madeUp = every.map(([, id]) => id);
const tampered = every.map(([, , id]) => id);
const schemes = every.map(([, , , id]) => id);
const anything: Broken = [
  "AUTH-20",
  ...missing,
  ...madeUp,
  ...tampered,
  ...schemes,
  "AUTH-40",
  "AUTH-41",
  "AUTH-42",
];
const withTail: Broken = ["AUTH-22", ...tampered];
const anyScheme: Broken = ["AUTH-23", ...schemes, "AUTH-41"];
const ofList = ["AUTH-36", ...badTokensAtList] as const;
const inBody: Broken = [...ofList, "BATCH-20", "BATCH-21", "BATCH-22"];

const { createToken: token, createOperation: operation, listBatches: list } = at;
const anywhere = faultsAnywhere();
const atOperation = tokensAt("createOperation");
const atList = tokensAt("listBatches");
const { opens, acceptsLike, forgets } = tokensAt();

const isMissing = (call: Call): boolean => call.headers.authorization === undefined;

/** At POST /corporate/operation, refuses bad tokens with this status if `when` selects the call. */
function refusesWith(status: number, when: (call: Call) => boolean): Change {
  return operation.refuses("token", (answer, call) =>
    when(call) ? { ...answer, status } : answer,
  );
}

const withSchemeToken: Change = (base) => ({
  tokenIn: (header, call) =>
    base.tokenIn(
      call.operation === "listBatches" ? header?.replace(/^Token /, "Bearer ") : header,
      call,
    ),
});
const emptyList: Answer = { status: 200, headers: {}, body: { batches: [], count: 0, total: 0 } };
const in200 = set({ status: 200 });

/**
 * A fault: an endpoint does not check the end of a token. `tokenFaultsAt` has the same fault with
 * the middle of a token.
 */
function endIgnored(here: TokenEndpoint, name: string): Fault {
  const [, , tamperedHere] = tokenRefusals[here];
  return faultsAt(here, `${name}-`).fault(
    "end-of-token-ignored",
    [tamperedHere, "AUTH-40"],
    "The end of a token is not checked.",
    tokensAt(here).acceptsLike(isEndIgnored),
  );
}

export const tokenFaults: readonly Fault[] = [
  ...tokenFaultsAt("createOperation", "operation"),
  ...tokenFaultsAt("createCounterparty", "counterparty"),
  ...tokenFaultsAt("addAcamItem", "acam"),
  ...tokenFaultsAt("createBatch", "batch"),
  ...tokenFaultsAt("listBatches", "list"),
  ...rareTokenFaultsAt("createCounterparty", "counterparty"),
  ...rareTokenFaultsAt("addAcamItem", "acam"),
  ...rareTokenFaultsAt("createBatch", "batch"),
  endIgnored("createOperation", "operation"),
  endIgnored("listBatches", "list"),

  operation.fault(
    "key-as-token",
    "AUTH-21",
    "The API key is accepted as a token.",
    atOperation.accepts((it, call) => it === call.apiKey),
    forSomeValues,
  ),
  operation.fault(
    "key-in-header",
    "AUTH-20",
    "The API key in x-api-key is accepted instead of a token.",
    atOperation.opens(isKey),
    forSomeValues,
  ),
  list.fault(
    "token-null",
    "AUTH-37",
    "The token null is accepted.",
    atList.accepts((it) => it === "null"),
    forSomeValues,
  ),
  list.fault(
    "empty-header",
    "AUTH-39",
    "An empty Authorization header is accepted.",
    atList.opens((header) => header === ""),
    forSomeValues,
  ),
  list.fault(
    "token-tail-accepted",
    "AUTH-38",
    "A good token with more characters is accepted.",
    atList.acceptsLike(hasTail),
    forSomeValues,
  ),
  list.fault(
    "scheme-token",
    "AUTH-41",
    "A good token is accepted with the scheme Token.",
    withSchemeToken,
  ),
  faultsAt("listBatches").fault(
    "token-unknown-to-list",
    "AUTH-04",
    "The list refuses every token.",
    atList.forgets(() => true),
  ),
  anywhere.fault(
    "open-to-all",
    anything,
    "No endpoint checks Authorization.",
    opens(() => true),
  ),
  anywhere.fault(
    "token-tail-accepted",
    withTail,
    "A good token with more at its end is accepted.",
    acceptsLike(hasTail),
    forSomeValues,
  ),
  anywhere.fault(
    "token-case-ignored",
    "AUTH-40",
    "Letter case in tokens is ignored.",
    acceptsLike(areAlike),
  ),
  anywhere.fault(
    "bearer-alone-accepted",
    anyScheme,
    "Bearer without a token is accepted.",
    opens(isBearerAlone),
    forSomeValues,
  ),
  anywhere.fault(
    "token-never-accepted",
    "AUTH-04",
    "No endpoint accepts the issued tokens.",
    forgets(() => true),
  ),
  anywhere.fault(
    "token-handed-out-spent",
    "AUTH-04",
    "A token is spent after 300 requests, and is handed out again and again.",
    spentAfter(300),
    inState,
  ),
  anywhere.fault(
    "token-second-unusable",
    "AUTH-04",
    "Only the first issued token is accepted.",
    forgets((nth) => nth > 1),
    inSequence,
  ),

  operation.fault(
    "missing-token-403",
    "AUTH-20",
    "A missing token is refused with 403 instead of 401.",
    refusesWith(403, isMissing),
  ),
  list.fault(
    "refused-with-200",
    inBody,
    "Without a good token, the list is refused with 200.",
    list.refuses("any", in200),
  ),
  list.fault(
    "empty-for-strangers-later",
    ofList,
    "Once there is a batch, the list is empty without a good token.",
    list.refuses("token", (answer, { store }) => (store.batches.length > 0 ? emptyList : answer)),
    inState,
  ),
];

const key = faultsAt("createToken", "key-");

type IsAccepted = (key: string | undefined, right: string) => boolean;

/** Issues tokens for some keys other than the right one. */
function acceptsKey(isAccepted: IsAccepted): Change {
  return (base) => ({
    admitsKey: (given, call) => base.admitsKey(given, call) || isAccepted(given, call.apiKey),
  });
}

/** Issues tokens for some keys other than the right one, once the server has issued a token. */
function acceptsKeyLater(isAccepted: IsAccepted): Change {
  return (base) => ({
    admitsKey: (given, call) =>
      base.admitsKey(given, call) || (call.store.tokens.size > 0 && isAccepted(given, call.apiKey)),
  });
}

const lacksLast: IsAccepted = (given, right) => given === right.slice(0, -1);
const haveEqualLength: IsAccepted = (given, right) => given?.length === right.length;
const haveEqualEnds: IsAccepted = (given = "", right) =>
  haveEqualLength(given, right) &&
  given.slice(0, 3) === right.slice(0, 3) &&
  given.slice(-3) === right.slice(-3);
const isBeginning: IsAccepted = (given = "", right) => given !== "" && right.startsWith(given);
const beginsWithRight: IsAccepted = (given = "", right) => given.startsWith(right);

export const anyKey: Broken = ["AUTH-08", "AUTH-07", "AUTH-09", "AUTH-10", "AUTH-11"];
const ofLength: Broken = ["AUTH-09", "AUTH-08", "AUTH-11"];
const keysIn200: Broken = ["AUTH-08", "AUTH-01", ...refusals.token];
const badRequest = problem(400, "Bad request");
const isUntyped = (call: Call): boolean => call.headers["content-type"] === undefined;
const isTypedAndEmpty = (call: Call): boolean => !isUntyped(call) && isEmpty(call);

const isLaterTyped = (call: Call): boolean => call.store.tokens.size > 0 && isTypedAndEmpty(call);

export const keyFaults: readonly Fault[] = [
  ...member(places.token, "token", { value: "AUTH-01" }, ["missing", "number"], {
    "empty-later": [
      "is an empty string from the second one on",
      fromSecondOn(fixedValue("")),
      "value",
      inSequence,
    ],
  }),
  token.fault(
    "renamed",
    "AUTH-01",
    "The member token of the response is called access_token.",
    token.shows(rename("token", "access_token")),
  ),
  token.fault(
    "wants-body",
    ["AUTH-02", "AUTH-03"],
    "A request for a token is refused if it has no body.",
    token.gives(badRequest, isEmpty),
  ),
  token.fault(
    "wants-content-type",
    "AUTH-02",
    "A request for a token is refused if it has no Content-Type.",
    token.gives(badRequest, isUntyped),
    forSomeValues,
  ),
  token.fault(
    "refuses-content-type",
    "AUTH-03",
    "A request for a token is refused if it has a Content-Type and no body.",
    token.gives(badRequest, isTypedAndEmpty),
  ),
  key.fault(
    "missing-accepted",
    "AUTH-05",
    "A request without a key gets a token.",
    acceptsKey((it) => it === undefined),
  ),
  key.fault(
    "empty-accepted",
    "AUTH-06",
    "An empty key gets a token.",
    acceptsKey((it) => it === ""),
  ),
  key.fault(
    "truncated-accepted",
    "AUTH-07",
    "The beginning of the key gets a token.",
    acceptsKey(isBeginning),
  ),
  key.fault(
    "any-accepted-later",
    anyKey,
    "Once a token was issued, every key gets one, unless it is missing or empty.",
    acceptsKeyLater(Boolean),
    inState,
  ),
  key.fault(
    "any-of-right-length-accepted",
    ofLength,
    "Only the length of the key is checked.",
    acceptsKey(haveEqualLength),
  ),
  key.fault(
    "middle-ignored",
    ["AUTH-09", "AUTH-11"],
    "The middle of the key is not checked.",
    acceptsKey(haveEqualEnds),
    forSomeValues,
  ),
  key.fault(
    "tail-accepted",
    "AUTH-10",
    "The key with a tail gets a token.",
    acceptsKey(beginsWithRight),
  ),
  key.fault(
    "case-ignored",
    "AUTH-11",
    "The letter case of the key is ignored.",
    acceptsKey(areAlike),
  ),
  key.fault(
    "missing-accepted-later",
    "AUTH-05",
    "Once a token was issued, a missing key gets one.",
    acceptsKeyLater((it) => it === undefined),
    inState,
  ),
  key.fault(
    "empty-accepted-later",
    "AUTH-06",
    "Once a token was issued, an empty key gets one.",
    acceptsKeyLater((it) => it === ""),
    inState,
  ),
  key.fault(
    "last-character-missing-accepted",
    "AUTH-07",
    "The key without its last character gets a token.",
    acceptsKey(lacksLast),
    forSomeValues,
  ),
  key.fault(
    "tail-accepted-later",
    "AUTH-10",
    "Once a token was issued, the key with a tail gets one.",
    acceptsKeyLater(beginsWithRight),
    inState,
  ),
  token.fault(
    "refuses-content-type-later",
    "AUTH-03",
    "A later request for a token is refused if it has a Content-Type and no body.",
    token.gives(badRequest, isLaterTyped),
    inSequence,
  ),
  key.fault("refused-with-200", keysIn200, "A bad key gets a 200.", key.refuses("any", in200)),
];

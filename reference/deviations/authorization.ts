// What can be wrong or odd about the Authorization header, at each endpoint that needs a token.
import type { OperationName } from "../../spec/operations.ts";
import { answers, around, remembering, set } from "../change.ts";
import type { Answer, Call, Change } from "../policy.ts";
import {
  at,
  deviation as anywhere,
  type Broken,
  type Deviation,
  type Endpoint,
} from "./deviation.ts";

/**
 * For each endpoint, the requirements that it refuses a missing, a made-up and a tampered token,
 * and another scheme, in this order.
 */
export const tokenRefusals = {
  operation: ["AUTH-20", "AUTH-21", "AUTH-22", "AUTH-23"],
  counterparty: ["AUTH-24", "AUTH-25", "AUTH-26", "AUTH-27"],
  acam: ["AUTH-28", "AUTH-29", "AUTH-30", "AUTH-31"],
  batch: ["AUTH-32", "AUTH-33", "AUTH-34", "AUTH-35"],
  list: ["AUTH-36", "AUTH-37", "AUTH-38", "AUTH-39"],
} as const;

/** The requirements that the list refuses a bad token, by what is wrong with the token. */
export const badTokensAtList = [
  ...(["AUTH-37", "AUTH-38", "AUTH-39"] as const),
  ...(["AUTH-40", "AUTH-41", "AUTH-42"] as const),
] as const;

const issuedTo = ({ store }: Call): readonly string[] => [...store.tokens.keys()];

type IsOpen = (header: string | undefined, call: Call) => boolean;
type IsAccepted = (token: string, call: Call) => boolean;
type IsLike = (token: string, issued: string) => boolean;

/** Changes to how an endpoint checks tokens. Without `here`, they apply to all endpoints. */
function tokensAt(here?: OperationName) {
  const isHere = (call: Call): boolean => here === undefined || call.operation === here;

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
  function accepts(isAccepted: IsAccepted): Change {
    return (base) => ({
      admitsToken: (token, call) =>
        base.admitsToken(token, call) || (isHere(call) && isAccepted(token, call)),
    });
  }

  /** Accepts tokens that resemble an issued one. */
  function acceptsLike(isLike: IsLike): Change {
    return accepts((token, call) => issuedTo(call).some((issued) => isLike(token, issued)));
  }

  /** Refuses every token. */
  const refusesAll: Change = (base) => ({
    admitsToken: (token, call) => !isHere(call) && base.admitsToken(token, call),
  });

  /** Accepts a bad token when it is sent again. */
  const acceptsSecondTime: Change = remembering(() => {
    const seen = new Set<string>();
    return accepts((token) => {
      const isKnown = seen.has(token);
      seen.add(token);
      return isKnown;
    });
  });

  return { opens, accepts, acceptsLike, refusesAll, acceptsSecondTime };
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
const hasTail: IsLike = (token, issued) => token.startsWith(issued);
const isOfOtherCase: IsLike = (token, issued) => token.toLowerCase() === issued.toLowerCase();
const isAbsent: IsOpen = (header) => header === undefined;
const isOtherScheme: IsOpen = (header) => header !== undefined && !/^bearer /i.test(header);
const isBasic: IsOpen = (header = "") => header.startsWith("Basic ");
const isBearerAlone: IsOpen = (header = "") => /^\s*bearer\s*$/i.test(header);
const isKey: IsAccepted = (token, { apiKey }) => token === apiKey;
const hasOperations = ({ store }: Call): boolean => store.operations.size > 0;

type Name = keyof typeof tokenRefusals;

/** The faults that each endpoint has if it needs a token. */
function faultsAt(name: Name): readonly Deviation[] {
  const { deviation, operation } = at[name];
  const change = tokensAt(operation);
  const { opens, accepts, acceptsLike } = change;
  const [missing, madeUp, tampered, scheme] = tokenRefusals[name];
  const anyToken: Broken = [madeUp, tampered, "AUTH-40"];
  return [
    // A made-up token in the query comes without a header.
    deviation(`${name}-without-token`, "A missing token is accepted.", opens(isAbsent), {
      breaks: [missing, madeUp],
    }),
    deviation(
      `${name}-made-up-token`,
      "Every bearer token is accepted.",
      accepts(() => true),
      { breaks: anyToken },
    ),
    deviation(
      `${name}-tampered-token`,
      "The middle of a token is not checked.",
      acceptsLike(isMiddleIgnored),
      { breaks: [tampered, "AUTH-40"] },
    ),
    deviation(`${name}-other-scheme`, "Every other scheme is accepted.", opens(isOtherScheme), {
      breaks: [scheme, "AUTH-41"],
    }),
    deviation(`${name}-key-as-token`, "The API key is accepted as a token.", accepts(isKey), {
      breaks: madeUp,
      when: "data",
    }),
    deviation(
      `${name}-bad-token-twice`,
      "A bad token is accepted the second time.",
      change.acceptsSecondTime,
      { breaks: anyToken, when: "later" },
    ),
    deviation(
      `${name}-without-token-later`,
      "Once there is an operation, a missing token is accepted.",
      opens((header, call) => header === undefined && hasOperations(call)),
      { breaks: [missing, madeUp], when: "later" },
    ),
    deviation(
      `${name}-tampered-token-later`,
      "Once there is an operation, the middle of a token is not checked.",
      accepts(
        (token, call) =>
          hasOperations(call) && issuedTo(call).some((issued) => isMiddleIgnored(token, issued)),
      ),
      { breaks: [tampered, "AUTH-40"], when: "later" },
    ),
    deviation(`${name}-basic-accepted`, "Any Basic credentials are accepted.", opens(isBasic), {
      breaks: scheme,
      when: "data",
    }),
  ];
}

const names = Object.keys(tokenRefusals) as readonly Name[];
const every = Object.values(tokenRefusals);
const madeUp = every.map(([, id]) => id);
const tampered = every.map(([, , id]) => id);
const schemes = every.map(([, , , id]) => id);

/** Compares sixteen characters of a token, once a good token was sent to the same endpoint. */
const cachedBySixteen: Change = remembering(() => {
  const seen = new Set<string>();
  return (base) => ({
    admitsToken: (token, call) => {
      const key = `${call.operation} ${token.slice(0, 16)}`;
      if (base.admitsToken(token, call)) seen.add(key);
      return seen.has(key);
    },
  });
});

const withSchemeToken: Change = (base) => ({
  tokenIn: (header, call) =>
    base.tokenIn(
      call.operation === "listBatches" ? header?.replace(/^Token /, "Bearer ") : header,
      call,
    ),
});

function finding(pattern: RegExp): Change {
  return (base) => ({
    tokenIn: (header, call) => base.tokenIn(header, call) ?? pattern.exec(header ?? "")?.[1],
  });
}

/** Refuses bad tokens with another status. */
function refusesWith(status: number, { refuses }: Endpoint, when: (call: Call) => boolean): Change {
  return refuses("token", (answer, call) => (when(call) ? { ...answer, status } : answer));
}

const { operation, list: atList } = at;
const list = tokensAt("listBatches");
const { opens, acceptsLike, refusesAll } = tokensAt();
const emptyList: Answer = { status: 200, headers: {}, body: { batches: [], count: 0, total: 0 } };
const ofList = ["AUTH-36", ...badTokensAtList] as const;
const ofToken = ({ refusal }: Answer): boolean => refusal === "token";

const faultsOfSome: readonly Deviation[] = [
  operation.deviation(
    "operation-key-in-header",
    "The API key in x-api-key is accepted instead of a token.",
    tokensAt("createOperation").opens(
      (header, { headers, apiKey }) => header === undefined && headers["x-api-key"] === apiKey,
    ),
    { breaks: "AUTH-20", when: "data" },
  ),
  operation.deviation(
    "operation-missing-token-403",
    "A missing token is refused with 403 instead of 401.",
    refusesWith(403, operation, ({ headers }) => headers.authorization === undefined),
    { breaks: "AUTH-20" },
  ),
  atList.deviation(
    "list-scheme-token",
    "A good token is accepted with the scheme Token.",
    withSchemeToken,
    { breaks: "AUTH-41" },
  ),
  atList.deviation(
    "list-token-in-query",
    "A good token in the query is accepted.",
    list.opens(
      (header, { query, store }) =>
        header === undefined && store.tokens.has(query.get("access_token") ?? ""),
    ),
    { breaks: "AUTH-42" },
  ),
  atList.deviation(
    "list-refused-with-200",
    "Without a good token, the list is refused with 200.",
    atList.refuses("any", set({ status: 200 })),
    { breaks: [...ofList, "BATCH-20", "BATCH-21", "BATCH-22"] },
  ),
  atList.deviation(
    "list-empty-for-strangers-later",
    "Once there is a batch, the list is empty without a good token.",
    atList.refuses("token", (answer, { store }) => (store.batches.length > 0 ? emptyList : answer)),
    { breaks: ofList, when: "later" },
  ),
  atList.deviation("token-unknown-to-list", "The list refuses every token.", list.refusesAll, {
    breaks: "AUTH-04",
  }),
];

/**
 * Keeps the Authorization headers of each connection, as a cache of header lines does, and compares
 * further ones with them without letter case.
 */
const headersKept: Change = remembering(() => {
  const kept = new WeakMap<object, Map<string, string>>();
  return around(async (call, next) => {
    const { authorization } = call.headers;
    if (authorization === undefined) return next(call);
    const known = kept.get(call.connection) ?? new Map<string, string>();
    kept.set(call.connection, known);
    const first = known.get(authorization.toLowerCase()) ?? authorization;
    known.set(authorization.toLowerCase(), first);
    return next({ ...call, headers: { ...call.headers, authorization: first } });
  });
});

const faultsAnywhere: readonly Deviation[] = [
  anywhere(
    "open-to-all",
    "No endpoint checks Authorization.",
    opens(() => true),
    { breaks: ["AUTH-20", ...every.flat(), ...badTokensAtList] },
  ),
  anywhere(
    "token-tail-accepted",
    "A good token with more at its end is accepted.",
    acceptsLike(hasTail),
    { breaks: ["AUTH-22", ...tampered], when: "data" },
  ),
  anywhere("token-case-ignored", "Letter case in tokens is ignored.", acceptsLike(isOfOtherCase), {
    breaks: "AUTH-40",
  }),
  anywhere(
    "headers-kept-without-case",
    "A header that equals an earlier one of the connection but for letter case is read as that one.",
    headersKept,
    { breaks: "AUTH-40", when: "later" },
  ),
  anywhere("bearer-alone-accepted", "Bearer without a token is accepted.", opens(isBearerAlone), {
    breaks: ["AUTH-23", ...schemes, "AUTH-41"],
    when: "data",
  }),
  anywhere("token-never-accepted", "No endpoint accepts the issued tokens.", refusesAll, {
    breaks: "AUTH-04",
  }),
  anywhere(
    "token-handed-out-spent",
    "A token is spent after 300 requests, and is handed out again and again.",
    spentAfter(300),
    { breaks: "AUTH-04", when: "later" },
  ),
  anywhere(
    "blind-cache-by-first-sixteen",
    "After a good request, sixteen characters of a token are compared.",
    cachedBySixteen,
    // A truncated token counts as made up.
    { breaks: ["AUTH-22", ...tampered, ...madeUp], when: "later" },
  ),
];

const legal: readonly Deviation[] = [
  anywhere(
    "token-refused-404",
    "A bad token gets a 404, and 401 for operations.",
    answers(
      (answer, call) => ofToken(answer) && call.operation !== "createOperation",
      set({ status: 404 }),
    ),
  ),
  anywhere("body-before-token", "The body is checked before the token.", () => ({
    order: ["read", "authenticate"],
  })),
  anywhere("challenge-absent", "A 401 has no challenge.", answers(ofToken, set({ headers: {} }))),
  anywhere(
    "scheme-any",
    "A good token is accepted with any scheme, and without one.",
    finding(/^(?:\S+ +)?(\S+)$/),
    { near: "AUTH-41" },
  ),
];

export const authorization: readonly Deviation[] = [
  ...names.flatMap(faultsAt),
  ...faultsOfSome,
  ...faultsAnywhere,
  ...legal,
];

import { all, around, reading, remembering } from "../change.ts";
import { itemAdded } from "../endpoints.ts";
import type { Call, Change } from "../policy.ts";
import {
  at,
  faultsAt,
  forSomeValues,
  inSequence,
  inState,
  memberRefusals,
  tokenRefusals,
  type TokenEndpoint,
  withPairs,
  withPurposes,
} from "./fault.ts";
import type { Broken, Fault } from "./fault.ts";
import { anyKey } from "./credentials.ts";
import { refusesWith } from "./operation-checks.ts";
import { isEmpty, lacks, membersOf } from "./raw-body.ts";

type Member = keyof typeof memberRefusals;
const members = [
  "currency_amount",
  "operation_purpose",
  "currency_pair",
  "counterparty_id",
] as const;

/** Takes a member from the query if the body lacks the member. */
function fromQuery(member: Member): Change {
  return reading("createOperation", (body, { query }) => {
    const text = query.get(member);
    if (body[member] !== undefined || text === null) return body;
    return { ...body, [member]: member === "currency_amount" ? Number(text) : text };
  });
}

function ofQuery(member: Member): Fault {
  const about = `A ${member} that the body lacks is taken from the query.`;
  const id = `${member.replaceAll("_", "-")}-of-query`;
  return at.createOperation.fault(id, memberRefusals[member].missing, about, fromQuery(member));
}

const { fault: acam, refuses } = at.addAcamItem;

const saysEfx = (call: Call): boolean => membersOf(call)["operation_purpose"] === "EFX";
function namesEfx(call: Call): boolean {
  return call.store.operations.get(String(membersOf(call)["operation_id"]))?.purpose === "EFX";
}

/**
 * Accepts items that should be refused for this reason, if their bodies name the right purpose or
 * operation.
 */
function believes(reason: "purpose" | "operation", isBelieved: (call: Call) => boolean): Change {
  return refuses(reason, (answer, call) => (isBelieved(call) ? itemAdded : answer));
}

/** At one endpoint, accepts some tokens that the server has not issued. */
function accepts(here: TokenEndpoint, isAccepted: (token: string, call: Call) => boolean): Change {
  return (base) => ({
    admitsToken: (token, call) =>
      base.admitsToken(token, call) || (call.operation === here && isAccepted(token, call)),
  });
}

/** Accepts requests without an Authorization header if `isOpen` finds a token elsewhere in them. */
function opens(here: TokenEndpoint, isOpen: (call: Call) => boolean): Change {
  return (base) => ({
    tokenIn: (header, call) => {
      const isOpened = call.operation === here && header === undefined && isOpen(call);
      return isOpened ? "open" : base.tokenIn(header, call);
    },
    admitsToken: (token, call) => token === "open" || base.admitsToken(token, call),
  });
}

/** Accepts a bad token when it is sent again. */
function secondTime(here: TokenEndpoint): Change {
  return remembering(() => {
    const seen = new Set<string>();
    return accepts(here, (token) => {
      const isKnown = seen.has(token);
      seen.add(token);
      return isKnown;
    });
  });
}

/** How long an endpoint needs no bearer token after a good one, in milliseconds. */
const remembered = 300;

/**
 * For a moment after a good token at an endpoint, accepts requests there without a bearer token.
 */
function soonAfter(here: TokenEndpoint): Change {
  return remembering(() => {
    let last = 0;
    return (base) => ({
      tokenIn: (header, call) => {
        const isSoon = call.operation === here && Date.now() - last < remembered;
        return base.tokenIn(header, call) ?? (isSoon ? "open" : undefined);
      },
      admitsToken: (token, call) => {
        const isGood = base.admitsToken(token, call);
        if (isGood && call.operation === here) last = Date.now();
        return isGood || token === "open";
      },
    });
  });
}

const prefixes: Readonly<Record<TokenEndpoint, string>> = {
  createOperation: "operation-",
  createCounterparty: "counterparty-",
  addAcamItem: "acam-",
  createBatch: "batch-",
  listBatches: "list-",
};

function badTokenTwice(here: TokenEndpoint): Fault {
  const [, madeUp, tampered] = tokenRefusals[here];
  const broken: Broken = [madeUp, tampered, "AUTH-40"];
  const about = "A bad token is accepted the second time.";
  return faultsAt(here, prefixes[here]).fault(
    "bad-token-twice",
    broken,
    about,
    secondTime(here),
    inSequence,
  );
}

function keyAsToken(here: TokenEndpoint): Fault {
  const isKey = accepts(here, (token, call) => token === call.apiKey);
  const [, madeUp] = tokenRefusals[here];
  return faultsAt(here, prefixes[here]).fault(
    "key-as-token",
    madeUp,
    "The API key is accepted as a token.",
    isKey,
  );
}

function withoutTokenSoon(here: TokenEndpoint): Fault {
  const [missing, madeUp, , scheme] = tokenRefusals[here];
  const about = "For a moment after a good token, none is needed.";
  // A made-up token in the query comes without a header.
  const broken: Broken = [missing, scheme, madeUp];
  return faultsAt(here, prefixes[here]).fault(
    "without-token-soon",
    broken,
    about,
    soonAfter(here),
    inSequence,
  );
}

const key = faultsAt("createToken", "key-");

/** Accepts any key, but not a missing one, for a second after the right key was sent. */
const keyRemembered: Change = remembering(() => {
  let last = 0;
  return (base) => ({
    admitsKey: (given, call) => {
      const isGood = base.admitsKey(given, call);
      if (isGood) last = Date.now();
      return isGood || (Boolean(given) && Date.now() - last < 1000);
    },
  });
});

/** Refuses a wrong key only the first time, and accepts it from then on. */
const keyKnownOnceRefused: Change = remembering(() => {
  const seen = new Set<string>();
  return (base) => ({
    admitsKey: (given = "", call) => {
      const isKnown = given !== "" && seen.has(given);
      seen.add(given);
      return base.admitsKey(given, call) || isKnown;
    },
  });
});

/** Refuses an empty body with 415, except for the first of every four. */
const mostly415: Change = remembering(() => {
  let seen = 0;
  return refusesWith(415, (call) => {
    if (isEmpty(call)) seen += 1;
    return isEmpty(call) && seen % 4 !== 1;
  });
});

/** Once the server has had `most` requests, refuses a missing counterparty_id with 404. */
function counterpartyMissing404After(most: number): Change {
  return remembering(() => {
    let requests = 0;
    const counted: Change = around(async (call, next) => {
      requests += 1;
      return next(call);
    });
    const late = refusesWith(404, (call) => requests > most && lacks("counterparty_id")(call));
    return all(counted, late);
  });
}

/** Faults that show if a value stands in two places of a request, or if something happens twice. */
export const doubleFaults: readonly Fault[] = [
  ...members.map(ofQuery),
  acam(
    "purpose-of-body",
    ["ACAM-03", "ACAM-05"],
    "The purpose in the body of an item counts.",
    believes("purpose", saysEfx),
    withPurposes,
  ),
  acam(
    "operation-of-body",
    ["ACAM-03", "ACAM-05"],
    "The purpose is that of the operation in the body.",
    believes("purpose", namesEfx),
    withPurposes,
  ),
  acam(
    "unknown-operation-of-body",
    "ACAM-04",
    "For an unknown operation, the one in the body counts.",
    believes("operation", namesEfx),
  ),
  acam(
    "without-token-after-item",
    "AUTH-28",
    "A further item for an operation needs no token.",
    opens("addAcamItem", (call) => (call.store.operations.get(call.parameter)?.items ?? 0) > 0),
    inState,
  ),
  at.listBatches.fault(
    "token-in-query",
    "AUTH-42",
    "A good token in the query is accepted.",
    opens("listBatches", ({ query, store }) => store.tokens.has(query.get("access_token") ?? "")),
  ),
  at.listBatches.fault(
    "query-token-unchecked",
    ["AUTH-37", "AUTH-42"],
    "Any token in the query is accepted.",
    opens("listBatches", ({ query }) => query.has("access_token")),
    forSomeValues,
  ),
  at.createBatch.fault(
    "pair-of-query",
    ["BATCH-02", "BATCH-27"],
    "A pair in the query counts more than the one in the body.",
    reading("createBatch", (body, { query }) => ({
      ...body,
      currency_pair: query.get("currency_pair") ?? body["currency_pair"],
    })),
    { ...withPairs, ...forSomeValues },
  ),
  badTokenTwice("createOperation"),
  badTokenTwice("createCounterparty"),
  badTokenTwice("addAcamItem"),
  badTokenTwice("createBatch"),
  badTokenTwice("listBatches"),
  keyAsToken("createCounterparty"),
  keyAsToken("addAcamItem"),
  keyAsToken("createBatch"),
  keyAsToken("listBatches"),
  withoutTokenSoon("createOperation"),
  withoutTokenSoon("createCounterparty"),
  withoutTokenSoon("listBatches"),
  key.fault(
    "any-accepted-soon",
    anyKey,
    "For a second after the good key, any key gets a token.",
    keyRemembered,
    inSequence,
  ),
  key.fault(
    "accepted-the-second-time",
    ["AUTH-08", "AUTH-12"],
    "A key that was refused gets a token the next time.",
    keyKnownOnceRefused,
    inSequence,
  ),
  at.createOperation.fault(
    "body-empty-415-mostly",
    "OPER-33",
    "Three of four empty bodies are refused with 415, the first one with 400.",
    mostly415,
    inSequence,
  ),
  at.createOperation.fault(
    "counterparty-missing-404-at-last",
    "OPER-23",
    "After 300 requests, a missing counterparty_id is refused with 404.",
    counterpartyMissing404After(300),
    inState,
  ),
];

import { reading, remembering } from "../change.ts";
import { itemAdded } from "../endpoints.ts";
import type { Call, Change } from "../policy.ts";
import {
  at,
  faultsAt,
  inSequence,
  inState,
  memberRefusals,
  tokenRefusals,
  type TokenEndpoint,
  withPurposes,
} from "./fault.ts";
import type { Broken, Fault } from "./fault.ts";
import { membersOf } from "./raw-body.ts";

type Member = keyof typeof memberRefusals;
const members = [
  "currency_amount",
  "operation_purpose",
  "currency_pair",
  "counterparty_id",
] as const;

/** Takes a member that the body lacks from the query. */
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

/** Accepts refused items by what their bodies say. */
function believes(reason: "purpose" | "operation", isBelieved: (call: Call) => boolean): Change {
  return refuses(reason, (answer, call) => (isBelieved(call) ? itemAdded : answer));
}

/** Accepts tokens at an endpoint that were not issued. */
function accepts(here: TokenEndpoint, isAccepted: (token: string, call: Call) => boolean): Change {
  return (base) => ({
    admitsToken: (token, call) =>
      base.admitsToken(token, call) || (call.operation === here && isAccepted(token, call)),
  });
}

/** Takes a request for one with a good token, whatever its header. */
function opens(here: TokenEndpoint, isOpen: (call: Call) => boolean): Change {
  return (base) => ({
    tokenIn: (header, call) => {
      const isOpened = call.operation === here && header === undefined && isOpen(call);
      return isOpened ? "open" : base.tokenIn(header, call);
    },
    admitsToken: (token, call) => token === "open" || base.admitsToken(token, call),
  });
}

/** Accepts a bad token that was presented before. */
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

/** Milliseconds for which a decision is remembered. */
const remembered = 300;

/** Accepts any header for a moment after a good token at the same endpoint. */
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
  const [missing, , , scheme] = tokenRefusals[here];
  const about = "For a moment after a good token, none is needed.";
  const broken: Broken = [missing, scheme];
  return faultsAt(here, prefixes[here]).fault(
    "without-token-soon",
    broken,
    about,
    soonAfter(here),
    inSequence,
  );
}

/** What stands in two places, and what happens twice. */
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
];

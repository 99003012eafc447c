import { isUtf8 } from "node:buffer";
import type { RequirementId } from "../../spec/catalogue.ts";
import type { OperationName } from "../../spec/operations.ts";
import {
  answers,
  around,
  instead,
  pause,
  problem,
  remembering,
  repeated,
  sent,
  successOf,
  isJson,
  crowded,
  insteadOfEach,
  success,
  edit,
  omit,
  set,
  type Edit,
} from "../change.ts";
import type { Answer, Call, Change, RefusalReason, Counterparty } from "../policy.ts";
import {
  badTokensAtList,
  at,
  faultsAnywhere,
  faultsAt,
  refusals,
  tokenRefusals,
  withPatience,
  withPurposes,
  type Fault,
  type Broken,
  atOnce,
  forSomeValues,
  inSequence,
  inState,
  inTime,
} from "./fault.ts";
import { bodyOf, has, holds, isMalformed, membersOf, reads, type Sent } from "./raw-body.ts";

const outcomes = {
  "gets a 500": { status: 500, headers: {}, body: { message: "Internal server error" } },
  "drops the connection": { status: 0, headers: {}, fate: "drop" },
  "never gets a response": { status: 0, headers: {}, fate: "hang" },
} as const satisfies Record<string, Answer>;

export const crashed: Answer = outcomes["gets a 500"];

/**
 * A row that describes a fault. `when` selects requests, or is the reason of the refusals to
 * replace. `also`: requirements that are broken too, because a refusal was due.
 */
type CrashRow = readonly [
  id: string,
  what: string,
  when: Sent | RefusalReason,
  ...also: RequirementId[],
];

const slow = { slow: true } as const;

/**
 * A fault that gives the requests of a row this outcome. A request that never gets a response makes
 * a run slow.
 */
function failure(
  { fault, refuses, gives }: ReturnType<typeof faultsAt>,
  outcome: keyof typeof outcomes,
  row: CrashRow,
): Fault {
  const [id, what, when, ...also] = row;
  const rule = outcome === "gets a 500" ? "HTTP-04" : "HTTP-05";
  const change =
    typeof when === "string"
      ? refuses(when, () => outcomes[outcome])
      : gives(outcomes[outcome], when);
  return fault(id, [rule, ...also], `${what} ${outcome}.`, change, {
    ...(outcome === "never gets a response" && slow),
    ...(when === "purpose" && withPurposes),
    ...(when !== always && forSomeValues),
  });
}

function crashes(
  endpoint: OperationName,
  prefix: string,
  table: readonly CrashRow[],
): readonly Fault[] {
  return table.map((row) => failure(faultsAt(endpoint, prefix), "gets a 500", row));
}

function drops(endpoint: OperationName, ...row: CrashRow): Fault {
  return failure(at[endpoint], "drops the connection", row);
}

function hangs(endpoint: OperationName, ...row: CrashRow): Fault {
  return failure(at[endpoint], "never gets a response", row);
}

function query(name: string, pattern: RegExp): Sent {
  return (call) => pattern.test(call.query.get(name) ?? "");
}

function header(name: string, pattern: RegExp): Sent {
  return (call) => call.headers[name] !== undefined && pattern.test(String(call.headers[name]));
}
const hasKey = (pattern: RegExp): Sent => header("x-api-key", pattern);
const hasToken = (pattern: RegExp): Sent => header("authorization", pattern);
function isWithout(name: string): Sent {
  return (call) => call.headers[name] === undefined;
}

const amount = (odd: (amount: number) => boolean): Sent => has("currency_amount", odd);

/** Selects requests whose `counterparty_id` names a counterparty for which `odd` is true. */
function ofPayee(odd: (counterparty: Counterparty) => boolean): Sent {
  return (call) => {
    const payee = call.store.counterparties.get(String(membersOf(call)["counterparty_id"]));
    return payee !== undefined && odd(payee);
  };
}

const hasPrototype: Sent = (call) => Object.hasOwn(membersOf(call), "__proto__");

const hasUnknownUuid: Sent = (call) =>
  has("counterparty_id", /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/)(call) &&
  !call.store.counterparties.has(String(membersOf(call)["counterparty_id"]));

const hasMemberTwice: Sent = (call) =>
  isJson(bodyOf(call)) && call.bytes.toString().split('"counterparty_id"').length > 2;

const isCutOff: Sent = (call) =>
  isMalformed(call) && !call.bytes.toString().trimEnd().endsWith("}");

/**
 * A fault: a request gets a 500 if `valueOf` had the same value in an earlier successful request.
 */
function again(
  endpoint: OperationName,
  id: string,
  what: string,
  valueOf: (call: Call) => unknown,
): Fault {
  const change = repeated(successOf(endpoint), valueOf, () => crashed);
  return faultsAt(endpoint).fault(id, "HTTP-04", `${what} gets a 500.`, change, inSequence);
}

const pairOf = (call: Call): unknown => sent(call)["currency_pair"];
const wholeRequest = (call: Call): string => `${call.path} ${call.bytes.toString()}`;

/**
 * Answers 500 to a name that differs from an earlier one only in letter case, as a case-insensitive
 * unique index does.
 */
const ofOtherCase: Change = remembering(() => {
  const names = new Map<string, string>();
  return answers(successOf("createCounterparty"), (answer, call) => {
    const name = String(sent(call)["name"]);
    const known = names.get(name.toLowerCase()) ?? name;
    names.set(name.toLowerCase(), known);
    return known === name ? answer : crashed;
  });
});

const crashingIfEmpty: Change = answers(
  ({ body }, call) => call.operation === "listBatches" && isJson(body) && body["total"] === 0,
  () => crashed,
);

const listWhileCreating: Change = remembering(() => {
  let inFlight = 0;
  return around(async (call, next) => {
    if (call.operation === "listBatches" && inFlight > 0) return crashed;
    if (call.operation !== "createBatch") return next(call);
    inFlight += 1;
    const answer = await next(call);
    await pause(10);
    inFlight -= 1;
    return answer;
  });
});

/**
 * Answers 500 to the first request after 1.5 s without requests, as if the connections in a pool
 * had been closed meanwhile.
 */
const afterSilence: Change = remembering(() => {
  let last = Date.now();
  return around(async (call, next) => {
    const silence = Date.now() - last;
    try {
      return silence > 1500 && call.operation !== undefined ? crashed : await next(call);
    } finally {
      last = Date.now();
    }
  });
});
const always: Sent = () => true;

const requestCrashes: readonly Fault[] = [
  ...crashes("createToken", "crash-token-", [["key-quote", "A quote in a key", hasKey(/'/)]]),
  ...crashes("createCounterparty", "crash-counterparty-", [
    ["non-ascii", "A body with non-ASCII characters", reads(/[^\x00-\x7f]/)],
    ["quotes", "A quote in a string", holds(/\\"|'/)],
    ["half-character", "An unpaired surrogate in a string", holds(/\\ud[89a-f]/i)],
    ["zero-byte-in-external-id", "A NUL character in an external_id", has("external_id", /\0/)],
    ["prototype-member", "A member named __proto__", hasPrototype],
  ]),
  ...crashes("createOperation", "crash-operation-", [
    ["beyond-64-bits", "An integer beyond 64 bits", amount((it) => it > 2 ** 64 && it < 1e21)],
    ["beyond-doubles", "A number beyond the range of a double", amount((it) => it === Infinity)],
    ["amount-string", "An amount that is a string", has("currency_amount", "string"), "OPER-28"],
    ["member-twice", "A duplicate member", hasMemberTwice],
    ["deep-nesting", "An array nested a thousand levels deep", reads(/\[{1000}/)],
    ["unknown-counterparty-of-own-shape", "A UUID of no counterparty", hasUnknownUuid, "OPER-44"],
    [
      "no-external-id",
      "A counterparty without an external_id",
      ofPayee((it) => it.external_id === undefined),
    ],
  ]),
  ...crashes("addAcamItem", "crash-acam-", [
    ["not-utf-8", "A body that is not UTF-8", ({ bytes }) => !isUtf8(bytes)],
    [
      "zero-byte-behind-tax-id",
      "A NUL character at the end of a tax_id",
      has("tax_id", /^\d+[^\d]*\0/),
    ],
    ["purpose", "A purpose other than EFX", "purpose", "ACAM-03", "ACAM-05"],
  ]),
  ...crashes("createBatch", "crash-batch-", [["half", "A body that is cut off", isCutOff]]),
  ...crashes("listBatches", "crash-list-", [
    ["page-no-number", "A page that is not a number", query("page", /[^\d.-]/)],
  ]),
];

const connectionFaults: readonly Fault[] = [
  drops("createToken", "dropped-without-key", "A missing key", isWithout("x-api-key"), "AUTH-05"),
  drops(
    "createOperation",
    "dropped-on-null",
    "A counterparty_id of null",
    has("counterparty_id", null),
    "OPER-27",
  ),
  drops(
    "createOperation",
    "dropped-when-refused",
    "A bad token",
    "token",
    ...tokenRefusals.createOperation,
  ),
  drops("addAcamItem", "dropped", "An item", hasToken(/^/), "ACAM-01", "ACAM-02"),
  hangs("createCounterparty", "hangs-on-malformed", "Malformed JSON", isMalformed),
  hangs(
    "createOperation",
    "hangs-on-unknown-counterparty",
    "An unknown counterparty",
    "counterparty",
    "OPER-44",
  ),
  hangs("listBatches", "hangs", "GET /batches", always),
];
const batch = faultsAt("createBatch", "crash-batch-");
const list = faultsAt("listBatches", "crash-list-");
const madeUp = ["HTTP-04", ...badTokensAtList] as const;
const anywhere = faultsAnywhere("crash-");
const onHttps = faultsAnywhere("plain-http-");
const https = { needs: { https: true } } as const;
function toBadGateway(answer: Answer, call: Call): Answer {
  return call.headers.authorization === undefined ? answer : problem(502, "Bad gateway");
}

/** Serves all requests over plain HTTP on the port of TLS. */
const serving: Change = () => ({ plainHttp: (_request, _response, serve) => serve() });

/** Serves requests for a token over plain HTTP on the port of TLS, and refuses all others. */
const servingTokens: Change = () => ({
  plainHttp: (request, response, serve) => {
    if (request.url?.endsWith("/auth/token")) serve();
    else response.writeHead(400, { "content-type": "text/html" }).end("<h1>TLS please</h1>");
  },
});

export const crashFaults: readonly Fault[] = [
  ...requestCrashes,
  ...connectionFaults,
  batch.fault(
    "malformed",
    "HTTP-04",
    "Malformed JSON gets a 503.",
    batch.gives(problem(503, "Unavailable"), isMalformed),
    forSomeValues,
  ),
  list.fault(
    "made-up-token",
    madeUp,
    "A token that was never issued gets a 502.",
    list.refuses("token", toBadGateway),
  ),
  list.fault(
    "empty",
    "HTTP-04",
    "GET /batches gets a 500 if there are no batches.",
    crashingIfEmpty,
    inState,
  ),
  list.fault(
    "while-created",
    "HTTP-04",
    "GET /batches gets a 500 while a batch is being created.",
    listWhileCreating,
    atOnce,
  ),
  anywhere.fault(
    "after-silence",
    "HTTP-04",
    "The first request after 1.5 s without any gets a 500.",
    afterSilence,
    {
      ...withPatience,
      ...inTime,
    },
  ),
  anywhere.fault(
    "idle-connection",
    "HTTP-04",
    "A request with a good token on a connection that was idle for 100 ms gets a 500.",
    instead((call) => call.idle > 100 && hasGoodToken(call), crashed),
    inTime,
  ),
  anywhere.fault(
    "head",
    "HTTP-04",
    "HEAD /batches gets a 500.",
    instead(({ method }) => method === "HEAD", crashed),
  ),
  again("createBatch", "crash-batch-second-of-pair", "A second batch for a pair", pairOf),
  again(
    "addAcamItem",
    "acam-second-item-500",
    "A second item for an operation",
    ({ parameter }) => parameter,
  ),
  again("createOperation", "operation-same-again-crashes", "An operation sent twice", wholeRequest),
  at.createCounterparty.fault(
    "name-in-capitals-crashes",
    "HTTP-04",
    "A name in another case gets a 500.",
    ofOtherCase,
    inSequence,
  ),

  onHttps.fault(
    "served",
    "HTTP-07",
    "The TLS port serves the API over plain HTTP, too.",
    serving,
    https,
  ),
  onHttps.fault(
    "serves-token",
    "HTTP-07",
    "The TLS port issues tokens over plain HTTP, too.",
    servingTokens,
    https,
  ),
];

const crashingConcurrent: Change = crowded(
  ({ operation }) => operation === "createOperation",
  async (inFlight, next) => {
    const many = inFlight() >= 3;
    await pause(10);
    return many ? crashed : next();
  },
);

/** Changes every `n`th success of an endpoint. */
function everyNth(n: number, endpoint: OperationName, change: Edit): Change {
  return remembering(() => {
    let made = 0;
    return success(endpoint, (body, call) => {
      made += 1;
      return made % n === 0 ? change(body, call) : body;
    });
  });
}

/** A fault: every `n`th success of an endpoint is wrong. */
function wrong(
  endpoint: OperationName,
  id: string,
  broken: Broken,
  n: number,
  words: string,
  change: Edit,
): Fault {
  const about = `Of ${n} successes, ${words}.`;
  return at[endpoint].fault(
    `sometimes-${id}`,
    broken,
    about,
    everyNth(n, endpoint, change),
    inSequence,
  );
}

const inSaoPaulo = edit("created_at", (time: string) => time.replace("Z", "-03:00"));

const anyRefusal: Broken = ["HTTP-04", ...Object.values(refusals).flat()];
const ofOperation: Broken = ["HTTP-04", ...refusals.operation];

export const intermittentFaults: readonly Fault[] = [
  faultsAnywhere().fault(
    "sometimes-crashes",
    anyRefusal,
    "Every ninth request gets a 500.",
    insteadOfEach(9, crashed),
    inSequence,
  ),
  at.createOperation.fault(
    "sometimes-crashes-together",
    ofOperation,
    "A third at once gets a 500.",
    crashingConcurrent,
    atOnce,
  ),
  wrong(
    "createOperation",
    "quoted",
    "OPER-02",
    8,
    "one has the status quoted",
    set({ status: "quoted" }),
  ),
  wrong(
    "createOperation",
    "time-local",
    "OPER-14",
    5,
    "one has the offset of São Paulo in its time",
    inSaoPaulo,
  ),
  wrong("createBatch", "id-missing", "BATCH-01", 3, "one has no id", omit("id")),
];

function hasGoodToken(call: Call): boolean {
  const token = call.policy.tokenIn(call.headers.authorization, call);
  return token !== undefined && call.store.tokens.has(token);
}

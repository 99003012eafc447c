// Requests that get a 500, or no response at all.
import { isUtf8 } from "node:buffer";
import type { RequirementId } from "../../spec/catalogue.ts";
import {
  all,
  answers,
  around,
  crowded,
  instead,
  insteadOfEach,
  isJson,
  pause,
  problem,
  remembering,
  sent,
  type Json,
  crashed,
} from "../change.ts";
import type { Answer, Call, Change, Counterparty, RefusalReason } from "../policy.ts";
import {
  has,
  hasMemberTwice,
  isMalformed,
  membersOf,
  operationsForPayee,
  reads,
  type Sent,
  wholeBody,
} from "../request.ts";
import { badTokensAtList, tokenRefusals } from "./authorization.ts";
import { stated400 } from "./operation-requests.ts";
import {
  at,
  deviation as anywhere,
  withPatience,
  withPurposes,
  type Condition,
  type Deviation,
  type Facts,
  wrongText,
  type IsWrong,
} from "./deviation.ts";

const outcomes = {
  "gets a 500": crashed,
  "drops the connection": { status: 0, headers: {}, fate: "drop" },
  "never gets a response": { status: 0, headers: {}, fate: "hang" },
} as const satisfies Record<string, Answer>;

type Name = keyof typeof at;

/**
 * A fault: requests of an endpoint that `when` selects, or that should be refused for this reason,
 * have this outcome. `also`: requirements that are broken too, because a refusal was due.
 */
function failure(
  name: Name,
  id: string,
  what: string,
  outcome: keyof typeof outcomes,
  when: Sent | RefusalReason,
  also: readonly RequirementId[] = [],
  facts: Facts = { when: "data" },
): Deviation {
  const { deviation, gives, refuses } = at[name];
  const answer = outcomes[outcome];
  const change = typeof when === "string" ? refuses(when, () => answer) : gives(answer, when);
  return deviation(id, `${what} ${outcome}.`, change, {
    breaks: [outcome === "gets a 500" ? "HTTP-04" : "HTTP-05", ...also],
    ...(outcome === "never gets a response" && { needs: { slow: true } }),
    ...facts,
  });
}

function crash(
  name: Name,
  id: string,
  what: string,
  when: Sent | RefusalReason,
  ...also: readonly RequirementId[]
): Deviation {
  return failure(name, id, what, "gets a 500", when, also);
}

/** A fault: a request gets a 500 if an earlier successful one had the same value. */
function again(name: Name, id: string, what: string, valueOf: (call: Call) => unknown): Deviation {
  const { deviation, again: changes } = at[name];
  return deviation(
    id,
    `${what} gets a 500.`,
    changes(valueOf, () => crashed),
    {
      breaks: "HTTP-04",
      when: "later",
    },
  );
}

const header =
  (name: string, pattern: RegExp): Sent =>
  (call) =>
    call.headers[name] !== undefined && pattern.test(String(call.headers[name]));
const isEmptyObject = (value: unknown): boolean => isJson(value) && Object.keys(value).length === 0;

/** Selects requests whose `counterparty_id` names a counterparty for which `odd` is true. */
function ofPayee(odd: (counterparty: Counterparty) => boolean): Sent {
  return (call) => {
    const payee = call.store.counterparties.get(String(membersOf(call)["counterparty_id"]));
    return payee !== undefined && odd(payee);
  };
}

const hasOperation: IsWrong = (_body, call) => operationsForPayee(call).length > 0;
const hasItem = (_body: Json, { store, parameter }: Call): boolean =>
  (store.operations.get(parameter)?.items ?? 0) > 0;
const hasPrototype: Sent = (call) => Object.hasOwn(membersOf(call), "__proto__");

const ofRequests: readonly Deviation[] = [
  crash("token", "crash-token-key-quote", "A quote in a key", header("x-api-key", /'/)),
  crash(
    "counterparty",
    "crash-counterparty-prototype-member",
    "A member named __proto__",
    hasPrototype,
  ),
  crash(
    "counterparty",
    "counterparty-account-empty-crashes",
    "An empty bank_account",
    has("bank_account", isEmptyObject),
  ),
  crash(
    "counterparty",
    "counterparty-external-id-of-every-object-crashes",
    "An external id that every object has as a property",
    has("external_id", (it) => typeof it === "string" && it in {}),
  ),
  crash(
    "counterparty",
    "counterparty-name-between-50-and-140-crashes",
    "A name of 51 to 140 characters",
    has("name", (name) => typeof name === "string" && name.length > 50 && name.length <= 140),
  ),
  crash(
    "operation",
    "blind-exponent-500",
    "An amount with an exponent",
    reads(/"currency_amount"\s*:\s*-?[\d.]+[eE]/),
  ),
  crash(
    "operation",
    "crash-operation-amount-string",
    "An amount that is a string",
    has("currency_amount", (it) => typeof it === "string"),
    "OPER-28",
  ),
  crash("operation", "crash-operation-member-twice", "A duplicate member", hasMemberTwice),
  crash(
    "operation",
    "crash-operation-deep-nesting",
    "An array nested a thousand levels deep",
    reads(/\[{1000}/),
  ),
  crash(
    "operation",
    "crash-operation-no-external-id",
    "A counterparty without an external_id",
    ofPayee((it) => it.external_id === undefined),
  ),
  crash("acam", "crash-acam-not-utf-8", "A body that is not UTF-8", ({ bytes }) => !isUtf8(bytes)),
  at.operation.deviation(
    "operation-first-of-payee-large-crashes",
    "An amount of 2^31 or more gets a 500, and a second operation of a payee is refused first.",
    all(
      at.operation.rejects(hasOperation, "The counterparty has an operation", 409, "duplicate"),
      at.operation.rejects(
        (body) => Number(body["currency_amount"]) >= 2 ** 31,
        "Internal server error",
        500,
      ),
    ),
    { breaks: "HTTP-04", when: "data" },
  ),
  at.acam.deviation(
    "acam-first-item-four-byte-crashes",
    "A merchant with a character of four bytes gets a 500, and a second item is refused first.",
    all(
      at.acam.rejects(hasItem, "The operation has an item", 409, "second item"),
      at.acam.rejects(wrongText(/^[\0-\uffff]*$/u, "merchant"), "Internal server error", 500),
    ),
    { breaks: "HTTP-04", when: "data" },
  ),
  crash(
    "acam",
    "acam-id-long-crashes",
    "An id of more than 200 characters",
    ({ parameter }) => parameter.length > 200,
    "ACAM-04",
  ),
  failure(
    "acam",
    "crash-acam-purpose",
    "A purpose other than EFX",
    "gets a 500",
    "purpose",
    ["ACAM-03", "ACAM-05"],
    { when: "data", needs: withPurposes },
  ),
  crash("list", "crash-list-page-no-number", "A page that is not a number", ({ query }) =>
    /[^\d.-]/.test(query.get("page") ?? ""),
  ),
  crash(
    "list",
    "blind-bare-bearer-500",
    "A header that is Bearer alone",
    header("authorization", /^bearer\s*$/i),
    "AUTH-39",
  ),
  at.list.deviation(
    "crash-list-made-up-token",
    "A token that was never issued gets a 502.",
    at.list.refuses("token", (answer, call) =>
      call.headers.authorization === undefined ? answer : problem(502, "Bad gateway"),
    ),
    { breaks: ["HTTP-04", ...badTokensAtList] },
  ),
  at.batch.deviation(
    "crash-batch-malformed",
    "Malformed JSON gets a 503.",
    at.batch.gives(problem(503, "Unavailable"), isMalformed),
    { breaks: "HTTP-04", when: "data" },
  ),
  anywhere(
    "crash-head",
    "HEAD /batches gets a 500.",
    instead(({ method }) => method === "HEAD", crashed),
    { breaks: "HTTP-04" },
  ),

  failure(
    "token",
    "token-dropped-without-key",
    "A missing key",
    "drops the connection",
    ({ headers }) => headers["x-api-key"] === undefined,
    ["AUTH-05"],
  ),
  failure(
    "operation",
    "operation-dropped-when-refused",
    "A bad token",
    "drops the connection",
    "token",
    tokenRefusals.operation,
  ),
  failure("acam", "acam-dropped", "An item", "drops the connection", header("authorization", /^/), [
    "ACAM-01",
    "ACAM-02",
  ]),
  failure(
    "counterparty",
    "counterparty-hangs-on-malformed",
    "Malformed JSON",
    "never gets a response",
    isMalformed,
  ),
  failure(
    "operation",
    "operation-hangs-on-unknown-counterparty",
    "An unknown counterparty",
    "never gets a response",
    "counterparty",
    ["OPER-44"],
  ),
  failure("list", "list-hangs", "GET /batches", "never gets a response", () => true, [], {}),
  failure(
    "list",
    "blind-list-hangs-from-ten",
    "The list from ten batches on",
    "never gets a response",
    ({ store }) => store.batches.length >= 10,
    [],
    { when: "later" },
  ),
];

/** Answers 500 to one endpoint while a request to another is being handled. */
function whileOther(crashing: Call["operation"], busy: Call["operation"]): Change {
  return remembering(() => {
    let inFlight = 0;
    return around(async (call, next) => {
      if (call.operation === crashing && inFlight > 0) return crashed;
      if (call.operation !== busy) return next(call);
      inFlight += 1;
      const answer = await next(call);
      await pause(15);
      inFlight -= 1;
      return answer;
    });
  });
}

/** Answers 500 to the first request after a silence, as if pooled connections had been closed. */
function afterSilence(ms: number): Change {
  return remembering(() => {
    let last = Date.now();
    return around(async (call, next) => {
      const silence = Date.now() - last;
      try {
        return silence > ms && call.operation !== undefined ? crashed : await next(call);
      } finally {
        last = Date.now();
      }
    });
  });
}

const expiring = (ms: number): Change =>
  around(async (call, next) => {
    const since = call.store.tokens.get(call.headers.authorization?.slice(7) ?? "");
    return since !== undefined && Date.now() - since > ms ? crashed : next(call);
  });

const inPoolOfTwo: Change = crowded(
  () => true,
  async (inFlight, next) => {
    if (inFlight() > 2) return crashed;
    await pause(10);
    return next();
  },
);

/**
 * Requests with a good token take a connection, and then a second one, out of a pool of four. Who
 * waits longer than `ms` for one gets this answer.
 */
function poolOfFour(ms: number, answer: Answer): Change {
  return remembering(() => {
    let free = 4;
    const waiting: ((isFree: boolean) => void)[] = [];
    const take = (): Promise<boolean> =>
      new Promise((taken) => {
        if (free > 0) {
          free -= 1;
          return taken(true);
        }
        waiting.push(taken);
        void pause(ms).then(() => {
          const at = waiting.indexOf(taken);
          if (at >= 0) waiting.splice(at, 1)[0]?.(false);
        });
      });
    const give = (): void => {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next(true);
    };
    return around(async (call, next) => {
      if (!hasGoodToken(call)) return next(call);
      if (!(await take())) return answer;
      try {
        await pause(5);
        if (!(await take())) return answer;
        return await next(call).finally(give);
      } finally {
        give();
      }
    });
  });
}

const hasGoodToken = (call: Call): boolean =>
  call.store.tokens.has(call.policy.tokenIn(call.headers.authorization, call) ?? "");

function crashing(
  id: string,
  about: string,
  change: Change,
  when: Condition,
  facts: Facts = {},
): Deviation {
  return anywhere(id, about, change, { breaks: "HTTP-04", when, ...facts });
}

/** A 500 to a request that must be refused can be blamed as a wrong refusal, too. */
const ofAnyRequest: Facts = {
  breaks: [
    "HTTP-04",
    ...stated400,
    ...(["ACAM-03", "ACAM-04", "ACAM-05"] as const),
    ...(["AUTH-05", "AUTH-06", "AUTH-07", "AUTH-08", "AUTH-09", "AUTH-10"] as const),
    ...Object.values(tokenRefusals).flat(),
  ],
};

const inTime: readonly Deviation[] = [
  again("counterparty", "blind-exact-duplicate-500", "The same counterparty again", wholeBody),
  again(
    "acam",
    "acam-second-item-500",
    "A second item for an operation",
    ({ parameter }) => parameter,
  ),
  again(
    "batch",
    "crash-batch-second-of-pair",
    "A second batch for a pair",
    (call) => sent(call)["currency_pair"],
  ),
  at.acam.deviation(
    "crash-acam-first-of-other-purpose",
    "The first item for another purpose gets a 500.",
    remembering(() => {
      let count = 0;
      return at.acam.refuses("purpose", (answer) => {
        count += 1;
        return count === 1 ? crashed : answer;
      });
    }),
    { breaks: "HTTP-04", when: "later", needs: withPurposes },
  ),
  at.list.deviation(
    "crash-list-empty",
    "GET /batches gets a 500 if there are no batches.",
    answers(
      ({ body }, call) => call.operation === "listBatches" && (body as Json)["total"] === 0,
      () => crashed,
    ),
    { breaks: "HTTP-04", when: "later" },
  ),
  at.list.deviation(
    "crash-list-while-created",
    "GET /batches gets a 500 while a batch is being created.",
    whileOther("listBatches", "createBatch"),
    { breaks: "HTTP-04", when: "at once" },
  ),
  crashing(
    "crash-after-silence",
    "The first request after 1.5 s without any gets a 500.",
    afterSilence(1500),
    "time",
    { needs: withPatience },
  ),
  crashing(
    "blind-idle-then-500",
    "The first request after two seconds without any gets a 500.",
    afterSilence(2000),
    "time",
    { known: "missed" },
  ),
  crashing(
    "blind-expired-token-500",
    "A token is good for five seconds, and gets a 500 after that.",
    expiring(5_000),
    "time",
    { known: "missed" },
  ),
  crashing(
    "token-of-two-seconds-crashes",
    "A token that is older than two seconds gets a 500.",
    expiring(2_000),
    "time",
    ofAnyRequest,
  ),
  crashing(
    "blind-cold-start-500",
    "The first request to each endpoint gets a 500.",
    instead(({ nth }) => nth === 1, crashed),
    "later",
  ),
  crashing(
    "crash-idle-connection",
    "A request with a good token on a connection that was idle for two seconds gets a 500.",
    instead((call) => call.idle > 2_000 && hasGoodToken(call), crashed),
    "time",
  ),
  crashing(
    "pool-of-four-500",
    "Each request takes two connections of a pool of four, and gets a 500 if it waits for a second.",
    poolOfFour(1000, crashed),
    "at once",
    ofAnyRequest,
  ),
  crashing(
    "blind-pool-of-two-500",
    "A third request in flight gets a 500.",
    inPoolOfTwo,
    "at once",
    ofAnyRequest,
  ),
  crashing(
    "blind-every-fiftieth-500",
    "Every fiftieth request gets a 500.",
    insteadOfEach(50, crashed),
    "later",
    ofAnyRequest,
  ),
];

export const crashes: readonly Deviation[] = [...ofRequests, ...inTime];

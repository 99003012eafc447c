import { gzipSync } from "node:zlib";
import { setTimeout } from "node:timers/promises";
import {
  all,
  answers,
  around,
  instead,
  isJson,
  problem,
  rawResponse,
  reading,
  remembering,
  rename,
  repeated,
  sent,
  succeeded,
  success,
  successOf,
  withBytes,
} from "../../reference/change.ts";
import type { OperationName } from "../../spec/operations.ts";
import type { Answer, Call, Change, RawResponse } from "../../reference/policy.ts";

/** What is wrong with a server: changes of its own, or faults of the catalogue. */
interface Wrong {
  readonly changes?: readonly Change[];
  readonly faults?: readonly string[];
}

function ofEvery(change: (value: unknown, name: string) => unknown): (body: unknown) => unknown {
  const within = (value: unknown, name: string): unknown => {
    if (Array.isArray(value)) return value.map((one) => within(one, name));
    if (!isJson(value)) return change(value, name);
    return Object.fromEntries(
      Object.entries(value).map(([inner, one]) => [inner, within(one, inner)]),
    );
  };
  return (body) => within(body, "");
}

function inEverySuccess(change: (body: unknown) => unknown): Change {
  return answers(
    ({ status, body }) => status < 300 && body !== undefined,
    (answer) => ({ ...answer, body: change(answer.body) }),
  );
}

const isId = (name: string): boolean => name === "id" || name.endsWith("_id");

const numericIds: Change = all(
  () => {
    let last = 0;
    return {
      newId: () => {
        last += 1;
        return String(last);
      },
    };
  },
  inEverySuccess(
    ofEvery((value, name) =>
      isId(name) && typeof value === "string" && /^\d+$/.test(value) ? Number(value) : value,
    ),
  ),
);

function camelCased(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(camelCased);
  if (!isJson(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
      camelCased(inner),
    ]),
  );
}

const successes201: Change = answers(succeeded, (answer) => ({ ...answer, status: 201 }));

const errorInPlaceOfMessage: Change = answers(
  ({ status, body }) => status >= 400 && isJson(body),
  (answer) => ({ ...answer, body: { error: isJson(answer.body) ? answer.body["message"] : "" } }),
);

const timesWithoutZone: Change = (base) => ({
  timestamp: (time, kind) => base.timestamp(time, kind).replace("Z", ""),
});

const unprocessable: Change = answers(
  ({ refusal }, { operation }) =>
    operation === "createOperation" && refusal !== undefined && !/token|key/.test(refusal),
  (answer) => ({ ...answer, status: 422 }),
);

const page: Answer = {
  status: 404,
  headers: { "content-type": "text/html" },
  text: "<!doctype html><title>404 Not Found</title><h1>Not Found</h1>",
};

const roundedAmounts: Change = success("createOperation", (body) => ({
  ...body,
  foreign_currency_amount: Math.round(Number(body["foreign_currency_amount"]) * 10) / 10,
}));

/** A member is wrong if the server handles another operation at the same time. Each takes a while. */
function mixesTogether(member: string, wrong: (value: unknown) => unknown): Change {
  return remembering(() => {
    let handled = 0;
    let crowds = 0;
    return around(async (call, next) => {
      if (call.path !== "/corporate/operation") return next(call);
      handled += 1;
      if (handled > 1) crowds += 1;
      const before = crowds;
      const wasAlone = handled === 1;
      await setTimeout(150);
      const answer = await next(call);
      handled -= 1;
      const isAlone = wasAlone && crowds === before;
      if (isAlone || !isJson(answer.body) || answer.status !== 200) return answer;
      return { ...answer, body: { ...answer.body, [member]: wrong(answer.body[member]) } };
    });
  });
}

const internalError: Answer = {
  status: 500,
  headers: {},
  body: { message: "Internal server error" },
};

/** The value that a request has as its body. Undefined if it is not JSON. */
function bodyOf({ bytes }: Call): unknown {
  try {
    return JSON.parse(bytes.toString());
  } catch {
    return undefined;
  }
}

/** A line of code that calls a method of a member without a check of its type. */
function unchecked(operation: OperationName, member: string, type: "string" | "number"): Change {
  return crashes((call) => {
    const body = bodyOf(call);
    return isJson(body) && typeof body[member] !== type;
  }, operation);
}

function holdsNull(value: unknown): boolean {
  if (value === null) return true;
  return typeof value === "object" && Object.values(value).some(holdsNull);
}

/** A statement for a database in which an apostrophe of a text stands as it is. */
const apostropheCrash: Change = crashes(({ bytes }) => bytes.includes("'"));

/** Operations keep an amount with two decimals, and show it from then on. */
const amountsKeptRounded: Change = answers(successOf("createOperation"), (answer, { store }) => {
  const body = isJson(answer.body) ? answer.body : {};
  const amount = Math.floor(Number(body["foreign_currency_amount"]));
  const id = String(body["operation_id"]);
  const made = store.operations.get(id);
  if (made !== undefined) store.operations.set(id, { ...made, amount });
  return { ...answer, body: { ...body, foreign_currency_amount: amount } };
});

const listAtTheTop: Change = around(async (call, next) => {
  const answer = await next(call);
  const list = isJson(answer.body) ? answer.body["batches"] : undefined;
  return call.operation === "listBatches" && Array.isArray(list)
    ? { ...answer, body: list }
    : answer;
});

/** A member of an object in a request. Undefined if it is no text. */
function textIn(call: Call, holder: string, member: string): string | undefined {
  const held = sent(call)[holder];
  const text = isJson(held) ? held[member] : undefined;
  return typeof text === "string" ? text : undefined;
}

/** Every tenth new payee gets a 500, whatever it is. */
const chance: Change = remembering(() => {
  let payees = 0;
  return answers(successOf("createCounterparty"), (answer) => {
    payees += 1;
    return payees % 10 === 0 ? internalError : answer;
  });
});

/** Requests without a member get a 400. Those that are wrong in another way get a 422. */
const statusByMistake: Change = answers(
  ({ refusal }, { operation }) => operation === "createOperation" && refusal === "invalid",
  (answer, call) =>
    ["currency_amount", "currency_pair", "operation_purpose", "counterparty_id"].every(
      (name) => name in sent(call),
    )
      ? { ...answer, status: 422 }
      : answer,
);

/** A number in place of the id of a counterparty is taken for the text that it spells. */
const numberForText: Change = all(
  reading("createOperation", (body) => ({
    ...body,
    ...(typeof body["counterparty_id"] === "number" && {
      counterparty_id: String(body["counterparty_id"]),
    }),
  })),
  answers(
    ({ refusal }) => refusal === "counterparty",
    (answer) => ({ ...answer, status: 404 }),
  ),
);

function inEachBody(change: (raw: RawResponse) => RawResponse): Change {
  return rawResponse(() => true, change);
}

/** The wrong servers, by the words for what is wrong with them. */
export const servers = {
  "the token has another name": {
    changes: [success("createToken", rename("token", "access_token"))],
  },
  "ids are numbers": { changes: [numericIds] },
  "every token is accepted": {
    changes: [() => ({ tokenIn: () => "any", admitsToken: () => true })],
  },
  "members are in camel case": { changes: [inEverySuccess(camelCased)] },
  "another base path": { changes: [instead(() => true, page)] },
  "the key is refused": { changes: [() => ({ admitsKey: () => false })] },
  "a list at the top": { changes: [listAtTheTop] },
  "amounts are rounded": { changes: [roundedAmounts] },
  "amounts are kept rounded": { changes: [amountsKeptRounded] },
  "a crash now and then, whatever is sent": { changes: [chance] },
  "a crash on quotes": {
    changes: [instead(({ bytes }) => /\\\\"|'/.test(bytes.toString()), internalError)],
  },
  "a crash on any null": { changes: [crashes((call) => holdsNull(bodyOf(call)))] },
  "a crash on an apostrophe, and on a name that is no text": {
    changes: [apostropheCrash, unchecked("createCounterparty", "name", "string")],
  },
  "a column of 11 characters": {
    changes: [
      crashes((call) =>
        ["bank_account", "intermediary_bank"].some(
          (bank) => (textIn(call, bank, "swift_code") ?? "").length > 11,
        ),
      ),
    ],
  },
  "a column of 15 digits": {
    changes: [crashes((call) => Number(sent(call)["currency_amount"]) >= 1e13, "createOperation")],
  },
  "a crash on an apostrophe in a name": {
    changes: [crashes((call) => String(sent(call)["name"]).includes("'"))],
  },
  "a crash on any query": { changes: [crashes(({ query }) => query.size > 0, "listBatches")] },
  "a crash on unknown members": {
    changes: [crashes(({ bytes }) => /fxconform_note|made-up/.test(bytes.toString()))],
  },
  "a column of 60 characters": {
    changes: [crashes((call) => (textIn(call, "counterparty_address", "city") ?? "").length > 60)],
  },
  "a member of the address that is read without a check": {
    changes: [
      answers(
        (answer, call) =>
          successOf("createCounterparty")(answer, call) &&
          textIn(call, "counterparty_address", "state") === undefined,
        () => internalError,
      ),
    ],
  },
  "a body that is not checked": {
    changes: [
      crashes(
        (call) =>
          /^\s*(null)?\s*$/.test(call.bytes.toString()) &&
          call.method === "POST" &&
          call.operation !== "createToken",
      ),
    ],
  },
  "a unique external id": {
    changes: [
      repeated(
        successOf("createCounterparty"),
        (call) => sent(call)["external_id"] ?? Symbol("none"),
        () => internalError,
      ),
    ],
  },
  "a page of a firewall": {
    changes: [
      instead(({ bytes }) => /<script|--/.test(bytes.toString()), { ...page, status: 200 }),
    ],
  },
  "a coding that does not exist": {
    changes: [
      inEachBody((raw) => ({ ...raw, headers: { ...raw.headers, "content-encoding": "utf-8" } })),
    ],
  },
  "a mark before each body": {
    changes: [
      inEachBody((raw) => withBytes(raw, Buffer.concat([Buffer.from("\uFEFF"), raw.bytes]))),
    ],
  },
  "bodies in gzip without its header": {
    changes: [inEachBody((raw) => withBytes(raw, gzipSync(raw.bytes)))],
  },
  "another status for each kind of mistake": { changes: [statusByMistake] },
  "a crash and another status for refusals": { changes: [apostropheCrash, unprocessable] },
  "a number is taken for a text": { changes: [numberForText] },
  "the scheme Token is accepted": { faults: ["list-scheme-token"] },
  "any scheme is accepted": {
    changes: [() => ({ tokenIn: (header) => header?.split(/ +/).at(-1) })],
  },
  "a scheme without a token is accepted": { faults: ["list-other-scheme"] },
  "an IBAN comes back under another name": { faults: ["batched-account-iban-moved"] },
  "texts are normalised": { faults: ["counterparty-external-id-normalised"] },
  "one pair has another status": { faults: ["acam-status-of-second-pair"] },
  "four mistakes": {
    changes: [errorInPlaceOfMessage, timesWithoutZone, successes201, unprocessable],
  },
} as const satisfies Record<string, Wrong>;

/** Servers that are wrong about requests that overlap. */
export const overlapping = {
  "amounts are wrong while another is handled": {
    changes: [mixesTogether("foreign_currency_amount", (amount) => 2 * Number(amount) + 1000)],
  },
  "dates are wrong while another is handled": {
    changes: [mixesTogether("created_at", () => "2026-13-45T99:00:00Z")],
  },
  "everything fails from a moment on": {
    changes: [
      remembering(() => {
        let requests = 0;
        return instead(() => {
          requests += 1;
          return requests >= 300;
        }, internalError);
      }),
    ],
  },
  "requests wait for one another": { faults: ["pool-of-four-500"] },
  "responses are mixed up": { faults: ["blind-response-of-the-other"] },
  "responses are mixed up, and amounts are rounded": {
    faults: ["blind-response-of-the-other", "operation-amount-two-decimals"],
  },
} as const satisfies Record<string, Wrong>;

/**
 * Answers 500 to the requests that `when` selects, at one endpoint or at all, unless their key or
 * token is bad.
 */
function crashes(when: (call: Call) => boolean, operation?: OperationName): Change {
  return answers(
    ({ refusal }, call) =>
      (operation === undefined || call.operation === operation) &&
      refusal !== "token" &&
      refusal !== "key" &&
      when(call),
    () => problem(500, "Internal server error"),
  );
}
